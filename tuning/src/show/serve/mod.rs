//! `lab serve`: a page in the browser to play against the engine, to watch it think, and to look into runs.
//!
//! The page keeps all there is to know of a game: where it began, and its plays. Each question to the server says
//! all that the answer needs, so a server that was started again, or a page that was loaded again, goes on where it
//! was. What the server keeps is only which searches are under way.
//!
//! A request's way, in the order of the calls:
//!
//! 1. `connections` accepts it. Each connection carries one request and ends after some seconds whatever its client
//!    does, and there are only so many; so nobody who is slow, silent or many keeps the
//!    others out for longer.
//! 2. `routes` reads its body, which has a limit, lets `guard` refuse what does not come from this page, and finds
//!    out who answers.
//! 3. `question` reads positions and tells what is legal there, and why something is not; `searches` runs agents on
//!    threads of their own, `specs` says which agents a page may name, `levels` has the five that have a name;
//!    `runs` reads the folders that were given to the command.
//! 4. `assets` has the page itself, which is compiled in: scripts and style are files in `page/`. The board, the
//!    value curve, the list of games and the keys are the report's own.
//!
//! One thread does all of this; searches have threads of their own, and so has what reads runs. A page learns how
//! its search goes by *long polling*: it asks for what is newer than what it has, and the answer waits until there is
//! something, a few seconds at most. Whoever asks no more has gone, and the search ends.

mod assets;
mod connections;
mod guard;
mod levels;
mod question;
mod refusal;
mod routes;
mod runs;
mod searches;
mod specs;

pub use guard::Hosts;
pub use runs::Runs;

use anyhow::Result;
use searches::Searches;
use std::net::TcpListener;
use std::sync::Arc;

/// What is served, and within which limits.
pub struct Options {
    /// By which names the page may be asked for.
    pub hosts: Hosts,
    /// The runs to show.
    pub runs: Runs,
    /// How many searches may be under way at a time.
    pub searches: usize,
    /// Bytes of memory for each of them.
    pub memory: usize,
}

/// What all requests share.
struct Site {
    hosts: Hosts,
    runs: Runs,
    searches: Searches,
    page: String,
}

/// Answers whoever connects to `listener`, until the process ends.
///
/// # Errors
/// The system refuses what a server needs.
pub fn serve(listener: TcpListener, options: Options) -> Result<()> {
    let Options { hosts, runs, searches, memory } = options;
    let page = assets::page()?;
    let site = Site { hosts, runs, searches: Searches::new(searches, memory), page };
    connections::accept_all(listener, Arc::new(site))
}
