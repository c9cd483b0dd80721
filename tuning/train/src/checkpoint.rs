//! What a killed training goes on from.
//!
//! One file, replaced whole after each epoch: the weights, how many epochs they have seen with which errors, and a
//! fingerprint of all that the training depends on. The optimiser begins anew with each epoch or is kept too, so a training
//! that was killed ends with the very network of one that was not.

use crate::model::Model;
use crate::training::EpochErrors;
use anyhow::{Context, Result, ensure};
use candle_core::{Device, Tensor, safetensors};
use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Its tensor of fingerprint, by halves.
const FINGERPRINT: &str = "fingerprint";
/// Its tensor of errors, a row for each epoch.
const ERRORS: &str = "errors";

/// Tensors by name, and a row of errors for each epoch that they have seen.
pub type Kept<const N: usize> = (HashMap<String, Tensor>, Vec<[f64; N]>);

/// The file, and which training it belongs to.
pub struct Checkpoint {
    path: PathBuf,
    fingerprint: u64,
}

impl Checkpoint {
    /// The checkpoint of the training with this fingerprint of a network that will be at `out`.
    pub fn of(out: &Path, fingerprint: u64) -> Checkpoint {
        let mut path = out.as_os_str().to_owned();
        path.push(".checkpoint");
        Checkpoint { path: path.into(), fingerprint }
    }

    /// Fills `model` from it, and returns the errors of the epochs that this took; none if there is no checkpoint.
    ///
    /// # Errors
    /// It can't be read, or is that of another training.
    pub fn read(&self, model: &Model) -> Result<Vec<EpochErrors>> {
        let Some((tensors, errors)) = self.read_tensors()? else { return Ok(Vec::new()) };
        model.take(&tensors).with_context(|| self.cant_read())?;
        Ok(errors.into_iter().map(|[train, test]| EpochErrors { train, test }).collect())
    }

    /// What [`write_tensors`](Self::write_tensors) has written; `None` if there is no checkpoint.
    ///
    /// # Errors
    /// It can't be read, or is that of another training.
    pub fn read_tensors<const N: usize>(&self) -> Result<Option<Kept<N>>> {
        let Checkpoint { path, fingerprint } = self;
        let cant_read = || self.cant_read();
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            bytes => bytes.with_context(cant_read)?,
        };
        let tensors = safetensors::load_buffer(&bytes, &Device::Cpu).with_context(cant_read)?;
        let found =
            tensors.get(FINGERPRINT).with_context(cant_read)?.to_vec1::<u32>().with_context(cant_read)?;
        ensure!(
            found == halves(*fingerprint),
            "{} is of a training with other arguments, other games or another build: remove it to begin anew",
            path.display()
        );
        let errors = tensors.get(ERRORS).with_context(cant_read)?.to_vec2::<f64>().with_context(cant_read)?;
        let errors: Result<Vec<[f64; N]>, _> = errors.into_iter().map(TryInto::try_into).collect();
        let errors = errors.map_err(|_| anyhow::Error::msg(cant_read()))?;
        Ok(Some((tensors, errors)))
    }

    /// What is said of one that can't be read.
    pub fn cant_read(&self) -> String {
        format!("can't read {}: remove it to begin anew", self.path.display())
    }

    /// Replaces it by `model`, which has seen as many epochs as there are `errors`.
    ///
    /// # Errors
    /// It can't be written.
    pub fn write(&self, model: &Model, errors: &[EpochErrors]) -> Result<()> {
        let errors: Vec<[f64; 2]> = errors.iter().map(|errors| [errors.train, errors.test]).collect();
        self.write_tensors(model.tensors()?, &errors)
    }

    /// Replaces it by `tensors`, which have seen as many epochs as there are `errors`.
    ///
    /// # Errors
    /// It can't be written.
    pub fn write_tensors<const N: usize>(
        &self,
        mut tensors: HashMap<String, Tensor>,
        errors: &[[f64; N]],
    ) -> Result<()> {
        let numbers = errors.as_flattened().to_vec();
        tensors.insert(ERRORS.into(), Tensor::from_vec(numbers, (errors.len(), N), &Device::Cpu)?);
        tensors.insert(FINGERPRINT.into(), Tensor::new(&halves(self.fingerprint), &Device::Cpu)?);
        let cant_write = || format!("can't write {}", self.path.display());
        // Candle writes to a path only, so the file is made beside its place and renamed.
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file =
            tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).with_context(cant_write)?;
        safetensors::save(&tensors, file.path()).with_context(cant_write)?;
        file.persist(&self.path).map_err(|error| error.error).with_context(cant_write)?;
        Ok(())
    }

    /// Removes it, if it is there.
    ///
    /// # Errors
    /// It can't be removed.
    pub fn remove(&self) -> Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).with_context(|| format!("can't remove {}", self.path.display()))
            }
            _ => Ok(()),
        }
    }
}

fn halves(fingerprint: u64) -> [u32; 2] {
    [(fingerprint >> 32) as u32, fingerprint as u32]
}
