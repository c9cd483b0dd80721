//! Positions in which it is worth asking for the best play.

use crate::fit::games::{Drawn, draw};
use anyhow::Result;
use halma::game::Game;
use halma::race::passed;
use halma::rules::Position;
use std::path::Path;

/// With fewer plays there is little to choose from.
const LEAST_PLAYS: usize = 6;

/// A position to label.
#[derive(Clone, Debug)]
pub struct Question {
    /// Which pair of games it is from, counted through all files.
    pub pair: u64,
    /// The position.
    pub position: Position,
}

/// Some `per_game` random positions of each decided game in the folders `runs`; which ones
/// follows from `seed`. Left out are those in which the priors don't matter: with next to no
/// choice, with a win at once, and races, which the engine searches in another way.
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
