//! Positions of recorded games, with the plays that searches visited.

use super::pass::{Pass, Quality};
use crate::provenance::Counts;
use crate::samples::{KEPT_APART, LAST, PROVED, position, squares};
use anyhow::{Result, ensure};
use halma::game::Game;
use halma::network::NetworkError;
use halma::prior::network::{NetworkPrior, PolicyNetwork};
use halma::prior::weights::WEIGHTS;
use halma::prior::{Features, Prior};
use halma::rules::{BLACK, PIECES, Play, Square};
use halma_lab::fit::games::{Drawn, each};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// Runs hold at most so many plays of a search.
const MOST_PLAYS: usize = 4;

/// A position and the plays that its search visited, seen by the player to move. The board is turned so that it
/// travels as Black does.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The numbers of the squares with the mover's pieces, then of those with the opponent's.
    pub squares: [[u8; PIECES as usize]; 2],
    /// The plays by their squares, each with its share of the visits to all of them. Shares after the last play are 0.
    visited: [(u8, u8, f32); MOST_PLAYS],
}

impl Sample {
    /// The visited plays and their shares.
    pub fn visited(&self) -> impl Iterator<Item = (Play, f32)> {
        let play = |&(from, to, share): &(u8, u8, f32)| {
            (Play::new(Square::from_number(from), Square::from_number(to)), share)
        };
        self.visited.iter().filter(|visited| visited.2 > 0.0).map(play)
    }
}

/// Samples to train on, and those of games kept apart to test on.
#[derive(Debug, Default)]
pub struct Samples {
    /// To train on.
    pub train: Vec<Sample>,
    /// To test on.
    pub test: Vec<Sample>,
    plays: Vec<Play>,
}

impl Samples {
    /// The samples of the decided games in `folders` and below.
    ///
    /// Left out are positions that the race player decided; forced plays; agents that do not search; openings, in which
    /// nobody decided; proofs; and the last two decisions of a game.
    ///
    /// # Errors
    /// A folder without a run, or a broken one; or too few games to train on and to test.
    pub fn load(folders: &[PathBuf]) -> Result<Samples> {
        let mut samples = Samples::default();
        each(folders, |drawn| samples.add(drawn))?;
        let Samples { train, test, .. } = &samples;
        ensure!(
            !train.is_empty() && !test.is_empty(),
            "too few searched positions: {} to train on and {} to test, from one pair of games in {KEPT_APART}; \
             play more games, of agents that search",
            train.len(),
            test.len()
        );
        Ok(samples)
    }

    fn add(&mut self, drawn: &Drawn<'_>) {
        let Drawn { record, decision, position, pair } = *drawn;
        let candidates = &record.candidates[decision];
        let raced = record.work(decision).boards > 0;
        let proved = record.values[decision].abs() > PROVED;
        let visits: u32 = candidates.iter().map(|noted| noted.1).sum();
        if raced || proved || visits == 0 || decision + LAST >= record.plays.len() {
            return;
        }
        // The run may have been played by the original rules, of which the addendum's allow a part.
        position.plays(&mut self.plays);
        if self.plays.len() < 2 || candidates.iter().any(|noted| !self.plays.contains(&noted.0)) {
            return;
        }
        let seen = |square: Square| {
            if position.to_move() == BLACK { square.number() } else { square.half_turn().number() }
        };
        let mut visited = [(0, 0, 0.0); MOST_PLAYS];
        for (visited, noted) in visited.iter_mut().zip(candidates) {
            *visited = (seen(noted.0.from), seen(noted.0.to), noted.1 as f32 / visits as f32);
        }
        let sample = Sample { squares: squares(&position), visited };
        if pair.is_multiple_of(KEPT_APART) { self.test.push(sample) } else { self.train.push(sample) }
    }

    /// How many there are.
    pub fn counts(&self) -> Counts {
        let keys: HashSet<u64> = self.train.iter().map(|sample| position(&sample.squares).key()).collect();
        Counts { train: self.train.len(), distinct: keys.len(), test: self.test.len() }
    }

    /// A number that other samples do not have.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for Sample { squares, visited } in self.train.iter().chain(&self.test) {
            (squares, visited.map(|(from, to, share)| (from, to, share.to_bits()))).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// How well the fitted prior predicts those to test on, at the temperature that is best for it there.
    pub fn quality_of_fitted(&self) -> Quality {
        let logits = |sample: &Sample, plays: &[Play]| -> Vec<f32> {
            let features = Features::new(&position(&sample.squares));
            let sum =
                |&play: &Play| features.of(play).iter().map(|&feature| f32::from(WEIGHTS[feature])).sum();
            plays.iter().map(sum).collect()
        };
        self.at_best_temperature(logits, 100.0)
    }

    /// How well `network` does, in the integers of play and with the probabilities that it was trained for.
    ///
    /// # Errors
    /// The engine refuses the network.
    pub fn quality_of(&self, network: &PolicyNetwork) -> Result<Quality, NetworkError> {
        let mut prior = NetworkPrior::new(network, 2.0)?;
        let mut scores = Vec::new();
        Ok(self.quality(|sample, plays| {
            prior.scores(&position(&sample.squares), plays, &mut scores);
            scores.iter().map(|&score| f32::from(score) / 8.0).collect()
        }))
    }

    /// The quality of `logits` divided by that number near `unit` that is best.
    fn at_best_temperature(
        &self,
        mut logits: impl FnMut(&Sample, &[Play]) -> Vec<f32>,
        unit: f32,
    ) -> Quality {
        let tried = (10..=30).map(|twentieths| {
            let factor = twentieths as f32 / 20.0 / unit;
            self.quality(|sample, plays| logits(sample, plays).iter().map(|logit| logit * factor).collect())
        });
        tried.min_by(|one, other| one.loss.total_cmp(&other.loss)).expect("some were tried")
    }

    /// How well the softmax of `logits` predicts the samples to test on.
    fn quality(&self, mut logits: impl FnMut(&Sample, &[Play]) -> Vec<f32>) -> Quality {
        let mut plays = Vec::new();
        let mut sum = Quality::default();
        for sample in &self.test {
            position(&sample.squares).plays(&mut plays);
            let shares = Pass::shares(&plays, sample.visited());
            sum = sum + Quality::of(&logits(sample, &plays), &shares);
        }
        sum / self.test.len() as f64
    }
}
