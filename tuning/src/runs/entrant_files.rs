//! The files behind entrants: the executables of programs, and the networks of agents.
//!
//! They are opened again for each game or even each play, so a build or a training run may replace a file while games
//! are being played. A game counts only if no file has changed since the first game began. Playing with private copies
//! would not work, because a program may need the files beside it.

use super::schedule::Match;
use crate::bench::checksum;
use crate::play::agents;
use crate::play::entrant::is_program;
use crate::play::programs::{Program, ProgramSpec};
use anyhow::{Context, Result, ensure};
use halma::agent::Registry;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The files behind some entrants, as they were when this value was made.
#[derive(Clone, Debug, Default)]
pub struct EntrantFiles(BTreeMap<PathBuf, EntrantFile>);

#[derive(Clone, Debug)]
struct EntrantFile {
    /// The entrant that plays with it.
    entrant: String,
    role: Role,
    stamp: Stamp,
    checksum: u64,
}

/// How an entrant uses a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It is started.
    Executable,
    /// The command line of a program names it, as `python3 /home/me/engine.py` does.
    Argument,
    /// An agent reads it.
    Network,
}

/// The device, inode and size, and the times of the last changes to contents and metadata in nanoseconds.
type Stamp = [i128; 5];

impl EntrantFiles {
    /// The files behind the entrants with these specs.
    ///
    /// # Errors
    /// A spec is invalid, or a file can't be read.
    pub fn of<'a>(specs: impl IntoIterator<Item = &'a str>, registry: &Registry) -> Result<EntrantFiles> {
        let mut files = EntrantFiles::default();
        for spec in specs {
            if is_program(spec) {
                files.add_program(spec, &ProgramSpec::parse(spec)?.program)?;
            } else {
                files.add_networks(spec, &registry.files(&spec.parse()?)?)?;
            }
        }
        Ok(files)
    }

    /// The files behind programs.
    ///
    /// # Errors
    /// A file can't be read.
    pub fn of_programs<'a>(programs: impl IntoIterator<Item = &'a Program>) -> Result<EntrantFiles> {
        let mut files = EntrantFiles::default();
        programs.into_iter().try_for_each(|program| files.add_program(&program.to_string(), program))?;
        Ok(files)
    }

    /// The paths of the files behind a program, whether they can be read or not.
    pub fn paths_of(program: &Program) -> impl Iterator<Item = PathBuf> {
        files_of(program).into_iter().map(|(path, _)| path)
    }

    /// The files behind the entrants of `matches`.
    ///
    /// # Errors
    /// A spec is invalid, or a file can't be read.
    pub(super) fn of_matches(matches: &[Match], registry: &Registry) -> Result<EntrantFiles> {
        let specs = matches.iter().flat_map(|one| [&one.settings.a, &one.settings.b]);
        EntrantFiles::of(specs.map(String::as_str), registry)
    }

    fn add_program(&mut self, entrant: &str, program: &Program) -> Result<()> {
        files_of(program).iter().try_for_each(|(path, role)| self.add(entrant, path, *role))
    }

    fn add_networks(&mut self, entrant: &str, files: &[PathBuf]) -> Result<()> {
        files.iter().try_for_each(|path| self.add(entrant, path, Role::Network))
    }

    fn add(&mut self, entrant: &str, path: &Path, role: Role) -> Result<()> {
        if !self.0.contains_key(path) {
            let (stamp, checksum) = (stamp(path)?, checksum::of_file(path)?);
            let file = EntrantFile { entrant: entrant.to_string(), role, stamp, checksum };
            self.0.insert(path.to_path_buf(), file);
        }
        Ok(())
    }

    /// The checksum of the file at `path`.
    ///
    /// # Panics
    /// Panics if the file belongs to none of these entrants.
    pub(super) fn checksum(&self, path: &Path) -> u64 {
        self.0[path].checksum
    }

    /// The checksums of networks, by path.
    pub(super) fn networks(&self) -> BTreeMap<String, String> {
        let networks = self.0.iter().filter(|(_, file)| file.role == Role::Network);
        networks.map(|(path, file)| (path.display().to_string(), checksum::text(file.checksum))).collect()
    }

    /// Checks that no file has changed since this value was made.
    ///
    /// # Errors
    /// A file has changed, or can't be read.
    pub fn check(&self) -> Result<()> {
        for (path, EntrantFile { entrant, role, stamp: before, checksum }) in &self.0 {
            let hint = match role {
                Role::Argument => {
                    " (if the program writes to this file itself, do not name it among its arguments)"
                }
                Role::Executable | Role::Network => "",
            };
            let has_changed =
                || format!("{} changed while '{entrant}' was playing with it{hint}", path.display());
            // A new link to the file or new permissions also change the stamp.
            let is_same = stamp(path).with_context(has_changed)? == *before
                || checksum::of_file(path).with_context(has_changed)? == *checksum;
            ensure!(is_same, has_changed());
        }
        Ok(())
    }
}

/// The files behind a program, and how it uses each of them.
fn files_of(program: &Program) -> Vec<(PathBuf, Role)> {
    let mut files = vec![(program.executable().to_path_buf(), Role::Executable)];
    for argument in program.arguments() {
        files.extend(Program::file_of(argument).map(|path| (path.to_path_buf(), Role::Argument)));
        // `lab agent SPEC` plays with the networks in its spec.
        let networks = argument.parse().ok().and_then(|spec| agents::registry().files(&spec).ok());
        files.extend(networks.into_iter().flatten().map(|path| (path, Role::Network)));
    }
    files
}

fn stamp(path: &Path) -> Result<Stamp> {
    let found = fs::metadata(path).with_context(|| format!("can't read {}", path.display()))?;
    let nanoseconds = |seconds, rest| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
    let modified = nanoseconds(found.mtime(), found.mtime_nsec());
    let changed = nanoseconds(found.ctime(), found.ctime_nsec());
    Ok([found.dev().into(), found.ino().into(), found.len().into(), modified, changed])
}
