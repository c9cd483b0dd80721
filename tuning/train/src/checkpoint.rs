//! Checkpoints, from which a killed training run resumes.
//!
//! A checkpoint is one file, replaced atomically after each epoch. The optimiser starts afresh in each epoch, so a
//! resumed run yields exactly the network of an uninterrupted one. The file consists of little-endian words of eight
//! bytes:
//!
//! ```text
//! u64      a fingerprint of the settings and samples
//! f64 …    the weights
//! f64 …    the losses so far, a row for each epoch
//! u64      a hash of all preceding bytes
//! ```

use crate::weights::Weights;
use anyhow::{Context, Result, ensure};
use halma::support::files::replace;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// The path of the checkpoint of the network in `out`.
pub fn beside(out: &Path) -> PathBuf {
    let mut path = out.as_os_str().to_owned();
    path.push(".checkpoint");
    path.into()
}

/// The checkpoint of a training run.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    fingerprint: u64,
}

impl Checkpoint {
    /// The checkpoint beside `out`, the file of the trained network.
    pub fn of(out: &Path, fingerprint: u64) -> Checkpoint {
        Checkpoint { path: beside(out), fingerprint }
    }

    /// Fills `weights` from the checkpoint and returns the losses of the finished epochs. Without a checkpoint, returns
    /// none.
    ///
    /// # Errors
    /// The checkpoint can't be read, or belongs to a different training run.
    pub fn read<const N: usize>(&self, weights: &mut Weights) -> Result<Vec<[f64; N]>> {
        let path = self.path.display();
        let cant_read = || format!("can't read {path}: remove it to start over");
        let bytes = match fs::read(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            bytes => bytes.with_context(cant_read)?,
        };
        let (rest, hash) = bytes.split_last_chunk().with_context(cant_read)?;
        ensure!(
            u64::from_le_bytes(*hash) == hash_of(rest),
            "{path} is damaged, or from a different build: remove it to start over"
        );
        let (fingerprint, numbers) = rest.as_chunks::<8>().0.split_first().with_context(cant_read)?;
        ensure!(
            u64::from_le_bytes(*fingerprint) == self.fingerprint,
            "{path} is from a training run with different arguments, different games or a different build: remove it \
             to start over",
        );
        let (found, losses) = numbers.split_at_checked(weights.0.len()).with_context(cant_read)?;
        weights.0 = found.iter().map(|&word| f64::from_le_bytes(word) as f32).collect();
        Ok(losses.as_chunks::<N>().0.iter().map(|row| row.map(f64::from_le_bytes)).collect())
    }

    /// Replaces the checkpoint.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn write<const N: usize>(&self, weights: &Weights, losses: &[[f64; N]]) -> Result<()> {
        let weights = weights.0.iter().map(|&number| f64::from(number));
        let mut bytes = self.fingerprint.to_le_bytes().to_vec();
        bytes.extend(weights.chain(losses.iter().flatten().copied()).flat_map(f64::to_le_bytes));
        bytes.extend(hash_of(&bytes).to_le_bytes());
        Ok(replace(&self.path, &bytes)?)
    }
}
