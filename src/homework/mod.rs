//! The homework: its files, and the programs `homework` and `calibrate`.
//!
//! - [`answer()`]: the program `homework`.
//! - [`calibrate()`]: the program `calibrate`.
//! - [`input`]: `input.txt`, the position and the time left.
//! - [`output`]: `output.txt`, the play.
//! - [`playdata`]: `playdata.txt`, kept between the moves of a game.
//! - [`calibration`]: `calibration.txt`, this machine's speed.
//! - [`star_circle`]: `input.txt` and `output.txt` of an older homework.
//!
//! Parsers accept arbitrary bytes of limited size, and return a value or a
//! [`TextError`](crate::support::text::TextError) in linear time.
//!
//! # From `input.txt` to `output.txt`
//!
//! The calls, in order:
//!
//! ```text
//! main                        bin/homework.rs
//!   answer                    homework/answer.rs
//!     read_at_most            support/files.rs       the bytes of input.txt
//!     parse_homework          homework/input.rs      which homework is it?
//!       parse_after_mode      homework/input.rs      side, seconds left and position
//!     answer_halma            homework/answer.rs     one move
//!       Situation::limits     agent/time/plan.rs     how long the move may take
//!       Registry::make_agent  agent/registry.rs
//!       parse_playdata        homework/playdata.rs   the tree of the previous move
//!       write_output          homework/answer.rs     before a long search, in case the process is killed
//!       MctsAgent::decide     agent/mcts.rs
//!         RacePlayer::decide  agent/race.rs          if only speed counts
//!         prepare             agent/mcts.rs          reuse the tree
//!         Search::run         search/mcts/search.rs
//!         without_waiting     agent/mcts.rs          make progress, avoid repetitions
//!       write_output          homework/answer.rs
//!         output_text         homework/output.rs
//!         replace             support/files.rs       output.txt, atomically
//!       playdata_text         homework/playdata.rs   the tree for the next move
//! ```

mod answer;
mod calibrate;
pub mod calibration;
pub mod input;
pub mod output;
pub mod playdata;
pub mod star_circle;

pub use answer::{Options, answer};
pub use calibrate::calibrate;
