//! Fitted weights as the engine has them: small whole numbers, in hundredths of a nat.
//!
//! A play has one feature of each table: of squares left, of squares reached … All plays of a position
//! use the same tables, those of its phase, so adding a constant to a whole table does not change their
//! probabilities. Here each table gets a mean of 0 over the chosen plays, so
//! that the sums of those stay near 0.

use super::choice::Choice;
use halma::prior::{COUNT, IN_PHASE, PHASELESS};
use std::collections::BTreeMap;

/// `weights`, in nats, in hundredths of a nat, each table moved to a mean of 0 over the plays that were
/// chosen in `choices`.
pub fn hundredths(weights: &[f64], choices: &[&Choice]) -> Vec<i16> {
    let columns = columns(choices);
    let mut tables: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
    for (column, feature) in choices.iter().flat_map(|choice| choice.chosen().enumerate()) {
        let (sum, count) = tables.entry((column, place(feature).phase)).or_default();
        *sum += weights[feature];
        *count += 1.0;
    }
    let mean = |feature: usize| {
        let Place { phase, number } = place(feature);
        // A table that was never used has no mean.
        columns[number]
            .and_then(|column| tables.get(&(column, phase)))
            .map_or(0.0, |(sum, count)| sum / count)
    };
    let whole = |(feature, weight): (usize, &f64)| (100.0 * (weight - mean(feature))).round();
    // The cast stops at the ends of the range.
    weights.iter().enumerate().map(|pair| whole(pair) as i16).collect()
}

/// Where a feature is.
struct Place {
    /// The phase, or 0 if phases don't tell it apart.
    phase: usize,
    /// Its number among those of one phase and those of no phase.
    number: usize,
}

fn place(feature: usize) -> Place {
    match feature.checked_sub(PHASELESS) {
        Some(number) => Place { phase: 0, number: IN_PHASE + number },
        None => Place { phase: feature / IN_PHASE, number: feature % IN_PHASE },
    }
}

/// The table of each number of a [`Place`]: the column in which plays have such features. `None` if no
/// play has one.
fn columns(choices: &[&Choice]) -> Vec<Option<usize>> {
    let mut columns = vec![None; IN_PHASE + COUNT - PHASELESS];
    for play in choices.iter().flat_map(|choice| choice.plays()) {
        for (column, feature) in play.enumerate() {
            columns[place(feature).number] = Some(column);
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::super::quality::Quality;
    use super::*;

    #[test]
    fn chosen_plays_have_a_mean_of_0_and_probabilities_stay() {
        let (other, rank) = (IN_PHASE as u16, PHASELESS as u16);
        let first = Choice::new(0, &[[0, 9, rank], [1, 8, rank + 1], [1, 9, rank]], 0);
        let second = Choice::new(0, &[[other, other + 9, rank + 1], [other + 2, other + 8, rank]], 1);
        let choices = [&first, &second, &first];
        let weights: Vec<f64> =
            (0..COUNT).map(|feature| if feature < PHASELESS { (feature % 7) as f64 } else { 4.0 }).collect();
        let moved = hundredths(&weights, &choices);
        let sum = |choice: &Choice| choice.chosen().map(|feature| moved[feature]).sum::<i16>();
        assert_eq!((sum(&first), sum(&second)), (0, 0));
        // Features never seen in this phase move with their table; those seen nowhere stay.
        assert_eq!(moved[2], 200 - 100 * weights[0] as i16);
        assert_eq!(moved[100], 100 * weights[100] as i16);
        let unmoved: Vec<i16> = weights.iter().map(|weight| (100.0 * weight) as i16).collect();
        let loss = |weights: &[i16]| Quality::of(weights, &choices).log_loss;
        assert!((loss(&moved) - loss(&unmoved)).abs() < 1e-12 && loss(&moved) > 0.0);
        assert_eq!(hundredths(&[1e9, -1e9], &[]), [i16::MAX, i16::MIN]);
    }
}
