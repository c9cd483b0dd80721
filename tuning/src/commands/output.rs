//! What commands that play games show: a bar, and a result.

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::fmt::Display;
use std::io::{Write, stdout};

/// A bar for `games` games, of which `ended` need not be played any more.
pub fn bar_of_games(games: u64, ended: u64) -> ProgressBar {
    let bar = ProgressBar::new(games).with_position(ended);
    let style = ProgressStyle::with_template("{bar:32} {pos}/{len} games, {eta} left  {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.reset_eta();
    bar
}

/// Prints `result` for people to read, or as JSON.
pub fn print_result<T: Display + Serialize>(result: &T, json: bool) -> Result<()> {
    let text = if json { serde_json::to_string_pretty(result)? } else { result.to_string() };
    writeln!(stdout(), "{text}").context("can't print the result")
}
