//! `train prior`: the network of `prior=network`, from the plays that searches visited.
//!
//! Of its 578 rows for plays a position needs some 70, so here too only those are looked at.

mod pass;
mod samples;

use crate::hidden::Hidden;
use crate::samples::position;
use crate::trainee::{Mean, Measures, Trainee};
use crate::weights::{Table, Weights};
use halma::game::Game;
use halma::network::NetworkError;
use halma::network::policy::{
    HIDDEN, HIDDEN_SCALE, MOST_PLAY_WEIGHT, NetworkPrior, PLAY_SCALE, PolicyNetwork,
};
use halma::prior::weights::WEIGHTS;
use halma::prior::{COUNT, Features, KINDS, Prior};
use halma::rules::{Play, Position};
use pass::{PolicyPass, measures, shares};
use samples::PolicySample;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// Its hidden layer.
type Layer = Hidden<HIDDEN>;
/// A row for each square left.
const FROM: Table = Layer::BIASES.then(256, HIDDEN);
/// A row for each square reached.
const TO: Table = FROM.then(256, HIDDEN);
/// A row for each kind of progress.
const KIND: Table = TO.then(KINDS, HIDDEN);
/// A row of one weight for each feature of a play.
const PLAYS: Table = KIND.then(COUNT, 1);

impl Trainee for PolicyNetwork {
    type Sample = PolicySample;
    type Pass = PolicyPass;
    type Quality = PolicyQuality;

    const FROM: &'static str = "A network to learn on from, or built-in. Without it the first weights are random, and \
        those of the fitted prior's features are the fitted ones";
    const BATCH: &'static str = "256";
    const RATE: &'static str = "0.003";
    const HEADINGS: [&'static str; 2] = ["fitted\t", "epoch\ttrain\ttest\tfirst right"];
    const COUNT: usize = PLAYS.end();

    fn built_in() -> PolicyNetwork {
        PolicyNetwork::built_in()
    }

    fn from_bytes(bytes: &[u8]) -> Result<PolicyNetwork, NetworkError> {
        PolicyNetwork::from_bytes(bytes)
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

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
        weights.extend(self.feature_weights.iter().flatten(), HIDDEN_SCALE);
        weights.extend(&self.feature_biases, HIDDEN_SCALE);
        for rows in [&self.from_weights, &self.to_weights, &self.kind_weights] {
            weights.extend(rows.iter().flatten(), PLAY_SCALE);
        }
        weights.extend(&self.play_weights, PLAY_SCALE);
        weights
    }

    fn clip(weights: &mut Weights) {
        for part in [FROM, TO, KIND] {
            weights.clip(part, f32::from(MOST_PLAY_WEIGHT) / PLAY_SCALE as f32);
        }
    }

    fn scale_unit(weights: &mut Weights, unit: usize, factor: f32) {
        for table in [Layer::WEIGHTS, Layer::BIASES] {
            weights.scale_column(table, unit, factor);
        }
    }

    fn rounded(weights: &Weights, provenance: String) -> PolicyNetwork {
        PolicyNetwork {
            provenance,
            feature_weights: weights.rounded_rows(Layer::WEIGHTS, HIDDEN_SCALE),
            feature_biases: *weights.rounded_rows(Layer::BIASES, HIDDEN_SCALE)[0],
            from_weights: weights.rounded_rows(FROM, PLAY_SCALE),
            to_weights: weights.rounded_rows(TO, PLAY_SCALE),
            kind_weights: weights.rounded_rows(KIND, PLAY_SCALE),
            play_weights: weights.rounded(PLAYS, PLAY_SCALE).map(|number| number as i16).collect(),
        }
    }

    fn check(&self) -> Result<(), NetworkError> {
        self.check()
    }

    fn quality([loss, first]: Measures) -> PolicyQuality {
        PolicyQuality { loss, first }
    }

    /// At the temperature that is best for it.
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
        tried.min_by(|one, other| one[0].total_cmp(&other[0])).expect("some were tried")
    }

    /// With the probabilities that it was trained for.
    fn as_played(&self, test: &[PolicySample]) -> Result<Measures, NetworkError> {
        let mut prior = NetworkPrior::new(self, 2.0)?;
        let mut scores = Vec::new();
        Ok(measures_of(test, |position, plays| {
            prior.scores(position, plays, &mut scores);
            scores.iter().map(|&score| f32::from(score) / 8.0).collect()
        }))
    }
}

/// How well the softmax of the `logits` of plays predicts visits.
fn measures_of(samples: &[PolicySample], mut logits: impl FnMut(&Position, &[Play]) -> Vec<f32>) -> Measures {
    let mut plays = Vec::new();
    let of_one = |sample: &PolicySample| {
        let position = position(&sample.squares);
        position.legal_plays(&mut plays);
        measures(&logits(&position, &plays), &shares(&plays, sample.visited()))
    };
    Mean::of(samples.iter().map(of_one)).get()
}

/// How well probabilities predict what searches visit.
#[derive(Debug, Serialize)]
pub struct PolicyQuality {
    /// The mean cross-entropy between the shares of visits and the probabilities, in nats.
    loss: f64,
    /// The part of the positions in which the likeliest play is the one most visited.
    first: f64,
}

impl Display for PolicyQuality {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:.5}\t{:.2} %", self.loss, 100.0 * self.first)
    }
}
