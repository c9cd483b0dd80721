//! Agents that do not search: something to play against, and a floor for every other agent.

use super::{Agent, Decision, NoLegalPlay};
use crate::clock::Clock;
use crate::game::Game;
use crate::halma::{Play, Position};
use crate::mcts::{Limits, Report};
use crate::playout::Random;

/// Makes any legal play, all alike.
#[derive(Clone, Debug)]
pub struct RandomAgent {
    random: Random,
    plays: Vec<Play>,
}

impl RandomAgent {
    /// An agent whose plays follow from `seed`.
    pub fn new(seed: u64) -> RandomAgent {
        RandomAgent { random: Random::new(seed), plays: Vec::new() }
    }
}

impl Agent for RandomAgent {
    fn new_game(&mut self) {}

    fn decide(&mut self, position: &Position, _: &Limits, _: &dyn Clock) -> Result<Decision, NoLegalPlay> {
        position.plays(&mut self.plays);
        if self.plays.is_empty() {
            return Err(NoLegalPlay);
        }
        let play = self.plays[self.random.below(self.plays.len())];
        Ok(Decision { play, report: Report::unsearched(play) })
    }
}

/// Wins if it can, else makes a play of most progress, any of those.
#[derive(Clone, Debug)]
pub struct Greedy {
    random: Random,
    plays: Vec<Play>,
}

impl Greedy {
    /// An agent that chooses between equals as follows from `seed`.
    pub fn new(seed: u64) -> Greedy {
        Greedy { random: Random::new(seed), plays: Vec::new() }
    }
}

impl Agent for Greedy {
    fn new_game(&mut self) {}

    fn decide(&mut self, position: &Position, _: &Limits, _: &dyn Clock) -> Result<Decision, NoLegalPlay> {
        position.plays(&mut self.plays);
        let winning = position.winning_play(&self.plays);
        let most = self.plays.iter().map(|&play| position.progress(play)).max().ok_or(NoLegalPlay)?;
        self.plays.retain(|&play| position.progress(play) == most);
        let play = winning.unwrap_or(self.plays[self.random.below(self.plays.len())]);
        Ok(Decision { play, report: Report::unsearched(play) })
    }
}
