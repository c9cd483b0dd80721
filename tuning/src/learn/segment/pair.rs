//! Plays a segment from one position, once with each agent moving first.

use crate::play::agents;
use crate::play::entrant::{Entrant, EntrantSpec, own_rules};
use crate::play::game::{GameSetup, play_game};
use crate::play::matches::agent_seed;
use crate::play::record::Contestant;
use crate::play::time_control::TimeControls;
use anyhow::{Context, Result, bail};
use halma::agent::Agent;
use halma::game::{Game, Player};
use halma::rules::{BLACK, Position};
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
    /// The same as for [`new`](Self::new), or an entrant loses by a fault.
    pub fn game_pair(&mut self, start: &Position) -> Result<Vec<f64>> {
        let begun_by_a = self.play(start, Contestant::A)?;
        let begun_by_b = self.play(start, Contestant::B)?;
        let (mover, other) = (start.to_move(), start.to_move().opponent());
        let evaluators = 0..self.evaluators.len();
        let mean = |by| (self.evaluate(by, &begun_by_a, mover) + self.evaluate(by, &begun_by_b, other)) / 2.0;
        Ok(evaluators.map(mean).collect())
    }

    /// The final position from `start` when `first` begins.
    fn play(&self, start: &Position, first: Contestant) -> Result<Position> {
        let [mut a, mut b] = self.entrants()?;
        let agents = &self.settings.agents;
        let setup = GameSetup {
            black: if start.to_move() == BLACK { first } else { first.opponent() },
            rules: agents.each_ref().map(|spec| own_rules(spec).unwrap_or(start.rules())),
            max_plies: self.settings.plies as usize,
            ..GameSetup::new(*start, self.settings.limit)
        };
        let record = play_game(&setup, [&mut *a, &mut *b], &|| false)?.context("the game was cancelled")?;
        if let Some(winner) = record.winner.filter(|_| record.reason.is_forfeit()) {
            let spec = &agents[winner.opponent() as usize];
            let illegal = || record.illegal_play.map(|play| format!("its play is illegal: {play}"));
            let why = record.fault.or_else(illegal).unwrap_or_default();
            bail!("'{spec}' failed, so the agents can't be compared: {why}");
        }
        let mut position = *start;
        record.plays.iter().for_each(|&play| position.play(play));
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
