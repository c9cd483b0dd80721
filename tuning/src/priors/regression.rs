//! Multinomial logistic regression: the weights that make the choices likeliest.
//!
//! A play's score `s` is the sum of its features' weights, and its probability `p` the softmax of the
//! scores of all plays. The derivative of a choice's log loss by a weight `w` is
//!
//! ```text
//! ∂loss/∂w  =  Σ p(play)·[play has the feature]  −  [the chosen play has it]
//! ```
//!
//! AdaGrad (Duchi, Hazan, Singer, "Adaptive Subgradient Methods for Online Learning and Stochastic
//! Optimization", 2011) follows these one choice at a time, each weight by steps of `rate·g/√Σg²`:
//! weights of rare features move as far as those of frequent ones.
//!
//! A feature of a phase has its own weight, and one that it shares with the same feature of the other
//! phases. So a feature that is rare in one phase follows the others.

use super::choice::{Choice, softmax};
use halma::prior::{COUNT, IN_PHASE, PHASELESS};
use halma::random::Random;

/// The length of a weight's first step, in nats.
const RATE: f64 = 0.1;
/// After this many epochs the rate is halved.
const HALVED_AFTER: f64 = 2.0;
/// Makes the first steps finite, and no longer than the rate.
const LEAST_SQUARES: f64 = 1e-6;

/// The [`COUNT`] weights, in nats, under which `choices` are likeliest, after `epochs` times through
/// all of them; the order of each time follows from `seed`.
pub fn fit(choices: &[&Choice], epochs: u32, seed: u64) -> Vec<f64> {
    let mut model = Model::new();
    let mut random = Random::new(seed);
    let mut order = choices.to_vec();
    for epoch in 0..epochs {
        shuffle(&mut order, &mut random);
        let rate = RATE / (1.0 + f64::from(epoch) / HALVED_AFTER);
        order.iter().for_each(|choice| model.learn(choice, rate));
    }
    (0..COUNT).map(|feature| model.weight(feature)).collect()
}

/// Any order is equally likely (Fisher and Yates).
fn shuffle<T>(list: &mut [T], random: &mut Random) {
    for end in (1..list.len()).rev() {
        list.swap(end, random.below(end + 1));
    }
}

/// Weights as they are learnt.
struct Model {
    /// Own weights, then shared ones.
    parameters: Vec<f64>,
    /// The sum of the squares of each one's derivatives so far.
    squares: Vec<f64>,
    /// The derivatives of one choice; 0 between two.
    gradient: Vec<f64>,
}

impl Model {
    fn new() -> Model {
        let none = vec![0.0; COUNT + IN_PHASE];
        Model { squares: vec![LEAST_SQUARES; none.len()], gradient: none.clone(), parameters: none }
    }

    fn weight(&self, feature: usize) -> f64 {
        self.parameters[feature] + shared(feature).map_or(0.0, |shared| self.parameters[shared])
    }

    /// Steps towards making `choice` likelier.
    fn learn(&mut self, choice: &Choice, rate: f64) {
        let score = |play: &mut dyn Iterator<Item = usize>| play.map(|feature| self.weight(feature)).sum();
        let chances = softmax(choice.plays().map(|mut play| score(&mut play)).collect());
        for (play, chance) in choice.plays().zip(chances) {
            play.for_each(|feature| self.pull(feature, chance));
        }
        choice.chosen().for_each(|feature| self.pull(feature, -1.0));
        let derivatives = self.gradient.iter_mut().zip(&mut self.squares);
        for (parameter, (derivative, squares)) in self.parameters.iter_mut().zip(derivatives) {
            *squares += *derivative * *derivative;
            *parameter -= rate * *derivative / squares.sqrt();
            *derivative = 0.0;
        }
    }

    fn pull(&mut self, feature: usize, amount: f64) {
        self.gradient[feature] += amount;
        if let Some(shared) = shared(feature) {
            self.gradient[shared] += amount;
        }
    }
}

/// The index of the weight that `feature` shares with the other phases, if any.
fn shared(feature: usize) -> Option<usize> {
    (feature < PHASELESS).then(|| COUNT + feature % IN_PHASE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number from 0 to 1.
    fn uniform(random: &mut Random) -> f64 {
        random.below(1 << 20) as f64 / f64::from(1 << 20)
    }

    /// A choice in `phase` among six plays with one of the first eight features each, and of ranks one;
    /// drawn with the weights `truth`.
    fn drawn(phase: usize, truth: &impl Fn(usize) -> f64, random: &mut Random) -> Choice {
        let feature = |random: &mut Random| (phase * IN_PHASE + random.below(8)) as u16;
        let rank = |random: &mut Random| (PHASELESS + random.below(3)) as u16;
        let plays: Vec<[u16; 2]> = (0..6).map(|_| [feature(random), rank(random)]).collect();
        let score = |play: &[u16; 2]| play.iter().map(|&feature| truth(feature.into())).sum();
        let chances = softmax(plays.iter().map(score).collect());
        let mut left = uniform(random);
        let best = chances.iter().position(|chance| {
            left -= chance;
            left < 0.0
        });
        Choice::new(0, &plays, best.unwrap_or(0))
    }

    #[test]
    fn known_weights_are_found_up_to_a_constant() {
        let truth = |feature: usize| match feature.checked_sub(PHASELESS) {
            Some(rank) => 0.5 * rank as f64,
            None => [1.5, -1.0, 0.0, 0.5, -0.5, 1.0, -1.5, 0.2][feature % IN_PHASE],
        };
        let mut random = Random::new(5);
        let choices: Vec<Choice> = (0..20_000).map(|number| drawn(number % 2, &truth, &mut random)).collect();
        let found = fit(&choices.iter().collect::<Vec<_>>(), 5, 1);
        for first in [0, IN_PHASE, PHASELESS] {
            for feature in first..first + if first == PHASELESS { 3 } else { 8 } {
                let (found, truth) = (found[feature] - found[first], truth(feature) - truth(first));
                assert!((found - truth).abs() < 0.12, "feature {feature}: {found} for {truth}");
            }
        }
    }

    #[test]
    fn phases_share_weights_and_keep_their_differences() {
        // One feature is good in all phases but the last, in which it has been seen now and then.
        let good = |feature: usize| f64::from(u8::from(feature % IN_PHASE == 1)) * 2.0;
        let bad = |feature: usize| -good(feature);
        let mut random = Random::new(7);
        let mut choices: Vec<Choice> =
            (0..3000).map(|number| drawn(number % 2, &good, &mut random)).collect();
        let gain = |choices: &[Choice], phase: usize| {
            let weights = fit(&choices.iter().collect::<Vec<_>>(), 5, 1);
            weights[phase * IN_PHASE + 1] - weights[phase * IN_PHASE + 2]
        };
        assert!(gain(&choices, 3) > 1.0, "an unseen phase follows the others");
        choices.extend((0..1000).map(|_| drawn(3, &bad, &mut random)));
        assert!(gain(&choices, 3) < -1.0 && gain(&choices, 0) > 1.0);
    }
}
