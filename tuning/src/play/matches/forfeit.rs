//! Games that were lost by an illegal play, on time, or by a program's fault.

use crate::play::record::{Contestant, Ended, GameRecord};
use serde::Serialize;
use std::fmt;

/// A game that was lost by an illegal play, on time, or by a program's fault.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forfeit {
    /// The number of the game in its match, from 0.
    pub game: u64,
    /// The side that lost.
    pub loser: Contestant,
    /// How it was lost.
    pub reason: Ended,
    /// The illegal play, or a description of the fault.
    pub detail: Option<String>,
}

impl Forfeit {
    /// The forfeit in `record`, if there is one.
    pub(super) fn of(record: &GameRecord) -> Option<Forfeit> {
        if !record.reason.is_forfeit() {
            return None;
        }
        let loser = record.winner?.opponent();
        let detail = record.fault.clone().or_else(|| Some(record.illegal_play?.to_string()));
        Some(Forfeit { game: record.game, loser, reason: record.reason, detail })
    }
}

/// `illegal play: its play is illegal: …`.
impl fmt::Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.reason {
            Ended::IllegalPlay => "illegal play",
            Ended::TimeForfeit => "lost on time",
            _ => "program fault",
        })?;
        self.detail.as_ref().map_or(Ok(()), |detail| write!(f, ": {detail}"))
    }
}
