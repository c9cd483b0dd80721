//! The files in a run's folder.

use anyhow::{Result, ensure};
use std::fs::canonicalize;
use std::path::Path;

/// The file with the [`Header`](super::Header).
pub const HEADER: &str = "run.json";

/// The file with the games, one per line.
pub const GAMES: &str = "games.jsonl";

/// The games with their new numbers while a run is being extended.
pub(super) const RENUMBERED: &str = "games.renumbered.jsonl";

/// The file with the result, written once all games have ended.
pub const RESULT: &str = "result.json";

/// The extensions of all files that runs write.
const EXTENSIONS: [&str; 4] = ["json", "jsonl", "csv", "svg"];

/// Checks that writing to `out` would not overwrite `input`, a run or log, or another file of a run.
///
/// # Errors
/// `out` is one of these.
pub fn check_output(out: &Path, input: &Path) -> Result<()> {
    let has_run_extension = out.extension().is_some_and(|end| EXTENSIONS.iter().any(|own| end == *own));
    let is_of_a_run = has_run_extension && out.exists() && out.with_file_name(HEADER).exists();
    let is_input = canonicalize(out).is_ok_and(|out| canonicalize(input).is_ok_and(|input| input == out));
    ensure!(!is_of_a_run && !is_input, "{} belongs to a run; write to another file", out.display());
    Ok(())
}
