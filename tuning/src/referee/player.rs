//! A program in its folder, asked for one play after the other.

use super::fault::ProgramFault;
use super::legality::check;
use super::program::{Program, Run, RunEnd, RunLimits};
use super::turn::{MAX_BYTES, Turn, parse_output};
use anyhow::{Context, Result, ensure};
use halma::homework::files::{read_at_most, replace};
use halma::homework::input::Input;
use halma::rules::Position;
use halma::time::Mode;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A calibration that takes longer than this, by CPU or wall clock, has failed.
const CALIBRATION_SECONDS: f64 = 300.0;

/// Where a program runs.
#[derive(Debug)]
pub enum Folder {
    /// A new one with an unguessable name, removed at the end.
    Temporary(TempDir),
    /// One that is kept.
    Kept(PathBuf),
}

impl Folder {
    /// A new folder that is removed at the end.
    ///
    /// # Errors
    /// It can't be made.
    pub fn temporary() -> Result<Folder> {
        Ok(Folder::Temporary(tempfile::tempdir().context("can't make a temporary folder")?))
    }

    /// The folder at `path`, made if need be, which is kept.
    ///
    /// # Errors
    /// If it can't be made.
    pub fn kept(path: PathBuf) -> Result<Folder> {
        fs::create_dir_all(&path).with_context(|| format!("can't make {}", path.display()))?;
        Ok(Folder::Kept(path))
    }

    fn path(&self) -> &Path {
        match self {
            Folder::Temporary(folder) => folder.path(),
            Folder::Kept(path) => path,
        }
    }
}

/// When a program is killed.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// This many CPU seconds after its time is over.
    pub grace: f64,
    /// When by the wall clock this many times its time and grace have passed: it sleeps, or waits
    /// for something, or the machine is overloaded.
    pub wall_factor: f64,
}

/// A program, and its folder.
#[derive(Debug)]
pub struct ProgramPlayer {
    program: Program,
    folder: Folder,
    patience: Patience,
}

/// The result of asking for a play.
#[derive(Debug)]
pub struct Answer {
    /// The legal turn, or what is wrong.
    pub turn: Result<Turn, ProgramFault>,
    /// CPU seconds used.
    pub cpu: f64,
    /// Seconds by the wall clock.
    pub wall: f64,
    /// The end of what was written to standard error.
    pub stderr: String,
}

impl ProgramPlayer {
    /// `program` in `folder`.
    pub fn new(program: Program, folder: Folder, patience: Patience) -> ProgramPlayer {
        ProgramPlayer { program, folder, patience }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Runs `calibrate` in the folder, once and before any game.
    ///
    /// # Errors
    /// It fails; the caller decides what that means.
    pub fn calibrate(&self, calibrate: &Program) -> Result<()> {
        let limits = RunLimits { cpu: CALIBRATION_SECONDS, wall: CALIBRATION_SECONDS };
        let run = calibrate.run(self.folder.path(), limits)?;
        ensure!(
            matches!(run.end, RunEnd::Exited(status) if status.success()),
            "{calibrate} failed: {:?}\n{}",
            run.end,
            run.stderr
        );
        Ok(())
    }

    /// Prepares the folder for a new game.
    ///
    /// # Errors
    /// If playdata.txt can't be deleted.
    pub fn new_game(&self) -> Result<()> {
        remove(&self.folder.path().join("playdata.txt"))
    }

    /// Asks for a play in `position`, judged by the position's rules, with `left` CPU seconds left.
    ///
    /// # Errors
    /// If the referee itself can't do its work; what the program does wrong is a [`ProgramFault`].
    pub fn ask(&self, position: &Position, mode: Mode, left: f64) -> Result<Answer> {
        let folder = self.folder.path();
        remove(&folder.join("output.txt"))?;
        let input = Input { mode, seconds: left, position: *position }.to_string();
        replace(&folder.join("input.txt"), input.as_bytes())?;
        let cpu = left + self.patience.grace;
        let run = self.program.run(folder, RunLimits { cpu, wall: cpu * self.patience.wall_factor })?;
        let turn = judge_run(&run, left).and_then(|()| read_turn(&folder.join("output.txt"), position));
        Ok(Answer { turn, cpu: run.cpu, wall: run.wall, stderr: run.stderr })
    }
}

/// Whether the program ended well and in time.
fn judge_run(run: &Run, left: f64) -> Result<(), ProgramFault> {
    let status = match &run.end {
        RunEnd::NotStarted(error) => return Err(ProgramFault::NotStarted(error.to_string())),
        RunEnd::OverCpu => return Err(ProgramFault::Killed { cpu: run.cpu, left }),
        RunEnd::OverWall if run.cpu < left => return Err(ProgramFault::Hangs { wall: run.wall }),
        RunEnd::OverWall => return Err(ProgramFault::Overdrawn { cpu: run.cpu, left }),
        RunEnd::Exited(_) if run.cpu >= left => return Err(ProgramFault::Overdrawn { cpu: run.cpu, left }),
        RunEnd::Exited(status) => status,
    };
    match (status.code(), status.signal()) {
        (Some(0), _) => Ok(()),
        (Some(code), _) => Err(ProgramFault::ExitStatus(code)),
        (None, signal) => Err(ProgramFault::Signal(signal.unwrap_or_default())),
    }
}

/// The turn in the file at `path`, if it is legal.
fn read_turn(path: &Path, position: &Position) -> Result<Turn, ProgramFault> {
    // Does not follow a link, nor open a pipe, which would make the referee wait.
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(ProgramFault::NoOutput),
        Err(error) => return Err(ProgramFault::Unreadable(error.to_string())),
        Ok(found) if !found.is_file() => {
            return Err(ProgramFault::Unreadable("it is no plain file".to_string()));
        }
        Ok(_) => {}
    }
    let bytes =
        read_at_most(path, MAX_BYTES + 1).map_err(|error| ProgramFault::Unreadable(error.to_string()))?;
    let turn = parse_output(&bytes).map_err(ProgramFault::Malformed)?;
    check(position, &turn).map_err(ProgramFault::Illegal)?;
    Ok(turn)
}

/// Removes what is at `path`, whatever it is.
fn remove(path: &Path) -> Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    };
    removed.with_context(|| format!("can't remove {}", path.display()))
}
