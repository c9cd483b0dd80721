//! The figures that a match needs from each game. They take a few hundred bytes, whereas the game's record may take a
//! hundred thousand.

use super::forfeit::Forfeit;
use super::pair::game_hash;
use super::settings::Settings;
use super::work::AgentFigures;
use crate::play::record::{Contestant, Ended, GameRecord};
use halma::rules::{BLACK, Position};

/// The figures of a game.
#[derive(Clone, Debug)]
pub struct GameFigures {
    /// Its number in the match, from 0.
    pub number: u64,
    /// Who played Black.
    pub black: Contestant,
    /// The winner; `None` for a draw.
    pub winner: Option<Contestant>,
    /// Why it ended.
    pub reason: Ended,
    /// A description of the loser's fault.
    pub fault: Option<String>,
    /// The number of plies, including the opening.
    pub plies: usize,
    /// The machine on which it was played, if known.
    pub(super) host: Option<String>,
    /// A's half points.
    pub(super) half_points: u8,
    /// The half points of the side that moved first.
    pub(super) first_mover: u8,
    /// See [`game_hash`].
    pub(super) hash: u64,
    pub(super) forfeit: Option<Forfeit>,
    /// Figures of A and B.
    pub(super) agents: [AgentFigures; 2],
    /// Visits that A and B reused from earlier searches.
    pub(super) reused: [u64; 2],
}

impl GameFigures {
    /// The figures of the game in `record`, a game of the match with `settings`.
    pub fn of(record: &GameRecord, settings: &Settings) -> GameFigures {
        let (mut agents, mut reused) = ([AgentFigures::default(); 2], [0; 2]);
        for decision in 0..record.plays.len() {
            let which = record.decider(decision) as usize;
            agents[which].add(record.work(decision), record.seconds[decision]);
            reused[which] += u64::from(record.reused[decision]);
        }
        for which in Contestant::BOTH {
            let agent = &mut agents[which as usize];
            let lost = record.winner == Some(which.opponent());
            agent.illegal_plays = u64::from(lost && record.reason == Ended::IllegalPlay);
            agent.time_forfeits = u64::from(lost && record.reason == Ended::TimeForfeit);
            agent.program_faults = u64::from(lost && record.reason == Ended::ProgramFault);
            agent.overdrafts = u64::from(record.overdrafts[which as usize]);
        }
        GameFigures {
            number: record.game,
            black: record.black,
            winner: record.winner,
            reason: record.reason,
            fault: record.fault.clone(),
            plies: record.plies(),
            host: record.host.clone(),
            half_points: record.half_points(),
            first_mover: record.first_mover_half_points(),
            hash: game_hash(record, Position::initial(BLACK, settings.widest_rules())),
            forfeit: Forfeit::of(record),
            agents,
            reused,
        }
    }
}
