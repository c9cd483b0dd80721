//! Agents that do not search: easy opponents, and a baseline for all other agents.

use super::{Agent, AgentContext, Decision, NoLegalPlay};
use crate::game::Game;
use crate::rules::{Play, Position, camp};
use crate::search::{Limits, Observer, Report};
use crate::support::clock::Clock;
use crate::support::parameters::{Named, NoParameters};
use crate::support::random::Random;
use crate::support::spec::SpecError;
use std::marker::PhantomData;

/// A way of choosing among the legal plays of a position.
pub trait Preference: Send + 'static {
    /// The name of the agent.
    const NAME: &'static str;
    /// One line of description.
    const ABOUT: &'static str;

    /// Keeps only the preferred plays in `plays`, the legal plays of `position`. `last` is the agent's last play in this
    /// game.
    fn narrow(position: &Position, last: Option<Play>, plays: &mut Vec<Play>);
}

/// An agent that chooses at random among the plays that its [`Preference`] keeps.
#[derive(Clone, Debug)]
pub struct Unsearched<C> {
    seed: u64,
    /// This game's random numbers, seeded at its first move.
    random: Option<Random>,
    last: Option<Play>,
    plays: Vec<Play>,
    preference: PhantomData<fn() -> C>,
}

impl<C: Preference> Named for Unsearched<C> {
    const NAME: &'static str = C::NAME;
    const ABOUT: &'static str = C::ABOUT;
    type Parameters = NoParameters;
    type Context = AgentContext;

    fn build(_: NoParameters, AgentContext { seed, .. }: AgentContext) -> Result<Unsearched<C>, SpecError> {
        Ok(Unsearched { seed, random: None, last: None, plays: Vec::new(), preference: PhantomData })
    }
}

impl<C: Preference> Agent for Unsearched<C> {
    fn new_game(&mut self) {
        (self.random, self.last) = (None, None);
    }

    fn decide(
        &mut self,
        position: &Position,
        _: &Limits,
        _: &dyn Clock,
        _: Option<Observer<'_, Play>>,
    ) -> Result<Decision, NoLegalPlay> {
        if let Some(decision) = Decision::after_the_end(position) {
            return decision;
        }
        position.legal_plays(&mut self.plays);
        if self.plays.is_empty() {
            return Err(NoLegalPlay);
        }
        C::narrow(position, self.last, &mut self.plays);
        // The seed includes the position, or a program started for each move would always draw the same number.
        let random = self.random.get_or_insert_with(|| Random::new(self.seed ^ position.key()));
        let play = self.plays[random.below(self.plays.len())];
        self.last = Some(play);
        Ok(Decision { play, report: Report::unsearched(play) })
    }
}

/// Keeps the plays of lowest rank.
fn keep_lowest<R: Ord>(plays: &mut Vec<Play>, rank: impl Fn(Play) -> R) {
    if let Some(lowest) = plays.iter().map(|&play| rank(play)).min() {
        plays.retain(|&play| rank(play) == lowest);
    }
}

/// Makes a uniformly random legal play.
pub struct RandomPlay;

impl Preference for RandomPlay {
    const NAME: &'static str = "random";
    const ABOUT: &'static str = "any legal play";

    fn narrow(_: &Position, _: Option<Play>, _: &mut Vec<Play>) {}
}

/// Wins if it can; otherwise makes the most advancing play, chosen at random among equals.
pub struct Greedy;

impl Preference for Greedy {
    const NAME: &'static str = "greedy";
    const ABOUT: &'static str = "the play that makes the most progress, without search";

    fn narrow(position: &Position, _: Option<Play>, plays: &mut Vec<Play>) {
        match position.winning_play(plays) {
            Some(winning) => *plays = vec![winning],
            None => keep_lowest(plays, |play| -position.progress(play)),
        }
    }
}

/// Leaves its camp only when the rules force it to, and then stays as near to it as possible, in the opponent's way.
pub struct Homebody;

impl Preference for Homebody {
    const NAME: &'static str = "homebody";
    const ABOUT: &'static str = "stays at home while the rules allow, then next to it";

    fn narrow(position: &Position, _: Option<Play>, plays: &mut Vec<Play>) {
        let home = camp(position.to_move());
        keep_lowest(plays, |play| {
            let leaves = home.contains(play.from) && !home.contains(play.to);
            (leaves, position.progress(play))
        });
    }
}

/// Moves one piece back and forth if the rules allow it, and otherwise makes a random play.
pub struct Shuffler;

impl Preference for Shuffler {
    const NAME: &'static str = "shuffler";
    const ABOUT: &'static str = "moves a piece back and forth where it can";

    fn narrow(_: &Position, last: Option<Play>, plays: &mut Vec<Play>) {
        let back = last.map(|last| Play::new(last.to, last.from));
        if let Some(back) = back.filter(|back| plays.contains(back)) {
            *plays = vec![back];
        }
    }
}
