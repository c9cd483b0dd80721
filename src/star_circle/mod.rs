//! Star and Circle, the game of an older homework. Its pieces only move forward.
//!
//! Start reading at [`Position`], which holds the rules, on bitboards. The homework's input and output are in
//! [`homework::star_circle`](crate::homework::star_circle).

mod play;
mod position;
mod square;

pub use play::Play;
pub use position::{CIRCLE, Pieces, Position, RowValues, STAR};
pub use square::{BOARD_SIZE, Square};
