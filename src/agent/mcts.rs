//! Monte Carlo tree search as an agent, with a memory from move to move.

use super::race::{Racer, prefer};
use super::{Agent, Decision, Legacy, NoLegalPlay};
use crate::clock::Clock;
use crate::game::Game;
use crate::halma::{Play, Position};
use crate::mcts::{Candidate, Limits, Memory, Params, Report, Search};
use crate::playout::Policy;

/// The CPU seconds that moving one place of a tree into another takes, in about.
const SECONDS_TO_MOVE_A_PLACE: f64 = 30e-9;

/// The part of a move's time that moving what is known of it may take.
const MOST_MOVING: f64 = 0.1;

/// So many times the own pieces may have stood somewhere before going there again counts as waiting.
const RETURNS: usize = 2;

/// What a play that does not wait may cost, as a value.
const IMPATIENCE: f32 = 0.1;

/// The part of the visits of the play that waits which another must have for its value to be trusted.
const LEAST_VISITS: f32 = 0.02;

/// The engine: [`Search`] with a playout policy `P`.
#[derive(Clone, Debug)]
pub struct MctsAgent<P> {
    params: Params,
    policy: P,
    seed: u64,
    /// The last search, whose tree is grown further as long as the game goes on from it.
    search: Option<Search<Position, P>>,
    /// The position after the play made last.
    after: Option<Position>,
    /// The play that the last search decided on, if the next is to go on from there.
    decided: Option<Play>,
    /// What another process has told of this game.
    told: Option<Memory<Position>>,
    racer: Racer,
}

impl<P: Policy> MctsAgent<P> {
    /// An agent that searches as `params` and `policy` say; what is random follows from `seed` and the
    /// position.
    pub fn new(params: Params, policy: P, seed: u64) -> MctsAgent<P> {
        let racer = Racer::default();
        MctsAgent { params, policy, seed, search: None, after: None, decided: None, told: None, racer }
    }

    /// A search of `position` that knows what is known of it from before, and may run for `limits`.
    fn prepare(&mut self, position: &Position, limits: &Limits) -> &mut Search<Position, P> {
        let seed = self.seed ^ position.hash();
        let told = self.told.take();
        let told = told.as_ref().and_then(|memory| memory.of(position));
        let decided = self.decided.take().filter(|_| told.is_none());
        let search = match &mut self.search {
            Some(search) => {
                match decided {
                    Some(play) => search.go_on(play, *position, seed, places_to_keep(limits)),
                    None => search.restart(*position, seed),
                }
                search
            }
            none => none.insert(Search::new(*position, self.params.clone(), self.policy.clone(), seed)),
        };
        if let Some(nodes) = told {
            // A memory that does not fit leaves the search as it was.
            let _ = search.recall(nodes);
        }
        search
    }

    /// The play to make, by the race or by the search.
    fn choose(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: &dyn Clock,
    ) -> Result<Decision, NoLegalPlay> {
        let start = clock.seconds();
        let raced = if self.params.race { self.racer.decide(position, limits, clock) } else { None };
        // Whoever wants all the time to be used gets to know what the tree search thinks of it.
        let raced = match raced {
            Some(decision) if limits.stop_when_settled || limits.cpu.is_none() => {
                (self.decided, self.told) = (None, None);
                return Ok(decision);
            }
            raced => raced,
        };
        let search = self.prepare(position, limits);
        let report = search.run(&limits.less(clock.seconds() - start), clock);
        let Decision { play, report } = match raced {
            Some(raced) => prefer(raced, report),
            None => self.without_waiting(position, report).ok_or(NoLegalPlay)?,
        };
        self.decided = Some(play).filter(|_| self.params.inherit && report.proof.is_none());
        Ok(Decision { play, report })
    }

    /// The best play of `report`; but for a side that is ahead, if its pieces would stand where they have stood
    /// [`RETURNS`] times, the most visited of those plays that lead elsewhere and are little worse.
    ///
    /// Where both sides would rather wait for the other to open its ranks, a game would go on for ever. Tree search
    /// sees no harm in it: the play after next may always be the better one.
    fn without_waiting(&self, position: &Position, mut report: Report<Play>) -> Option<Decision> {
        let best = *report.best()?;
        let waits = |play| self.racer.times_been(position, play) >= RETURNS;
        if report.proof.is_none() && best.value.get() > 0.0 && waits(best.play) {
            let (least_value, least_visits) =
                (best.value.get() - IMPATIENCE, LEAST_VISITS * best.visits as f32);
            let other = report.candidates.iter().position(|other| {
                let trusted = other.proof.is_none() && other.visits as f32 >= least_visits;
                trusted && other.value.get() >= least_value && !waits(other.play)
            });
            if let Some(other) = other {
                report.candidates[..=other].rotate_right(1);
                let Candidate { play, value, .. } = report.candidates[0];
                (report.value, report.principal_variation) = (value, vec![play]);
            }
        }
        Some(Decision { play: report.best()?.play, report })
    }
}

/// How many places of a tree are worth moving before a search of `limits`.
fn places_to_keep(limits: &Limits) -> usize {
    limits.seconds().map_or(usize::MAX, |seconds| (seconds * MOST_MOVING / SECONDS_TO_MOVE_A_PLACE) as usize)
}

impl<P: Policy> Agent for MctsAgent<P> {
    fn new_game(&mut self) {
        (self.after, self.decided, self.told) = (None, None, None);
        self.racer.forget();
    }

    fn decide(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: &dyn Clock,
    ) -> Result<Decision, NoLegalPlay> {
        let decision = self.choose(position, limits, clock)?;
        self.racer.played(position, decision.play);
        let mut after = *position;
        after.play(decision.play);
        self.after = Some(after);
        Ok(decision)
    }

    fn legacy(&self, most: usize) -> Option<Legacy> {
        let before = self.after.filter(|_| self.params.inherit)?;
        let memory = self.decided.and_then(|play| self.search.as_ref()?.remember(play, most));
        let nodes = memory.map_or_else(Vec::new, |memory| memory.nodes);
        Some(Legacy { before, nodes, boards: self.racer.been().to_vec() })
    }

    fn recall(&mut self, legacy: Legacy) {
        let Legacy { before, nodes, boards } = legacy;
        self.told = Some(Memory { before, nodes });
        self.racer.recall(boards);
    }
}
