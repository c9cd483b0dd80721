//! Positions and plays as numbers, for networks.
//!
//! Square `(x, y)` has the number `16 y + x`, and the play from square `f` to square `t` is action `256 f + t`.
//! Observations and actions are seen from the side to move, which starts in the top-left corner: for White, everything
//! is turned by 180°.

use halma::game::{Game, Player};
use halma::rules::{BLACK, Bitboard, Play, Position, Square};

/// The number of squares.
pub const SQUARES: usize = 256;

/// The number of actions.
pub const ACTIONS: usize = SQUARES * SQUARES;

/// The length of an observation: two planes.
pub const OBSERVATION: usize = 2 * SQUARES;

/// The number of `square`.
fn number(square: Square) -> usize {
    usize::from(square.y()) * 16 + usize::from(square.x())
}

/// The square with this number, below [`SQUARES`].
pub fn square(number: usize) -> Square {
    Square::new((number % 16) as u8, (number / 16) as u8)
}

/// The action that encodes `play` for `mover`.
pub fn action(mover: Player, play: Play) -> usize {
    let action = number(play.from) * SQUARES + number(play.to);
    if mover == BLACK { action } else { ACTIONS - 1 - action }
}

/// The play that `action`, below [`ACTIONS`], encodes for `mover`.
pub fn play(mover: Player, action: usize) -> Play {
    let action = if mover == BLACK { action } else { ACTIONS - 1 - action };
    Play::new(square(action / SQUARES), square(action % SQUARES))
}

/// Writes 1 into `plane` for each of the `pieces`, turned by 180° if `turned`.
fn mark(pieces: Bitboard, turned: bool, plane: &mut [u8]) {
    pieces.for_each(|square| {
        let at = number(square);
        plane[if turned { SQUARES - 1 - at } else { at }] = 1;
    });
}

/// The planes of Black and of White.
pub fn planes(position: &Position) -> Vec<u8> {
    let mut planes = vec![0; OBSERVATION];
    for (side, plane) in Player::BOTH.into_iter().zip(planes.chunks_mut(SQUARES)) {
        mark(position.pieces(side), false, plane);
    }
    planes
}

/// Writes the planes of the side to move and of its opponent, seen from the side to move, into `planes`, which are 0.
pub fn observe(position: &Position, planes: &mut [u8]) {
    let mover = position.to_move();
    for (side, plane) in [mover, mover.opponent()].into_iter().zip(planes.chunks_mut(SQUARES)) {
        mark(position.pieces(side), mover != BLACK, plane);
    }
}

/// The actions that encode `plays` for the side to move in `position`.
pub fn actions(position: &Position, plays: &[Play]) -> Vec<u32> {
    plays.iter().map(|&play| action(position.to_move(), play) as u32).collect()
}
