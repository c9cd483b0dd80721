//! The rules of Halma, on bitboards. Search, playouts, referee and tests all use them.
//!
//! Start reading at [`Position`]: [`Position::for_each_source`] holds the rules of movement, and `Reach` finds a piece's
//! destinations by flooding instead of following single jumps.

mod bitboard;
mod camps;
mod chain;
mod flood;
mod forward_piece;
mod furthest;
mod play;
mod play_buffer;
mod position;
mod reach;
mod square;
mod tally;
#[cfg(test)]
pub(crate) mod test_games;
mod text;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use camps::{PIECES, camp, distance, further, goal};
pub use chain::{Chain, chain};
pub use forward_piece::{furthest_jump_of, furthest_jump_of_four, furthest_step};
pub use furthest::{ForwardJumps, FurthestJump, forward_jumps, furthest_jump};
pub use play::Play;
pub use position::{BLACK, Duty, IllegalPlay, Position, Rules, WHITE};
pub use reach::neighbours;
pub(crate) use reach::{Jumps, Reach};
pub use square::{BOARD_SIZE, Square};
pub use tally::Tally;
pub(crate) use text::parse_position;
pub use text::{colour, colour_name, letter, parse_board, parse_colour};
