//! What a position is worth to the player to move, in whole numbers.
//!
//! Guesses lie within ±[`MOST_GUESS`]. Beyond them are the proved ends: a win in `n` plies from
//! the root is worth `WIN − n`, a loss `n − WIN`, so that short wins and long losses come first.

use crate::game::{Outcome, Player};

/// A game won at the root itself.
pub const WIN: i32 = 1_000_000;

/// The most plies that a line of search can have.
pub const MOST_PLIES: usize = 128;

/// The largest absolute value that an evaluation may give; larger ones are proofs.
pub const MOST_GUESS: i32 = WIN - 2 * MOST_PLIES as i32;

/// Beyond any value there is.
pub const INFINITY: i32 = WIN + 1;

/// What `outcome`, `plies` below the root, is worth to `player`.
pub fn of_outcome(outcome: Outcome, player: Player, plies: usize) -> i32 {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win(winner) if winner == player => win_in(plies),
        Outcome::Win(_) => -win_in(plies),
    }
}

/// A win that is complete `plies` below the root.
pub fn win_in(plies: usize) -> i32 {
    WIN - plies as i32
}

/// Whether `value` stands for a proved win or loss.
pub fn is_proof(value: i32) -> bool {
    value.abs() > MOST_GUESS
}

/// The number of plies to the end that `value` proves.
pub fn plies_to_end(value: i32) -> Option<usize> {
    is_proof(value).then(|| (WIN - value.abs()).unsigned_abs() as usize)
}

/// `value`, counted from the root, as counted from a node `ply` plies below it.
pub fn from_node(value: i32, ply: usize) -> i32 {
    if is_proof(value) { value + value.signum() * ply as i32 } else { value }
}

/// The reverse of [`from_node`].
pub fn from_root(value: i32, ply: usize) -> i32 {
    if is_proof(value) { value - value.signum() * ply as i32 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_wins_and_long_losses_come_first() {
        let value = |winner, plies| of_outcome(Outcome::Win(winner), Player::One, plies);
        assert!(value(Player::One, 1) > value(Player::One, 3));
        assert!(value(Player::Two, 2) < value(Player::Two, 4));
        assert_eq!(plies_to_end(value(Player::Two, 4)), Some(4));
        assert_eq!(plies_to_end(MOST_GUESS), None);
    }

    #[test]
    fn the_distance_to_the_end_is_counted_from_the_node() {
        for value in [win_in(9), -win_in(9), 0, 77] {
            assert_eq!(from_root(from_node(value, 5), 5), value);
        }
        assert_eq!(plies_to_end(from_node(win_in(9), 5)), Some(4));
        assert_eq!(from_node(77, 5), 77);
    }
}
