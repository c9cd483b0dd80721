//! The optimiser: D. Kingma and J. Ba, "Adam: a method for stochastic optimization" (2015).

use crate::weights::Weights;

/// The decay rates of the means of gradients and of squared gradients: β₁ and β₂.
const DECAY: [f32; 2] = [0.9, 0.999];

/// Keeps steps finite for weights whose gradients have all been 0: ε.
const EPSILON: f32 = 1e-8;

/// The optimiser's state.
#[derive(Clone, Debug)]
pub struct Adam {
    /// The means of gradients and of squared gradients.
    means: [Weights; 2],
    steps: i32,
}

impl Adam {
    /// The state before the first step, for `count` weights.
    pub fn new(count: usize) -> Adam {
        Adam { means: [Weights::zeros(count), Weights::zeros(count)], steps: 0 }
    }

    /// Takes a step against `share·gradient` at learning rate `rate`.
    pub fn step(&mut self, weights: &mut Weights, gradient: &Weights, share: f32, rate: f32) {
        self.steps = self.steps.saturating_add(1);
        // The means start at 0, so they are too small by this factor.
        let [correction, correction_of_squares] = DECAY.map(|decay| 1.0 - decay.powi(self.steps));
        let [means, squares] = &mut self.means;
        for (((weight, gradient), mean), square) in
            weights.0.iter_mut().zip(&gradient.0).zip(&mut means.0).zip(&mut squares.0)
        {
            let gradient = gradient * share;
            *mean = DECAY[0] * *mean + (1.0 - DECAY[0]) * gradient;
            *square = DECAY[1] * *square + (1.0 - DECAY[1]) * gradient * gradient;
            *weight -= rate * (*mean / correction) / ((*square / correction_of_squares).sqrt() + EPSILON);
        }
    }
}
