//! One position through the network, and back: what it is worth, and how the error changes with the weights.

use super::samples::ValueSample;
use super::{JUMPS, Layer, OUTPUT_BIASES, OUTPUTS};
use crate::hidden::inputs;
use crate::samples::seen;
use crate::trainee::{Measures, Pass};
use crate::weights::{Weights, add, product};
use halma::network::value::{HIDDEN, jump_features};
use halma::rules::{BLACK, ForwardJumps, FurthestJump, WHITE};

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
        let jumps = sample.jumps.map(|jumps| {
            let furthest = jumps.furthest.map(|FurthestJump { from, to, diagonals }| FurthestJump {
                from: seen(from, mirrored),
                to: seen(to, mirrored),
                diagonals,
            });
            ForwardJumps { furthest, ..jumps }
        });
        let jumps = [BLACK, WHITE].map(|view| jump_features(&jumps, view));
        let mut clipped = [[0.0; HIDDEN]; 2];
        for ((units, inputs), jumps) in clipped.iter_mut().zip(&inputs).zip(&jumps) {
            Layer::sum(units, weights, inputs);
            jumps.as_flattened().iter().for_each(|&jump| add(units, 1.0, weights.row(JUMPS, jump)));
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
            let views = inputs.iter().zip(&jumps).zip(outputs.as_chunks().0);
            for (units, ((inputs, jumps), outputs)) in clipped.iter_mut().zip(views) {
                // From here on: how the error changes with the units' sums.
                for (unit, output) in units.iter_mut().zip::<&[f32; HIDDEN]>(outputs) {
                    let slope = if *unit < 1.0 { 2.0 * *unit } else { 0.0 };
                    *unit = change * output * slope;
                }
                Layer::add_gradient(gradient, inputs, units);
                jumps.as_flattened().iter().for_each(|&jump| add(gradient.row_mut(JUMPS, jump), 1.0, units));
            }
        }
        [f64::from(error * error), 0.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trainee::Trainee;
    use crate::trainee::tests::{check_gradient, some_positions};
    use halma::network::value::Network;

    fn samples(weight: f32) -> Vec<ValueSample> {
        let targets = [-0.8, 0.1, 0.7].into_iter().cycle();
        let samples = some_positions().zip(targets);
        samples.map(|(position, target)| ValueSample::of(&position, target, weight)).collect()
    }

    #[test]
    fn the_engine_computes_what_is_trained() {
        let (network, samples) = (Network::built_in(), samples(1.0));
        let weights = network.weights();
        let error = |sample| ValuePass.run(&weights, sample, false, None)[0];
        let trained = samples.iter().map(error).sum::<f64>() / samples.len() as f64;
        let [played, _] = network.as_played(&samples).expect("its weights are in bounds");
        // The engine rounds halves of squares down.
        assert!((trained - played).abs() < 1e-5, "{trained} {played}");
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let samples = samples(0.5);
        check_gradient::<Network>(&samples, &[Layer::WEIGHTS, Layer::BIASES, OUTPUTS, OUTPUT_BIASES, JUMPS]);
    }
}
