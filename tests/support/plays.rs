//! Plays of any game.

use halma::game::Game;
use rand::Rng;
use rand::seq::IndexedRandom;

/// The legal plays of `position`.
pub fn legal_plays<G: Game>(position: &G) -> Vec<G::Play> {
    let mut plays = Vec::new();
    position.legal_plays(&mut plays);
    plays
}

/// The position after `plays`.
pub fn after<G: Game>(position: &G, plays: &[G::Play]) -> G {
    let mut position = position.clone();
    plays.iter().for_each(|&play| position.play(play));
    position
}

/// The position after `plies` random plays, or the last one before the game would end.
pub fn wander<G: Game>(start: G, plies: usize, rng: &mut impl Rng) -> G {
    let mut position = start;
    for _ in 0..plies {
        let Some(&play) = legal_plays(&position).choose(rng) else { break };
        let next = after(&position, &[play]);
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}

/// Asserts that `line` can be played from `start`.
pub fn assert_playable<G: Game>(start: &G, line: &[G::Play]) {
    let mut position = start.clone();
    for &play in line {
        let legal = position.outcome().is_none() && legal_plays(&position).contains(&play);
        assert!(legal, "{play} in {line:?} is illegal");
        position.play(play);
    }
}
