//! Star and Circle: two sides that only ever walk forward. The rules of an older homework's game.
//!
//! Start reading at [`Position`], which is the rules on bitboards. What the homework asks about them, and
//! its answers, are in [`homework::star_circle`](crate::homework::star_circle).

mod play;
mod position;
mod square;

pub use play::Play;
pub use position::{CIRCLE, Pieces, Position, RowValues, STAR};
pub use square::{BOARD_SIZE, Square};
