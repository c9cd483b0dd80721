//! Matches: two agents play many games, in pairs with sides swapped.
//!
//! A match is a list of games that follows from its [`Settings`] alone. [`play_game`] plays one of them, the
//! [`Counter`] counts them, and a [`Summary`] says what they have come to. How a match is played on several
//! threads and kept on disk, [`run`](crate::runs) says.

mod count;
mod first_mover;
mod forfeit;
mod game;
mod limits;
mod record;
mod settings;
mod summary;
mod table;
mod work;

pub use count::{Count, Counter};
pub use first_mover::FirstMover;
pub use forfeit::Forfeit;
pub use game::play_game;
pub use limits::{SideLimits, TimeControl};
pub use record::{Contestant, Ended, GameRecord, NotedNode, NotedPlay};
pub use settings::{Settings, Terms, agent_seed};
pub use summary::{SprtSummary, Summary};
pub use work::{AgentFigures, Pace, Speed, Work};
