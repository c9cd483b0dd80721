//! The course's grading: ten single moves, a point each, and nine games against the reference
//! agent, ten points each.

mod games;
mod report;
mod singles;

pub use games::{GamePlan, plan_games};
pub use report::{Card, Item};
pub use singles::{SingleMove, problems};
