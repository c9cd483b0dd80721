//! What `Game` promises, checked for every game there is.
//!
//! A new game joins with one test of one line.

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
const MOST_PLIES: usize = 200;

/// Plays random games from `start` and checks the promises of [`Game`] in every position.
///
/// `identity` returns all that makes two positions of the game different, without their keys.
fn conforms<G: Game, K: Hash + Eq + Clone + Debug>(start: G, identity: impl Fn(&G) -> K) {
    let mut rng = random_source(1);
    let mut names = Names::default();
    let mut transpositions = 0;
    assert_eq!(start.outcome(), None, "the game is over before it starts");
    for _ in 0..GAMES {
        let mut position = start.clone();
        for _ in 0..MOST_PLIES {
            names.check(identity(&position), position.key());
            let plays = plays_of(&position);
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
    assert!(transpositions > 0, "no transposition was met");
}

#[test]
fn halma_by_the_addendum() {
    conforms(Position::initial(BLACK, Rules::Addendum), |position| {
        (position.to_string(), position.to_move())
    });
}

#[test]
fn halma_by_the_original_rules() {
    conforms(Position::initial(WHITE, Rules::Original), |position| {
        (position.to_string(), position.to_move())
    });
}

#[test]
fn halma_about_to_be_won() {
    conforms(Sample::read(2).position, |position| (position.to_string(), position.to_move()));
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

fn plays_of<G: Game>(position: &G) -> Vec<G::Play> {
    let mut plays = Vec::new();
    position.legal_plays(&mut plays);
    plays
}

fn after<G: Game>(position: &G, plays: &[G::Play]) -> G {
    let mut next = position.clone();
    plays.iter().for_each(|&play| next.play(play));
    next
}

/// The key of each position met, and the position of each key.
struct Names<K> {
    hashes: HashMap<K, u64>,
    positions: HashMap<u64, K>,
}

impl<K> Default for Names<K> {
    fn default() -> Names<K> {
        Names { hashes: HashMap::new(), positions: HashMap::new() }
    }
}

impl<K: Hash + Eq + Clone + Debug> Names<K> {
    /// Equal positions have equal keys, and different ones different keys.
    fn check(&mut self, position: K, hash: u64) {
        assert_eq!(*self.hashes.entry(position.clone()).or_insert(hash), hash, "{position:?} has two hashes");
        assert_eq!(*self.positions.entry(hash).or_insert(position.clone()), position, "one hash for two");
    }
}

/// Plays are listed once each, in an order that depends on the position only; what was in the
/// buffer before is gone.
fn check_list<G: Game>(position: &G, plays: &[G::Play]) {
    for (at, play) in plays.iter().enumerate() {
        assert!(!plays[..at].contains(play), "{play} is listed twice");
    }
    let mut again = plays.repeat(2);
    position.clone().legal_plays(&mut again);
    assert_eq!(again, plays, "the list depends on more than the position");
}

/// There is a winning play if and only if some play ends the game with a win for the player who makes it, and
/// it is such a play.
fn check_winning_play<G: Game>(position: &G, plays: &[G::Play]) {
    let win = Some(Outcome::Win(position.to_move()));
    let wins = |play: &G::Play| after(position, &[*play]).outcome() == win;
    match position.winning_play(plays) {
        Some(play) => assert!(plays.contains(&play) && wins(&play), "{play} does not win"),
        None => assert_eq!(plays.iter().find(|play| wins(play)), None, "a win is overlooked"),
    }
}

/// A play hands the turn over, makes another position with another key, and touches no copy.
fn check_turn<G: Game, K: Eq + Debug>(position: &G, play: G::Play, identity: &impl Fn(&G) -> K) {
    let (before, hash) = (identity(position), position.key());
    let next = after(position, &[play]);
    assert_eq!(next.to_move(), position.to_move().opponent(), "after {play} the same player moves");
    assert_ne!(identity(&next), before, "{play} changes nothing");
    assert_ne!(next.key(), hash, "{play} keeps the hash");
    assert_eq!((identity(position), position.key()), (before, hash), "{play} changed a copy");
}

/// Makes three random plays, then again with the first and third exchanged. If that is legal and leads to
/// the same position, the key must be the same; returns whether it did.
fn check_transposition<G: Game, K: Eq + Debug>(
    start: &G,
    identity: &impl Fn(&G) -> K,
    rng: &mut Xoshiro256PlusPlus,
) -> bool {
    let mut line = Vec::new();
    for _ in 0..3 {
        let position = after(start, &line);
        match plays_of(&position).choose(rng) {
            Some(&play) if position.outcome().is_none() => line.push(play),
            _ => return false,
        }
    }
    let swapped = [line[2], line[1], line[0]];
    for at in 0..3 {
        let position = after(start, &swapped[..at]);
        if position.outcome().is_some() || !plays_of(&position).contains(&swapped[at]) {
            return false;
        }
    }
    let (one, other) = (after(start, &line), after(start, &swapped));
    let transposed = line[0] != line[2] && identity(&one) == identity(&other);
    assert!(!transposed || one.key() == other.key(), "{line:?} in the other order has another hash");
    transposed
}
