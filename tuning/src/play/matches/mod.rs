//! Matches: two entrants play many games, in pairs with sides swapped.
//!
//! A match is a list of games that follows from its [`Settings`] alone. A [`MatchPlayer`] plays them one by
//! one, a [`Counter`] counts them, and a [`Summary`] is the result. [`runs`](crate::runs) plays matches on
//! several threads and keeps them on disk.

mod count;
mod figures;
mod first_mover;
mod forfeit;
mod pair;
mod player;
mod setting_error;
mod settings;
mod summary;
mod table;
mod work;

pub use count::{Count, Counter};
pub use figures::GameFigures;
pub use first_mover::FirstMover;
pub use forfeit::Forfeit;
pub use pair::PairResult;
pub use player::MatchPlayer;
pub use setting_error::SettingError;
pub use settings::{Settings, Terms, agent_seed};
pub use summary::{SprtSummary, Summary};
pub(crate) use table::repeats_text;
pub use work::{AgentFigures, Pace, Speed, Work};
