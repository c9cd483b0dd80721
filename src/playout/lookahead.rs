//! Playouts in which an alpha-beta search of a few plies chooses each play.

use super::{Playout, Simulation, goes_on};
use crate::evaluation::Evaluation;
use crate::game::{Game, Player, Value};
use crate::rules::{Play, Position};
use std::cmp::Reverse;

/// Up to a cap of plies, makes the play that an alpha-beta search of `DEPTH` plies (at least 1) finds among the most
/// advancing plays of each position; then evaluates.
///
/// Among equal plays, the one that makes the most progress is chosen; if several do, the order of squares as the player
/// sees them decides, so that the choice on a half-turned board is the half-turned choice.
pub struct Lookahead<const DEPTH: usize> {
    evaluation: Box<dyn Evaluation>,
    /// The maximum number of plies of a playout.
    cap: u64,
    /// The number of plays that are considered in each position, besides a winning one.
    width: usize,
    /// A list of plays for each ply.
    lists: [Vec<Play>; DEPTH],
}

impl<const DEPTH: usize> Lookahead<DEPTH> {
    /// A policy that considers `width` plays of each position, at least 1.
    pub(super) fn of(cap: u64, width: u64, evaluation: Box<dyn Evaluation>) -> Lookahead<DEPTH> {
        Lookahead { evaluation, cap, width: width as usize, lists: [const { Vec::new() }; DEPTH] }
    }

    /// The value of `position` for its player to move within α and β, and the first play that reaches it.
    fn visit(
        &mut self,
        position: &Position,
        mut alpha: Value,
        beta: Value,
        lists: &mut [Vec<Play>],
    ) -> (Value, Option<Play>) {
        let Some((plays, lists)) = lists.split_first_mut() else {
            return (self.evaluation.value(position, position.to_move()), None);
        };
        position.legal_plays(plays);
        if let Some(winning) = position.winning_play(plays) {
            return (Value::WIN, Some(winning));
        }
        let side = position.to_move();
        plays.sort_unstable_by_key(|&play| (Reverse(position.progress(play)), seen_from(side, play)));
        // A player without a play has lost.
        let (mut best, mut best_value) = (None, Value::LOSS);
        for &play in plays.iter().take(self.width) {
            let mut next = *position;
            next.play(play);
            let value = -self.visit(&next, -beta, -alpha, lists).0;
            if best.is_none() || value > best_value {
                (best, best_value) = (Some(play), value);
            }
            if best_value >= beta {
                break;
            }
            alpha = if best_value > alpha { best_value } else { alpha };
        }
        (best_value, best)
    }
}

impl<const DEPTH: usize> Playout<Position> for Lookahead<DEPTH> {
    fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        if !goes_on(position, simulation, self.cap, 0) {
            return None;
        }
        let mut lists = std::mem::replace(&mut self.lists, [const { Vec::new() }; DEPTH]);
        let (_, best) = self.visit(position, Value::LOSS, Value::WIN, &mut lists);
        self.lists = lists;
        best
    }

    fn evaluate(&mut self, end: &Position, _: &mut Simulation<Play>) -> Value {
        self.evaluation.value(end, end.to_move())
    }
}

/// `play` on a board turned so that the camp of `side` is in the upper left.
fn seen_from(side: Player, play: Play) -> Play {
    if side == Player::One { play } else { play.half_turn() }
}
