//! The promises of the trait `Game`, checked for every game. Adding a game takes one line.

use crate::support::plays::{after, legal_plays};
use crate::support::positions::random_source;
use crate::support::samples::Sample;
use crate::support::tic_tac_toe::TicTacToe;
use halma::game::{Game, Outcome};
use halma::rules::{BLACK, Position, Rules, WHITE};
use halma::star_circle;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

const GAMES: usize = 60;
const MAX_PLIES: usize = 200;

/// Plays random games from `start` and checks the promises of [`Game`] in every position.
///
/// `identity` returns everything that distinguishes two positions of the game, except their keys.
fn conforms<G: Game, K: Hash + Eq + Clone + Debug>(start: G, identity: impl Fn(&G) -> K) {
    let mut rng = random_source(1);
    let mut keys = Keys { key_of: HashMap::new(), position_of: HashMap::new() };
    let mut transpositions = 0;
    assert_eq!(start.outcome(), None, "the game is over before it starts");
    for _ in 0..GAMES {
        let mut position = start.clone();
        for _ in 0..MAX_PLIES {
            keys.check(identity(&position), position.key());
            let plays = legal_plays(&position);
            check_list(&position, &plays);
            if position.outcome().is_some() {
                break;
            }
            check_winning_play(&position, &plays);
            let Some(&play) = plays.choose(&mut rng) else { break };
            check_turn(&position, play, &identity);
            transpositions += usize::from(check_transposition(&position, &identity, &mut rng));
            position.play(play);
        }
    }
    assert!(transpositions > 0, "no game had a transposition");
}

/// Everything that distinguishes two positions of Halma under the same rules.
fn board_and_side(position: &Position) -> String {
    position.to_string()
}

#[test]
fn halma_under_the_addendum() {
    conforms(Position::initial(BLACK, Rules::Addendum), board_and_side);
}

#[test]
fn halma_under_the_original_rules() {
    conforms(Position::initial(WHITE, Rules::Original), board_and_side);
}

#[test]
fn halma_before_a_win() {
    conforms(Sample::read(2).position, board_and_side);
}

#[test]
fn star_and_circle() {
    let values = [10, 20, 30, 40, 50, 60, 70, 80];
    conforms(star_circle::Position::initial(values), |position| format!("{position:?}"));
}

#[test]
fn tic_tac_toe() {
    conforms(TicTacToe::new(), TicTacToe::to_string);
}

/// The key of each position seen, and the position of each key.
struct Keys<K> {
    key_of: HashMap<K, u64>,
    position_of: HashMap<u64, K>,
}

impl<K: Hash + Eq + Clone + Debug> Keys<K> {
    /// Equal positions have equal keys, and different positions have different keys.
    fn check(&mut self, position: K, key: u64) {
        let first = *self.key_of.entry(position.clone()).or_insert(key);
        assert_eq!(first, key, "{position:?} has two keys");
        let owner = self.position_of.entry(key).or_insert(position.clone());
        assert_eq!(*owner, position, "two positions have one key");
    }
}

/// The list holds each play once and nothing that was in the buffer before, in an order that depends only on the
/// position.
fn check_list<G: Game>(position: &G, plays: &[G::Play]) {
    for (at, play) in plays.iter().enumerate() {
        assert!(!plays[..at].contains(play), "{play} is listed twice");
    }
    let mut again = plays.repeat(2);
    position.clone().legal_plays(&mut again);
    assert_eq!(again, plays, "the list depends on more than the position");
}

/// `winning_play` returns a play that wins the game immediately, and `None` only if there is none.
fn check_winning_play<G: Game>(position: &G, plays: &[G::Play]) {
    let win = Some(Outcome::Win(position.to_move()));
    let wins = |play: &G::Play| after(position, &[*play]).outcome() == win;
    match position.winning_play(plays) {
        Some(play) => assert!(plays.contains(&play) && wins(&play), "{play} does not win"),
        None => assert_eq!(plays.iter().find(|play| wins(play)), None, "a win is overlooked"),
    }
}

/// A play hands the turn over, leads to a different position with a different key, and leaves copies alone.
fn check_turn<G: Game, K: Eq + Debug>(position: &G, play: G::Play, identity: &impl Fn(&G) -> K) {
    let (before, key) = (identity(position), position.key());
    let next = after(position, &[play]);
    assert_eq!(next.to_move(), position.to_move().opponent(), "after {play} the same player moves");
    assert_ne!(identity(&next), before, "{play} changes nothing");
    assert_ne!(next.key(), key, "{play} keeps the key");
    assert_eq!((identity(position), position.key()), (before, key), "{play} changed a copy");
}

/// Makes three random plays, then the same plays with the first and third exchanged. If that is legal and leads to the
/// same position, the key must be the same. Returns whether the plays led to the same position.
fn check_transposition<G: Game, K: Eq + Debug>(
    start: &G,
    identity: &impl Fn(&G) -> K,
    rng: &mut Xoshiro256PlusPlus,
) -> bool {
    let mut line = Vec::new();
    for _ in 0..3 {
        let position = after(start, &line);
        match legal_plays(&position).choose(rng) {
            Some(&play) if position.outcome().is_none() => line.push(play),
            _ => return false,
        }
    }
    let swapped = [line[2], line[1], line[0]];
    for at in 0..3 {
        let position = after(start, &swapped[..at]);
        if position.outcome().is_some() || !legal_plays(&position).contains(&swapped[at]) {
            return false;
        }
    }
    let (one, other) = (after(start, &line), after(start, &swapped));
    let transposed = line[0] != line[2] && identity(&one) == identity(&other);
    assert!(!transposed || one.key() == other.key(), "{line:?} in the other order has a different key");
    transposed
}
