//! A `lab` with its own playout policy, `own`. Copy this file, change [`Own::choose`](Playout::choose), and compare:
//!
//! ```text
//! cargo run --release -p halma-lab --example own_policy -- match 'mcts(playout=own)' mcts --games 2 --iterations 50
//! ```
//!
//! All commands of `lab` work, and `own(cap=4)` can stand wherever a spec names a policy. Both sides use the same
//! selection, priors and time management, with one exception: this policy draws random numbers, so the search backs
//! up the mean of new siblings and does not favour the best one (`leaf_best`).

use halma::agent::SpecError;
use halma::evaluation::Evaluation;
use halma::playout::{Parts, Playout, Simulation};
use halma::support::parameters::{Named, whole};
use halma::{Game, Play, Position, Value};
use halma_lab::Lab;
use std::process::ExitCode;

halma::parameters! {
    /// The parameters of the policy: name, type, default, range and meaning.
    pub struct OwnParameters;
    cap: u64 = 2, whole(0, 100, 2), "maximum plies of a playout";
}

/// Both sides play at random among the plays of greatest progress.
struct Own {
    parameters: OwnParameters,
    evaluation: Box<dyn Evaluation>,
    /// A buffer for the legal plays.
    plays: Vec<Play>,
}

impl Playout<Position> for Own {
    fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        if simulation.plies() == self.parameters.cap {
            return None;
        }
        position.legal_plays(&mut self.plays);
        let most = self.plays.iter().map(|&play| position.progress(play)).max()?;
        self.plays.retain(|&play| position.progress(play) == most);
        Some(self.plays[simulation.random.below(self.plays.len())])
    }

    fn evaluate(&mut self, end: &Position, _: &mut Simulation<Play>) -> Value {
        self.evaluation.value(end, end.to_move())
    }
}

impl Named for Own {
    const NAME: &'static str = "own";
    const ABOUT: &'static str = "random plays of greatest progress up to the cap, then the evaluation";
    type Parameters = OwnParameters;
    type Context = Parts;

    fn build(parameters: OwnParameters, parts: Parts) -> Result<Own, SpecError> {
        Ok(Own { parameters, evaluation: parts.evaluation()?, plays: Vec::new() })
    }
}

fn main() -> ExitCode {
    Lab::new().playout::<Own>().run()
}
