//! One position through the network, and back: what it is worth, and how the error changes with the weights.

use super::samples::ValueSample;
use super::{Layer, OUTPUT_BIASES, OUTPUTS};
use crate::hidden::inputs;
use crate::trainee::{Measures, Pass};
use crate::weights::{Weights, add, product};
use halma::evaluation::network::HIDDEN;
use halma::rules::{BLACK, WHITE};

/// There is nothing to be kept from one position to the next.
#[derive(Debug, Default)]
pub struct ValuePass;

impl Pass<ValueSample> for ValuePass {
    fn run(
        &mut self,
        weights: &Weights,
        sample: &ValueSample,
        mirrored: bool,
        gradient: Option<&mut Weights>,
    ) -> Measures {
        let bucket = usize::from(sample.bucket);
        let inputs = [BLACK, WHITE].map(|view| inputs(&sample.squares, view, mirrored));
        let mut clipped = [[0.0; HIDDEN]; 2];
        for (units, inputs) in clipped.iter_mut().zip(&inputs) {
            Layer::sum(units, weights, inputs);
            units.iter_mut().for_each(|unit| *unit = unit.clamp(0.0, 1.0));
        }
        let mut hidden = clipped;
        hidden.as_flattened_mut().iter_mut().for_each(|unit| *unit *= *unit);
        let outputs = weights.row(OUTPUTS, bucket);
        let correction = weights.row(OUTPUT_BIASES, bucket)[0] + product(hidden.as_flattened(), outputs);
        let score = sample.score + correction;
        // The engine's sigmoid: evaluation::squash.
        let value = score / (1.0 + score * score).sqrt();
        let error = value - sample.target;
        if let Some(gradient) = gradient {
            // The sigmoid's slope is (1 + score²)^(−3/2).
            let slope = (1.0 + score * score).powf(-1.5);
            let change = 2.0 * sample.weight * error * slope;
            gradient.row_mut(OUTPUT_BIASES, bucket)[0] += change;
            add(gradient.row_mut(OUTPUTS, bucket), change, hidden.as_flattened());
            for ((units, inputs), outputs) in clipped.iter_mut().zip(&inputs).zip(outputs.as_chunks().0) {
                // From here on: how the error changes with the units' sums.
                for (unit, output) in units.iter_mut().zip::<&[f32; HIDDEN]>(outputs) {
                    let slope = if *unit < 1.0 { 2.0 * *unit } else { 0.0 };
                    *unit = change * output * slope;
                }
                Layer::add_gradient(gradient, inputs, units);
            }
        }
        [f64::from(error * error), 0.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trainee::tests::{check_gradient, some_positions};
    use halma::evaluation::network::Network;

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let targets = [-0.8, 0.1, 0.7].into_iter().cycle();
        let samples: Vec<ValueSample> = some_positions()
            .zip(targets)
            .map(|(position, target)| ValueSample::of(&position, target, 0.5))
            .collect();
        check_gradient::<Network>(&samples, &[Layer::WEIGHTS, Layer::BIASES, OUTPUTS, OUTPUT_BIASES]);
    }
}
