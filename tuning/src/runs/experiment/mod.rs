//! Reading the TOML files of sweeps, tuning runs and tournaments: errors with line and column, agents whose
//! parameters vary, budgets.

mod budget;
mod document;
mod family;

pub use budget::BudgetText;
pub use document::Document;
pub(super) use document::experiment_text;
pub use family::Family;

use indexmap::IndexMap;
use toml::Spanned;

/// A table with arbitrary names, in the order of the file.
pub(super) type Table<T> = IndexMap<Spanned<String>, T>;
