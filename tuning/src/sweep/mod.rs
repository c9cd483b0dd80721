//! Sweeps: a grid over one or two parameters of an agent, at several budgets.
//!
//! A [`Sweep`] is read from a TOML file and is a list of matches; [`run`] plays them in a
//! folder and counts them as an [`Outcome`]: a table, [plots](draw()), and which setting is the best.

mod axis;
mod draw;
mod file;
mod plan;
mod result;
mod run;
mod table;

pub use axis::{Axis, Scale};
pub use draw::draw;
pub use file::Overrides;
pub use plan::{Budget, Match, Setting, Sweep};
pub use result::{Cell, Outcome, Pairing, Row, Verdict};
pub use run::{HEADER, Header, Progress, run};
