//! The optimiser: D. Kingma and J. Ba, "Adam: a method for stochastic optimization" (2015).

use crate::weights::Weights;

/// How much of the means of gradients and of their squares stays from step to step.
const KEPT: [f32; 2] = [0.9, 0.999];

/// What keeps a step finite where no gradient has been seen.
const LEAST: f32 = 1e-8;

/// The optimiser's memory.
#[derive(Clone, Debug)]
pub struct Adam {
    /// The means of gradients, and of their squares.
    means: [Weights; 2],
    /// How many steps it has made.
    steps: i32,
}

impl Adam {
    /// Nothing seen yet of the gradients of `count` weights.
    pub fn new(count: usize) -> Adam {
        Adam { means: [Weights::zeros(count), Weights::zeros(count)], steps: 0 }
    }

    /// One step of `rate` against `share·gradient`.
    pub fn step(&mut self, weights: &mut Weights, gradient: &Weights, share: f32, rate: f32) {
        self.steps = self.steps.saturating_add(1);
        // Early means are of few gradients and a first zero.
        let [seen, seen_squares] = KEPT.map(|kept| 1.0 - kept.powi(self.steps));
        let [means, squares] = &mut self.means;
        for (((weight, gradient), mean), square) in
            weights.0.iter_mut().zip(&gradient.0).zip(&mut means.0).zip(&mut squares.0)
        {
            let gradient = gradient * share;
            *mean = KEPT[0] * *mean + (1.0 - KEPT[0]) * gradient;
            *square = KEPT[1] * *square + (1.0 - KEPT[1]) * gradient * gradient;
            *weight -= rate * (*mean / seen) / ((*square / seen_squares).sqrt() + LEAST);
        }
    }
}
