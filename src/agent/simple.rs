//! Agents that do not search: something to play against, and a floor for every other agent.

use super::{Agent, Decision, NoLegalPlay};
use crate::clock::Clock;
use crate::game::Game;
use crate::halma::{Play, Position, camp};
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

/// Leaves its camp only where the rules make it, and then stays as near to it as it can: in the
/// way of whoever wants to fill it.
#[derive(Clone, Debug)]
pub struct Homebody {
    random: Random,
    plays: Vec<Play>,
}

impl Homebody {
    /// An agent that chooses between equals as follows from `seed`.
    pub fn new(seed: u64) -> Homebody {
        Homebody { random: Random::new(seed), plays: Vec::new() }
    }
}

impl Agent for Homebody {
    fn new_game(&mut self) {}

    fn decide(&mut self, position: &Position, _: &Limits, _: &dyn Clock) -> Result<Decision, NoLegalPlay> {
        position.plays(&mut self.plays);
        let home = camp(position.to_move());
        let rank = |play: &Play| {
            let leaves = home.contains(play.from) && !home.contains(play.to);
            (leaves, position.progress(*play))
        };
        let least = self.plays.iter().map(rank).min().ok_or(NoLegalPlay)?;
        self.plays.retain(|play| rank(play) == least);
        let play = self.plays[self.random.below(self.plays.len())];
        Ok(Decision { play, report: Report::unsearched(play) })
    }
}

/// Moves one piece back and forth where the rules let it, else makes any legal play.
#[derive(Clone, Debug)]
pub struct Shuffler {
    random: Random,
    plays: Vec<Play>,
    last: Option<Play>,
}

impl Shuffler {
    /// An agent whose other plays follow from `seed`.
    pub fn new(seed: u64) -> Shuffler {
        Shuffler { random: Random::new(seed), plays: Vec::new(), last: None }
    }
}

impl Agent for Shuffler {
    fn new_game(&mut self) {
        self.last = None;
    }

    fn decide(&mut self, position: &Position, _: &Limits, _: &dyn Clock) -> Result<Decision, NoLegalPlay> {
        position.plays(&mut self.plays);
        let back = self.last.map(|last| Play::new(last.to, last.from));
        let any = *self.plays.get(self.random.below(self.plays.len().max(1))).ok_or(NoLegalPlay)?;
        let play = back.filter(|back| self.plays.contains(back)).unwrap_or(any);
        self.last = Some(play);
        Ok(Decision { play, report: Report::unsearched(play) })
    }
}
