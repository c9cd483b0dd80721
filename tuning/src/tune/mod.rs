//! Tuning: the best values of several parameters at once, by games.
//!
//! A [`Tune`] is read from a TOML file. [`run`] plays small matches between an agent whose
//! parameters are all a little off to one side and one whose parameters are off to the other, and
//! steps towards the winner: see [`Spsa`]. What comes of it is a [`Tuned`].

mod draw;
mod file;
mod log;
mod result;
mod run;
mod spsa;

pub use draw::draw;
pub use file::Tune;
pub use log::Step;
pub use result::Tuned;
pub use run::{HEADER, Header, LOG, Progress, run};
pub use spsa::{Knob, Spsa, Trial};
