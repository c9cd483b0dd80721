//! `train prior`: the network of `prior=network`, from the plays that searches visited.
//!
//! Of its 578 rows for plays a position needs some 70, so here too only those are looked at.

mod pass;
mod samples;

use crate::hidden::Hidden;
use crate::samples::Samples;
use crate::trainee::{Measures, Trainee};
use crate::weights::{Part, Weights};
use anyhow::Result;
use halma::network::NetworkError;
use halma::prior::network::{HIDDEN, HIDDEN_SCALE, MOST_PLAY_WEIGHT, PLAY_SCALE, PolicyNetwork};
use halma::prior::weights::WEIGHTS;
use halma::prior::{COUNT, KINDS};
use pass::PolicyPass;
use samples::{PolicyQuality, PolicySample};
use std::path::PathBuf;

/// Its hidden layer.
type Layer = Hidden<HIDDEN>;
/// A row for each square left.
const FROM: Part = Layer::BIASES.then(256, HIDDEN);
/// A row for each square reached.
const TO: Part = FROM.then(256, HIDDEN);
/// A row for each kind of progress.
const KIND: Part = TO.then(KINDS, HIDDEN);
/// A row of one weight for each feature of a play.
const PLAYS: Part = KIND.then(COUNT, 1);

impl Trainee for PolicyNetwork {
    type Choice = ();
    type Sample = PolicySample;
    type Pass = PolicyPass;
    type Quality = PolicyQuality;

    const FROM: &'static str = "A network to learn on from, or built-in. Without it the first weights are random, and \
        those of the fitted prior's features are the fitted ones";
    const BATCH: &'static str = "256";
    const RATE: &'static str = "0.003";
    const HEADINGS: [&'static str; 2] = ["fitted\t", "epoch\ttrain\ttest\tfirst right"];
    const COUNT: usize = PLAYS.end();

    fn load(runs: &[PathBuf], _: &()) -> Result<Samples<PolicySample>> {
        samples::load(runs)
    }

    fn built_in() -> PolicyNetwork {
        PolicyNetwork::built_in().clone()
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
        for (weight, fitted) in weights.part_mut(PLAYS).iter_mut().zip(WEIGHTS) {
            *weight = f32::from(fitted) / 100.0;
        }
        weights
    }

    fn weights(&self) -> Weights {
        let mut weights = Weights::zeros(0);
        weights.extend(self.feature_weights.as_flattened(), HIDDEN_SCALE);
        weights.extend(&self.feature_biases, HIDDEN_SCALE);
        for rows in [&self.from_weights, &self.to_weights, &self.kind_weights] {
            weights.extend(rows.as_flattened(), PLAY_SCALE);
        }
        weights.extend(&self.play_weights, PLAY_SCALE);
        weights
    }

    fn clip(weights: &mut Weights) {
        for part in [FROM, TO, KIND] {
            weights.clip(part, f32::from(MOST_PLAY_WEIGHT) / PLAY_SCALE as f32);
        }
    }

    fn rounded(weights: &Weights, provenance: String) -> PolicyNetwork {
        PolicyNetwork {
            provenance,
            feature_weights: weights.rounded_rows(Layer::WEIGHTS, HIDDEN_SCALE),
            feature_biases: weights.rounded_rows(Layer::BIASES, HIDDEN_SCALE)[0],
            from_weights: weights.rounded_rows(FROM, PLAY_SCALE),
            to_weights: weights.rounded_rows(TO, PLAY_SCALE),
            kind_weights: weights.rounded_rows(KIND, PLAY_SCALE),
            play_weights: weights.rounded_rows::<1>(PLAYS, PLAY_SCALE).into_flattened(),
        }
    }

    fn quality([loss, first]: Measures) -> PolicyQuality {
        PolicyQuality { loss, first }
    }

    fn fitted(test: &[PolicySample]) -> Measures {
        samples::measures_of_fitted(test)
    }

    fn as_played(&self, test: &[PolicySample]) -> Result<Measures, NetworkError> {
        samples::measures_of(self, test)
    }
}
