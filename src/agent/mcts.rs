//! Monte Carlo tree search as an agent, with a memory from move to move.

use super::race::{Racer, prefer};
use super::{Agent, Decision, NoLegalPlay};
use crate::budget::Machine;
use crate::clock::Clock;
use crate::game::Game;
use crate::halma::Position;
use crate::mcts::{Limits, Memory, Params, Search};
use crate::playout::Policy;

/// The engine: [`Search`] with a playout policy `P`.
#[derive(Clone, Debug)]
pub struct MctsAgent<P> {
    params: Params,
    policy: P,
    seed: u64,
    machine: Machine,
    /// The last search, for the memory it takes.
    search: Option<Search<Position, P>>,
    memory: Option<Memory<Position>>,
    racer: Racer,
}

impl<P: Policy> MctsAgent<P> {
    /// An agent that searches as `params` and `policy` say, on `machine`; what is random follows
    /// from `seed` and the position.
    pub fn new(params: Params, policy: P, seed: u64, machine: Machine) -> MctsAgent<P> {
        let racer = Racer::default();
        MctsAgent { params, policy, seed, machine, search: None, memory: None, racer }
    }

    /// How many nodes may be carried over when this move may take `limits`.
    fn nodes_to_keep(&self, limits: &Limits) -> usize {
        let most = usize::try_from(self.params.inherit).unwrap_or(usize::MAX);
        limits.seconds().map_or(most, |seconds| most.min(self.machine.playdata_nodes(seconds)))
    }
}

impl<P: Policy> Agent for MctsAgent<P> {
    fn new_game(&mut self) {
        self.memory = None;
        self.racer.forget();
    }

    fn decide(
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
                self.memory = None;
                return Ok(decision);
            }
            raced => raced,
        };
        let seed = self.seed ^ position.hash();
        let keep = self.nodes_to_keep(limits);
        let search = match &mut self.search {
            Some(search) => {
                search.restart(*position, seed);
                search
            }
            none => none.insert(Search::new(*position, self.params.clone(), self.policy.clone(), seed)),
        };
        let memory = self.memory.take();
        if let Some(nodes) = memory.as_ref().and_then(|memory| memory.of(position)) {
            // A memory that does not fit leaves the search as it was.
            let _ = search.recall(nodes);
        }
        let mut left = *limits;
        let gone = clock.seconds() - start + self.machine.seconds_to_keep(keep);
        left.cpu = limits.cpu.map(|seconds| seconds - gone);
        left.planned = limits.planned.map(|seconds| seconds - gone);
        let report = search.run(&left, clock);
        let Decision { play, report } = match raced {
            Some(raced) => prefer(raced, report),
            None => Decision { play: report.best().ok_or(NoLegalPlay)?.play, report },
        };
        if keep > 0 && report.proof.is_none() {
            self.memory = search.remember(play, keep);
        }
        Ok(Decision { play, report })
    }

    fn memory(&self) -> Option<&Memory<Position>> {
        self.memory.as_ref()
    }

    fn recall(&mut self, memory: Memory<Position>) {
        self.memory = Some(memory);
    }
}
