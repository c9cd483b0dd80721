//! A program in its folder, asked for one play after the other.

use super::cgroup::OwnCgroup;
use super::fault::ProgramFault;
use super::folder::Folder;
use super::legality::check;
use super::limits::ResourceLimits;
use super::processes::oversee_descendants;
use super::program::Program;
use super::run::{Run, RunConditions, RunEnd, RunLimits};
use super::supervised::Supervised;
use super::turn::{MAX_BYTES, Turn, parse_output};
use super::user::User;
use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use halma::agent::time::Mode;
use halma::homework::files::read_at_most;
use halma::homework::input::Input;
use halma::rules::Position;
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// A calibration that takes longer than this, by CPU or wall clock, has failed.
const CALIBRATION_SECONDS: f64 = 300.0;

/// What a program may do and use besides time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confinement {
    /// What it and all that it starts may use.
    pub resources: ResourceLimits,
    /// How its CPU time is counted; `None` is by cgroup where one may be made.
    pub accounting: Option<Accounting>,
    /// Whether it runs as a user of its own if the referee is root.
    pub own_user: bool,
}

impl Default for Confinement {
    fn default() -> Confinement {
        Confinement { resources: ResourceLimits::default(), accounting: None, own_user: true }
    }
}

/// How CPU time is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Accounting {
    /// By the system, for the group of all processes that the program starts.
    Cgroup,
    /// By the system's account of processes that were waited for, and by looks at all the others.
    Sampling,
}

/// When a program is killed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patience {
    /// This many CPU seconds after its time is over.
    pub grace: f64,
    /// When by the wall clock this many times its time and grace have passed: it sleeps, or waits
    /// for something, or the machine is overloaded.
    pub wall_factor: f64,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { grace: 10.0, wall_factor: 4.0 }
    }
}

/// A program, and its folder.
#[derive(Debug)]
pub struct ProgramPlayer {
    program: Program,
    folder: Folder,
    patience: Patience,
    conditions: RunConditions,
    user: Option<User>,
    supervised: RefCell<Supervised>,
    /// Whether the next play is the first of a game.
    new_game: Cell<bool>,
    /// Whether the program has run: what is wrong after that is its own fault.
    has_run: Cell<bool>,
    /// The last to be dropped: then nothing is in it any more.
    _cgroup: Option<OwnCgroup>,
}

/// The result of asking for a play.
#[derive(Debug)]
pub struct Reply {
    /// The legal turn, or what is wrong.
    pub turn: Result<Turn, ProgramFault>,
    /// CPU seconds used.
    pub cpu: f64,
    /// Seconds by the wall clock.
    pub wall: f64,
    /// The end of what was written to standard error.
    pub stderr: String,
}

/// `reason`, and the last line that a program wrote to standard error.
pub fn with_last_words(reason: &str, stderr: &str) -> String {
    match stderr.trim_end().lines().next_back() {
        Some(line) => format!("{reason} ({line})"),
        None => reason.to_string(),
    }
}

impl ProgramPlayer {
    /// `program` in `folder`. From then on this process leaves none of its descendants behind, whatever ends it.
    ///
    /// # Errors
    /// If there is no user for it, or the user can't reach the program or the folder.
    pub fn new(
        program: &Program,
        folder: Folder,
        patience: Patience,
        confinement: &Confinement,
    ) -> Result<ProgramPlayer> {
        oversee_descendants()?;
        let user = if confinement.own_user { User::claim()? } else { None };
        if let Some(user) = &user {
            folder.hand_to(user)?;
        }
        let resources = confinement.resources;
        let may_group = confinement.accounting != Some(Accounting::Sampling);
        let cgroup = if may_group { OwnCgroup::new(&resources) } else { None };
        ensure!(
            cgroup.is_some() || confinement.accounting != Some(Accounting::Cgroup),
            "can't make a cgroup: it needs cgroup v2 and the right to make groups below the one that lab runs in"
        );
        let mut player = ProgramPlayer {
            program: program.clone(),
            folder,
            patience,
            conditions: RunConditions {
                resources,
                user: user.as_ref().map(User::id),
                cgroup: cgroup.as_ref().map(|cgroup| cgroup.path().to_path_buf()),
            },
            user,
            supervised: RefCell::default(),
            new_game: Cell::new(true),
            has_run: Cell::new(false),
            _cgroup: cgroup,
        };
        player.program = player.for_user(program)?;
        Ok(player)
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The user as whom it runs, if it is not the referee's.
    pub fn user(&self) -> Option<u32> {
        self.conditions.user
    }

    /// How its CPU time is counted.
    pub fn accounting(&self) -> Accounting {
        if self.conditions.cgroup.is_some() { Accounting::Cgroup } else { Accounting::Sampling }
    }

    fn for_user(&self, program: &Program) -> Result<Program> {
        match &self.user {
            Some(user) => program.for_user(user, self.folder.place()),
            None => Ok(program.clone()),
        }
    }

    fn run(&self, program: &Program, limits: RunLimits) -> Result<Run> {
        let order = program.order(self.folder.path(), limits, &self.conditions);
        self.supervised.borrow_mut().run(&order)
    }

    /// Runs `calibrate` in the folder, once and before any game.
    ///
    /// # Errors
    /// It fails; the caller decides what that means.
    pub fn calibrate(&self, calibrate: &Program) -> Result<()> {
        let limits = RunLimits { cpu: CALIBRATION_SECONDS, wall: CALIBRATION_SECONDS };
        let run = self.run(&self.for_user(calibrate)?, limits)?;
        ensure!(run.end == RunEnd::Exited(0), "{calibrate} failed: {:?}\n{}", run.end, run.stderr);
        Ok(())
    }

    /// The next play is the first of a new game.
    pub fn new_game(&self) {
        self.new_game.set(true);
    }

    /// Asks for a play in `position`, judged by the position's rules, with `left` CPU seconds left.
    ///
    /// # Errors
    /// If the referee itself can't do its work, or the program can't be started at all; what the program does wrong
    /// is a [`ProgramFault`].
    pub fn ask(&self, position: &Position, mode: Mode, left: f64) -> Result<Reply> {
        let input = Input { mode, seconds: left, position: *position }.to_string();
        match self.prepare_folder(&input) {
            Err(error) if self.has_run.get() && !is_no_program_s_fault(&error) => {
                let turn = Err(ProgramFault::Folder(error.to_string()));
                return Ok(Reply { turn, cpu: 0.0, wall: 0.0, stderr: String::new() });
            }
            prepared => prepared.with_context(|| format!("can't use {}", self.folder.path().display()))?,
        }
        let cpu = left + self.patience.grace;
        let run = self.run(&self.program, RunLimits { cpu, wall: cpu * self.patience.wall_factor })?;
        if let RunEnd::NotStarted(error) = &run.end
            && !self.has_run.get()
        {
            let user = self.user().map(|user| format!(" by user {user}")).unwrap_or_default();
            bail!("{} can't be started{user}: {error}", self.program);
        }
        self.has_run.set(true);
        let output = self.folder.path().join("output.txt");
        let turn =
            judge_run(&run, left, &self.conditions.resources).and_then(|()| read_turn(&output, position));
        Ok(Reply { turn, cpu: run.cpu, wall: run.wall, stderr: run.stderr })
    }

    /// Puts a new input.txt into the folder, and removes what a program is not to find there.
    fn prepare_folder(&self, input: &str) -> io::Result<()> {
        let path = |name| self.folder.path().join(name);
        let in_context =
            |name: &str, error: io::Error| io::Error::new(error.kind(), format!("{name}: {error}"));
        let clear = |name: &'static str| remove(&path(name)).map_err(|error| in_context(name, error));
        if self.new_game.replace(false) {
            clear("playdata.txt")?;
        } else if fs::symlink_metadata(path("input.txt")).is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::other("it made input.txt something else than a plain file"));
        }
        clear("output.txt")?;
        clear("input.txt")?;
        // Never through a link that the program has made.
        let mut file = File::create_new(path("input.txt")).map_err(|error| in_context("input.txt", error))?;
        file.write_all(input.as_bytes())
    }
}

/// Whether the machine is the cause: then nobody loses.
fn is_no_program_s_fault(error: &io::Error) -> bool {
    use ErrorKind::{OutOfMemory, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(error.kind(), OutOfMemory | QuotaExceeded | ReadOnlyFilesystem | StorageFull)
}

/// Whether the program ended well and in time.
fn judge_run(run: &Run, left: f64, resources: &ResourceLimits) -> Result<(), ProgramFault> {
    match run.end.clone() {
        RunEnd::NotStarted(error) => Err(ProgramFault::NotStarted(error)),
        RunEnd::Unsupervised(how) => Err(ProgramFault::Unsupervised(how)),
        RunEnd::OverCpu => Err(ProgramFault::Killed { cpu: run.cpu, left }),
        RunEnd::OverMemory(used) => Err(ProgramFault::Memory { used, limit: resources.memory }),
        RunEnd::OverProcesses(count) => Err(ProgramFault::Processes { count, limit: resources.processes }),
        _ if run.cpu >= left => Err(ProgramFault::Overdrawn { cpu: run.cpu, left }),
        RunEnd::OverWall => Err(ProgramFault::Hangs { wall: run.wall }),
        RunEnd::Exited(0) => Ok(()),
        RunEnd::Exited(status) => Err(ProgramFault::ExitStatus(status)),
        RunEnd::Signalled(signal) => Err(ProgramFault::Signal(signal)),
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
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}
