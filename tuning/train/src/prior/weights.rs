//! The network in real numbers, while it learns.

use halma::network::FEATURES;
use halma::prior::network::{HIDDEN, HIDDEN_SCALE, MOST_PLAY_WEIGHT, PLAY_SCALE, PolicyNetwork};
use halma::prior::weights::WEIGHTS;
use halma::prior::{COUNT, KINDS};
use halma::random::Random;
use std::ops::Range;

/// The first weights are from minus this to this.
const FIRST_WEIGHTS: f32 = 0.1;
/// The first biases of hidden units: inside the range in which they learn.
const FIRST_BIASES: f32 = 0.2;

/// The parts of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A row for each feature of a position.
    Features,
    /// One row.
    Biases,
    /// A row for each square left.
    From,
    /// A row for each square reached.
    To,
    /// A row for each kind of progress.
    Kind,
    /// A row of one weight for each feature of a play.
    Plays,
}

impl Part {
    /// Where it begins, and how many rows of which length it has.
    const fn shape(self) -> (usize, usize, usize) {
        const PARTS: [(usize, usize); 6] =
            [(FEATURES, HIDDEN), (1, HIDDEN), (256, HIDDEN), (256, HIDDEN), (KINDS, HIDDEN), (COUNT, 1)];
        let (mut start, mut part) = (0, 0);
        while part < self as usize {
            start += PARTS[part].0 * PARTS[part].1;
            part += 1;
        }
        let (rows, columns) = PARTS[part];
        (start, rows, columns)
    }

    /// The places of all its weights.
    const fn range(self) -> Range<usize> {
        let (start, rows, columns) = self.shape();
        start..start + rows * columns
    }
}

/// How many weights there are.
const ALL: usize = Part::Plays.range().end;

/// A number for each weight: the weights themselves, or a gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(pub Vec<f32>);

impl Weights {
    /// Nothing but zeros.
    pub fn zeros() -> Weights {
        Weights(vec![0.0; ALL])
    }

    /// A network that knows what the fitted prior knows.
    pub fn first(seed: u64) -> Weights {
        let mut random = Random::new(seed);
        let mut weights = Weights::zeros();
        for weight in &mut weights.0 {
            let share = (random.bits() >> 40) as f32 / (1u32 << 24) as f32;
            *weight = FIRST_WEIGHTS * (2.0 * share - 1.0);
        }
        weights.0[Part::Biases.range()].fill(FIRST_BIASES);
        for (weight, fitted) in weights.0[Part::Plays.range()].iter_mut().zip(WEIGHTS) {
            *weight = f32::from(fitted) / 100.0;
        }
        weights
    }

    /// The weights of `network`.
    pub fn of(network: &PolicyNetwork) -> Weights {
        let PolicyNetwork {
            feature_weights,
            feature_biases,
            from_weights,
            to_weights,
            kind_weights,
            play_weights,
            ..
        } = network;
        let hidden = feature_weights.as_flattened().iter().chain(feature_biases);
        let plays = [from_weights, to_weights, kind_weights].into_iter().flat_map(|rows| rows.as_flattened());
        let real = |scale: i32| move |&weight: &i16| f32::from(weight) / scale as f32;
        let all = hidden.map(real(HIDDEN_SCALE)).chain(plays.chain(play_weights).map(real(PLAY_SCALE)));
        Weights(all.collect())
    }

    /// A row of a part.
    #[inline]
    pub fn row(&self, part: Part, number: usize) -> &[f32] {
        let (start, _, columns) = part.shape();
        &self.0[start + number * columns..][..columns]
    }

    /// A row of a part, to change it.
    #[inline]
    pub fn row_mut(&mut self, part: Part, number: usize) -> &mut [f32] {
        let (start, _, columns) = part.shape();
        &mut self.0[start + number * columns..][..columns]
    }

    /// Brings weights back to what the engine's integers hold.
    pub fn clip(&mut self) {
        let most = f32::from(MOST_PLAY_WEIGHT) / PLAY_SCALE as f32;
        for part in [Part::From, Part::To, Part::Kind] {
            self.0[part.range()].iter_mut().for_each(|weight| *weight = weight.clamp(-most, most));
        }
    }

    /// The network in the engine's integers. What an integer can't hold is cut off; the engine refuses a network whose
    /// sums could overflow.
    pub fn rounded(&self, provenance: String) -> PolicyNetwork {
        let rounded = |part: Part, scale: i32| {
            let short = move |weight: &f32| (weight * scale as f32).round() as i16;
            self.0[part.range()].iter().map(short).collect::<Vec<i16>>()
        };
        let rows = |part: Part, scale: i32| -> Vec<[i16; HIDDEN]> {
            rounded(part, scale).as_chunks::<HIDDEN>().0.to_vec()
        };
        PolicyNetwork {
            provenance,
            feature_weights: rows(Part::Features, HIDDEN_SCALE),
            feature_biases: rows(Part::Biases, HIDDEN_SCALE)[0],
            from_weights: rows(Part::From, PLAY_SCALE),
            to_weights: rows(Part::To, PLAY_SCALE),
            kind_weights: rows(Part::Kind, PLAY_SCALE),
            play_weights: rounded(Part::Plays, PLAY_SCALE),
        }
    }
}
