//! One position, played on by both.

use crate::matches::Contestant;
use crate::matches::settings::agent_seed;
use halma::agent::{self, Agent, SpecError};
use halma::clock::ThreadClock;
use halma::game::{Game, Player};
use halma::halma::Position;
use halma::mcts::Limits;

/// How a stretch is played and judged.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The spec strings of A and B.
    pub agents: [String; 2],
    /// What a play of A may take, and one of B.
    pub limits: [Limits; 2],
    /// How many plies are played from a position, at the most.
    pub plies: u32,
    /// The spec strings of those who judge.
    pub judges: Vec<String>,
    /// Iterations (for alpha-beta, nodes) of a judgement.
    pub judge_iterations: u64,
    /// The number from which the agents' seeds follow.
    pub seed: u64,
}

/// A board, with those who judge what comes out on it.
pub struct Table<'a> {
    settings: &'a Settings,
    judges: Vec<Box<dyn Agent>>,
}

impl Table<'_> {
    /// A table.
    ///
    /// # Errors
    /// A spec string that names no agent.
    pub fn new(settings: &Settings) -> Result<Table<'_>, SpecError> {
        let judges = settings.judges.iter().map(|judge| agent::parse(judge, settings.seed));
        let table = Table { settings, judges: judges.collect::<Result<_, _>>()? };
        table.agents()?;
        Ok(table)
    }

    /// Both agents, new: what they remember or have drawn elsewhere would make the result depend on the
    /// order of positions.
    fn agents(&self) -> Result<[Box<dyn Agent>; 2], SpecError> {
        let Settings { agents: [a, b], seed, .. } = self.settings;
        let seeded = |spec, which| agent::parse(spec, agent_seed(*seed, which));
        Ok([seeded(a, Contestant::A)?, seeded(b, Contestant::B)?])
    }

    /// By how much A does better than B from `start`, −1…+1, as each judge has it: the mean of what A
    /// gets when it begins and when B does.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn duel(&mut self, start: &Position) -> Result<Vec<f64>, SpecError> {
        let begun_by_a = self.play(start, 0)?;
        let begun_by_b = self.play(start, 1)?;
        let (mover, other) = (start.to_move(), start.to_move().opponent());
        let judges = 0..self.judges.len();
        let mean =
            |judge| (self.judge(judge, &begun_by_a, mover) + self.judge(judge, &begun_by_b, other)) / 2.0;
        Ok(judges.map(mean).collect())
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
            // Who has no play has lost; the judges see that too.
            let Ok(decision) = agent.decide(&position, limits, &ThreadClock) else { break };
            position.play(decision.play);
        }
        Ok(position)
    }

    /// What `position` is worth to `player`.
    fn judge(&mut self, judge: usize, position: &Position, player: Player) -> f64 {
        if let Some(outcome) = position.outcome() {
            return outcome.value_for(player).get().into();
        }
        let judge = &mut self.judges[judge];
        // Nor may what a judge knows.
        judge.new_game();
        let limits = Limits::iterations(self.settings.judge_iterations);
        let value = judge
            .decide(position, &limits, &ThreadClock)
            .map_or(-1.0, |decision| f64::from(decision.report.value.get()));
        if position.to_move() == player { value } else { -value }
    }
}
