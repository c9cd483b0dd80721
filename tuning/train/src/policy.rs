//! `train prior`: trains the network of `prior=network` on the plays that searches visited.
//!
//! A position needs about 70 of the 578 rows for squares and kinds of progress, so only these are computed.

use crate::hidden::{Hidden, inputs};
use crate::samples::{Sample, Squares, mirrored_position, position, seen, squares};
use crate::trainee::{Mean, Measures, Pass, Trainee};
use crate::weights::{Table, Weights, add, product};
use halma::game::Game;
use halma::network::policy::{
    HIDDEN, HIDDEN_SCALE, MAX_PLAY_WEIGHT, NetworkPrior, PLAY_SCALE, PolicyNetwork,
};
use halma::network::{Network, NetworkError, seen_by};
use halma::prior::weights::WEIGHTS;
use halma::prior::{COUNT, Features, KINDS, Prior};
use halma::rules::{BLACK, Play, Position, Square};
use halma_lab::learn::games::Drawn;
use halma_lab::play::record::{MAX_CANDIDATES, NotedPlay};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};
use std::hash::{Hash, Hasher};

type Layer = Hidden<HIDDEN>;
/// A row for each square that a play can leave.
const FROM: Table = Layer::BIASES.then(256, HIDDEN);
/// A row for each square that a play can reach.
const TO: Table = FROM.then(256, HIDDEN);
/// A row for each kind of progress: see [`KINDS`].
const KIND: Table = TO.then(KINDS, HIDDEN);
/// A row of one weight for each feature of a play.
const PLAYS: Table = KIND.then(COUNT, 1);

impl Trainee for PolicyNetwork {
    type Sample = PolicySample;
    type Pass = PolicyPass;
    type Quality = PolicyQuality;

    const FROM: &'static str = "A network to continue from, or built-in. By default the initial weights are random, \
        except that the features of the fitted prior start with the fitted weights";
    const BATCH: &'static str = "256";
    const RATE: &'static str = "0.003";
    const HEADINGS: [&'static str; 2] = ["fitted\t", "epoch\ttrain\ttest\tfirst right"];
    const COUNT: usize = PLAYS.end();

    fn first(seed: u64) -> Weights {
        let mut weights = Weights::random(Self::COUNT, seed);
        Layer::begin(&mut weights);
        for (weight, fitted) in weights.table_mut(PLAYS).iter_mut().zip(WEIGHTS) {
            *weight = f32::from(fitted) / 100.0;
        }
        weights
    }

    fn weights(&self) -> Weights {
        let mut weights = Weights::zeros(0);
        weights.extend(self.feature_weights.as_flattened(), HIDDEN_SCALE);
        weights.extend(&self.feature_biases, HIDDEN_SCALE);
        weights.extend(self.from_weights.as_flattened(), PLAY_SCALE);
        weights.extend(self.to_weights.as_flattened(), PLAY_SCALE);
        weights.extend(self.kind_weights.as_flattened(), PLAY_SCALE);
        weights.extend(&self.play_weights, PLAY_SCALE);
        weights
    }

    fn clip(weights: &mut Weights) {
        for part in [FROM, TO, KIND] {
            weights.clip(part, f32::from(MAX_PLAY_WEIGHT) / PLAY_SCALE as f32);
        }
    }

    fn scale_unit(weights: &mut Weights, unit: usize, factor: f32) {
        for table in [Layer::WEIGHTS, Layer::BIASES] {
            weights.scale_column(table, unit, factor);
        }
    }

    fn rounded(weights: &Weights) -> Box<PolicyNetwork> {
        let mut network = PolicyNetwork::zeros();
        weights.round(Layer::WEIGHTS, HIDDEN_SCALE, network.feature_weights.as_flattened_mut());
        weights.round(Layer::BIASES, HIDDEN_SCALE, &mut network.feature_biases);
        weights.round(FROM, PLAY_SCALE, network.from_weights.as_flattened_mut());
        weights.round(TO, PLAY_SCALE, network.to_weights.as_flattened_mut());
        weights.round(KIND, PLAY_SCALE, network.kind_weights.as_flattened_mut());
        weights.round(PLAYS, PLAY_SCALE, &mut network.play_weights);
        network
    }

    fn quality([loss, first]: Measures) -> PolicyQuality {
        PolicyQuality { loss, first }
    }

    /// Measures the fitted weights at the temperature with the lowest loss.
    fn fitted(test: &[PolicySample]) -> Measures {
        let tried = (10..=30).map(|twentieths| {
            let nats = twentieths as f32 / 20.0 / 100.0;
            measures_of(test, |position, plays| {
                let features = Features::new(position);
                let score =
                    |&play: &Play| features.of(play).iter().map(|&feature| f32::from(WEIGHTS[feature])).sum();
                plays.iter().map(score).map(|score: f32| nats * score).collect()
            })
        });
        tried.min_by(|one, other| one[0].total_cmp(&other[0])).expect("the range is not empty")
    }

    /// Measures the probabilities as trained (`base=1.133`), not the flatter ones of the default `base`.
    fn as_played(self: Box<PolicyNetwork>, test: &[PolicySample]) -> Result<Measures, NetworkError> {
        // The base does not matter, because only the scores are read.
        let mut prior = NetworkPrior::new(self, 2.0)?;
        let mut scores = Vec::new();
        Ok(measures_of(test, |position, plays| {
            prior.scores(position, plays, &mut scores);
            scores.iter().map(|&score| f32::from(score) / 8.0).collect()
        }))
    }
}

/// How well a network predicts the visits of searches.
#[derive(Debug, Serialize)]
pub struct PolicyQuality {
    /// The mean cross-entropy between the shares of visits and the probabilities, in nats.
    loss: f64,
    /// The share of positions in which the likeliest play is the most visited play.
    first: f64,
}

impl Display for PolicyQuality {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:.5}\t{:.2} %", self.loss, 100.0 * self.first)
    }
}

/// The mean quality, over all samples, of the softmax of the plays' `logits`.
fn measures_of(samples: &[PolicySample], mut logits: impl FnMut(&Position, &[Play]) -> Vec<f32>) -> Measures {
    let mut plays = Vec::new();
    let of_one = |sample: &PolicySample| {
        let position = position(&sample.squares);
        position.legal_plays(&mut plays);
        measures(&logits(&position, &plays), &shares(&plays, sample.visited()))
    };
    Mean::of(samples.iter().map(of_one)).get()
}

/// The quality of the softmax of `logits` as a prediction of `shares` of visits: the cross-entropy, and whether the
/// likeliest play is the most visited play.
fn measures(logits: &[f32], shares: &[f32]) -> Measures {
    let total = log_sum_exp(logits);
    let loss = logits.iter().zip(shares).map(|(logit, share)| f64::from(share * (total - logit))).sum();
    [loss, first_right(logits, shares)]
}

/// The logarithm of Σ e^logit.
fn log_sum_exp(logits: &[f32]) -> f32 {
    let max = logits.iter().copied().fold(f32::MIN, f32::max);
    max + logits.iter().map(|logit| (logit - max).exp()).sum::<f32>().ln()
}

/// 1 if the likeliest play is the most visited play, and 0 if not. If several plays are equally likely, the mean over
/// them.
fn first_right(logits: &[f32], shares: &[f32]) -> f64 {
    let [max, most_visited] = [logits, shares].map(|list| list.iter().copied().fold(f32::MIN, f32::max));
    let likeliest = || logits.iter().zip(shares).filter(|&(&logit, _)| logit == max);
    let right = likeliest().filter(|&(_, &share)| share == most_visited).count();
    right as f64 / likeliest().count() as f64
}

/// The share of visits of each of `plays`.
fn shares(plays: &[Play], visited: impl Iterator<Item = (Play, f32)>) -> Vec<f32> {
    let mut shares = vec![0.0; plays.len()];
    for (play, share) in visited {
        if let Some(place) = plays.iter().position(|&other| other == play) {
            shares[place] = share;
        }
    }
    shares
}

/// A position and the plays that its search visited.
#[derive(Clone, Copy, Debug)]
pub struct PolicySample {
    squares: Squares,
    /// The squares of each play, and its share of the recorded visits. Unused entries have a share of 0.
    visited: [(u8, u8, f32); MAX_CANDIDATES],
}

impl PolicySample {
    /// The sample of `position`, seen by the player to move. `candidates` must have visits.
    fn of(position: &Position, candidates: &[NotedPlay]) -> PolicySample {
        let visits: u32 = candidates.iter().map(|noted| noted.1).sum();
        let seen = |square| seen_by(position.to_move(), square) as u8;
        let mut visited = [(0, 0, 0.0); MAX_CANDIDATES];
        for (visited, noted) in visited.iter_mut().zip(candidates) {
            *visited = (seen(noted.0.from), seen(noted.0.to), noted.1 as f32 / visits as f32);
        }
        PolicySample { squares: squares(position), visited }
    }

    /// The visited plays and their shares.
    fn visited(&self) -> impl Iterator<Item = (Play, f32)> {
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
    type Options = ();

    fn add(drawn: &Drawn<'_>, (): &(), samples: &mut Vec<PolicySample>) {
        let candidates = &drawn.record.candidates[drawn.decision];
        // Alpha-beta records nodes in place of visits, and a bad play may take as many as a good one.
        let counts_visits = drawn.record.work(drawn.decision).nodes == 0;
        if counts_visits && candidates.iter().any(|noted| noted.1 > 0) {
            samples.push(PolicySample::of(&drawn.position, candidates));
        }
    }

    fn squares(&self) -> &Squares {
        &self.squares
    }
}

/// The tables whose rows are multiplied with the hidden units.
const TABLES: [Table; 3] = [FROM, TO, KIND];

/// The inputs for a play.
#[derive(Clone, Copy, Debug)]
struct PlayInputs {
    /// One row of each of the [`TABLES`].
    rows: [usize; 3],
    features: [usize; 4],
}

/// The forward and backward pass of one position, with buffers.
#[derive(Debug, Default)]
pub struct PolicyPass {
    plays: Vec<Play>,
    inputs: Vec<PlayInputs>,
    logits: Vec<f32>,
    /// For each row of the [`TABLES`] that occurs, its product with the hidden units. In the backward pass, the
    /// derivative of the loss with respect to that product.
    products: [Vec<Option<f32>>; 3],
}

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
        self.inputs.clear();
        self.inputs.extend(self.plays.iter().map(|&play| PlayInputs {
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
        let PolicyPass { inputs, logits, products, .. } = self;
        for (products, rows) in products.iter_mut().zip([256, 256, KINDS]) {
            products.clear();
            products.resize(rows, None);
        }
        logits.clear();
        logits.extend(inputs.iter().map(|play| {
            let rows = products.iter_mut().zip(TABLES).zip(play.rows);
            let of_rows: f32 = rows
                .map(|((products, table), row)| {
                    *products[row].get_or_insert_with(|| product(weights.row(table, row), hidden))
                })
                .sum();
            of_rows + play.features.map(|feature| weights.row(PLAYS, feature)[0]).iter().sum::<f32>()
        }));
    }

    /// Adds the gradient of the weights of plays to `gradient`. Returns the derivative of the loss with respect to the
    /// hidden units.
    fn add_gradient(
        &mut self,
        weights: &Weights,
        shares: &[f32],
        hidden: &[f32; HIDDEN],
        gradient: &mut Weights,
    ) -> [f32; HIDDEN] {
        let PolicyPass { inputs, logits, products, .. } = self;
        let total = log_sum_exp(logits);
        for product in products.iter_mut().flatten() {
            *product = product.map(|_| 0.0);
        }
        for ((play, logit), share) in inputs.iter().zip(logits).zip(shares) {
            let change = (*logit - total).exp() - share;
            for (products, row) in products.iter_mut().zip(play.rows) {
                *products[row].get_or_insert(0.0) += change;
            }
            for feature in play.features {
                gradient.row_mut(PLAYS, feature)[0] += change;
            }
        }
        let mut of_hidden = [0.0; HIDDEN];
        for (table, products) in TABLES.into_iter().zip(products) {
            for (row, change) in
                products.iter().enumerate().filter_map(|(row, change)| Some((row, (*change)?)))
            {
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

    #[test]
    fn the_gradient_equals_finite_differences() {
        let mut plays = Vec::new();
        let sample = |position: Position| {
            position.legal_plays(&mut plays);
            let visited: Vec<NotedPlay> =
                plays.iter().zip([7, 2, 1]).map(|(&play, visits)| NotedPlay(play, visits, 0.0)).collect();
            PolicySample::of(&position, &visited)
        };
        let samples: Vec<PolicySample> = some_positions().map(sample).collect();
        check_gradient::<PolicyNetwork>(&samples, &[Layer::WEIGHTS, Layer::BIASES, FROM, TO, KIND, PLAYS]);
    }
}
