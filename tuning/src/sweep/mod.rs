//! Sweeps: a grid over one or two parameters of an agent, at several budgets.
//!
//! A [`Sweep`] is read from a TOML file and is a list of matches; their result is a [`SweepResult`]: a
//! table, [plots](draw()), and which setting is the best.

mod axis;
mod draw;
mod file;
mod plan;
mod result;
mod table;

pub use axis::{Axis, AxisScale};
pub use draw::{draw, figures};
pub use file::Overrides;
pub use plan::{Budget, Cell, Setting, Sweep};
pub use result::{BestSetting, Pairing, Row, SweepResult};

use crate::matches::Count;
use crate::run::{Conclusion, Match, Schedule};
use anyhow::Result;

impl Schedule for Sweep {
    fn round(&self, _: &[Count]) -> Result<Vec<Match>> {
        Ok(self.cells().iter().map(|cell| self.one_match(cell)).collect())
    }

    fn conclude(&self, counts: &[Count]) -> Result<Conclusion> {
        let result = SweepResult::of(self, counts);
        let mut files = vec![("sweep.csv", result.csv()?)];
        files.extend(draw(&result)?.into_iter().map(|(name, svg)| (name, svg.into_bytes())));
        Ok(Conclusion { files, ..Conclusion::of(&result)? })
    }
}
