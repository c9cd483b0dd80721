//! `lab serve`: a web page to play against the engine, watch it think, and browse runs.
//!
//! The page keeps each game as a tree of plays (`page/tree.js`). The board, the list of plays, the value curve, the
//! files and the links are views of it. Each request carries everything that its answer needs, so the page survives a
//! restart of the server, and the game survives a reload of the page. The server remembers only its searches, and the
//! runs that it has read in the last minute. An answer may come after the state it refers to has changed. Each request
//! therefore belongs to a `Generation` of the state (`page/server.js`), and answers that belong to an earlier
//! generation are dropped.
//!
//! **From a click to the engine's move.** One request starts the search, and others follow it:
//!
//! ```text
//! InteractiveBoard.choose     page/interactive-board.js   the square that was clicked ends a legal play
//! PlayView.play               page/play.js                adds the play to the game
//! PlayView.show               page/play.js                sees that it is the engine's turn
//! PlayView.think              page/play.js                asks for a search of the new position
//! search                      page/server.js              sends POST /api/searches
//!   routes::answer            routes.rs                   reads the body and finds the handler
//!     guard::check            guard.rs                    refuses requests from other pages
//!     Searches::start         searches.rs                 waits for room and starts a thread
//!       PositionRequest::replay   position.rs             replays the game
//!       Ruling::of            ruling.rs                   what the rules say: the legal plays, or who has won
//!       specs::make           specs.rs                    makes the agent
//!       Job::run              search.rs                   searches, and publishes its reports and the decision
//!     Searches::news          searches.rs                 answers GET /api/searches/NAME at each report
//! PlayView.answered           page/play.js                adds the engine's play
//! InteractiveBoard.show       page/interactive-board.js   shows the new position
//! ```
//!
//! One thread answers all requests. Other threads run the searches, read runs and make agents. A page follows its
//! search by *long polling*: it asks for news, and the answer waits a few seconds until there is some. When a page
//! stops asking, its search ends.
//!
//! `connections` limits the number of connections and the time of each, so that slow or silent clients can't keep others
//! out. `assets` holds the page itself, compiled in: scripts and styles are files in `page/`. The board, the value curve,
//! the list of games and the keyboard controls are shared with the report.

mod assets;
mod connections;
mod game_text;
mod guard;
mod levels;
mod position;
mod refusal;
mod routes;
mod ruling;
mod runs;
mod search;
mod searches;
mod specs;

pub(crate) use levels::{LEVELS, Level};
pub(crate) use ruling::{blocked_text, input_text, why_not};
pub use runs::Runs;

use anyhow::{Context, Result};
use searches::Searches;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

/// The state that all requests share.
struct Site {
    /// Where the server listens.
    address: SocketAddr,
    runs: Runs,
    searches: Searches,
    page: String,
}

/// Answers all connections to `listener` until the process ends. At most `searches` searches run at a time, each with
/// `memory` bytes.
///
/// # Errors
/// The server can't be started.
pub fn serve(listener: TcpListener, runs: Runs, searches: usize, memory: usize) -> Result<()> {
    let address = listener.local_addr().context("can't use the port")?;
    let site = Site { address, runs, searches: Searches::new(searches, memory), page: assets::page()? };
    connections::accept_all(listener, Arc::new(site))
}
