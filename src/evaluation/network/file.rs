//! Networks as bytes.
//!
//! ```text
//! "halma network 1\n"
//! u32          bytes of the provenance, and the provenance, UTF-8
//! 3 × u32      features, hidden units, buckets
//! i16 …        feature weights, row by row; feature biases; output weights, bucket by bucket
//! i32 …        output biases
//! u64          FNV-1a of all bytes before
//! ```
//!
//! All numbers are little-endian. What is read is checked as any input is, so that no sum of the evaluation can
//! overflow.

use super::{BUCKETS, FEATURES, HIDDEN, Network};
use crate::rules::PIECES;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;

/// How a file begins.
const MAGIC: &[u8] = b"halma network 1\n";

/// The most bytes that a file may have: the weights take some 136,000, the rest is for the provenance.
const MOST_BYTES: u64 = 1 << 20;

/// The output weights are from minus this to this: then a clipped sum times a weight is an `i16`.
pub const MOST_OUTPUT_WEIGHT: i16 = 127;

/// The output biases are from minus this to this: then no output is too large for an `i32`.
const MOST_OUTPUT_BIAS: i32 = 1 << 24;

/// Why bytes are no network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// The file can't be read.
    Unreadable {
        /// What the system says.
        reason: String,
    },
    /// They do not begin as a network does.
    Foreign,
    /// They end too early.
    Truncated {
        /// What is missing or cut.
        part: &'static str,
        /// How many bytes there are.
        len: usize,
    },
    /// They go on after the checksum.
    TooLong {
        /// How many bytes are too many.
        extra: usize,
    },
    /// The network has another shape than this program's.
    WrongSize {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: u32,
        /// How many there should be.
        expected: usize,
    },
    /// The provenance is no text.
    BadText {
        /// The first byte of the file that is not UTF-8.
        at: usize,
    },
    /// The checksum is wrong: bytes have changed.
    Corrupt {
        /// The checksum in the file.
        found: u64,
        /// That of the bytes before it.
        expected: u64,
    },
    /// A hidden unit's sum may overflow.
    LargeRows {
        /// The unit.
        unit: usize,
        /// The largest sum that its weights allow.
        most: i64,
    },
    /// An output weight or bias is out of bounds.
    LargeOutput {
        /// The bucket.
        bucket: usize,
        /// The weight or bias.
        found: i32,
        /// What its absolute value may be.
        most: i32,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Unreadable { reason } => write!(f, "can't be read: {reason}"),
            NetworkError::Foreign => f.write_str("not a network: it should begin with 'halma network 1'"),
            NetworkError::Truncated { part, len } => {
                write!(f, "a network cut short: it ends at byte {len}, within the {part}")
            }
            NetworkError::TooLong { extra } => {
                write!(f, "not a network: bytes follow its checksum, {extra} in all")
            }
            NetworkError::WrongSize { what, found, expected } => {
                write!(f, "a network of another shape: it has {found} {what}, this program needs {expected}")
            }
            NetworkError::BadText { at } => {
                write!(f, "a damaged network: its provenance is no UTF-8 at byte {at}")
            }
            NetworkError::Corrupt { found, expected } => {
                write!(f, "a damaged network: its checksum is {found:016x}, its bytes have {expected:016x}")
            }
            NetworkError::LargeRows { unit, most } => {
                write!(
                    f,
                    "weights too large: hidden unit {unit} may add up to {most}, more than {}",
                    i16::MAX
                )
            }
            NetworkError::LargeOutput { bucket, found, most } => {
                write!(f, "weights too large: bucket {bucket} has {found}, more than {most} from zero")
            }
        }
    }
}

impl std::error::Error for NetworkError {}

impl Network {
    /// The network that comes with this crate.
    pub fn built_in() -> &'static Network {
        static BUILT_IN: OnceLock<Network> = OnceLock::new();
        let bytes = include_bytes!("default.network");
        BUILT_IN.get_or_init(|| Network::from_bytes(bytes).expect("a test reads it"))
    }

    /// The network in the file at `path`.
    ///
    /// # Errors
    /// The file can't be read, or holds no network that this program can use.
    pub fn read(path: &Path) -> Result<Network, NetworkError> {
        let unreadable = |error: io::Error| NetworkError::Unreadable { reason: error.to_string() };
        if !fs::metadata(path).map_err(unreadable)?.is_file() {
            return Err(NetworkError::Unreadable { reason: "it is not a plain file".to_string() });
        }
        let mut bytes = Vec::new();
        let mut file = File::open(path).map_err(unreadable)?.take(MOST_BYTES + 1);
        file.read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(NetworkError::Unreadable { reason: format!("it has more than {MOST_BYTES} bytes") });
        }
        Network::from_bytes(&bytes)
    }

    /// The network written in `bytes`.
    ///
    /// # Errors
    /// What is wrong with them: see [`NetworkError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !bytes.starts_with(MAGIC) {
            let cut = MAGIC.starts_with(bytes) && !bytes.is_empty();
            let truncated = NetworkError::Truncated { part: "first line", len: bytes.len() };
            return Err(if cut { truncated } else { NetworkError::Foreign });
        }
        let mut reader = Reader { bytes, at: MAGIC.len() };
        let len = reader.u32("provenance")? as usize;
        let text_at = reader.at;
        let text = reader.take("provenance", len)?;
        let provenance = std::str::from_utf8(text)
            .map_err(|error| NetworkError::BadText { at: text_at + error.valid_up_to() })?
            .to_string();
        for (what, expected) in [("features", FEATURES), ("hidden units", HIDDEN), ("buckets", BUCKETS)] {
            let found = reader.u32("sizes")?;
            if found as usize != expected {
                return Err(NetworkError::WrongSize { what, found, expected });
            }
        }
        let mut network = Network {
            provenance,
            feature_weights: vec![[0; HIDDEN]; FEATURES],
            feature_biases: [0; HIDDEN],
            output_weights: [[0; 2 * HIDDEN]; BUCKETS],
            output_biases: [0; BUCKETS],
        };
        for weight in network.feature_weights.iter_mut().flatten() {
            *weight = reader.i16("feature weights")?;
        }
        for bias in &mut network.feature_biases {
            *bias = reader.i16("feature biases")?;
        }
        for weight in network.output_weights.iter_mut().flatten() {
            *weight = reader.i16("output weights")?;
        }
        for bias in &mut network.output_biases {
            *bias = i32::from_le_bytes(reader.array("output biases")?);
        }
        let expected = fnv(&bytes[..reader.at]);
        let found = u64::from_le_bytes(reader.array("checksum")?);
        if found != expected {
            return Err(NetworkError::Corrupt { found, expected });
        }
        match bytes.len() - reader.at {
            0 => network.check().map(|()| network),
            extra => Err(NetworkError::TooLong { extra }),
        }
    }

    /// This network as [`from_bytes`](Self::from_bytes) reads it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.provenance.len() as u32).to_le_bytes());
        bytes.extend(self.provenance.as_bytes());
        for size in [FEATURES, HIDDEN, BUCKETS] {
            bytes.extend((size as u32).to_le_bytes());
        }
        let rows = self.feature_weights.iter().flatten();
        for weight in rows.chain(&self.feature_biases).chain(self.output_weights.iter().flatten()) {
            bytes.extend(weight.to_le_bytes());
        }
        for bias in &self.output_biases {
            bytes.extend(bias.to_le_bytes());
        }
        bytes.extend(fnv(&bytes).to_le_bytes());
        bytes
    }

    /// Checks that no sum of the evaluation can overflow, whatever the pieces.
    ///
    /// # Errors
    /// What is too large, or that there are not [`FEATURES`] rows.
    pub fn check(&self) -> Result<(), NetworkError> {
        if self.feature_weights.len() != FEATURES {
            let found = u32::try_from(self.feature_weights.len()).unwrap_or(u32::MAX);
            return Err(NetworkError::WrongSize { what: "features", found, expected: FEATURES });
        }
        for unit in 0..HIDDEN {
            let mut sizes: Vec<u16> =
                self.feature_weights.iter().map(|row| row[unit].unsigned_abs()).collect();
            sizes.sort_unstable_by(|one, other| other.cmp(one));
            let largest = sizes[..2 * PIECES as usize].iter().map(|&size| i64::from(size)).sum::<i64>();
            let most = largest + i64::from(self.feature_biases[unit].unsigned_abs());
            if most > i64::from(i16::MAX) {
                return Err(NetworkError::LargeRows { unit, most });
            }
        }
        for bucket in 0..BUCKETS {
            let large = |found: i32, most: i32| Err(NetworkError::LargeOutput { bucket, found, most });
            for &weight in &self.output_weights[bucket] {
                if weight.unsigned_abs() > MOST_OUTPUT_WEIGHT as u16 {
                    return large(weight.into(), MOST_OUTPUT_WEIGHT.into());
                }
            }
            let bias = self.output_biases[bucket];
            if bias.unsigned_abs() > MOST_OUTPUT_BIAS as u32 {
                return large(bias, MOST_OUTPUT_BIAS);
            }
        }
        Ok(())
    }
}

/// Takes a file's bytes apart.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// The next `len` bytes, which belong to `part`.
    fn take(&mut self, part: &'static str, len: usize) -> Result<&'a [u8], NetworkError> {
        let truncated = NetworkError::Truncated { part, len: self.bytes.len() };
        let end = self.at.checked_add(len).filter(|&end| end <= self.bytes.len()).ok_or(truncated)?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, part: &'static str) -> Result<[u8; N], NetworkError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(part, N)?);
        Ok(array)
    }

    fn u32(&mut self, part: &'static str) -> Result<u32, NetworkError> {
        self.array(part).map(u32::from_le_bytes)
    }

    fn i16(&mut self, part: &'static str) -> Result<i16, NetworkError> {
        self.array(part).map(i16::from_le_bytes)
    }
}

/// The hash FNV-1a.
fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
