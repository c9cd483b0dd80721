//! Values of positions for the player to move, as integers.
//!
//! Estimates lie within ±[`MAX_GUESS`], and proved outcomes beyond: a win `n` plies below the root is worth `WIN − n`, a
//! loss `n − WIN`, so that short wins and long losses are preferred.

use crate::game::{Outcome, Player};

/// The value of a game won at the root.
pub const WIN: i32 = 1_000_000;

/// The maximum length of a line, in plies.
pub const MAX_PLIES: usize = 128;

/// The largest absolute value of an evaluation. Larger ones are proofs.
pub const MAX_GUESS: i32 = WIN - 2 * MAX_PLIES as i32;

/// Larger than any value.
pub const INFINITY: i32 = WIN + 1;

/// The value for `player` of an `outcome` that is `plies` below the root.
pub fn of_outcome(outcome: Outcome, player: Player, plies: usize) -> i32 {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win(winner) if winner == player => win_in(plies),
        Outcome::Win(_) => -win_in(plies),
    }
}

/// The value of a win `plies` below the root.
pub fn win_in(plies: usize) -> i32 {
    WIN - plies as i32
}

/// Whether `value` is a proved win or loss.
pub fn is_proof(value: i32) -> bool {
    value.abs() > MAX_GUESS
}

/// The plies to the end of the game, if `value` proves it.
pub fn plies_to_end(value: i32) -> Option<usize> {
    is_proof(value).then(|| (WIN - value.abs()).unsigned_abs() as usize)
}

/// Turns a value whose plies count from the root into one whose plies count from a node `ply` plies below.
pub fn from_node(value: i32, ply: usize) -> i32 {
    if is_proof(value) { value + value.signum() * ply as i32 } else { value }
}

/// The inverse of [`from_node`].
pub fn from_root(value: i32, ply: usize) -> i32 {
    if is_proof(value) { value - value.signum() * ply as i32 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_wins_and_long_losses_are_preferred() {
        let value = |winner, plies| of_outcome(Outcome::Win(winner), Player::One, plies);
        assert!(value(Player::One, 1) > value(Player::One, 3));
        assert!(value(Player::Two, 2) < value(Player::Two, 4));
        assert_eq!(plies_to_end(value(Player::Two, 4)), Some(4));
        assert_eq!(plies_to_end(MAX_GUESS), None);
    }

    #[test]
    fn plies_to_the_end_count_from_the_node() {
        for value in [win_in(9), -win_in(9), 0, 77] {
            assert_eq!(from_root(from_node(value, 5), 5), value);
        }
        assert_eq!(plies_to_end(from_node(win_in(9), 5)), Some(4));
        assert_eq!(from_node(77, 5), 77);
    }
}
