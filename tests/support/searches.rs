//! Searches of small games with random playouts, as the tests of the search core run them.

use halma::game::Game;
use halma::playout::ToTheEnd;
use halma::search::mcts::{Params, Search, Selection};
use halma::search::{Limits, Report};
use halma::support::clock::FakeClock;

/// Both formulas of selection.
pub const BOTH: [Selection; 2] = [Selection::Puct, Selection::Uct];

/// Settings for games of few plays.
pub fn params(select: Selection) -> Params {
    Params { select, c: 1.4, c_root: 1.0, c_breadth: 0.0, ..Params::default() }
}

/// A search from `root`.
pub fn search<G: Game>(root: &G, params: Params, seed: u64) -> Search<G, ToTheEnd<G::Play>> {
    Search::new(root.clone(), params, ToTheEnd::new(), seed)
}

/// The report of `iterations` iterations from `root`.
pub fn run<G: Game>(root: &G, params: Params, seed: u64, iterations: u64) -> Report<G::Play> {
    search(root, params, seed).run(&Limits::iterations(iterations), &FakeClock::default())
}

/// The position after `plays`.
pub fn after<G: Game>(position: &G, plays: &[G::Play]) -> G {
    let mut position = position.clone();
    plays.iter().for_each(|&play| position.play(play));
    position
}
