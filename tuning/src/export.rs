//! Games as headers and results in the Portable Game Notation, for programs that compute ratings, such
//! as Ordo and BayesElo.
//!
//! These read the tags `White`, `Black` and `Result` and skip what is between games, so there are no
//! plays. Black makes the first play in Halma: what they call White's advantage is that of the second
//! player here.

use crate::matches::{Contestant, GameRecord, Settings};
use crate::runs;
use anyhow::{Context, Result};
use std::io::Write;
use std::path::Path;

/// Writes the games of the run in `folder`.
///
/// # Errors
/// There is no run, or one of its files can't be read; or `writer` fails.
pub fn export(folder: &Path, writer: &mut dyn Write) -> Result<()> {
    let run = runs::read(folder)?;
    for (place, one) in run.matches.iter().enumerate() {
        for record in run.records(place)? {
            write_game(&one.settings, &record?, writer).context("can't write the games")?;
        }
    }
    Ok(())
}

fn write_game(settings: &Settings, record: &GameRecord, writer: &mut dyn Write) -> std::io::Result<()> {
    let black = record.black;
    let white = black.opponent();
    let result = match record.winner {
        None => "1/2-1/2",
        Some(winner) if winner == white => "1-0",
        Some(_) => "0-1",
    };
    let round = format!("{}.{}", record.match_number, record.game + 1);
    let plies = record.plies().to_string();
    for (tag, value) in [
        ("Event", "halma"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", &round),
        ("White", &name(settings, white)),
        ("Black", &name(settings, black)),
        ("Result", result),
        ("PlyCount", &plies),
    ] {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(writer, "[{tag} \"{value}\"]")?;
    }
    writeln!(writer, "\n{result}\n")
}

/// The name of an agent: its spec string, and which it is, if it plays its equal.
fn name(settings: &Settings, which: Contestant) -> String {
    let spec = settings.spec(which);
    if settings.a == settings.b { format!("{spec} {which:?}") } else { spec.to_string() }
}
