//! Networks of evaluations as bytes: [what all have in common](crate::network), and between sizes and checksum
//!
//! ```text
//! 4 × u32      features, features of jumps, hidden units, buckets
//! i16 …        feature weights, row by row; those of jumps; biases; output weights, bucket by bucket
//! i32 …        output biases
//! ```
//!
//! What is read is checked, so that no sum of the evaluation can overflow.

use super::jumps::jump_groups;
use super::{BUCKETS, FEATURE_SCALE, FEATURES, HIDDEN, JUMP_FEATURES, Network, NetworkError};
use crate::network::{
    BuiltInReader, InputGroup, Kind, Reader, UnitRow, Writer, check_size, check_sums, read_bytes,
};
use std::path::Path;

/// What the absolute values of a bucket's output weights may add up to.
pub const MOST_OUTPUT_WEIGHTS: u32 = 60_000;

/// The output biases are from minus this to this: with the largest weights the output still fits an `i32`.
pub const MOST_OUTPUT_BIAS: i32 = i32::MAX - MOST_OUTPUT_WEIGHTS as i32 * (FEATURE_SCALE * FEATURE_SCALE / 2);

/// What the sizes in a file count, and what they should be.
const SIZES: [(&str, usize); 4] =
    [("features", FEATURES), (JUMPS, JUMP_FEATURES), ("hidden units", HIDDEN), ("buckets", BUCKETS)];

/// What the [`jump_features`](super::jump_features) are called.
const JUMPS: &str = "features of jumps";

/// The file of the network that comes with this crate.
const BUILT_IN: &[u8] = include_bytes!("default.network");

/// The weights of a [`Network`], as they lie in the program.
pub(super) struct Weights {
    pub feature_weights: [UnitRow<HIDDEN>; FEATURES],
    pub jump_weights: [UnitRow<HIDDEN>; JUMP_FEATURES],
    pub feature_biases: [i16; HIDDEN],
    /// For each bucket a row for the mover's view, and one for the opponent's.
    pub output_weights: [UnitRow<HIDDEN>; 2 * BUCKETS],
    pub output_biases: [i32; BUCKETS],
}

/// The weights of the network that comes with this crate.
pub(super) static BUILT_IN_WEIGHTS: Weights = {
    let mut reader = BuiltInReader::new(Kind::Evaluation, BUILT_IN, &SIZES);
    // In the order of the file.
    let weights = Weights {
        feature_weights: reader.rows(),
        jump_weights: reader.rows(),
        feature_biases: reader.i16s(),
        output_weights: reader.rows(),
        output_biases: reader.i32s(),
    };
    reader.finish();
    weights
};

impl Network {
    /// The network that comes with this crate.
    pub fn built_in() -> Network {
        Network::from_bytes(BUILT_IN).expect("a test reads it")
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
        // In the order of the file.
        let mut network = Network {
            provenance,
            feature_weights: reader.rows("feature weights", FEATURES)?,
            jump_weights: reader.rows("weights of jumps", JUMP_FEATURES)?,
            feature_biases: [0; HIDDEN],
            output_weights: [[0; 2 * HIDDEN]; BUCKETS],
            output_biases: [0; BUCKETS],
        };
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
        writer.rows(&self.feature_weights);
        writer.rows(&self.jump_weights);
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
        check_size("features", self.feature_weights.len(), FEATURES)?;
        check_size(JUMPS, self.jump_weights.len(), JUMP_FEATURES)?;
        let jumps = jump_groups().map(|group| InputGroup { rows: &self.jump_weights[group], on: 1 });
        let inputs: Vec<_> = InputGroup::of_pieces(&self.feature_weights).into_iter().chain(jumps).collect();
        check_sums(&inputs, &self.feature_biases)?;
        for bucket in 0..BUCKETS {
            let weights =
                self.output_weights[bucket].iter().map(|weight| u32::from(weight.unsigned_abs())).sum();
            let bias = self.output_biases[bucket].unsigned_abs();
            for (what, found, most) in [
                ("the sum of the output weights' sizes", weights, MOST_OUTPUT_WEIGHTS),
                ("the size of the output bias", bias, MOST_OUTPUT_BIAS as u32),
            ] {
                if found > most {
                    return Err(NetworkError::LargeOutput { what, bucket, found, most });
                }
            }
        }
        Ok(())
    }
}
