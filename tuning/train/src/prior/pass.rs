//! One position through the network, and back: what its plays are worth, and how that changes with the weights.

use super::samples::Sample;
use super::weights::{Part, Weights};
use halma::game::Game;
use halma::network::{FEATURES, feature};
use halma::prior::network::HIDDEN;
use halma::prior::{Features, KINDS};
use halma::rules::{BLACK, Bitboard, Play, Position, Rules, Square, WHITE};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};
use std::ops::{Add, Div};

/// How well probabilities predict what searches visit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Quality {
    /// The mean cross-entropy between the shares of visits and the probabilities, in nats.
    pub loss: f64,
    /// The part of the positions in which the likeliest play is the one most visited.
    pub first: f64,
}

impl Quality {
    /// That of the softmax of `logits`, for these `shares` of visits.
    pub fn of(logits: &[f32], shares: &[f32]) -> Quality {
        let total = log_total(logits);
        let loss = logits.iter().zip(shares).map(|(logit, share)| f64::from(share * (total - logit))).sum();
        Quality { loss, first: first_right(logits, shares) }
    }
}

impl Add for Quality {
    type Output = Quality;

    fn add(self, other: Quality) -> Quality {
        Quality { loss: self.loss + other.loss, first: self.first + other.first }
    }
}

impl Div<f64> for Quality {
    type Output = Quality;

    fn div(self, count: f64) -> Quality {
        Quality { loss: self.loss / count, first: self.first / count }
    }
}

impl Display for Quality {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:.5}\t{:.2} %", self.loss, 100.0 * self.first)
    }
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
    from: usize,
    to: usize,
    kind: usize,
    features: [usize; 4],
}

/// Buffers for one position after another.
#[derive(Debug, Default)]
pub struct Pass {
    /// The inputs that are on.
    inputs: Vec<usize>,
    sums: Vec<f32>,
    hidden: Vec<f32>,
    plays: Vec<Play>,
    known: Vec<Known>,
    shares: Vec<f32>,
    logits: Vec<f32>,
    /// What the hidden units say for each row of [`Part::From`], [`Part::To`] and [`Part::Kind`] that occurs, or how
    /// the loss changes with it.
    said: [Vec<Option<f32>>; 3],
}

impl Pass {
    /// Computes the logits of the plays of `sample`, mirrored at the diagonal between the camps or not: the rules know
    /// no difference. Returns how well they predict its visits.
    pub fn forward(&mut self, weights: &Weights, sample: &Sample, mirrored: bool) -> Quality {
        let seen = |square: Square| if mirrored { Square::new(square.y(), square.x()) } else { square };
        let mut pieces = [Bitboard::EMPTY; 2];
        self.inputs.clear();
        for (side, numbers) in [BLACK, WHITE].into_iter().zip(&sample.squares) {
            for &number in numbers {
                let square = seen(Square::from_number(number));
                pieces[side.index()] = pieces[side.index()].with(square);
                self.inputs.push(feature(BLACK, side, square));
            }
        }
        let position = Position::new(pieces, BLACK, Rules::Addendum);
        position.plays(&mut self.plays);
        let visited =
            sample.visited().map(|(play, share)| (Play::new(seen(play.from), seen(play.to)), share));
        self.shares = Pass::shares(&self.plays, visited);
        let features = Features::new(&position);
        self.known.clear();
        self.known.extend(self.plays.iter().map(|&play| Known {
            from: play.from.index(),
            to: play.to.index(),
            kind: features.kind(play),
            features: features.of(play),
        }));
        self.score(weights);
        Quality::of(&self.logits, &self.shares)
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

    /// The hidden units, and the logits.
    fn score(&mut self, weights: &Weights) {
        self.sums.clear();
        self.sums.extend(weights.row(Part::Biases, 0));
        for &input in &self.inputs {
            add(&mut self.sums, 1.0, weights.row(Part::Features, input));
        }
        self.hidden.clear();
        self.hidden.extend(self.sums.iter().map(|sum| sum.clamp(0.0, 1.0)));
        self.said = [vec![None; 256], vec![None; 256], vec![None; KINDS]];
        let Pass { hidden, said: [from, to, kind], .. } = self;
        let say = |said: &mut [Option<f32>], part: Part, row: usize| {
            *said[row].get_or_insert_with(|| product(weights.row(part, row), hidden))
        };
        self.logits.clear();
        self.logits.extend(self.known.iter().map(|play| {
            let of_features: f32 =
                play.features.iter().map(|&feature| weights.row(Part::Plays, feature)[0]).sum();
            say(from, Part::From, play.from)
                + say(to, Part::To, play.to)
                + say(kind, Part::Kind, play.kind)
                + of_features
        }));
    }

    /// Adds to `gradient` how the loss of the position of [`forward`](Self::forward) changes with each weight.
    pub fn backward(&mut self, weights: &Weights, gradient: &mut Weights) {
        let total = log_total(&self.logits);
        for said in self.said.iter_mut().flatten() {
            *said = said.map(|_| 0.0);
        }
        let [from, to, kind] = &mut self.said;
        for ((play, logit), share) in self.known.iter().zip(&self.logits).zip(&self.shares) {
            let change = (logit - total).exp() - share;
            for (said, row) in [(&mut *from, play.from), (&mut *to, play.to), (&mut *kind, play.kind)] {
                *said[row].get_or_insert(0.0) += change;
            }
            for feature in play.features {
                gradient.row_mut(Part::Plays, feature)[0] += change;
            }
        }
        let mut of_hidden = [0.0; HIDDEN];
        for (part, said) in [Part::From, Part::To, Part::Kind].into_iter().zip(&self.said) {
            for (row, change) in said.iter().enumerate().filter_map(|(row, said)| Some((row, (*said)?))) {
                add(gradient.row_mut(part, row), change, &self.hidden);
                add(&mut of_hidden, change, weights.row(part, row));
            }
        }
        for (change, &sum) in of_hidden.iter_mut().zip(&self.sums) {
            if sum <= 0.0 || sum >= 1.0 {
                *change = 0.0;
            }
        }
        add(gradient.row_mut(Part::Biases, 0), 1.0, &of_hidden);
        for &input in &self.inputs {
            debug_assert!(input < FEATURES);
            add(gradient.row_mut(Part::Features, input), 1.0, &of_hidden);
        }
    }
}

/// Adds `factor·row` to `sums`.
fn add(sums: &mut [f32], factor: f32, row: &[f32]) {
    sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += factor * number);
}

/// The sum of products, eight at a time.
fn product(one: &[f32], other: &[f32]) -> f32 {
    let mut lanes = [0.0; 8];
    for (one, other) in one.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0) {
        for (lane, (one, other)) in lanes.iter_mut().zip(one.iter().zip(other)) {
            *lane += one * other;
        }
    }
    lanes.iter().sum()
}
