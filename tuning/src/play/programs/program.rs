//! A program: any command line.

use super::run::{Order, RunConditions, RunLimits};
use super::user::{INSTEAD, User};
use anyhow::{Context, Result, ensure};
use rustix::fs::{Access, AtFlags, CWD, accessat};
use std::env;
use std::fmt::{self, Display, Formatter};
use std::fs::{self, File, Permissions};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf, absolute};

/// The first bytes of a program of machine code. All that such a file needs are the system's libraries, as a rule.
const MACHINE_CODE: &[u8] = b"\x7fELF";

/// A command line.
#[derive(Clone, Debug)]
pub struct Program {
    text: String,
    executable: PathBuf,
    arguments: Vec<String>,
}

/// Two are the same if the same is run, however it was written.
impl PartialEq for Program {
    fn eq(&self, other: &Program) -> bool {
        (&self.executable, &self.arguments) == (&other.executable, &other.arguments)
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Program {
    /// The program that `text` names, with arguments divided and quoted as in a shell. No shell runs, since
    /// its time would be charged to the program. A path is relative to the present folder.
    ///
    /// # Errors
    /// If quotes don't match, or there is no such file, or it is not executable.
    pub fn parse(text: &str) -> Result<Program> {
        let words = shell_words::split(text).with_context(|| format!("'{text}'"))?;
        let mut words = words.into_iter();
        let name = words.next().context("a command line must not be empty")?;
        Ok(Program { text: text.to_string(), executable: find(&name)?, arguments: words.collect() })
    }

    /// The file that is run.
    pub fn executable(&self) -> &Path {
        &self.executable
    }

    /// What it is run with.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// This `lab`, playing one move with the agent that `spec` names.
    ///
    /// # Errors
    /// The system does not say where this program is.
    pub fn agent(spec: &str, seed: u64) -> Result<Program> {
        let executable = env::current_exe()?;
        let arguments = ["agent", spec, "--seed", &seed.to_string()].map(str::to_string).to_vec();
        Ok(Program { text: format!("lab agent '{spec}' --seed {seed}"), executable, arguments })
    }

    /// The program as `user` may run it: if the user can't reach the file, a copy in `folder`, provided that the file
    /// needs no other files beside it.
    ///
    /// # Errors
    /// If the user can't reach the file and a copy will not do.
    pub(super) fn for_user(&self, user: &User, folder: &Path) -> Result<Program> {
        if user.may_run(&self.executable)? {
            return Ok(self.clone());
        }
        let (path, id) = (self.executable.display(), user.id());
        let mut begin = Vec::new();
        File::open(&self.executable)?.take(MACHINE_CODE.len() as u64).read_to_end(&mut begin)?;
        ensure!(
            begin == MACHINE_CODE,
            "user {id}, as whom the program runs, may not run {path}: make it and the folders above it accessible \
             (chmod o+rx), or {INSTEAD}"
        );
        let mut copy = folder.join(self.executable.file_name().unwrap_or_default());
        while copy.exists() {
            copy.as_mut_os_string().push("-");
        }
        fs::copy(&self.executable, &copy).with_context(|| format!("can't copy {path}"))?;
        fs::set_permissions(&copy, Permissions::from_mode(0o755))?;
        Ok(Program { executable: copy, ..self.clone() })
    }

    /// What a supervisor must do to run it in `folder`.
    pub(super) fn order(&self, folder: &Path, limits: RunLimits, conditions: &RunConditions) -> Order {
        Order {
            executable: self.executable.clone(),
            arguments: self.arguments.clone(),
            folder: folder.to_path_buf(),
            limits,
            conditions: conditions.clone(),
        }
    }
}

/// The file that is run for `name`: the file of this path, or what is found where programs are.
fn find(name: &str) -> Result<PathBuf> {
    if name.contains('/') {
        let path = absolute(name)?;
        ensure!(path.is_file(), "there is no program {name}");
        ensure!(is_executable(&path), "{name} is not executable (chmod +x)");
        return Ok(path);
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut found = env::split_paths(&folders).map(|folder| folder.join(name));
    let found = found.find(|path| path.is_file() && is_executable(path));
    absolute(found.with_context(|| format!("there is no program {name} in the folders of PATH"))?)
        .context("can't find the current folder")
}

fn is_executable(path: &Path) -> bool {
    accessat(CWD, path, Access::EXEC_OK, AtFlags::empty()).is_ok()
}
