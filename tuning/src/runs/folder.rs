//! What lies in the folder of a run.

use anyhow::{Result, ensure};
use std::fs::canonicalize;
use std::path::Path;

/// The file with the [`Header`](super::Header).
pub const HEADER: &str = "run.json";

/// The file with the games: a line for each.
pub const GAMES: &str = "games.jsonl";

/// The games with their new numbers, until they take the place of those before the run was extended.
pub(super) const RENUMBERED: &str = "games.renumbered.jsonl";

/// The file with the result, once all games have ended.
pub const RESULT: &str = "result.json";

/// How the names of all files end that runs leave: games, results, tables and plots.
const ENDS: [&str; 4] = ["json", "jsonl", "csv", "svg"];

/// Checks that a file at `out`, made of the run or log `input`, would not take its place, nor that of another file that
/// a run has left.
///
/// # Errors
/// It would.
pub fn check_output(out: &Path, input: &Path) -> Result<()> {
    let ends_so = out.extension().is_some_and(|end| ENDS.iter().any(|own| end == *own));
    let is_of_a_run = ends_so && out.exists() && out.with_file_name(HEADER).exists();
    let is_input = canonicalize(out).is_ok_and(|out| canonicalize(input).is_ok_and(|input| input == out));
    ensure!(!is_of_a_run && !is_input, "{} is what a run has left: write to another file", out.display());
    Ok(())
}
