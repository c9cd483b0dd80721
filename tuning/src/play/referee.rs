//! A game between two programs.

use super::player::ProgramPlayer;
use super::record::{End, GameLog, PlyLog};
use super::run::micros;
use crate::play::rules_name::RulesName;
use anyhow::Result;
use halma::agent::time::Mode;
use halma::game::{Game, Outcome, Player as Side};
use halma::rules::{BLACK, Position, WHITE, colour};

/// The conditions of a game; values for each side have Black's first.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// CPU seconds for the whole game.
    pub time: [f64; 2],
    /// Who has the first move.
    pub first: Side,
    /// By which rules each side's plays are judged.
    pub rules: [RulesName; 2],
    /// A game of this many plies ends; the side with more time left wins.
    pub max_plies: usize,
}

/// Plays game number `game` between `players`, Black first in the list.
///
/// # Errors
/// If the referee itself can't do its work.
pub fn play_game(game: u64, players: [&ProgramPlayer; 2], conditions: &Conditions) -> Result<(End, GameLog)> {
    players.iter().for_each(|player| player.new_game());
    let mut left = conditions.time;
    let mut plies = Vec::new();
    let mut position = Position::initial(conditions.first, Default::default());
    let end = loop {
        let side = position.to_move();
        position = position.with_rules(conditions.rules[side.index()].into());
        if let Some(end) = end(&position, plies.len(), conditions.max_plies, left) {
            break end;
        }
        let answer = players[side.index()].ask(&position, Mode::Game, left[side.index()])?;
        let seconds = &mut left[side.index()];
        *seconds = micros(*seconds - answer.cpu);
        plies.push(PlyLog::new(side, &answer, left[side.index()]));
        match answer.turn {
            Ok(turn) => position.play(turn.play()),
            Err(fault) => {
                let detail = format!("{} loses: {fault}", colour(side));
                break End { winner: Some(side.opponent()), reason: fault.name(), detail };
            }
        }
    };
    let log = GameLog {
        game,
        programs: players.map(|player| player.program().to_string()).into(),
        accounting: players.map(ProgramPlayer::accounting).into(),
        users: players.map(ProgramPlayer::user).into(),
        first: colour(conditions.first),
        rules: conditions.rules.into(),
        time: conditions.time.into(),
        left: left.into(),
        winner: end.winner.map(colour),
        reason: end.reason,
        detail: end.detail.clone(),
        plies,
    };
    Ok((end, log))
}

/// How the game has ended, if it is over before the side to move is asked.
fn end(position: &Position, plies: usize, max_plies: usize, left: [f64; 2]) -> Option<End> {
    let side = position.to_move();
    let won = |winner, reason, detail| Some(End { winner: Some(winner), reason, detail });
    if let Some(Outcome::Win(winner)) = position.outcome() {
        return won(winner, "goal-filled", format!("{} has filled its goal", colour(winner)));
    }
    if position.count_plays() == 0 {
        return won(side.opponent(), "no-legal-play", format!("{} has no legal play", colour(side)));
    }
    if plies < max_plies {
        return None;
    }
    let [black, white] = left;
    let times = format!("Black has {black:.3} s left and White {white:.3} s");
    if black == white {
        let detail = format!("nobody has won in {plies} plies, and {times}");
        return Some(End { winner: None, reason: "draw", detail });
    }
    let winner = if black > white { BLACK } else { WHITE };
    won(winner, "more-time-left", format!("nobody has won in {plies} plies; {times}"))
}
