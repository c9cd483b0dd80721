//! The homework: its files, text in and text out, and the programs that answer it.
//!
//! - [`answer()`]: the program `homework`; [`calibrate()`]: the program `calibrate`.
//! - [`input`]: `input.txt`, the position and the time left.
//! - [`output`]: `output.txt`, the play.
//! - [`playdata`]: `playdata.txt`, what is kept between the moves of a game.
//! - [`calibration`]: `calibration.txt`, what things cost on this machine.
//! - [`star_circle`]: the older homework, which has the same two files.
//! - [`files`]: reading with a limit and without waiting, and replacing a file whole.
//!
//! Readers take the bytes of a file, whatever they are, and give a value or a
//! [`TextError`](crate::support::text::TextError). Their time is linear in the size of the text, and they look at a
//! limited size only.
//!
//! # The walk of a board
//!
//! From `input.txt` to `output.txt`, in the order of the calls:
//!
//! ```text
//! main                    bin/homework.rs
//!   answer                homework/answer.rs       which homework is it?
//!     read_at_most        homework/files.rs        the bytes of input.txt
//!     homework            homework/input.rs
//!     parse_input         homework/input.rs        mode, seconds left and position
//!       parse_board       rules/text.rs
//!       Position::new     rules/position.rs
//!     answer_halma        homework/answer.rs       all of a move
//!       Situation::limits time/plan.rs             how long it may take
//!       parse_playdata    homework/playdata.rs     what the move before has saved,
//!       Agent::restore    agent/mcts.rs            for this one
//!       memory::left      memory.rs                how much its tree may take
//!       Agent::decide     agent/mcts.rs            the play
//!         RacePlayer::decide  agent/race.rs        if all that counts is who is faster
//!         prepare         agent/mcts.rs            a search that knows what is known
//!         Search::run     mcts/search.rs
//!         without_waiting agent/mcts.rs
//!       write_output      homework/answer.rs       before a long search too, for whatever may end it
//!         output_text     homework/output.rs
//!           chain         rules/chain.rs           the jumps of the play
//!         replace         homework/files.rs        output.txt, whole
//!       Agent::save       agent/mcts.rs            for the next move
//!       playdata_text     homework/playdata.rs
//! ```

mod answer;
mod calibrate;
pub mod calibration;
pub mod files;
pub mod input;
pub mod output;
pub mod playdata;
pub mod star_circle;

pub use answer::{Options, answer};
pub use calibrate::calibrate;
