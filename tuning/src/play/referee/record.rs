//! The log of a game between programs: one line of JSON.

use super::fault::ProgramFault;
use super::player::{Accounting, Reply};
use super::turn::Turn;
use crate::play::rules_name::RulesName;
use halma::game::Player as Side;
use halma::rules::{Square, colour};
use serde::Serialize;

/// A value for Black and one for White.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Both<T> {
    /// Black's.
    pub black: T,
    /// White's.
    pub white: T,
}

impl<T> From<[T; 2]> for Both<T> {
    fn from([black, white]: [T; 2]) -> Both<T> {
        Both { black, white }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// Who won; `None` if both had the same time left at the limit of plies.
    pub winner: Option<Side>,
    /// Why, in a word: `goal-filled`, `more-time-left`, `draw`, `no-legal-play` or a fault's name.
    pub reason: &'static str,
    /// Why, in a sentence.
    pub detail: String,
}

/// One run of a program.
#[derive(Debug, Serialize)]
pub struct PlyLog {
    /// `BLACK` or `WHITE`.
    pub side: &'static str,
    /// The play, unless it was at fault.
    pub play: Option<String>,
    /// The squares that the piece touched.
    pub hops: Vec<String>,
    /// CPU seconds.
    pub cpu: f64,
    /// Seconds by the wall clock.
    pub wall: f64,
    /// CPU seconds left after it.
    pub left: f64,
    /// The end of its standard error.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// The fault, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Whether that is that its time was over.
    #[serde(skip)]
    pub is_of_time: bool,
}

impl PlyLog {
    /// The log entry of `reply`.
    pub(super) fn new(side: Side, reply: &Reply, left: f64) -> PlyLog {
        let turn = reply.turn.as_ref().ok();
        PlyLog {
            side: colour(side),
            play: turn.map(|turn| turn.play().to_string()),
            hops: turn.map(Turn::squares).unwrap_or_default().iter().map(Square::to_string).collect(),
            cpu: reply.cpu,
            wall: (reply.wall * 1e6).round() / 1e6,
            left,
            stderr: reply.stderr.clone(),
            is_of_time: reply.turn.as_ref().is_err_and(ProgramFault::is_of_time),
            fault: reply.turn.as_ref().err().map(ToString::to_string),
        }
    }
}

/// A game.
#[derive(Debug, Serialize)]
pub struct GameLog {
    /// Its number, from 1.
    pub game: u64,
    /// The command lines.
    pub programs: Both<String>,
    /// How CPU time was counted.
    pub accounting: Both<Accounting>,
    /// The users as whom they ran, if these were not the referee's.
    pub users: Both<Option<u32>>,
    /// Who had the first move.
    pub first: &'static str,
    /// By which rules each side's plays were judged.
    pub rules: Both<RulesName>,
    /// CPU seconds for the game.
    pub time: Both<f64>,
    /// CPU seconds left at the end.
    pub left: Both<f64>,
    /// `BLACK`, `WHITE` or nobody.
    pub winner: Option<&'static str>,
    /// Why, in a word.
    pub reason: &'static str,
    /// Why, in a sentence.
    pub detail: String,
    /// Every run of a program.
    pub plies: Vec<PlyLog>,
}
