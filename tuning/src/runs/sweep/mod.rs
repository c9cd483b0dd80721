//! Sweeps: a grid over one or two parameters of an agent, at several budgets.
//!
//! A [`Sweep`] is read from a TOML file and defines a list of matches. Their [`SweepResult`] is a table,
//! [plots](plots()), and a verdict on which setting is best.

mod axis;
mod draw;
mod file;
mod plan;
mod result;
mod table;

pub use axis::{Axis, AxisScale};
pub use draw::plots;
pub use file::Overrides;
pub use plan::{Budget, Cell, Setting, Sweep};
pub use result::{BestSetting, Pairing, SweepResult, SweepRow};

use crate::play::matches::Count;
use crate::runs::{Arguments, Conclusion, Match, Schedule, read_arguments};
use anyhow::Result;

impl Schedule for Sweep {
    fn round(&self, _: &[Count]) -> Result<Vec<Match>> {
        Ok(self.cells().iter().map(|cell| self.one_match(cell)).collect())
    }

    fn conclude(&self, counts: &[Count]) -> Result<Conclusion> {
        let result = SweepResult::of(self, counts);
        let mut files = vec![("sweep.csv", result.csv()?)];
        for (name, plot) in plots(&result) {
            files.push((name, plot.picture()?.into_bytes()));
        }
        Ok(Conclusion { files, ..Conclusion::of(&result)? })
    }

    /// Extends the same sweep with fewer games, values, budgets or agents outside the grid.
    fn extends(&self, before: &Arguments) -> Result<Option<Box<dyn Schedule>>> {
        let same = |before: &Sweep| {
            // The plots change if a parameter's values are no longer all numbers.
            let is_same = |(one, other): (&Axis, &Axis)| {
                one.parameter == other.parameter && one.numbers().is_some() == other.numbers().is_some()
            };
            let all = self.axes.len() == before.axes.len() && self.axes.iter().zip(&before.axes).all(is_same);
            all && self.title == before.title && self.opponent == before.opponent
        };
        let before = read_arguments::<Sweep>(before).ok().filter(same);
        Ok(before.map(|before| Box::new(before) as Box<dyn Schedule>))
    }
}
