//! The starting positions of segments.

use crate::learn::games::{Drawn, each};
use anyhow::{Result, ensure};
use halma::rules::Position;
use halma::search::race::passed;
use halma::support::random::Random;
use std::path::Path;

/// Up to `count` positions after `ply` plies of games in the folders `runs` that ended with a filled goal, in random
/// order. Races and repeated positions are left out.
///
/// # Errors
/// The same as for [`each`], or no position is left.
pub fn load(runs: &[impl AsRef<Path>], ply: usize, count: usize, seed: u64) -> Result<Vec<Position>> {
    let mut starts: Vec<Position> = Vec::new();
    each(runs, |&Drawn { record, decision, position, .. }| {
        let here = record.opening.len() + decision == ply;
        if here && !passed(&position) && !starts.contains(&position) {
            starts.push(position);
        }
    })?;
    ensure!(
        !starts.is_empty(),
        "these folders contain no position after {ply} plies outside races; try another --from"
    );
    let mut random = Random::new(seed);
    for place in 0..count.min(starts.len()) {
        let other = place + random.below(starts.len() - place);
        starts.swap(place, other);
    }
    starts.truncate(count);
    Ok(starts)
}
