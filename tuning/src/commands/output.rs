//! What commands that take long show: a bar, and a result.

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr, stdout};

/// A bar for `count` of what `things` names.
pub fn bar_of(things: &str, count: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template(&format!("{{bar:32}} {{pos}}/{{len}} {things}, {{eta}} left  {{msg}}"));
    ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Shows on standard error how a run of several matches goes: a bar on a terminal, else a line for each
/// match that has ended.
pub struct Matches {
    bar: ProgressBar,
    plain: bool,
}

impl Matches {
    /// For so many games in all.
    pub fn new(games: u64) -> Matches {
        Matches { bar: bar_of("games", games), plain: !stderr().is_terminal() }
    }

    /// `games` have ended, and `line` tells of the match that is played or has `ended`.
    pub fn tell(&self, games: u64, line: String, ended: bool) {
        self.bar.set_position(games);
        if self.plain && ended {
            // A reader that has gone away is no reason to stop.
            let _ = writeln!(stderr(), "{line}");
        }
        self.bar.set_message(line);
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Prints `result` for people to read, or as JSON.
pub fn print_result<T: Display + Serialize>(result: &T, json: bool) -> Result<()> {
    let text = if json { serde_json::to_string_pretty(result)? } else { result.to_string() };
    writeln!(stdout(), "{text}").context("can't print the result")
}
