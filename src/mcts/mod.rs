//! Monte Carlo tree search over any [`Game`](crate::game::Game).
//!
//! Start reading at `Search::iterate` in `search.rs`: one iteration on one screen. Around it, a
//! file for each question: `select.rs` (which child next? UCT and PUCT), `expand.rs` (which plays
//! get a node, with what prior?), `backup.rs` (what does an iteration change on its way back?),
//! `tree.rs` (how are nodes kept?), `twins.rs` (which stand at one position?), `doubt.rs` (is the choice
//! clear already?), `report.rs` (when to stop, what was found), `params.rs` (the one table of settings;
//! `parameter.rs`: how such tables are made),
//! `go_on.rs` and `tree/keep.rs` (what of the tree stays when the game goes on?), `memory.rs` (what does a search
//! tell a search in another process, two plays later?).

mod backup;
mod doubt;
mod expand;
mod go_on;
mod memory;
pub(crate) mod parameter;
mod params;
mod report;
mod search;
mod select;
mod tree;
mod twins;

pub use memory::{BadMemory, Memory, Remembered};
pub use parameter::{ParamError, Parameter, Range};
pub use params::{Params, Selection};
pub use report::{Candidate, Limits, Report, Stop};
pub use search::Search;
