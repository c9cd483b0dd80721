//! Kinds of networks, and errors in them.

use std::fmt;

/// The purpose of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkKind {
    /// An evaluation: a [`ValueNetwork`](super::value::ValueNetwork).
    Value,
    /// A prior: a [`PolicyNetwork`](super::policy::PolicyNetwork).
    Policy,
}

impl NetworkKind {
    /// The first line of a file of this kind: the format and the version that this program reads.
    pub const fn first_line(self) -> &'static str {
        match self {
            NetworkKind::Value => "halma network 3\n",
            NetworkKind::Policy => "halma prior network 1\n",
        }
    }

    /// The kind of network in a file that begins with `bytes`, in any version; `None` if the file is not a network.
    pub fn of(bytes: &[u8]) -> Option<NetworkKind> {
        let without_version = |kind: NetworkKind| {
            let line = kind.first_line().trim_end();
            line.trim_end_matches(|digit: char| digit.is_ascii_digit())
        };
        let kinds = [NetworkKind::Value, NetworkKind::Policy];
        kinds.into_iter().find(|&kind| bytes.starts_with(without_version(kind).as_bytes()))
    }
}

impl fmt::Display for NetworkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NetworkKind::Value => "an evaluation",
            NetworkKind::Policy => "a prior",
        })
    }
}

/// Why a file, or the network in it, can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// A hidden unit's sum may overflow.
    UnitOverflow {
        /// The unit.
        unit: usize,
        /// The largest absolute value that the sum can reach.
        sum: i64,
    },
    /// Anything else, in words that follow the file's name: `can't be read: …`, `a damaged network: …`.
    Unusable(String),
}

impl NetworkError {
    /// The error for a weight or a sum of weights, `what` number `number`, whose value `found` is outside ±`max`.
    pub(super) fn out_of_range(what: &str, number: usize, found: i64, max: i64) -> NetworkError {
        let limit = max * found.signum();
        NetworkError::Unusable(format!("weights too large: the {what} {number} is {found}, beyond {limit}"))
    }
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::UnitOverflow { unit, sum } => write!(
                f,
                "weights too large: the sum of hidden unit {unit} can reach {sum}, beyond {}",
                i16::MAX
            ),
            NetworkError::Unusable(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for NetworkError {}
