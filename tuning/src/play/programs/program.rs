//! A program: a command line.

use super::user::{INSTEAD, User};
use anyhow::{Context, Result, ensure};
use rustix::fs::{Access, AtFlags, CWD, accessat};
use std::env;
use std::fmt::{self, Display, Formatter};
use std::fs::{self, File, Permissions};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf, absolute};

/// The first bytes of a native executable, which usually needs no files besides the system's libraries.
const MACHINE_CODE: &[u8] = b"\x7fELF";

/// A command line.
#[derive(Clone, Debug)]
pub struct Program {
    text: String,
    executable: PathBuf,
    arguments: Vec<String>,
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Program {
    /// Parses a command line that is split and quoted as in a shell. No shell runs, because its time would be
    /// charged to the program. A path is relative to the current folder.
    ///
    /// # Errors
    /// A quote is not closed, or the file is missing or not executable.
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

    /// Its arguments.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// The file that `argument` names, as PATH or --option=PATH. It must be an absolute path: the program runs in a
    /// folder of its own.
    pub fn file_of(argument: &str) -> Option<&Path> {
        let value = argument.split_once('=').map(|(_, value)| value);
        let mut paths = [Some(argument), value].into_iter().flatten().map(Path::new);
        paths.find(|path| path.is_absolute() && path.is_file())
    }

    /// This `lab` as a program that plays with the agent `spec`.
    pub fn agent(spec: &str, seed: u64) -> Result<Program> {
        let executable = env::current_exe()?;
        let arguments = ["agent", spec, "--seed", &seed.to_string()].map(str::to_string).to_vec();
        Ok(Program { text: format!("lab agent '{spec}' --seed {seed}"), executable, arguments })
    }

    /// The program for `user` to run. If the user can't reach the executable, it is copied into `folder`,
    /// provided that it does not depend on files beside it.
    ///
    /// # Errors
    /// The user can't reach the executable, and a copy would not work.
    pub(super) fn for_user(&self, user: &User, folder: &Path) -> Result<Program> {
        if user.may_run(&self.executable)? {
            return Ok(self.clone());
        }
        let (path, id) = (self.executable.display(), user.id());
        let mut begin = Vec::new();
        File::open(&self.executable)?.take(MACHINE_CODE.len() as u64).read_to_end(&mut begin)?;
        ensure!(
            begin == MACHINE_CODE,
            "user {id}, who runs the program, can't execute {path}: make it and the folders above it accessible \
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
}

/// The executable called `name`: a path, or a file in a folder of `PATH`.
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
    absolute(found.with_context(|| format!("there is no program {name} in PATH"))?)
        .context("can't find the current folder")
}

fn is_executable(path: &Path) -> bool {
    accessat(CWD, path, Access::EXEC_OK, AtFlags::empty()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_name_files_by_absolute_paths() {
        let path = env::current_exe().expect("a path");
        let text = path.to_str().expect("UTF-8");
        for argument in [text.to_string(), format!("--weights={text}"), format!("a={text}")] {
            assert_eq!(Program::file_of(&argument), Some(path.as_path()), "{argument}");
        }
        for argument in
            ["", "--fast", "Cargo.toml", "--file=Cargo.toml", "/", "--folder=/", "/nowhere", "a=b=/"]
        {
            assert_eq!(Program::file_of(argument), None, "{argument}");
        }
    }
}
