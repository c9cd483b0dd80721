//! Shared output of the commands: progress, notes, results.

use crate::bench::speed;
use crate::cli::arguments::games::RunArgs;
use crate::runs::{Conclusion, EntrantFiles, PlannedRun, Progress, Schedule, Shard, machine};
use anyhow::{Context, Result, ensure};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The maximum number of games between two progress lines.
const MAX_GAMES_PER_LINE: u64 = 100;
/// The CPU seconds that each thread spends on measuring the machine's speed.
const SPEED_SECONDS: f64 = 0.5;
/// How long a shard waits for another one before it says so.
const PATIENCE: Duration = Duration::from_secs(10);
/// The number of progress lines of a short run.
const LINES: u64 = 20;

/// A progress bar for `count` `things`, followed by its message.
fn bar_of(things: &str, count: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!("{{bar:32}} {{pos}}/{{len}} {things}, {{msg}}"));
    ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Shows the progress of steps that take equally long.
pub struct Steps {
    bar: ProgressBar,
    begun: Instant,
}

impl Steps {
    /// A bar for `count` steps, one for each of `things`.
    pub fn new(things: &str, count: u64) -> Steps {
        Steps { bar: bar_of(things, count), begun: Instant::now() }
    }

    /// Counts a finished step.
    pub fn step(&self) {
        self.bar.inc(1);
        let done = self.bar.position() as f64 / self.bar.length().unwrap_or(0) as f64;
        self.bar.set_message(time_left(self.begun.elapsed(), done).map_or(String::new(), left_text));
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn left_text(left: Duration) -> String {
    format!("{} left", HumanDuration(left))
}

/// Plays a run of the command `kind`, stored in `folder` if given, and prints its result.
pub fn play_and_print<S: Schedule + Serialize + 'static>(
    kind: &str,
    schedule: S,
    args: &RunArgs,
    folder: Option<&Path>,
) -> Result<()> {
    let jobs = args.jobs.threads();
    let mut run = PlannedRun::new(kind, schedule, args.shard)?.noting(args.note.as_deref());
    if args.pin {
        run = run.pinned(machine::cores(jobs, args.shard.threads_before(jobs))?);
    }
    args.strict.warn(&run.warnings(jobs))?;
    if let Some(reference) = args.scale_time {
        // Limits that can't be scaled are refused before anything is measured.
        ensure!(
            run.is_timed(),
            "--scale-time: there is no limit in seconds; iterations are the same on every machine"
        );
        run = run.scaling_time(reference, speed::of_machine(jobs, SPEED_SECONDS)?)?;
    }
    let mut watcher = Watcher { bar: bar_of("games", 0), begun: None, lines: 0, waiting: None };
    let watch = &mut |progress: &Progress<'_>| watcher.show(progress);
    let conclusion = run.play(jobs, folder, args.builds.choice(), watch)?;
    watcher.bar.finish_and_clear();
    if let Some(folder) = folder.filter(|_| !conclusion.files.is_empty()) {
        print_note(format_args!("tables and plots: {}", folder.display()));
    }
    print_conclusion(&conclusion, args.json)
}

/// The default folder of a run described by `NAME.toml`: `runs/NAME`.
pub fn default_folder(file: &Path) -> PathBuf {
    Path::new("runs").join(file.file_stem().unwrap_or("run".as_ref()))
}

/// Prints a result as text or JSON.
pub fn print_conclusion(conclusion: &Conclusion, json: bool) -> Result<()> {
    let text = if json { &conclusion.json } else { &conclusion.text };
    writeln!(stdout(), "{}", printable(text)).context("can't print the result")
}

/// Shows progress on standard error: a bar on a terminal, else an occasional line.
struct Watcher {
    bar: ProgressBar,
    /// The time of the first report.
    begun: Option<Instant>,
    lines: u64,
    /// The shard that this run waits for, since when, and whether a note has said so.
    waiting: Option<(Shard, Instant, bool)>,
}

impl Watcher {
    fn show(&mut self, progress: &Progress<'_>) {
        let &Progress { ended, kept, planned, done, current, waiting_for, .. } = progress;
        if let Some(shard) = waiting_for {
            return self.wait_for(shard);
        }
        self.waiting = None;
        let lines = ended / (planned / LINES).clamp(2, MAX_GAMES_PER_LINE);
        self.bar.set_length(planned);
        self.bar.set_position(ended);
        let begun = *self.begun.get_or_insert_with(|| {
            self.lines = lines;
            if kept > 0 {
                print_note(format_args!("note: {kept} games in the folder are kept"));
            }
            Instant::now()
        });
        let is_next_line = lines > self.lines;
        self.lines = lines;
        let is_bar = stderr().is_terminal();
        if !is_bar && !is_next_line {
            return;
        }
        let summary = progress.summary();
        // A sequential test may end a match earlier.
        let at_most = if summary.sprt.is_some() { "at most " } else { "" };
        let left = time_left(begun.elapsed(), done)
            .map_or(String::new(), |left| format!("{at_most}{}, ", left_text(left)));
        let line = format!("{left}{}: {}", current.name, summary.in_short());
        if is_bar {
            self.bar.set_message(line);
        } else {
            print_note(format_args!("{ended}/{planned} games, {line}"));
        }
    }

    /// Shows that the run waits for the games of `shard`. Usually that takes no longer than a game.
    fn wait_for(&mut self, shard: Shard) {
        self.bar.set_message(format!("waiting for shard {shard}"));
        let (now, (_, since, said)) =
            (Instant::now(), self.waiting.unwrap_or((shard, Instant::now(), false)));
        let is_long = now.duration_since(since) > PATIENCE;
        if is_long && !said {
            print_note(format_args!(
                "note: waiting for shard {shard}: this shard needs its games to continue"
            ));
        }
        self.waiting = Some((shard, since, said || is_long));
    }
}

/// The time left if the share `done` took `elapsed`; `None` if everything or nothing is done.
fn time_left(elapsed: Duration, done: f64) -> Option<Duration> {
    let seconds = elapsed.as_secs_f64() / done * (1.0 - done);
    if done == 1.0 { None } else { Duration::try_from_secs_f64(seconds).ok() }
}

/// Prints a line on standard error, and carries on if that fails.
pub fn print_note(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(stderr(), "{}", printable(&line.to_string()));
}

/// Prints a note the first time that one of `files` has changed. A change is not an error, because a program may have
/// changed its own file.
pub fn note_change(files: &mut Option<EntrantFiles>) {
    if let Some(Err(error)) = files.as_ref().map(EntrantFiles::check) {
        print_note(format_args!("note: {error:#}; from here on, the changed program is judged"));
        *files = None;
    }
}

/// Replaces control characters other than line breaks with blanks, so that a program's output or a file's name can't
/// control the terminal.
pub fn printable(text: &str) -> String {
    text.replace(|letter: char| letter.is_control() && letter != '\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_share_done() {
        let seconds = Duration::from_secs;
        assert_eq!(time_left(seconds(30), 0.25), Some(seconds(90)));
        assert_eq!(time_left(seconds(30), 1.0), None);
        assert_eq!(time_left(seconds(0), 0.0), None, "unknown at the start");
        assert_eq!(time_left(seconds(30), 0.0), None);
        assert_eq!(time_left(seconds(u64::MAX), 1e-9), None, "too long for a Duration");
    }
}
