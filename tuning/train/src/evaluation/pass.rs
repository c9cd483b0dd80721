//! One position through the network, and back: what it is worth, and how the error changes with the weights.

use super::samples::ValueSample;
use super::{Layer, OUTPUT_BIASES, OUTPUTS};
use crate::hidden::inputs;
use crate::trainee::{Measures, Pass};
use crate::weights::{Weights, add, product};
use halma::evaluation::network::HIDDEN;
use halma::rules::{BLACK, WHITE};
use std::array::from_fn;

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
        let sums = inputs.each_ref().map(|inputs| Layer::sums(weights, inputs));
        let clipped = sums.map(|sums| sums.map(|sum| sum.clamp(0.0, 1.0)));
        let hidden = clipped.map(|view| view.map(|unit| unit * unit));
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
            for (view, outputs) in outputs.as_chunks::<HIDDEN>().0.iter().enumerate() {
                let of_sums = from_fn(|unit| {
                    let learns = if sums[view][unit] < 1.0 { 2.0 * clipped[view][unit] } else { 0.0 };
                    change * outputs[unit] * learns
                });
                Layer::add_gradient(gradient, &inputs[view], &of_sums);
            }
        }
        [f64::from(error * error), 0.0]
    }
}
