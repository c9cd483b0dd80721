//! What the files of `lab sweep` and `lab tune` have in common: TOML whose mistakes are told with
//! line and column, agents whose parameters vary, budgets.

mod budget;
mod document;
mod entries;
mod family;

pub use budget::BudgetText;
pub use document::Document;
pub use entries::Entries;
pub use family::Family;
