//! Reads a game's line of JSON, and checks that the game can have been played: files may have been edited.

use super::{Contestant, Ended, GameRecord};
use anyhow::{Result, anyhow, bail, ensure};
use halma::game::{Game, Outcome};
use halma::rules::{Play, Position, Rules};
use serde::Deserialize;
use std::fmt::Display;

/// The maximum number of iterations, nodes or boards of one decision: days of search, yet too few for their sums to
/// overflow.
const MAX_WORK: u64 = 1_000_000_000_000;

/// Reads a value from a line of a file.
///
/// # Errors
/// The line can't be read as a `T`. The error names the field at fault, if it is known.
pub fn from_line<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T> {
    serde_json::from_slice(line).map_err(|error| {
        // Keeping the path to each field takes time, so only an invalid line is read this way.
        let located =
            serde_path_to_error::deserialize::<_, T>(&mut serde_json::Deserializer::from_slice(line));
        let field = located.err().map(|error| error.path().to_string()).filter(|path| path != ".");
        let (message, column) = (error.to_string(), error.column());
        let message = message.split(" at line ").next().unwrap_or_default();
        let field = field.map_or(String::new(), |field| format!("{field}: "));
        anyhow!("{field}{message}, in column {column}")
    })
}

impl GameRecord {
    /// Checks that this game is possible under the `rules` of A and B, and under the ply limit `max_plies`, if known.
    ///
    /// # Errors
    /// A field is invalid. The error names the first one, and what was expected.
    pub fn check(&self, rules: [Rules; 2], max_plies: Option<u32>) -> Result<()> {
        self.check_lengths()?;
        self.check_numbers()?;
        self.check_result(&self.replay(rules)?, max_plies)
    }

    /// Checks that every list has one entry for each decision.
    fn check_lengths(&self) -> Result<()> {
        let GameRecord { seconds, values, iterations, nodes, boards, reused, candidates, trees, .. } = self;
        let plays = self.plays.len();
        for (field, length, may_be_empty) in [
            ("seconds", seconds.len(), false),
            ("values", values.len(), false),
            ("iterations", iterations.len(), false),
            ("nodes", nodes.len(), true),
            ("boards", boards.len(), true),
            ("reused", reused.len(), false),
            ("candidates", candidates.len(), false),
            ("trees", trees.len(), true),
        ] {
            ensure!(
                length == plays || (length == 0 && may_be_empty),
                "{field} has {length} entries; expected one for each of the {plays} plays"
            );
        }
        Ok(())
    }

    fn check_numbers(&self) -> Result<()> {
        each("seconds", &self.seconds, is_time, TIME)?;
        each("values", &self.values, is_value, VALUE)?;
        for (field, work) in
            [("iterations", &self.iterations), ("nodes", &self.nodes), ("boards", &self.boards)]
        {
            each(field, work, |&count| count <= MAX_WORK, "at most 1e12")?;
        }
        // The last decision may have lost the game instead of making a play.
        let decisions = self.plays.len() + 1;
        let is_overdraft = |&count: &u32| count as usize <= decisions;
        each("overdrafts", &self.overdrafts, is_overdraft, "at most one for each decision")?;
        for (at, plays) in self.candidates.iter().enumerate() {
            each_value("candidates", at, plays.iter().map(|noted| noted.2))?;
        }
        for (at, nodes) in self.trees.iter().enumerate() {
            each_value("trees", at, nodes.iter().map(|noted| noted.3))?;
        }
        for (at, run) in self.runs.iter().enumerate() {
            for (field, seconds) in [("cpu", run.cpu), ("wall", run.wall)] {
                ensure!(is_time(&seconds), "runs[{at}].{field} is {seconds}; expected {TIME}");
            }
        }
        Ok(())
    }

    /// The position after the last play.
    fn replay(&self, rules: [Rules; 2]) -> Result<Position> {
        // An opening may use plays that the rules of one side forbid, so it is checked under the original rules.
        let mut position = self.start();
        for (at, &play) in self.opening.iter().enumerate() {
            step(&mut position, play, "opening", at)?;
        }
        for (at, &play) in self.plays.iter().enumerate() {
            position = position.with_rules(rules[self.decider(at) as usize]);
            step(&mut position, play, "plays", at)?;
        }
        Ok(position.with_rules(rules[self.decider(self.plays.len()) as usize]))
    }

    /// Checks that the game ended in `position` as the record says.
    fn check_result(&self, position: &Position, max_plies: Option<u32>) -> Result<()> {
        let (reason, mover) = (self.reason.name(), self.decider(self.plays.len()));
        let on_board = match position.outcome() {
            Some(Outcome::Win(side)) => Some((Ended::GoalFilled, self.contestant(side))),
            _ if position.count_plays() == 0 => Some((Ended::NoLegalPlay, mover.opponent())),
            _ => None,
        };
        let winner = match (self.reason, on_board) {
            (reason, Some((found, winner))) if reason == found => Some(winner),
            (Ended::GoalFilled | Ended::NoLegalPlay, _) | (_, Some(_)) => bail!(
                "reason is \"{reason}\", but after the last play {}",
                on_board.map_or("the game goes on".to_string(), |(found, _)| format!(
                    "it is \"{}\"",
                    found.name()
                ))
            ),
            (Ended::IllegalPlay | Ended::TimeForfeit | Ended::ProgramFault, None) => Some(mover.opponent()),
            (Ended::PlyLimit, None) => None,
            (Ended::MoreTimeLeft, None) => Some(self.winner.unwrap_or(Contestant::A)),
        };
        let named =
            |winner: Option<Contestant>| winner.map_or("null".to_string(), |who| format!("\"{who:?}\""));
        ensure!(
            self.winner == winner,
            "winner is {}; expected {} with the reason \"{reason}\"",
            named(self.winner),
            named(winner)
        );
        let (plies, max_plies) = (self.plies(), max_plies.map(|max| max as usize));
        let is_at_limit = matches!(self.reason, Ended::PlyLimit | Ended::MoreTimeLeft);
        if let Some(max) = max_plies.filter(|&max| plies > max || (is_at_limit && plies < max)) {
            bail!("reason is \"{reason}\", but the game has {plies} plies and its limit is {max}");
        }
        let is_recorded = self.illegal_play.is_none() || self.reason == Ended::IllegalPlay;
        ensure!(is_recorded, "illegal_play is set, but reason is \"{reason}\"");
        Ok(())
    }
}

const TIME: &str = "a number of seconds from 0";
const VALUE: &str = "a number from -1 to +1";

fn is_time(seconds: &f64) -> bool {
    seconds.is_finite() && *seconds >= 0.0
}

fn is_value(value: &f32) -> bool {
    (-1.0..=1.0).contains(value)
}

/// Checks each entry of the list `field`.
fn each<T: Display>(field: &str, list: &[T], is_right: impl Fn(&T) -> bool, expected: &str) -> Result<()> {
    match list.iter().position(|entry| !is_right(entry)) {
        None => Ok(()),
        Some(at) => bail!("{field}[{at}] is {}; expected {expected}", list[at]),
    }
}

/// Checks the values in the entry `at` of the list `field`.
fn each_value(field: &str, at: usize, mut values: impl Iterator<Item = f32>) -> Result<()> {
    match values.find(|value| !is_value(value)) {
        None => Ok(()),
        Some(value) => bail!("{field}[{at}] has the value {value}; expected {VALUE}"),
    }
}

/// Makes the play `field[at]`.
fn step(position: &mut Position, play: Play, field: &str, at: usize) -> Result<()> {
    ensure!(position.outcome().is_none(), "{field}[{at}] is {play}, but the game was over before it");
    ensure!(position.is_legal(play), "{field}[{at}] is {play}, which is not legal");
    position.play(play);
    Ok(())
}
