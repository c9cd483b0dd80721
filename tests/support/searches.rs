//! Searches of small games with random playouts.

use halma::game::Game;
use halma::playout::{Playout, ToTheEnd};
use halma::prior::Prior;
use halma::search::mcts::{Params, Search, Selection};
use halma::search::{Limits, Report};
use halma::support::clock::FakeClock;

/// All selection formulas.
pub const FORMULAS: [Selection; 5] =
    [Selection::Puct, Selection::Uct, Selection::Ucb1Tuned, Selection::ProgressiveHistory, Selection::Grave];

/// Parameters for games with few plays.
pub fn params(select: Selection) -> Params {
    Params { select, c: 1.4, c_root: 1.0, c_breadth: 0.0, ..Params::default() }
}

/// A search with playouts of any type. They are boxed so that the search is compiled once for each game. Compiling it
/// for each policy would take a fifth of the time that all tests take to compile.
pub type BoxedSearch<'a, G> = Search<G, Box<dyn Playout<G> + 'a>>;

/// A search from `root` with random playouts.
pub fn search<G: Game + 'static>(root: &G, params: Params, seed: u64) -> BoxedSearch<'static, G> {
    search_with(root, params, ToTheEnd, seed)
}

/// A search from `root` with playouts by `policy`.
pub fn search_with<'a, G: Game>(
    root: &G,
    params: Params,
    policy: impl Playout<G> + 'a,
    seed: u64,
) -> BoxedSearch<'a, G> {
    Search::new(root.clone(), params, Box::new(policy), seed)
}

/// The report after `iterations` more iterations of `search`.
pub fn iterate<G: Game, L: Playout<G>, P: Prior<G>>(
    search: &mut Search<G, L, P>,
    iterations: u64,
) -> Report<G::Play> {
    search.run(&Limits::iterations(iterations), &FakeClock::new(), None)
}

/// The report of `iterations` iterations from `root`.
pub fn run<G: Game + 'static>(root: &G, params: Params, seed: u64, iterations: u64) -> Report<G::Play> {
    iterate(&mut search(root, params, seed), iterations)
}

/// The visits to all candidates together.
pub fn visits<P>(report: &Report<P>) -> u64 {
    report.candidates.iter().map(|candidate| u64::from(candidate.visits)).sum()
}
