//! `lab report`: matches as one HTML file that works offline.
//!
//! From the files to the page:
//!
//! 1. `source` finds the matches in a folder, or the games in a referee's log, and brings both into one form, `contest`;
//! 2. `replay` lays out the games for the page's script;
//! 3. `overview` holds the result of a run of several matches: ratings, best settings, tuned parameters;
//! 4. `plots` draws the plots of a match;
//! 5. `page` fills the template `templates/page.html`, which writes numbers with `words` and `elo`.
//!
//! `live` provides the same data to pages that follow a run while it is played.
//!
//! Styles and scripts are files in `page/`: `curve.js` (the value curve), `game-list.js` (the games), `lists.js` (plays
//! and candidates), `player.js` (the game shown), `keys.js` (the keyboard) and `start.js` (the page's address). The board
//! is in [`drawing`](crate::figures::drawing). Everything works without a mouse. The keys that step through a game work
//! only while the board has the focus, so elsewhere all keys keep their usual meaning.

mod contest;
mod elo;
pub(in crate::show) mod live;
mod overview;
mod page;
mod plots;
mod referee_log;
mod replay;
mod source;
mod words;

use anyhow::Result;
use halma::support::files::replace;
use std::fs;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

/// The contents of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The number of matches.
    pub matches: usize,
    /// The number of games.
    pub games: usize,
    /// The number of games that can be replayed.
    pub replays: usize,
    /// The size of the file, in bytes.
    pub bytes: usize,
    /// Whether more games may follow: one of the runs has no result yet, or it is a log.
    pub under_way: bool,
}

/// The default path of the report of `run`: in the folder, or beside the log.
pub fn default_path(run: &Path) -> PathBuf {
    if run.is_dir() { run.join("report.html") } else { run.with_extension("html") }
}

/// Writes the report of `run` to `out`. `run` is the folder of a run, a folder with such folders below it, or a log of
/// `lab referee`. Up to `replays` games can be replayed, shared evenly among the matches. While more games may follow,
/// browsers reload the page after `refresh` seconds.
///
/// # Errors
/// There is no match in `run`, a file can't be read or is invalid, or `out` can't be written.
pub fn write(run: &Path, out: &Path, replays: usize, refresh: Option<NonZeroU64>) -> Result<Written> {
    let reported = source::read(run, replays)?;
    let under_way = reported.under_way != Some(false);
    let page = page::render(&run_name(run), &reported, refresh.filter(|_| under_way))?;
    replace(out, page.as_bytes())?;
    let games = || reported.contests.iter().flat_map(|contest| &contest.games);
    Ok(Written {
        matches: reported.contests.len(),
        games: games().count(),
        replays: games().filter(|game| game.replay.is_some()).count(),
        bytes: page.len(),
        under_way,
    })
}

/// The run's name on pages: the last part of its path.
pub(in crate::show) fn run_name(run: &Path) -> String {
    let whole = fs::canonicalize(run).unwrap_or_else(|_| run.to_path_buf());
    whole.file_name().unwrap_or(run.as_os_str()).to_string_lossy().into_owned()
}
