//! Plays a segment from one position, once with each agent moving first.

use crate::play::agents;
use crate::play::entrant::{self, Entrant, EntrantSpec, Failure};
use crate::play::matches::agent_seed;
use crate::play::record::Contestant;
use crate::play::time_control::TimeControls;
use anyhow::{Result, bail};
use halma::agent::Agent;
use halma::game::{Game, Player};
use halma::rules::Position;
use halma::search::Limits;
use halma::support::clock::ThreadClock;

/// How a segment is played and evaluated.
#[derive(Clone, Debug)]
pub struct SegmentSettings {
    /// The spec strings of A and B, agents or programs.
    pub agents: [String; 2],
    /// The limits of both sides.
    pub limit: TimeControls,
    /// The maximum number of plies played from a position.
    pub plies: u32,
    /// The spec strings of the agents that evaluate the final positions.
    pub evaluators: Vec<String>,
    /// The iterations of each evaluation; for alpha-beta, its nodes.
    pub evaluator_iterations: u64,
    /// The seed of all agents.
    pub seed: u64,
}

/// The two entrants, and the agents that evaluate the final positions.
pub struct SegmentPlayer<'a> {
    settings: &'a SegmentSettings,
    specs: [EntrantSpec; 2],
    evaluators: Vec<Box<dyn Agent>>,
}

impl SegmentPlayer<'_> {
    /// # Errors
    /// A spec is invalid, or an evaluator can't be made.
    pub fn new(settings: &SegmentSettings) -> Result<SegmentPlayer<'_>> {
        let evaluators = settings.evaluators.iter().map(|evaluator| agents::make(evaluator, settings.seed));
        let [a, b] = &settings.agents;
        let specs = [EntrantSpec::parse(a)?, EntrantSpec::parse(b)?];
        Ok(SegmentPlayer { settings, specs, evaluators: evaluators.collect::<Result<_, _>>()? })
    }

    /// New entrants, so that results do not depend on the order of positions.
    fn entrants(&self) -> Result<[Box<dyn Entrant>; 2]> {
        let entrant = |which| self.specs[which as usize].entrant(agent_seed(self.settings.seed, which));
        Ok([entrant(Contestant::A)?, entrant(Contestant::B)?])
    }

    /// A's advantage over B from `start`, −1…+1, according to each evaluator: the mean of A's values when A begins and
    /// when B begins.
    ///
    /// # Errors
    /// The same as for [`new`](Self::new), or an entrant fails to make a legal play.
    pub fn game_pair(&mut self, start: &Position) -> Result<Vec<f64>> {
        let begun_by_a = self.play(start, 0)?;
        let begun_by_b = self.play(start, 1)?;
        let (mover, other) = (start.to_move(), start.to_move().opponent());
        let evaluators = 0..self.evaluators.len();
        let mean = |by| (self.evaluate(by, &begun_by_a, mover) + self.evaluate(by, &begun_by_b, other)) / 2.0;
        Ok(evaluators.map(mean).collect())
    }

    /// The final position from `start` when agent number `first` begins.
    fn play(&self, start: &Position, first: usize) -> Result<Position> {
        let mut entrants = self.entrants()?;
        let mut position = *start;
        for ply in 0..self.settings.plies as usize {
            if position.outcome().is_some() {
                break;
            }
            let turn = (first + ply) % 2;
            let own_rules = entrant::own_rules(&self.settings.agents[turn]);
            let judged = position.with_rules(own_rules.unwrap_or(start.rules()));
            let answer = entrants[turn].answer(&judged, self.settings.limit.each()[turn])?;
            match answer.decision {
                Ok(decision) => position.play(decision.play),
                // A side without a legal play has lost, which evaluators recognise.
                Err(Failure::NoPlay) => break,
                Err(failure) => {
                    let spec = &self.settings.agents[turn];
                    bail!("'{spec}' failed, so the agents can't be compared: {failure}");
                }
            }
        }
        Ok(position)
    }

    /// The value of `position` for `player`, −1…+1, according to evaluator number `by`.
    fn evaluate(&mut self, by: usize, position: &Position, player: Player) -> f64 {
        if let Some(outcome) = position.outcome() {
            return outcome.value_for(player).get().into();
        }
        let evaluator = &mut self.evaluators[by];
        // Reset the evaluator, so that results do not depend on the order of positions.
        evaluator.new_game();
        let limits = Limits::iterations(self.settings.evaluator_iterations);
        let value = evaluator
            .decide(position, &limits, &ThreadClock, None)
            .map_or(-1.0, |decision| f64::from(decision.report.value.get()));
        if position.to_move() == player { value } else { -value }
    }
}
