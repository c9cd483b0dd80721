//! One position through the network, and back: what its plays are worth, and how that changes with the weights.

use super::samples::PolicySample;
use super::{FROM, KIND, Layer, PLAYS, TO};
use crate::hidden::inputs;
use crate::samples::{mirrored_position, seen};
use crate::trainee::{Measures, Pass};
use crate::weights::{Table, Weights, add, product};
use halma::game::Game;
use halma::network::policy::HIDDEN;
use halma::prior::{Features, KINDS};
use halma::rules::{BLACK, Play};

/// How well the softmax of `logits` predicts these `shares` of visits: the cross-entropy, and the chance that the
/// likeliest play is the one most visited.
pub fn measures(logits: &[f32], shares: &[f32]) -> Measures {
    let total = log_total(logits);
    let loss = logits.iter().zip(shares).map(|(logit, share)| f64::from(share * (total - logit))).sum();
    [loss, first_right(logits, shares)]
}

/// The share of the visits that each of `plays` had.
pub fn shares(plays: &[Play], visited: impl Iterator<Item = (Play, f32)>) -> Vec<f32> {
    let mut shares = vec![0.0; plays.len()];
    for (play, share) in visited {
        if let Some(place) = plays.iter().position(|&other| other == play) {
            shares[place] = share;
        }
    }
    shares
}

/// The logarithm of Σ e^logit.
fn log_total(logits: &[f32]) -> f32 {
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    most + logits.iter().map(|logit| (logit - most).exp()).sum::<f32>().ln()
}

/// The chance that the likeliest play, any of them if there are several, is the one most visited.
fn first_right(logits: &[f32], shares: &[f32]) -> f64 {
    let [most, most_visited] = [logits, shares].map(|list| list.iter().copied().fold(f32::MIN, f32::max));
    let likeliest = || logits.iter().zip(shares).filter(|&(&logit, _)| logit == most);
    let right = likeliest().filter(|&(_, &share)| share == most_visited).count();
    right as f64 / likeliest().count() as f64
}

/// What is known of a play.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The square left, the square reached and the kind of progress.
    rows: [usize; 3],
    features: [usize; 4],
}

/// Buffers for one position after another.
#[derive(Debug, Default)]
pub struct PolicyPass {
    plays: Vec<Play>,
    known: Vec<Known>,
    logits: Vec<f32>,
    /// What the hidden units say for each row of [`TABLES`] that occurs, or how the loss changes with it.
    said: [Vec<Option<f32>>; 3],
}

/// What the hidden units have weights for.
const TABLES: [Table; 3] = [FROM, TO, KIND];

impl Pass<PolicySample> for PolicyPass {
    fn run(
        &mut self,
        weights: &Weights,
        sample: &PolicySample,
        mirrored: bool,
        gradient: Option<&mut Weights>,
    ) -> Measures {
        let position = mirrored_position(&sample.squares, mirrored);
        position.legal_plays(&mut self.plays);
        let seen = |square| seen(square, mirrored);
        let visited =
            sample.visited().map(|(play, share)| (Play::new(seen(play.from), seen(play.to)), share));
        let shares = shares(&self.plays, visited);
        let features = Features::new(&position);
        self.known.clear();
        self.known.extend(self.plays.iter().map(|&play| Known {
            rows: [play.from.index(), play.to.index(), features.kind(play)],
            features: features.of(play),
        }));
        let inputs = inputs(&sample.squares, BLACK, mirrored);
        let mut hidden = [0.0; HIDDEN];
        Layer::sum(&mut hidden, weights, &inputs);
        hidden.iter_mut().for_each(|unit| *unit = unit.clamp(0.0, 1.0));
        self.score(weights, &hidden);
        if let Some(gradient) = gradient {
            let mut of_sums = self.add_gradient(weights, &shares, &hidden, gradient);
            for (change, unit) in of_sums.iter_mut().zip(hidden) {
                *change = if unit > 0.0 && unit < 1.0 { *change } else { 0.0 };
            }
            Layer::add_gradient(gradient, &inputs, &of_sums);
        }
        measures(&self.logits, &shares)
    }
}

impl PolicyPass {
    /// Computes the logits of all plays.
    fn score(&mut self, weights: &Weights, hidden: &[f32; HIDDEN]) {
        let PolicyPass { known, logits, said, .. } = self;
        for (said, rows) in said.iter_mut().zip([256, 256, KINDS]) {
            said.clear();
            said.resize(rows, None);
        }
        logits.clear();
        logits.extend(known.iter().map(|play| {
            let rows = said.iter_mut().zip(TABLES).zip(play.rows);
            let of_rows: f32 = rows
                .map(|((said, table), row)| {
                    *said[row].get_or_insert_with(|| product(weights.row(table, row), hidden))
                })
                .sum();
            of_rows + play.features.map(|feature| weights.row(PLAYS, feature)[0]).iter().sum::<f32>()
        }));
    }

    /// Adds to `gradient` how the loss changes with the weights of plays. Returns how it changes with the hidden units.
    fn add_gradient(
        &mut self,
        weights: &Weights,
        shares: &[f32],
        hidden: &[f32; HIDDEN],
        gradient: &mut Weights,
    ) -> [f32; HIDDEN] {
        let PolicyPass { known, logits, said, .. } = self;
        let total = log_total(logits);
        for said in said.iter_mut().flatten() {
            *said = said.map(|_| 0.0);
        }
        for ((play, logit), share) in known.iter().zip(logits).zip(shares) {
            let change = (*logit - total).exp() - share;
            for (said, row) in said.iter_mut().zip(play.rows) {
                *said[row].get_or_insert(0.0) += change;
            }
            for feature in play.features {
                gradient.row_mut(PLAYS, feature)[0] += change;
            }
        }
        let mut of_hidden = [0.0; HIDDEN];
        for (table, said) in TABLES.into_iter().zip(said) {
            for (row, change) in said.iter().enumerate().filter_map(|(row, said)| Some((row, (*said)?))) {
                add(gradient.row_mut(table, row), change, hidden);
                add(&mut of_hidden, change, weights.row(table, row));
            }
        }
        of_hidden
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trainee::tests::{check_gradient, some_positions};
    use halma::network::policy::PolicyNetwork;
    use halma_lab::play::record::NotedPlay;

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let mut plays = Vec::new();
        let sample = |position| {
            Game::legal_plays(&position, &mut plays);
            let visited: Vec<NotedPlay> =
                plays.iter().zip([7, 2, 1]).map(|(&play, visits)| NotedPlay(play, visits, 0.0)).collect();
            PolicySample::of(&position, &visited)
        };
        let samples: Vec<PolicySample> = some_positions().map(sample).collect();
        check_gradient::<PolicyNetwork>(&samples, &[Layer::WEIGHTS, Layer::BIASES, FROM, TO, KIND, PLAYS]);
    }
}
