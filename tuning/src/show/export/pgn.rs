//! Games in Portable Game Notation, for rating programs such as Ordo and BayesElo.
//!
//! These programs take `White` for the side that moves first and estimate its advantage. In Halma Black moves first, so
//! the agent with the black pieces is `White` here, and the tag `Variant` says so. Plays are written as in chess: the
//! files `a` to `p` are the columns 0 to 15, and the ranks 1 to 16 are the rows 0 to 15, so `2,0 4,2` is `c1-e3`. The tag
//! `Rules` names the rules under which all plays are legal.

use crate::play::matches::Settings;
use crate::play::record::{Contestant, GameRecord};
use crate::play::time_control::TimeControl;
use crate::runs::{Header, RecordedRun};
use anyhow::{Context, Result};
use halma::rules::{Play, Rules, Square};
use std::io::{self, Write};
use std::path::Path;

/// The maximum length of a line of plays, according to the notation's export format.
const MAX_WIDTH: usize = 79;

/// Writes the games of the run in `folder`.
pub fn pgn(folder: &Path, writer: &mut dyn Write) -> Result<()> {
    let run = RecordedRun::open(folder)?;
    let limits: Vec<TimeControl> = run.matches.iter().flat_map(|one| one.settings.limit.each()).collect();
    let has_limits = limits.iter().any(|limit| *limit != limits[0]);
    for (place, one) in run.matches.iter().enumerate() {
        let names = Contestant::BOTH.map(|which| name(&one.settings, which, has_limits));
        for record in run.records(place)? {
            write_game(&names, one.settings.widest_rules(), &record?, &run.header, writer)
                .context("can't write the games")?;
        }
    }
    Ok(())
}

/// Writes a game between the agents called `names`, whose plays are legal under `rules`; the run has this `header`.
fn write_game(
    names: &[String; 2],
    rules: Rules,
    record: &GameRecord,
    header: &Header,
    writer: &mut dyn Write,
) -> io::Result<()> {
    let first = record.black;
    let result = match record.winner {
        None => "1/2-1/2",
        Some(winner) if winner == first => "1-0",
        Some(_) => "0-1",
    };
    let (began, notes) = (&header.began, header.notes.join("; "));
    let date = if began.is_empty() { "????.??.??".to_string() } else { began.replace('-', ".") };
    for (tag, value) in [
        ("Event", "halma"),
        ("Site", "?"),
        ("Date", &date),
        ("Round", &format!("{}.{}", record.match_number, record.game + 1)),
        ("White", &names[first as usize]),
        ("Black", &names[first.opponent() as usize]),
        ("Result", result),
        ("Variant", "Halma; White moves first here and has the black pieces"),
        ("Rules", &rules.to_string()),
        ("PlyCount", &record.plies().to_string()),
    ]
    .into_iter()
    .chain((!notes.is_empty()).then_some(("Note", notes.as_str())))
    {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ");
        writeln!(writer, "[{tag} \"{value}\"]")?;
    }
    writeln!(writer)?;
    write_plays(record, result, writer)?;
    writeln!(writer)
}

/// Writes the opening and the plays, numbered in pairs, and the result.
fn write_plays(record: &GameRecord, result: &str, writer: &mut dyn Write) -> io::Result<()> {
    let plays = record.opening.iter().chain(&record.plays).enumerate().map(|(ply, &play)| {
        let number = if ply.is_multiple_of(2) { format!("{}. ", ply / 2 + 1) } else { String::new() };
        format!("{number}{}", play_text(play))
    });
    let mut line = String::new();
    for word in plays.chain([result.to_string()]) {
        if !line.is_empty() && line.len() + 1 + word.len() > MAX_WIDTH {
            writeln!(writer, "{line}")?;
            line.clear();
        }
        line += if line.is_empty() { "" } else { " " };
        line += &word;
    }
    writeln!(writer, "{line}")
}

/// A play in the notation: `c1-e3`.
fn play_text(play: Play) -> String {
    let square = |square: Square| format!("{}{}", char::from(b'a' + square.x()), square.y() + 1);
    format!("{}-{}", square(play.from), square(play.to))
}

/// The name of an agent, the same in all its games: its spec string, and its limit if the run `has_limits` that differ.
/// If an agent plays itself, only B gets another name, so A keeps the name that it has in other matches.
fn name(settings: &Settings, which: Contestant, has_limits: bool) -> String {
    let (spec, limit) = (settings.spec(which), settings.limit);
    let name = if has_limits { format!("{spec}, {}", limit.of(which).label()) } else { spec.to_string() };
    let is_double = which == Contestant::B && settings.a == settings.b && limit.common().is_some();
    if is_double { format!("{name} B") } else { name }
}
