//! Transpositions: positions that different orders of plays lead to share their children.

use crate::support::connect_four::ConnectFour;
use crate::support::searches::{BOTH, params, run};
use crate::support::tic_tac_toe::TicTacToe;
use halma::game::Game;
use halma::game::Value;
use halma::playout::Playout;
use halma::rules::{BLACK, Bitboard, Position, Rules, Square, WHITE};
use halma::search::mcts::{Params, Search, Selection};
use halma::search::{Limits, Stop};
use halma::support::clock::FakeClock;
use halma::support::random::Random;

/// Values leaves at random.
struct Dice;

impl<G: Game> Playout<G> for Dice {
    fn value(&mut self, _leaf: &G, random: &mut Random) -> Value {
        Value::new(random.below(3) as f32 - 1.0)
    }
}

fn shared(transpositions: bool, select: Selection) -> Params {
    Params { transpositions, ..params(select) }
}

#[test]
fn sharing_children_makes_proofs_cheaper() {
    for select in BOTH {
        for drawing in ["X.. ... ...", ".X. ... ...", "... .X. ..."] {
            let root = TicTacToe::from_drawing(drawing);
            let [with, without] = [true, false].map(|transpositions| {
                let report = run(&root, Params { c: 100.0, ..shared(transpositions, select) }, 1, 200_000);
                assert_eq!(report.stop, Stop::Proved, "{drawing}, transpositions {transpositions}");
                report
            });
            assert_eq!(with.proof, without.proof);
            assert!(with.iterations < without.iterations, "{drawing}: {} iterations", with.iterations);
            assert!(4 * with.nodes < 3 * without.nodes, "{drawing}: {}, {}", with.nodes, without.nodes);
        }
    }
}

/// Two pieces that can only walk to and fro, so that most positions repeat.
#[test]
fn cycles_of_plays_do_not_stop_a_search() {
    let mut pieces = [Bitboard::EMPTY; 2];
    pieces[BLACK.index()] = Bitboard::EMPTY.with(Square::new(8, 7));
    pieces[WHITE.index()] = Bitboard::EMPTY.with(Square::new(7, 8));
    let root = Position::new(pieces, BLACK, Rules::Original);
    let limits = Limits::iterations(30_000);
    let report = Search::new(root, Params::default(), Dice, 1).run(&limits, &FakeClock::new());
    assert_eq!(report.iterations, 30_000);
    let (mut position, mut plays) = (root, Vec::new());
    for &play in &report.principal_variation {
        position.legal_plays(&mut plays);
        assert!(plays.contains(&play), "{play}");
        position.play(play);
    }
}

/// Results do not depend on what the search's memory was used for before.
#[test]
fn a_search_in_used_memory_is_the_same() {
    let mut played = ConnectFour::default();
    let mut plays = Vec::new();
    for _ in 0..3 {
        played.legal_plays(&mut plays);
        played.play(plays[1]);
    }
    let limits = Limits::iterations(20_000);
    let mut used = Search::new(ConnectFour::default(), params(BOTH[0]), Dice, 1);
    used.run(&Limits::iterations(60_000), &FakeClock::new());
    used.restart(played, 2);
    let mut new = Search::new(played, params(BOTH[0]), Dice, 2);
    assert_eq!(used.run(&limits, &FakeClock::new()), new.run(&limits, &FakeClock::new()));
}
