//! `lab report`: matches as one HTML file that needs nothing from outside.
//!
//! From what is on disk to the page:
//!
//! 1. `source` finds the matches in a folder, or the games in a referee's log,
//!    and brings both into one form, `contest`;
//! 2. `replay` lays out what the page's script needs of each game;
//! 3. `overview` says what a run as a whole has come to: ratings, the best settings, tuned parameters;
//! 4. `plots` and `errorbar` draw what does not move;
//! 5. `views` and `overview_views` write all figures (`words`), and `page` fills the template
//!    `templates/page.html` with them.
//!
//! `live` tells the same of a run to pages that follow it while it is played, piece by piece.
//!
//! Style and scripts are files in `page/`, as browsers read them: `curve.js` (the value curve), `list.js` (the
//! games), `player.js` (the game shown), `keys.js` (the keyboard) and `start.js` (what is shown first, and the page's
//! address); the board itself is in the room [`drawing`](crate::figures::drawing). Everything works without a mouse: what can
//! be activated is a button, a link or a field, and the keys that step through a game work where the board has the
//! focus, and only there, so that all others do what they do on any page.

mod contest;
mod errorbar;
pub mod live;
mod overview;
mod overview_views;
mod page;
mod plots;
mod referee_log;
mod replay;
mod source;
mod views;
mod words;

use anyhow::Result;
use halma::homework::files::replace;
use std::fs;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

/// What a report contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Matches in it.
    pub matches: usize,
    /// Games in it.
    pub games: usize,
    /// How many of these can be replayed.
    pub replays: usize,
    /// The size of the file.
    pub bytes: usize,
    /// Whether a run in it has not ended.
    pub under_way: bool,
}

/// The default place of the report of `run`: in the folder, or beside the log.
pub fn usual_place(run: &Path) -> PathBuf {
    if run.is_dir() { run.join("report.html") } else { run.with_extension("html") }
}

/// Writes the report of `run` to `out`, with up to `replays` games to replay, shared evenly among
/// the matches. `run` is the folder of a match, a folder with such folders somewhere below it, or a
/// log of `lab referee`. Of a run that has not ended, browsers load the page again after `refresh` seconds.
///
/// # Errors
/// There is no match in `run`, one of its files can't be read or is broken, or `out` can't be
/// written.
pub fn write(run: &Path, out: &Path, replays: usize, refresh: Option<NonZeroU64>) -> Result<Written> {
    let whole = source::read(run, replays)?;
    let page = page::render(&run_name(run), &whole, refresh.filter(|_| whole.under_way))?;
    replace(out, page.as_bytes())?;
    let games = || whole.contests.iter().flat_map(|contest| &contest.games);
    Ok(Written {
        matches: whole.contests.len(),
        games: games().count(),
        replays: games().filter(|game| game.replay.is_some()).count(),
        bytes: page.len(),
        under_way: whole.under_way,
    })
}

/// The run's name on the page: the name of its folder, however the path is written.
fn run_name(run: &Path) -> String {
    let whole = fs::canonicalize(run).unwrap_or_else(|_| run.to_path_buf());
    whole.file_name().unwrap_or(run.as_os_str()).to_string_lossy().into_owned()
}
