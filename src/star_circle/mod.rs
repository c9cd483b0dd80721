//! Star and Circle: two sides that only ever walk forward, and the homework about it.
//!
//! Start reading at [`Position`], which is the rules on bitboards. A [`Problem`] is the homework's
//! input as text, [`answer()`] searches it with [`minimax`](crate::minimax), and the [`Report`] is
//! its output, to the byte.

mod answer;
mod parse_error;
mod play;
mod position;
mod problem;
mod square;

pub use crate::minimax::Algorithm;
pub use answer::{Report, answer};
pub use parse_error::{Fault, ParseError};
pub use play::Play;
pub use position::{CIRCLE, Pieces, Position, RowValues, STAR};
pub use problem::{MAX_DEPTH, Problem};
pub use square::{BOARD_SIZE, Square};
