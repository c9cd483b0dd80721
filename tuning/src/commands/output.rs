//! What commands that take long show: a bar, and a result; how a run is played and shown.

use crate::agents;
use crate::arguments::games::RunArgs;
use crate::run::{Conclusion, Fingerprint, Header, Home, Progress, Schedule, cautions, play};
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::{Path, PathBuf};

/// At most this many games between two lines of progress.
const GAMES_PER_LINE: u64 = 100;
/// So many lines of progress for a run of fewer games.
const LINES: u64 = 20;

/// A bar for `count` of what `things` names.
pub fn bar_of(things: &str, count: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template(&format!("{{bar:32}} {{pos}}/{{len}} {things}, {{eta}} left  {{msg}}"));
    ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Plays a run into `folder`, if there is one, and prints its result. `kind` is its command of `lab`.
pub fn play_and_print<S: Schedule + Serialize>(
    kind: &str,
    schedule: &S,
    args: &RunArgs,
    folder: Option<&Path>,
) -> Result<()> {
    let first = schedule.round(&[])?;
    let engine = Fingerprint::of(&first, agents::registry())?;
    for caution in cautions(&first, args.shard, &engine, agents::registry()) {
        tell_line(format_args!("note: {caution}"));
    }
    let header = Header::of(kind, schedule, args.shard, engine)?;
    let home = Home { folder, header: &header, builds: args.builds.builds() };
    let mut watcher = Watcher { bar: bar_of("games", 0), begun: false, lines: 0 };
    let tell = &mut |progress: &Progress<'_>| watcher.tell(progress);
    let conclusion = play(schedule, args.shard, args.jobs(), home, tell)?;
    watcher.bar.finish_and_clear();
    if let Some(folder) = folder.filter(|_| !conclusion.files.is_empty()) {
        tell_line(format_args!("tables and plots are in {}", folder.display()));
    }
    print_conclusion(&conclusion, args.json)
}

/// Where a run goes whose file is `…/NAME.toml`, if nothing is said: `runs/NAME`.
pub fn default_folder(file: &Path) -> PathBuf {
    Path::new("runs").join(file.file_stem().unwrap_or("run".as_ref()))
}

/// Prints a result for people to read, or as JSON.
pub fn print_conclusion(conclusion: &Conclusion, json: bool) -> Result<()> {
    let text = if json { &conclusion.json } else { &conclusion.text };
    writeln!(stdout(), "{text}").context("can't print the result")
}

/// Shows on standard error how a run goes: a bar on a terminal, else a line now and then.
struct Watcher {
    bar: ProgressBar,
    /// Whether anything has been told.
    begun: bool,
    lines: u64,
}

impl Watcher {
    fn tell(&mut self, progress: &Progress<'_>) {
        let &Progress { ended, planned, current, ref summary } = progress;
        let lines = ended / (planned / LINES).clamp(2, GAMES_PER_LINE);
        self.bar.set_length(planned);
        self.bar.set_position(ended);
        if !self.begun {
            // Games of an earlier run say nothing about the time that the others take.
            self.bar.reset_eta();
            self.begun = true;
            self.lines = lines;
        }
        let line = format!("{}: {}", current.name, summary.in_short());
        if lines > self.lines && !stderr().is_terminal() {
            tell_line(format_args!("{ended}/{planned} games, {line}"));
        }
        self.lines = lines;
        self.bar.set_message(line);
    }
}

/// Prints a line on standard error; a reader that has gone away is no reason to stop.
fn tell_line(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(stderr(), "{line}");
}
