//! Positions of games that were played, as the regression sees them.

use crate::matches::{Ended, GameRecord};
use anyhow::{Context, Result, ensure};
use halma::game::Game;
use halma::halma::{BLACK, Play, Position, Rules};
use halma::playout::Random;
use halma::playout::evaluation::for_each_term;
use std::fs;
use std::path::Path;

/// The last decisions of a game are left out: what wins at once needs no judgement.
const LAST: usize = 2;

/// One position.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Which pair of games it is from, counted through all files: positions of one pair are alike
    /// and go to the same side of a split.
    pub pair: u64,
    /// The weights that count here, by number, and by how much.
    pub terms: Vec<(u16, f32)>,
    /// What became of it for the player to move: 1 won, 0 lost.
    pub result: f32,
    /// The expected score that the search gave, 0…1.
    pub expected: f32,
}

/// Some `per_game` random positions of each decided game in the match folders `runs`; which ones
/// follows from `seed`.
///
/// # Errors
/// A folder without games, or a line that is no game.
pub fn load(runs: &[impl AsRef<Path>], per_game: usize, seed: u64) -> Result<Vec<Sample>> {
    let mut samples = Vec::new();
    let mut random = Random::new(seed);
    let mut pairs_before = 0;
    for run in runs {
        let path = run.as_ref().join("games.jsonl");
        let text = fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
        let mut pairs = 0;
        for (number, line) in (1..).zip(text.lines()) {
            let broken = || format!("{}, line {number}", path.display());
            let record: GameRecord = serde_json::from_str(line).with_context(broken)?;
            pairs = pairs.max(record.game / 2 + 1);
            if record.reason == Ended::GoalFilled {
                let pair = pairs_before + record.game / 2;
                take(&record, pair, per_game, &mut random, &mut samples).with_context(broken)?;
            }
        }
        pairs_before += pairs;
    }
    ensure!(!samples.is_empty(), "there is no decided game in these folders");
    Ok(samples)
}

/// Adds positions of one game.
fn take(
    record: &GameRecord,
    pair: u64,
    wanted: usize,
    random: &mut Random,
    to: &mut Vec<Sample>,
) -> Result<()> {
    let mut position = Position::initial(BLACK, Rules::Addendum);
    for &play in &record.opening {
        step(&mut position, play)?;
    }
    for (decision, &play) in record.plays.iter().enumerate() {
        let chosen = random.below(record.plays.len()) < wanted;
        if chosen && decision + LAST < record.plays.len() {
            let mut terms = Vec::new();
            for_each_term(&position, |weight, amount| terms.push((weight as u16, amount)));
            let won = record.winner == Some(record.decider(decision));
            let value = record.values.get(decision).copied().unwrap_or_default();
            let (result, expected) = (f32::from(u8::from(won)), (value + 1.0) / 2.0);
            to.push(Sample { pair, terms, result, expected });
        }
        step(&mut position, play)?;
    }
    Ok(())
}

fn step(position: &mut Position, play: Play) -> Result<()> {
    // The rules of the addendum allow less, and whatever was played is legal under the original.
    ensure!(position.with_rules(Rules::Original).is_legal(play), "{play} is not legal");
    position.play(play);
    Ok(())
}
