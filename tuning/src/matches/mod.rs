//! Matches: two agents play many games, in pairs with sides swapped.
//!
//! A match is a list of games that follows from its [`Settings`] alone; [`run`] plays those that
//! are not yet in its [`folder`], on as many threads as it is told, and counts them in the order of
//! the list. So neither the number of threads nor an interruption changes the result, nor
//! does it matter whether the games are played here or [shard by shard](Shard) on other machines.

mod engine;
pub mod folder;
mod game;
mod merge;
pub(crate) mod parts;
mod record;
mod runner;
pub(crate) mod settings;
mod shard;
mod store;
mod summarise;
mod summary;
mod table;

pub use engine::Engine;
pub use folder::{Header, Recorded};
pub use game::play_game;
pub use merge::merge;
pub use record::{Candidate, Contestant, Ended, GameRecord};
pub use runner::{Progress, run};
pub use settings::{RulesName, Settings, TimeControl};
pub use shard::{NoShard, Shard};
pub use summary::{AgentFigures, Summary};
