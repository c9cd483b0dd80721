//! Networks of evaluations as bytes: [what all have in common](crate::network), and between sizes and checksum
//!
//! ```text
//! 4 × u32      features, features of jumps, hidden units, buckets
//! i16 …        feature weights, row by row; those of jumps; biases; output weights, bucket by bucket
//! i32 …        output biases
//! ```
//!
//! What is read is checked, so that no sum of the evaluation can overflow.

use super::{BUCKETS, FEATURES, HIDDEN, JUMP_FEATURES, JUMP_INPUTS, Network, NetworkError};
use crate::network::{Kind, Reader, Rows, Writer, check_rows, read_bytes};
use std::path::Path;

/// The output weights are from minus this to this: then a clipped sum times a weight is an `i16`.
pub const MOST_OUTPUT_WEIGHT: i16 = 127;

/// The output biases are from minus this to this: then no output is too large for an `i32`.
const MOST_OUTPUT_BIAS: i32 = 1 << 24;

/// What the sizes in a file count, and what they should be.
const SIZES: [(&str, usize); 4] =
    [("features", FEATURES), (JUMPS, JUMP_FEATURES), ("hidden units", HIDDEN), ("buckets", BUCKETS)];

/// What the [`jump_features`](super::jump_features) are called.
const JUMPS: &str = "features of jumps";

impl Network {
    /// The network that comes with this crate.
    pub fn built_in() -> Network {
        Network::from_bytes(include_bytes!("default.network")).expect("a test reads it")
    }

    /// The network in the file at `path`.
    ///
    /// # Errors
    /// The file can't be read, or holds no network that this program can use.
    pub fn read(path: &Path) -> Result<Network, NetworkError> {
        Network::from_bytes(&read_bytes(path)?)
    }

    /// The network written in `bytes`.
    ///
    /// # Errors
    /// What is wrong with them: see [`NetworkError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let (provenance, mut reader) = Reader::new(Kind::Evaluation, bytes, &SIZES)?;
        let mut network = Network {
            provenance,
            feature_weights: vec![[0; HIDDEN]; FEATURES],
            jump_weights: vec![[0; HIDDEN]; JUMP_FEATURES],
            feature_biases: [0; HIDDEN],
            output_weights: [[0; 2 * HIDDEN]; BUCKETS],
            output_biases: [0; BUCKETS],
        };
        reader.i16s("feature weights", network.feature_weights.as_flattened_mut())?;
        reader.i16s("weights of jumps", network.jump_weights.as_flattened_mut())?;
        reader.i16s("feature biases", &mut network.feature_biases)?;
        reader.i16s("output weights", network.output_weights.as_flattened_mut())?;
        reader.i32s("output biases", &mut network.output_biases)?;
        reader.finish()?;
        network.check()?;
        Ok(network)
    }

    /// This network as [`from_bytes`](Self::from_bytes) reads it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(Kind::Evaluation, &self.provenance, &SIZES);
        writer.i16s(self.feature_weights.as_flattened());
        writer.i16s(self.jump_weights.as_flattened());
        writer.i16s(&self.feature_biases);
        writer.i16s(self.output_weights.as_flattened());
        writer.i32s(&self.output_biases);
        writer.finish()
    }

    /// Checks that no sum of the evaluation can overflow, whatever the position.
    ///
    /// # Errors
    /// What is too large, or that there are not [`FEATURES`] and [`JUMP_FEATURES`] rows.
    pub fn check(&self) -> Result<(), NetworkError> {
        let jumps = Rows { what: JUMPS, rows: &self.jump_weights, expected: JUMP_FEATURES, on: JUMP_INPUTS };
        check_rows(&[Rows::of_pieces(&self.feature_weights), jumps], &self.feature_biases)?;
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
