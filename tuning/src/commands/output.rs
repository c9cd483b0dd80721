//! What commands that take long show: a bar, and a result; how a run is played and shown.

use crate::agents;
use crate::arguments::games::RunArgs;
use crate::run::{Conclusion, Fingerprint, Header, Home, Progress, Schedule, cautions, play};
use anyhow::{Context, Result};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

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
    let mut watcher = Watcher { bar: bar_of("games", 0), begun: None, lines: 0 };
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
    /// When the first was told.
    begun: Option<Instant>,
    lines: u64,
}

impl Watcher {
    fn tell(&mut self, progress: &Progress<'_>) {
        let &Progress { ended, kept, planned, current, ref summary } = progress;
        let lines = ended / (planned / LINES).clamp(2, GAMES_PER_LINE);
        self.bar.set_length(planned);
        self.bar.set_position(ended);
        let begun = *self.begun.get_or_insert_with(|| {
            // Games of an earlier run say nothing about the time that the others take.
            self.bar.reset_eta();
            self.lines = lines;
            if kept > 0 {
                tell_line(format_args!("note: {kept} games were there already and are kept"));
            }
            Instant::now()
        });
        let line = format!("{}: {}", current.name, summary.in_short());
        if lines > self.lines && !stderr().is_terminal() {
            // A sequential test may end a match before.
            let at_most = if summary.sprt.is_some() { "at most " } else { "" };
            let played = ended.saturating_sub(kept);
            let left = time_left(begun.elapsed(), played, planned.saturating_sub(ended));
            let left = left.map_or(String::new(), |left| format!("{at_most}{} left, ", HumanDuration(left)));
            tell_line(format_args!("{ended}/{planned} games, {left}{line}"));
        }
        self.lines = lines;
        self.bar.set_message(line);
    }
}

/// How long `to_do` games will take if `ended` of them took so long; `None` if there are none to do, or if none has
/// ended.
fn time_left(elapsed: Duration, ended: u64, to_do: u64) -> Option<Duration> {
    let seconds = elapsed.as_secs_f64() / ended as f64 * to_do as f64;
    if to_do == 0 { None } else { Duration::try_from_secs_f64(seconds).ok() }
}

/// Prints a line on standard error; a reader that has gone away is no reason to stop.
pub fn tell_line(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_games_of_this_start() {
        let seconds = Duration::from_secs;
        assert_eq!(time_left(seconds(30), 10, 20), Some(seconds(60)));
        assert_eq!(time_left(seconds(30), 10, 0), None);
        assert_eq!(time_left(seconds(0), 0, 20), None, "nobody knows yet");
        assert_eq!(time_left(seconds(30), 0, 20), None);
        assert_eq!(time_left(seconds(u64::MAX), 1, u64::MAX), None, "beyond all times");
    }
}
