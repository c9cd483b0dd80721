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
    /// The file can't be read.
    Unreadable {
        /// The system's message.
        reason: String,
    },
    /// The file is larger than any network.
    TooLarge {
        /// The limit in bytes.
        max: u64,
    },
    /// The file is not a network.
    NotANetwork {
        /// The kind that was expected.
        expected: NetworkKind,
    },
    /// The file's version is not the one that this program reads.
    OtherVersion {
        /// The network's kind.
        kind: NetworkKind,
    },
    /// The network is of another kind.
    OtherKind {
        /// The network's kind.
        found: NetworkKind,
        /// The kind that was expected.
        expected: NetworkKind,
    },
    /// The file ends too early.
    Truncated {
        /// The part of the file that is incomplete.
        part: &'static str,
        /// The file's length.
        len: usize,
    },
    /// Bytes follow the checksum.
    TooLong {
        /// The number of bytes after the checksum.
        extra: usize,
    },
    /// The network's shape is not the one that this program needs.
    WrongSize {
        /// The name of the size, such as `hidden units`.
        what: &'static str,
        /// The size in the file.
        found: u32,
        /// The size that this program needs.
        expected: usize,
    },
    /// The provenance is not UTF-8.
    BadText {
        /// The offset of the first bad byte in the file.
        at: usize,
    },
    /// The checksum does not match.
    Corrupt {
        /// The checksum in the file.
        found: u64,
        /// The checksum of the bytes before it.
        expected: u64,
    },
    /// A hidden unit's sum may overflow.
    UnitOverflow {
        /// The unit.
        unit: usize,
        /// The largest absolute value that the sum can reach.
        sum: i64,
    },
    /// A weight, or a sum of weights, is out of range.
    OutOfRange {
        /// The kind of weight, and the kind of part that it belongs to.
        what: &'static str,
        /// The number of that part: a bucket, a square or a kind of progress.
        number: usize,
        /// The weight, or the sum of weights.
        found: i64,
        /// The largest absolute value allowed.
        max: i64,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Unreadable { reason } => write!(f, "can't be read: {reason}"),
            NetworkError::TooLarge { max } => write!(f, "not a network: larger than {max} bytes"),
            NetworkError::NotANetwork { expected } => {
                write!(f, "not a network: expected the first line '{}'", expected.first_line().trim_end())
            }
            NetworkError::OtherVersion { kind } => write!(
                f,
                "a network of another version: expected the first line '{}'; train it again, or use the program it \
                 was made for",
                kind.first_line().trim_end()
            ),
            NetworkError::OtherKind { found, expected } => {
                write!(f, "the wrong kind of network: expected one for {expected}, found one for {found}")
            }
            NetworkError::Truncated { part, len } => {
                write!(f, "a truncated network: it ends at byte {len}, inside the {part}")
            }
            NetworkError::TooLong { extra } => {
                write!(f, "not a network: {extra} bytes follow its checksum")
            }
            NetworkError::WrongSize { what, found, expected } => {
                write!(
                    f,
                    "a network of another shape: it has {found} {what}, but this program needs {expected}"
                )
            }
            NetworkError::BadText { at } => {
                write!(f, "a damaged network: its provenance is not UTF-8 at byte {at}")
            }
            NetworkError::Corrupt { found, expected } => {
                write!(
                    f,
                    "a damaged network: its checksum is {found:016x}, but its bytes give {expected:016x}"
                )
            }
            NetworkError::UnitOverflow { unit, sum } => {
                write!(
                    f,
                    "weights too large: the sum of hidden unit {unit} can reach {sum}, beyond {}",
                    i16::MAX
                )
            }
            NetworkError::OutOfRange { what, number, found, max } => {
                let limit = max * found.signum();
                write!(f, "weights too large: the {what} {number} is {found}, beyond {limit}")
            }
        }
    }
}

impl std::error::Error for NetworkError {}
