//! Where the games of a match begin.
//!
//! Agents that search alike play alike from the start of the game; openings make the games of a
//! match differ. They need not be fair, for each is played twice with sides swapped.

use halma::game::Game;
use halma::halma::{BLACK, Play, Position, Rules};
use halma::playout::Random;
use serde::{Deserialize, Serialize};

/// The choice of openings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// So many random plies, from least to most; see [`random_opening`].
    Random {
        /// The fewest plies.
        least: u32,
        /// The most plies.
        most: u32,
    },
    /// Every game from the start.
    Start,
}

impl Default for Openings {
    fn default() -> Openings {
        Openings::Random { least: 4, most: 10 }
    }
}

impl Openings {
    /// The opening that belongs to `seed`: the first plays from the start of the game, Black's
    /// first.
    pub fn opening(&self, rules: Rules, seed: u64) -> Vec<Play> {
        let mut random = Random::new(seed);
        match *self {
            Openings::Start => Vec::new(),
            Openings::Random { least, most } => {
                let plies = least as usize + random.below((most - least) as usize + 1);
                random_opening(rules, plies, &mut random)
            }
        }
    }
}

/// `plies` plays that both sides might make: of two random legal plays the one of more progress,
/// again and again. Any legal play may come up, but armies go forward and not to and fro.
fn random_opening(rules: Rules, plies: usize, random: &mut Random) -> Vec<Play> {
    let mut position = Position::initial(BLACK, rules);
    let mut plays = Vec::new();
    let mut opening = Vec::with_capacity(plies);
    while opening.len() < plies && position.outcome().is_none() {
        position.plays(&mut plays);
        if plays.is_empty() {
            break;
        }
        let one = plays[random.below(plays.len())];
        let other = plays[random.below(plays.len())];
        let play = if position.progress(other) > position.progress(one) { other } else { one };
        position.play(play);
        opening.push(play);
    }
    opening
}
