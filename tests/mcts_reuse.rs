//! Tree reuse: a search goes on after two plays with the subtree that is still valid.

use crate::support::connect_four::{ConnectFour, Drop};
use crate::support::searches::{BOTH, after, params, run, search};
use crate::support::tic_tac_toe::{Cell, TicTacToe};
use halma::evaluation::Fitted;
use halma::game::{Game, Outcome, Player};
use halma::playout::{ForwardJump, ForwardJumpParameters};
use halma::rules::{BLACK, Position, Rules};
use halma::search::mcts::{Params, Search};
use halma::search::{Limits, Report, Stop};
use halma::support::clock::FakeClock;
use halma::support::parameters::Named;

/// No limit on the places reused.
const ALL: usize = usize::MAX;

fn iterations<G: Game, L: halma::playout::Playout<G>>(
    search: &mut Search<G, L>,
    iterations: u64,
) -> Report<G::Play> {
    search.run(&Limits::iterations(iterations), &FakeClock::default())
}

#[test]
fn the_subtree_of_the_position_is_reused() {
    for (select, transpositions) in BOTH.into_iter().flat_map(|select| [(select, true), (select, false)]) {
        let root = ConnectFour::default();
        let mut search = search(&root, Params { transpositions, ..params(select) }, 1);
        let line = iterations(&mut search, 20_000).principal_variation;
        let now = after(&root, &line[..2]);
        let kept = search.save(line[0], ALL).expect("a saved tree");
        let kept = kept.below(&now).expect("the reply was searched").to_vec();
        search.advance(line[0], now, 2, ALL);
        let report = iterations(&mut search, 0);
        assert_eq!(report.reused, kept[0].visits);
        for reply in kept.iter().filter(|node| node.depth == 2) {
            let candidate = report.candidates.iter().find(|c| c.play == reply.play).unwrap();
            assert_eq!((candidate.visits, candidate.proof), (reply.visits, reply.proof));
            let value = candidate.value.for_player_one(now.to_move());
            assert!((value - reply.mean).abs() <= 0.5e-6, "{value} for {}", reply.mean);
        }
        // The principal variation is the rest of the old one.
        assert_eq!(report.principal_variation[..], line[2..][..report.principal_variation.len()]);
        let more = iterations(&mut search, 5000);
        assert_eq!(u64::from(more.reused) + more.iterations, visits(&more) + 1);
    }
}

fn visits<P>(report: &Report<P>) -> u64 {
    report.candidates.iter().map(|candidate| u64::from(candidate.visits)).sum()
}

/// Iterations continue in the reused part of the tree, however often it has moved.
#[test]
fn a_whole_game_is_played_on_one_tree() {
    for transpositions in [true, false] {
        let settings = Params { transpositions, ..Params::default() };
        let policy = ForwardJump::new(ForwardJumpParameters { cap: 2, leaving: 0 }, Box::new(Fitted));
        let mut position = Position::initial(BLACK, Rules::Addendum);
        let mut search = Search::new(position, settings, policy, 1);
        let mut reused = 0;
        for turn in 0..30 {
            let report = iterations(&mut search, 400);
            let line = report.principal_variation;
            assert!(line.len() > 2);
            reused += u64::from(report.reused);
            let before = position;
            for &play in &line[..2] {
                assert!(position.is_legal(play), "{play} in turn {turn}");
                position.play(play);
            }
            let nodes = report.nodes;
            search.advance(line[0], position, turn, ALL);
            let report = iterations(&mut search, 0);
            assert!(report.nodes < nodes, "{} of {nodes}", report.nodes);
            for candidate in &report.candidates {
                assert!(position.is_legal(candidate.play), "{before}\n{}", candidate.play);
            }
        }
        assert!(reused > 30 * 40, "{reused}");
    }
}

#[test]
fn the_same_games_make_the_same_trees() {
    let games = [1, 1, 2].map(|seed| {
        let root = ConnectFour::default();
        let mut search = search(&root, params(BOTH[0]), seed);
        let line = iterations(&mut search, 3000).principal_variation;
        search.advance(line[0], after(&root, &line[..2]), seed + 1, ALL);
        iterations(&mut search, 3000)
    });
    assert_eq!(games[0], games[1]);
    assert_ne!(games[0], games[2]);
}

#[test]
fn after_unsearched_plays_the_search_starts_afresh() {
    let root = ConnectFour::default();
    let settings = params(BOTH[0]);
    let elsewhere = ConnectFour::after(&[0, 1, 2, 3, 4]);
    let fresh = run(&elsewhere, settings.clone(), 7, 500);
    let mut other = search(&root, settings.clone(), 1);
    iterations(&mut other, 2000);
    other.advance(Drop(3), elsewhere, 7, ALL);
    assert_eq!(iterations(&mut other, 500), fresh);
    // The same if nothing was searched below the play, or the play is illegal.
    for play in [Drop(3), Drop(9)] {
        let now = ConnectFour::after(&[3, 3]);
        let mut unused = search(&root, settings.clone(), 1);
        unused.advance(play, now, 7, ALL);
        assert_eq!(iterations(&mut unused, 500), run(&now, settings.clone(), 7, 500));
    }
}

#[test]
fn at_most_the_limit_is_reused_and_near_nodes_come_first() {
    let root = ConnectFour::default();
    let mut sizes = Vec::new();
    for limit in [0, 4, 100, 1000, ALL] {
        let mut search = search(&root, params(BOTH[0]), 1);
        let line = iterations(&mut search, 20_000).principal_variation;
        search.advance(line[0], after(&root, &line[..2]), 2, limit);
        let report = iterations(&mut search, 0);
        // The root and its children are always there, and the last block may exceed the limit.
        assert!(report.nodes <= limit.saturating_add(8).max(12), "{} of {limit}", report.nodes);
        assert!(report.candidates.len() >= 4);
        sizes.push(report.nodes);
        assert_eq!(iterations(&mut search, 1000).iterations, 1000);
    }
    assert!(sizes.is_sorted() && sizes[4] > 2000, "{sizes:?}");
}

#[test]
fn a_reused_subtree_may_prove_the_position() {
    // A wrong answer loses, and the search knows the proof below it.
    let root = TicTacToe::from_drawing("X.. ... ...");
    let mut before = search(&root, Params { c: 3.0, ..params(BOTH[0]) }, 1);
    iterations(&mut before, 3000);
    let mut proved = 0;
    for answer in (1..9).map(Cell) {
        for reply in (1..9).map(Cell).filter(|&reply| reply != answer) {
            let mut search = before.clone();
            let now = after(&root, &[answer, reply]);
            search.advance(answer, now, 2, ALL);
            let report = iterations(&mut search, 200_000);
            assert_eq!(report.stop, Stop::Proved);
            let exact = run(&now, params(BOTH[0]), 3, 200_000);
            assert_eq!(report.proof, exact.proof, "{answer} {reply}");
            proved += u32::from(report.proof == Some(Outcome::Win(Player::One)));
        }
    }
    assert!(proved > 10, "{proved}");
}
