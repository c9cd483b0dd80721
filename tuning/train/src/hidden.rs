//! The hidden layer, the first layer of both networks.
//!
//! Only 38 of its 512 inputs are active, so a forward pass adds 38 rows, and the gradient is 0 in all others. Matrix
//! products would take ten times as long.

use crate::samples::{INPUTS, Squares, seen};
use crate::weights::{Table, Weights};
use halma::game::Player;
use halma::network::{FEATURES, feature};
use halma::rules::{BLACK, Square, WHITE};

/// The initial biases, inside the range in which hidden units learn.
const FIRST_BIASES: f32 = 0.2;

/// The number of units summed at once. Their sums fit into the processor's registers.
const BLOCK: usize = 32;

/// The active inputs.
pub type Inputs = [usize; INPUTS];

/// The active inputs seen by `view`, with the board mirrored or not.
pub fn inputs(squares: &Squares, view: Player, mirrored: bool) -> Inputs {
    let mut inputs = [0; INPUTS];
    let numbers =
        squares.iter().zip([BLACK, WHITE]).flat_map(|(numbers, side)| numbers.map(|number| (side, number)));
    for (input, (side, number)) in inputs.iter_mut().zip(numbers) {
        *input = feature(view, side, seen(Square::from_number(number), mirrored));
    }
    inputs
}

/// A hidden layer of `UNITS` units: the first two tables of the weights.
#[derive(Clone, Copy, Debug)]
pub struct Hidden<const UNITS: usize>;

impl<const UNITS: usize> Hidden<UNITS> {
    /// A row for each feature.
    pub const WEIGHTS: Table = Table::first(FEATURES, UNITS);
    /// A single row of biases.
    pub const BIASES: Table = Self::WEIGHTS.then(1, UNITS);

    /// Sets the initial biases.
    pub fn begin(weights: &mut Weights) {
        weights.table_mut(Self::BIASES).fill(FIRST_BIASES);
    }

    /// Computes the units' sums.
    #[inline]
    pub fn sum(sums: &mut [f32; UNITS], weights: &Weights, inputs: &Inputs) {
        const { assert!(UNITS.is_multiple_of(BLOCK)) };
        sums.copy_from_slice(weights.row(Self::BIASES, 0));
        for (block, sums) in sums.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            let mut total = *sums;
            for &input in inputs {
                let row = &weights.row(Self::WEIGHTS, input).as_chunks::<BLOCK>().0[block];
                for (total, weight) in total.iter_mut().zip(row) {
                    *total += weight;
                }
            }
            *sums = total;
        }
    }

    /// Adds the gradient of the layer's weights to `gradient`, given `of_sums`, the derivative of the loss with respect
    /// to the units' sums.
    pub fn add_gradient(gradient: &mut Weights, inputs: &Inputs, of_sums: &[f32; UNITS]) {
        let rows = inputs.iter().map(|&input| (Self::WEIGHTS, input));
        for (table, row) in rows.chain([(Self::BIASES, 0)]) {
            for (sum, change) in gradient.row_mut(table, row).iter_mut().zip(of_sums) {
                *sum += change;
            }
        }
    }
}
