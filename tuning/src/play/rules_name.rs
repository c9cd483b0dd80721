//! The names that the command line and files have for the sets of rules.

use halma::rules::Rules;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// The name of a set of [`Rules`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum RulesName {
    /// Leave your camp first, and do not come back.
    #[default]
    Addendum,
    /// A piece in its goal stays there; nothing else.
    Original,
}

impl Display for RulesName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RulesName::Addendum => "addendum",
            RulesName::Original => "original",
        })
    }
}

impl From<RulesName> for Rules {
    fn from(name: RulesName) -> Rules {
        match name {
            RulesName::Addendum => Rules::Addendum,
            RulesName::Original => Rules::Original,
        }
    }
}
