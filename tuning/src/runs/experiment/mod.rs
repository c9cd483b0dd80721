//! Shared by the files of `lab sweep` and `lab tune`: TOML whose errors have line and column, agents whose
//! parameters vary, budgets.

mod budget;
mod document;
mod entries;
mod family;

pub use budget::BudgetText;
pub use document::Document;
pub use entries::Entries;
pub use family::Family;
