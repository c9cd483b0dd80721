//! What the files of `lab sweep` and `lab tune` have in common: TOML whose mistakes are told with
//! line and column, agents whose parameters vary, budgets.

mod budget;
mod entries;
mod family;
mod source;

pub use budget::{BudgetText, budget_label, budget_name};
pub use entries::Entries;
pub use family::Family;
pub use source::Source;

/// A game of so many plies is a draw, unless the file says otherwise.
pub const MAX_PLIES: u32 = 400;
