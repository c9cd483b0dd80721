//! One position, played on by both.

use crate::agents;
use crate::matches::Contestant;
use crate::matches::agent_seed;
use halma::agent::{Agent, SpecError};
use halma::clock::ThreadClock;
use halma::game::{Game, Player};
use halma::rules::Position;
use halma::search::Limits;

/// How a segment is played and evaluated.
#[derive(Clone, Debug)]
pub struct SegmentSettings {
    /// The spec strings of A and B.
    pub agents: [String; 2],
    /// What a play of A may take, and one of B.
    pub limits: [Limits; 2],
    /// How many plies are played from a position, at the most.
    pub plies: u32,
    /// The spec strings of the agents that evaluate what comes out.
    pub evaluators: Vec<String>,
    /// Iterations (for alpha-beta, nodes) of an evaluation.
    pub evaluator_iterations: u64,
    /// The number from which the agents' seeds follow.
    pub seed: u64,
}

/// Two agents to play segments, and those that evaluate what comes out.
pub struct SegmentPlayer<'a> {
    settings: &'a SegmentSettings,
    evaluators: Vec<Box<dyn Agent>>,
}

impl SegmentPlayer<'_> {
    /// A evaluation.
    ///
    /// # Errors
    /// A spec string that names no agent.
    pub fn new(settings: &SegmentSettings) -> Result<SegmentPlayer<'_>, SpecError> {
        let evaluators = settings.evaluators.iter().map(|evaluator| agents::make(evaluator, settings.seed));
        let player = SegmentPlayer { settings, evaluators: evaluators.collect::<Result<_, _>>()? };
        player.agents()?;
        Ok(player)
    }

    /// Both agents, new: what they save or have drawn elsewhere would make the result depend on the
    /// order of positions.
    fn agents(&self) -> Result<[Box<dyn Agent>; 2], SpecError> {
        let SegmentSettings { agents: [a, b], seed, .. } = self.settings;
        let seeded = |spec, which| agents::make(spec, agent_seed(*seed, which));
        Ok([seeded(a, Contestant::A)?, seeded(b, Contestant::B)?])
    }

    /// By how much A does better than B from `start`, −1…+1, as each evaluator has it: the mean of what A
    /// gets when it begins and when B does.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn game_pair(&mut self, start: &Position) -> Result<Vec<f64>, SpecError> {
        let begun_by_a = self.play(start, 0)?;
        let begun_by_b = self.play(start, 1)?;
        let (mover, other) = (start.to_move(), start.to_move().opponent());
        let evaluators = 0..self.evaluators.len();
        let mean = |by| (self.evaluate(by, &begun_by_a, mover) + self.evaluate(by, &begun_by_b, other)) / 2.0;
        Ok(evaluators.map(mean).collect())
    }

    /// What becomes of `start` if agent number `first` begins.
    fn play(&self, start: &Position, first: usize) -> Result<Position, SpecError> {
        let mut agents = self.agents()?;
        let mut position = *start;
        for ply in 0..self.settings.plies as usize {
            if position.outcome().is_some() {
                break;
            }
            let turn = (first + ply) % 2;
            let (agent, limits) = (&mut agents[turn], &self.settings.limits[turn]);
            // Who has no play has lost; the evaluators see that too.
            let Ok(decision) = agent.decide(&position, limits, &ThreadClock) else { break };
            position.play(decision.play);
        }
        Ok(position)
    }

    /// What `position` is worth to `player`, as evaluator number `by` has it.
    fn evaluate(&mut self, by: usize, position: &Position, player: Player) -> f64 {
        if let Some(outcome) = position.outcome() {
            return outcome.value_for(player).get().into();
        }
        let evaluator = &mut self.evaluators[by];
        // What it reuses would make the result depend on the order of positions.
        evaluator.new_game();
        let limits = Limits::iterations(self.settings.evaluator_iterations);
        let value = evaluator
            .decide(position, &limits, &ThreadClock)
            .map_or(-1.0, |decision| f64::from(decision.report.value.get()));
        if position.to_move() == player { value } else { -value }
    }
}
