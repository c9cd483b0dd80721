//! Runs a program in its folder, once for each play.

use super::cgroup::OwnCgroup;
use super::descendants::oversee_descendants;
use super::failure::Failure;
use super::folder::Folder;
use super::legality::check;
use super::program::Program;
use super::sandbox::{Accounting, Sandbox};
use super::supervisor::{Client, Order, Run, RunEnd};
use super::turn::{MAX_BYTES, Turn, parse_output};
use super::user::User;
use crate::play::record::{ProgramRun, to_microseconds};
use anyhow::{Context, Result, bail, ensure};
use halma::agent::time::Mode;
use halma::homework::input::Input;
use halma::rules::Position;
use halma::support::files::read_at_most;
use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// A calibration that takes longer, in CPU or real seconds, has failed.
const CALIBRATION_SECONDS: f64 = 300.0;

/// A program and its folder.
#[derive(Debug)]
pub struct ProgramPlayer {
    program: Program,
    folder: Folder,
    sandbox: Sandbox,
    user: Option<User>,
    supervisor: Client,
    /// Whether the next play is the first of a game.
    is_new_game: bool,
    /// Whether the program has run before. From then on, failures are its own fault.
    has_run: bool,
    /// Dropped last, when nothing runs in it any more.
    cgroup: Option<OwnCgroup>,
}

impl ProgramPlayer {
    /// A player that runs `program` in `folder`. From then on, a signal that ends this process also kills all
    /// its descendants.
    ///
    /// # Errors
    /// No user is free, or the user can't reach the program or the folder; or a cgroup is required and can't
    /// be made.
    pub fn new(program: &Program, folder: Folder, sandbox: &Sandbox) -> Result<ProgramPlayer> {
        oversee_descendants()?;
        let user = if sandbox.same_user { None } else { User::claim()? };
        if let Some(user) = &user {
            folder.hand_to(user)?;
        }
        let may_group = sandbox.accounting != Some(Accounting::Sampling);
        let cgroup = if may_group { OwnCgroup::new(&sandbox.resources) } else { None };
        ensure!(
            cgroup.is_some() || sandbox.accounting != Some(Accounting::Cgroup),
            "can't make a cgroup: this needs cgroup v2 and permission to make groups below lab's own"
        );
        let mut player = ProgramPlayer {
            program: program.clone(),
            folder,
            sandbox: *sandbox,
            user,
            supervisor: Client::default(),
            is_new_game: true,
            has_run: false,
            cgroup,
        };
        player.program = player.for_user(program)?;
        Ok(player)
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The user that the program runs as; `None` if it is the referee's own.
    pub fn user(&self) -> Option<u32> {
        self.user.as_ref().map(User::id)
    }

    /// How the program's CPU time is counted.
    pub fn accounting(&self) -> Accounting {
        if self.cgroup.is_some() { Accounting::Cgroup } else { Accounting::Sampling }
    }

    fn for_user(&self, program: &Program) -> Result<Program> {
        match &self.user {
            Some(user) => program.for_user(user, self.folder.place()),
            None => Ok(program.clone()),
        }
    }

    /// Runs `program` in the folder, for at most these CPU and real seconds.
    fn run(&mut self, program: &Program, cpu: f64, wall: f64) -> Result<Run> {
        let order = Order {
            executable: program.executable().to_path_buf(),
            arguments: program.arguments().to_vec(),
            folder: self.folder.path().to_path_buf(),
            cpu,
            wall,
            resources: self.sandbox.resources,
            user: self.user(),
            cgroup: self.cgroup.as_ref().map(|cgroup| cgroup.path().to_path_buf()),
        };
        self.supervisor.run(&order)
    }

    /// Runs `calibrate` in the folder. Called at most once, before any game.
    pub fn calibrate(&mut self, calibrate: &Program) -> Result<()> {
        let run = self.run(&self.for_user(calibrate)?, CALIBRATION_SECONDS, CALIBRATION_SECONDS)?;
        ensure!(run.end == RunEnd::Exited(0), "{calibrate} failed: {:?}\n{}", run.end, run.stderr);
        Ok(())
    }

    /// Prepares for a new game: the next play is its first.
    pub fn new_game(&mut self) {
        self.is_new_game = true;
    }

    /// Asks for a play in `position`, with `left` CPU seconds left, and checks it against the position's rules.
    /// Returns the legal turn or the failure, and how the program ran. The caller checks the time.
    ///
    /// # Errors
    /// The referee itself fails, or the program can't be started at all.
    pub fn ask(
        &mut self,
        position: &Position,
        mode: Mode,
        left: f64,
    ) -> Result<(Result<Turn, Failure>, ProgramRun)> {
        let input = Input { mode, seconds: left, position: *position }.to_string();
        match self.prepare_folder(&input) {
            Err(error) if self.has_run && !is_the_machines_fault(&error) => {
                return Ok((Err(Failure::Folder(error.to_string())), ProgramRun::default()));
            }
            prepared => prepared.with_context(|| format!("can't use {}", self.folder.path().display()))?,
        }
        // Huge limits would otherwise become infinite, which the supervisor does not accept as a time.
        let cpu = (left + self.sandbox.grace).min(f64::MAX);
        let wall = (cpu * self.sandbox.wall_factor).min(f64::MAX);
        let run = self.run(&self.program.clone(), cpu, wall)?;
        if let RunEnd::NotStarted(error) = &run.end
            && !self.has_run
        {
            let user = self.user().map(|user| format!(" by user {user}")).unwrap_or_default();
            bail!("{} can't be started{user}: {error}", self.program);
        }
        self.has_run = true;
        let turn = match run.end {
            RunEnd::Exited(0) => read_turn(&self.folder.path().join("output.txt"), position),
            end => Err(Failure::Run(end)),
        };
        let hops = turn.as_ref().map_or_else(|_| Vec::new(), |turn| turn.squares().to_vec());
        let wall = to_microseconds(run.wall);
        Ok((turn, ProgramRun { cpu: run.cpu, wall, hops, stderr: run.stderr, ..ProgramRun::default() }))
    }

    /// Writes a new input.txt into the folder, and removes files that the program must not find there.
    fn prepare_folder(&mut self, input: &str) -> io::Result<()> {
        let path = |name| self.folder.path().join(name);
        let in_context =
            |name: &str, error: io::Error| io::Error::new(error.kind(), format!("{name}: {error}"));
        let clear = |name: &'static str| remove(&path(name)).map_err(|error| in_context(name, error));
        if std::mem::take(&mut self.is_new_game) {
            clear("playdata.txt")?;
        } else if fs::symlink_metadata(path("input.txt")).is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::other("it replaced input.txt with something other than a regular file"));
        }
        clear("output.txt")?;
        clear("input.txt")?;
        // `create_new` does not follow a link that the program has made.
        let mut file = File::create_new(path("input.txt")).map_err(|error| in_context("input.txt", error))?;
        // The program may run as another user, so others must be able to read the file under any umask.
        file.set_permissions(Permissions::from_mode(0o644))?;
        file.write_all(input.as_bytes())
    }
}

/// Whether the machine caused the error, in which case no side loses the game for it.
fn is_the_machines_fault(error: &io::Error) -> bool {
    use ErrorKind::{OutOfMemory, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(error.kind(), OutOfMemory | QuotaExceeded | ReadOnlyFilesystem | StorageFull)
}

/// The turn in the file at `path`, if it is legal.
fn read_turn(path: &Path, position: &Position) -> Result<Turn, Failure> {
    // This does not follow a link or open a pipe, which would block the referee.
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(Failure::NoOutput),
        Err(error) => return Err(Failure::Unreadable(error.to_string())),
        Ok(found) if !found.is_file() => {
            return Err(Failure::Unreadable("not a regular file".to_string()));
        }
        Ok(_) => {}
    }
    let bytes = read_at_most(path, MAX_BYTES + 1).map_err(|error| Failure::Unreadable(error.to_string()))?;
    let turn = parse_output(&bytes).map_err(Failure::Malformed)?;
    check(position, &turn).map_err(Failure::Illegal)?;
    Ok(turn)
}

/// Removes a file or folder, if there is one.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}
