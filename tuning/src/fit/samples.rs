//! Positions of recorded games, as the regression needs them.

use super::games::{Drawn, draw};
use anyhow::Result;
use halma::evaluation::for_each_term;
use std::path::Path;

/// This many last decisions of a game are left out: a win at once needs no evaluation.
const LAST: usize = 2;

/// One position.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The number of its pair of games in its run.
    pub pair: u64,
    /// The numbers of the weights in its score, and their factors.
    pub terms: Vec<(u16, f32)>,
    /// The result for the player to move: 1 won, 0 lost.
    pub result: f32,
    /// The search's expected score, 0…1.
    pub expected: f32,
}

/// About `per_game` random positions of each decided game in the folders `runs`; which ones
/// follows from `seed`.
///
/// # Errors
/// Those of [`draw`].
pub fn load(runs: &[impl AsRef<Path>], per_game: usize, seed: u64) -> Result<Vec<Sample>> {
    let mut samples = Vec::new();
    draw(runs, per_game, seed, |drawn| {
        if drawn.decision + LAST < drawn.record.plays.len() {
            samples.push(Sample::new(drawn));
        }
    })?;
    Ok(samples)
}

impl Sample {
    fn new(drawn: &Drawn<'_>) -> Sample {
        let Drawn { pair, record, decision, position, .. } = drawn;
        let mut terms = Vec::new();
        for_each_term(position, |weight, amount| terms.push((weight as u16, amount)));
        let won = record.winner == Some(record.decider(*decision));
        let value = record.values.get(*decision).copied().unwrap_or_default();
        Sample { pair: *pair, terms, result: f32::from(u8::from(won)), expected: (value + 1.0) / 2.0 }
    }
}
