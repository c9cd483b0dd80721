//! A `lab` with its own playout policy, `own`: MAST, which learns during the search which plays do well. Copy this file,
//! change it, and compare:
//!
//! ```text
//! cargo run --release -p halma-lab --example own_policy -- match 'mcts(playout=own)' mcts --games 2 --iterations 50
//! ```
//!
//! All commands of `lab` work, and `own(cap=4)` can stand wherever a spec names a policy. `own` plays the same games as
//! the built-in `mast(inner=uniform)`; a test checks this, and that the policy has at most 60 lines of code.

use halma::agent::SpecError;
use halma::evaluation::Evaluation;
use halma::playout::{Average, MAX_CAP, Move, MoveTable, Parts, Playout, Simulation, goes_on, highest};
use halma::support::parameters::{Named, number, whole};
use halma::{Game, Play, Position, Value};
use halma_lab::Lab;
use std::process::ExitCode;

halma::parameters! {
    /// The parameters of the policy: name, type, default, range with a step for tuning, and meaning.
    pub struct OwnParameters;
    cap: u64 = 2, whole(0, MAX_CAP, 2), "plies of a playout before the evaluation";
    epsilon: f32 = 0.4, number(0.0, 1.0, 0.1), "how often a play is random";
    unknown: f32 = -1.0, number(-1.0, 1.0, 0.25), "the average assumed for plays never made";
    decay: f32 = 0.4, number(0.0, 1.0, 0.2), "the share of all visits that the next move keeps";
}

/// Both sides make the play whose simulations had the best average result, or a random play.
pub struct Own {
    parameters: OwnParameters,
    evaluation: Box<dyn Evaluation>,
    averages: MoveTable<Play, Average>,
    /// A buffer for the averages of legal plays.
    ratings: Vec<f32>,
}

impl Playout<Position> for Own {
    fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        if !goes_on(position, simulation, self.parameters.cap, 0) {
            return None;
        }
        let (plays, random) = simulation.legal_plays(position);
        // A side without a legal play ends the playout.
        plays.first()?;
        let other = random.below(plays.len());
        if random.happens(self.parameters.epsilon) {
            return Some(plays[other]);
        }
        let player = position.to_move();
        self.ratings.clear();
        self.ratings.extend(plays.iter().map(|&play| {
            let average = self.averages[Move { player, play }];
            if average.visits > 0.0 { average.mean } else { self.parameters.unknown }
        }));
        Some(plays[highest(&self.ratings, other, random)])
    }

    fn evaluate(&mut self, end: &Position, _: &mut Simulation<Play>) -> Value {
        self.evaluation.value(end, end.to_move())
    }

    fn learns(&mut self) -> bool {
        true
    }

    fn learn(&mut self, simulation: &Simulation<Play>) {
        for &made in simulation.moves() {
            self.averages[made].add(simulation.value_for(made.player));
        }
    }

    fn new_search(&mut self, _: &Position) {
        self.averages.for_each(|average| average.decay(self.parameters.decay));
    }

    fn new_game(&mut self) {
        self.averages.clear();
    }
}

impl Named for Own {
    const NAME: &'static str = "own";
    const ABOUT: &'static str = "the play whose simulations had the best average result";
    type Parameters = OwnParameters;
    type Context = Parts;

    fn build(parameters: OwnParameters, parts: Parts) -> Result<Own, SpecError> {
        let (evaluation, averages) = (parts.evaluation()?, MoveTable::new());
        Ok(Own { parameters, evaluation, averages, ratings: Vec::new() })
    }
}

fn main() -> ExitCode {
    Lab::new().playout::<Own>().run()
}
