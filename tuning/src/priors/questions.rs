//! Positions to label with the best play.

use crate::fit::games::{Drawn, draw};
use anyhow::Result;
use halma::game::Game;
use halma::race::passed;
use halma::rules::Position;
use std::path::Path;

/// The fewest plays: with fewer there is little to choose from.
const LEAST_PLAYS: usize = 6;

/// A position to label.
#[derive(Clone, Debug)]
pub struct Question {
    /// The number of its pair of games in its run.
    pub pair: u64,
    /// The position.
    pub position: Position,
}

/// About `per_game` random positions of each decided game in the folders `runs`; which ones follows from
/// `seed`. Leaves out positions in which the priors don't matter: those with few plays or a win at once,
/// and races, which the engine searches in another way.
///
/// # Errors
/// Those of [`draw`].
pub fn load(runs: &[impl AsRef<Path>], per_game: usize, seed: u64) -> Result<Vec<Question>> {
    let (mut questions, mut plays) = (Vec::new(), Vec::new());
    draw(runs, per_game, seed, |&Drawn { pair, position, .. }| {
        position.plays(&mut plays);
        let settled = passed(&position) || position.winning_play(&plays).is_some();
        if plays.len() >= LEAST_PLAYS && !settled {
            questions.push(Question { pair, position });
        }
    })?;
    Ok(questions)
}
