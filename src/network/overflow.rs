//! The check that no hidden unit's sum can overflow an `i16`.

use super::{FEATURES, NetworkError};
use crate::rules::PIECES;

/// A group of inputs of which at most `active` are on at once.
pub(super) struct InputGroup<'a, const HIDDEN: usize> {
    /// The row of weights of each input.
    pub rows: &'a [[i16; HIDDEN]],
    pub active: usize,
}

impl<'a, const HIDDEN: usize> InputGroup<'a, HIDDEN> {
    /// The groups of [`feature`](super::feature): the viewer's pieces, and the opponent's.
    pub fn of_pieces(rows: &'a [[i16; HIDDEN]; FEATURES]) -> [Self; 2] {
        let (own, opposing) = rows.split_at(FEATURES / 2);
        [own, opposing].map(|rows| InputGroup { rows, active: PIECES as usize })
    }

    /// Quick bounds on the group's contribution to each unit's sum: a lower one of at most 0, and an upper one of at
    /// least 0. They are never too narrow and usually close.
    fn bounds(&self) -> [[i64; 2]; HIDDEN] {
        let mut bounds = [[0i16; 2]; HIDDEN];
        for row in self.rows {
            for ([min, max], &weight) in bounds.iter_mut().zip(row) {
                (*min, *max) = (weight.min(*min), weight.max(*max));
            }
        }
        bounds.map(|pair| pair.map(|weight| self.active as i64 * i64::from(weight)))
    }

    /// Exact bounds for one unit.
    fn exact_bounds(&self, unit: usize) -> [i64; 2] {
        let mut weights: Vec<i64> = self.rows.iter().map(|row| row[unit].into()).collect();
        weights.sort_unstable();
        let min = weights.iter().take(self.active).map(|&weight| weight.min(0)).sum();
        let max = weights.iter().rev().take(self.active).map(|&weight| weight.max(0)).sum();
        [min, max]
    }
}

/// Checks that no hidden unit's sum can overflow in any position with at most [`PIECES`] pieces a side.
///
/// # Errors
/// [`NetworkError::UnitOverflow`] for the first unit whose sum can overflow.
pub(super) fn check_sums<const HIDDEN: usize>(
    inputs: &[InputGroup<'_, HIDDEN>],
    biases: &[i16; HIDDEN],
) -> Result<(), NetworkError> {
    let largest = |unit: usize, bounds: &mut dyn Iterator<Item = [i64; 2]>| {
        let bias = i64::from(biases[unit]);
        let [min, max] = bounds.fold([bias; 2], |[min, max], [less, more]| [min + less, max + more]);
        max.max(-min)
    };
    let quick: Vec<[[i64; 2]; HIDDEN]> = inputs.iter().map(InputGroup::bounds).collect();
    for unit in 0..HIDDEN {
        // The quick bounds suffice for nearly all units; the exact ones need sorting.
        if largest(unit, &mut quick.iter().map(|group| group[unit])) <= i64::from(i16::MAX) {
            continue;
        }
        let sum = largest(unit, &mut inputs.iter().map(|group| group.exact_bounds(unit)));
        if sum > i64::from(i16::MAX) {
            return Err(NetworkError::UnitOverflow { unit, sum });
        }
    }
    Ok(())
}
