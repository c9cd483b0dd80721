//! The files in a run's folder.

use anyhow::{Result, ensure};
use std::fs::{self, canonicalize};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The file with the [`Header`](super::Header).
pub const HEADER: &str = "run.json";

/// The file with the games, one per line.
pub const GAMES: &str = "games.jsonl";

/// The games with their new numbers while a run is being extended.
pub(super) const RENUMBERED: &str = "games.renumbered.jsonl";

/// The file with the result, written once all games have ended.
pub const RESULT: &str = "result.json";

/// The files that only runs write. Other files in their folders may be replaced.
const FILES: [&str; 10] = [
    HEADER,
    GAMES,
    RENUMBERED,
    RESULT,
    "sweep.csv",
    "score.svg",
    "heat.svg",
    "matrix.svg",
    "tune.jsonl",
    "tune.svg",
];

/// Checks that writing to `out` would not overwrite a file of a run or one of the command's own `inputs`. Every command
/// that may replace a file of the user's choice calls this first.
///
/// # Errors
/// `out` is one of these files.
pub fn check_output<P: AsRef<Path>>(out: &Path, inputs: impl IntoIterator<Item = P>) -> Result<()> {
    let is_of_a_run = |path: &Path| {
        let is_in_a_run = || [HEADER, GAMES].iter().any(|name| path.with_file_name(name).exists());
        path.file_name().is_some_and(|name| FILES.iter().any(|own| name == *own)) && is_in_a_run()
    };
    // A link may lead to such a file.
    let linked = canonicalize(out).is_ok_and(|path| is_of_a_run(&path));
    ensure!(!is_of_a_run(out) && !linked, "{} belongs to a run; write to another file", out.display());
    // Links to one file share its inode.
    let inode = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino())).ok();
    let is_input =
        inode(out).is_some_and(|out| inputs.into_iter().any(|input| inode(input.as_ref()) == Some(out)));
    ensure!(!is_input, "{} is an input of this command; write to another file", out.display());
    Ok(())
}
