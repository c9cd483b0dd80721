//! The homework: its files, text in and text out, and the programs that answer it.
//!
//! - [`answer()`]: the program `homework`; [`calibrate()`]: the program `calibrate`.
//! - [`input`]: `input.txt`, the position and the time left.
//! - [`output`]: `output.txt`, the play, written by the agent and read by a referee;
//!   [`legality`]: the referee's check of it.
//! - [`playdata`]: `playdata.txt`, what is kept between the moves of a game.
//! - [`calibration`]: `calibration.txt`, what things cost on this machine.
//! - [`files`]: reading with a limit, and replacing a file whole.
//!
//! Readers take the bytes of a file, whatever they are, and give a value or a typed error that
//! names line and column (from 1, columns in characters). The time they take is linear in the
//! size of the text, and they look at a limited size only.

mod answer;
mod calibrate;
pub mod calibration;
pub mod files;
pub mod input;
pub mod legality;
pub mod output;
pub mod playdata;

pub use answer::{Contender, answer, answer_with};
pub use calibrate::calibrate;
