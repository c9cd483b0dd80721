//! Networks of priors as bytes: [what all have in common](crate::network), and between sizes and checksum
//!
//! ```text
//! 5 × u32      features, hidden units, squares, kinds of progress, features of plays
//! i16 …        feature weights, row by row; feature biases; weights of squares left, of squares reached and of kinds,
//!              row by row; weights of the features of plays
//! ```
//!
//! What is read is checked, so that no sum can overflow.

use super::{HIDDEN, PolicyNetwork};
use crate::network::{
    BuiltInReader, FEATURES, InputGroup, Kind, NetworkError, Reader, UnitRow, Writer, check_size, check_sums,
    read_bytes,
};
use crate::prior::{COUNT, KINDS};
use std::path::Path;

/// The weights of squares left and reached, and of kinds, are from minus this to this: then a logit is far from the
/// bounds of an `i32`.
pub const MOST_PLAY_WEIGHT: i16 = 8191;

/// How many squares there are.
const SQUARES: usize = 256;

/// What the sizes in a file count, and what they should be.
const SIZES: [(&str, usize); 5] = [
    ("features", FEATURES),
    ("hidden units", HIDDEN),
    ("squares", SQUARES),
    ("kinds of progress", KINDS),
    ("features of plays", COUNT),
];

/// The file of the network that comes with this crate.
const BUILT_IN: &[u8] = include_bytes!("default.network");

/// The weights of a [`PolicyNetwork`], as they lie in the program.
pub(super) struct Weights {
    pub feature_weights: [UnitRow<HIDDEN>; FEATURES],
    pub feature_biases: [i16; HIDDEN],
    pub from_weights: [UnitRow<HIDDEN>; SQUARES],
    pub to_weights: [UnitRow<HIDDEN>; SQUARES],
    pub kind_weights: [UnitRow<HIDDEN>; KINDS],
    pub play_weights: [i16; COUNT],
}

/// The weights of the network that comes with this crate.
pub(super) static BUILT_IN_WEIGHTS: Weights = {
    let mut reader = BuiltInReader::new(Kind::Prior, BUILT_IN, &SIZES);
    // In the order of the file.
    let weights = Weights {
        feature_weights: reader.rows(),
        feature_biases: reader.i16s(),
        from_weights: reader.rows(),
        to_weights: reader.rows(),
        kind_weights: reader.rows(),
        play_weights: reader.i16s(),
    };
    reader.finish();
    weights
};

impl PolicyNetwork {
    /// The network that comes with this crate.
    pub fn built_in() -> PolicyNetwork {
        PolicyNetwork::from_bytes(BUILT_IN).expect("a test reads it")
    }

    /// A network that says nothing.
    pub fn zeros() -> PolicyNetwork {
        PolicyNetwork {
            provenance: String::new(),
            feature_weights: vec![UnitRow::ZEROS; FEATURES],
            feature_biases: [0; HIDDEN],
            from_weights: vec![UnitRow::ZEROS; SQUARES],
            to_weights: vec![UnitRow::ZEROS; SQUARES],
            kind_weights: vec![UnitRow::ZEROS; KINDS],
            play_weights: vec![0; COUNT],
        }
    }

    /// The network in the file at `path`.
    ///
    /// # Errors
    /// The file can't be read, or holds no network of a prior that this program can use.
    pub fn read(path: &Path) -> Result<PolicyNetwork, NetworkError> {
        PolicyNetwork::from_bytes(&read_bytes(path)?)
    }

    /// The network written in `bytes`.
    ///
    /// # Errors
    /// What is wrong with them: see [`NetworkError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<PolicyNetwork, NetworkError> {
        let (provenance, mut reader) = Reader::new(Kind::Prior, bytes, &SIZES)?;
        let feature_weights = reader.rows("feature weights", FEATURES)?;
        let mut feature_biases = [0; HIDDEN];
        reader.i16s("feature biases", &mut feature_biases)?;
        // In the order of the file.
        let mut network = PolicyNetwork {
            provenance,
            feature_weights,
            feature_biases,
            from_weights: reader.rows("weights of squares left", SQUARES)?,
            to_weights: reader.rows("weights of squares reached", SQUARES)?,
            kind_weights: reader.rows("weights of kinds", KINDS)?,
            play_weights: vec![0; COUNT],
        };
        reader.i16s("weights of features of plays", &mut network.play_weights)?;
        reader.finish()?;
        network.check()?;
        Ok(network)
    }

    /// This network as [`from_bytes`](Self::from_bytes) reads it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(Kind::Prior, &self.provenance, &SIZES);
        writer.rows(&self.feature_weights);
        writer.i16s(&self.feature_biases);
        for rows in [&self.from_weights, &self.to_weights, &self.kind_weights] {
            writer.rows(rows);
        }
        writer.i16s(&self.play_weights);
        writer.finish()
    }

    /// Checks that no sum can overflow, whatever the pieces.
    ///
    /// # Errors
    /// What is too large, or of what there are too few or too many.
    pub fn check(&self) -> Result<(), NetworkError> {
        check_size("features", self.feature_weights.len(), FEATURES)?;
        check_sums(&InputGroup::of_pieces(&self.feature_weights), &self.feature_biases)?;
        check_size("features of plays", self.play_weights.len(), COUNT)?;
        for (what, rows, expected) in [
            ("squares left", &self.from_weights, SQUARES),
            ("squares reached", &self.to_weights, SQUARES),
            ("kinds of progress", &self.kind_weights, KINDS),
        ] {
            check_size(what, rows.len(), expected)?;
            for (number, row) in rows.iter().enumerate() {
                if let Some(&found) =
                    row.iter().find(|weight| weight.unsigned_abs() > MOST_PLAY_WEIGHT as u16)
                {
                    return Err(NetworkError::LargePlay { what, number, found, most: MOST_PLAY_WEIGHT });
                }
            }
        }
        Ok(())
    }
}
