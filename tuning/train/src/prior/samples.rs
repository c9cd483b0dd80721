//! Positions of recorded games, with the plays that searches visited.

use super::pass::{measures, shares};
use crate::samples::{Sample, Samples, Squares, position, squares};
use crate::trainee::{Mean, Measures};
use anyhow::Result;
use halma::game::Game;
use halma::network::NetworkError;
use halma::prior::network::{NetworkPrior, PolicyNetwork};
use halma::prior::weights::WEIGHTS;
use halma::prior::{Features, Prior};
use halma::rules::{BLACK, Play, Position, Square};
use halma_lab::fit::games::Drawn;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};
use std::hash::{Hash, Hasher};
use std::path::PathBuf;

/// Runs hold at most so many plays of a search.
const MOST_PLAYS: usize = 4;

/// A position and the plays that its search visited.
#[derive(Clone, Copy, Debug)]
pub struct PolicySample {
    /// Where the pieces stand.
    pub squares: Squares,
    /// The plays by their squares, each with its share of the visits to all of them. Shares after the last play are 0.
    visited: [(u8, u8, f32); MOST_PLAYS],
}

impl PolicySample {
    /// The visited plays and their shares.
    pub fn visited(&self) -> impl Iterator<Item = (Play, f32)> {
        let play = |&(from, to, share): &(u8, u8, f32)| {
            (Play::new(Square::from_number(from), Square::from_number(to)), share)
        };
        self.visited.iter().filter(|visited| visited.2 > 0.0).map(play)
    }
}

impl Hash for PolicySample {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.squares, self.visited.map(|(from, to, share)| (from, to, share.to_bits()))).hash(hasher);
    }
}

impl Sample for PolicySample {
    fn squares(&self) -> &Squares {
        &self.squares
    }
}

/// How well probabilities predict what searches visit.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PolicyQuality {
    /// The mean cross-entropy between the shares of visits and the probabilities, in nats.
    pub loss: f64,
    /// The part of the positions in which the likeliest play is the one most visited.
    pub first: f64,
}

impl Display for PolicyQuality {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:.5}\t{:.2} %", self.loss, 100.0 * self.first)
    }
}

/// The samples of the decided games in `runs` and below, without forced plays.
///
/// # Errors
/// Those of [`Samples::load`].
pub fn load(runs: &[PathBuf]) -> Result<Samples<PolicySample>> {
    let mut plays = Vec::new();
    Samples::load(runs, |drawn, _, samples| {
        let Drawn { record, decision, position, .. } = *drawn;
        let candidates = &record.candidates[decision];
        let visits: u32 = candidates.iter().map(|noted| noted.1).sum();
        // The run may have been played by the original rules, of which the addendum's allow a part.
        position.plays(&mut plays);
        if visits == 0 || plays.len() < 2 || candidates.iter().any(|noted| !plays.contains(&noted.0)) {
            return;
        }
        let seen = |square: Square| {
            if position.to_move() == BLACK { square.number() } else { square.half_turn().number() }
        };
        let mut visited = [(0, 0, 0.0); MOST_PLAYS];
        for (visited, noted) in visited.iter_mut().zip(candidates) {
            *visited = (seen(noted.0.from), seen(noted.0.to), noted.1 as f32 / visits as f32);
        }
        samples.push(PolicySample { squares: squares(&position), visited });
    })
}

/// How well the fitted prior predicts the visits, at the temperature that is best for it there.
pub fn measures_of_fitted(samples: &[PolicySample]) -> Measures {
    let tried = (10..=30).map(|twentieths| {
        let unit = twentieths as f32 / 20.0 / 100.0;
        measures_with(samples, |position, plays| {
            let features = Features::new(position);
            let sum =
                |&play: &Play| features.of(play).iter().map(|&feature| f32::from(WEIGHTS[feature])).sum();
            plays.iter().map(sum).map(|sum: f32| sum * unit).collect()
        })
    });
    tried.min_by(|one, other| one[0].total_cmp(&other[0])).expect("some were tried")
}

/// How well `network` does, in the integers of play and with the probabilities that it was trained for.
///
/// # Errors
/// The engine refuses the network.
pub fn measures_of(network: &PolicyNetwork, samples: &[PolicySample]) -> Result<Measures, NetworkError> {
    let mut prior = NetworkPrior::new(network, 2.0)?;
    let mut scores = Vec::new();
    Ok(measures_with(samples, |position, plays| {
        prior.scores(position, plays, &mut scores);
        scores.iter().map(|&score| f32::from(score) / 8.0).collect()
    }))
}

/// How well the softmax of the `logits` of plays predicts the visits.
fn measures_with(
    samples: &[PolicySample],
    mut logits: impl FnMut(&Position, &[Play]) -> Vec<f32>,
) -> Measures {
    let mut plays = Vec::new();
    let mut mean = Mean::default();
    for sample in samples {
        let position = position(&sample.squares);
        position.plays(&mut plays);
        mean.add(measures(&logits(&position, &plays), &shares(&plays, sample.visited())), 1.0);
    }
    mean.get()
}
