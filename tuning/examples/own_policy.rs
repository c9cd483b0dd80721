//! A laboratory with a playout policy of its own, called `own`: copy this file, change what
//! [`Own::value`](Playout::value) does, and compare.
//!
//! ```text
//! cargo run --release -p halma-lab --example own_policy -- match 'mcts(playout=own)' mcts --games 2 --iterations 50
//! ```
//!
//! Every command of `lab` is there, and `own(cap=4)` can be said wherever a policy is named. A policy says
//! what a leaf is worth and nothing else: selection, priors and time are the same for both sides. But as this
//! one draws random numbers, the mean of siblings is backed up, where of the opponent's the best counts for more
//! (`leaf_best`).

use halma::evaluation::Evaluation;
use halma::playout::Playout;
use halma::support::parameters::{Named, whole};
use halma::support::random::Random;
use halma::{Game, Play, Position, Value};
use halma_lab::Lab;
use std::process::ExitCode;

halma::parameters! {
    /// What the policy can be told: name, type, default, range and meaning.
    pub struct OwnParameters;
    cap: u64 = 2, whole(0, 100, 2), "plies of a playout before the evaluation speaks";
}

/// Both sides make the play that brings them furthest, whatever the other does.
struct Own {
    parameters: OwnParameters,
    evaluation: Box<dyn Evaluation>,
    /// The legal plays, in a buffer that is used again.
    plays: Vec<Play>,
}

impl Playout<Position> for Own {
    fn value(&mut self, leaf: &Position, random: &mut Random) -> Value {
        let mut position = *leaf;
        for _ in 0..self.parameters.cap {
            if position.outcome().is_some() {
                break;
            }
            position.legal_plays(&mut self.plays);
            let Some(most) = self.plays.iter().map(|&play| position.progress(play)).max() else { break };
            self.plays.retain(|&play| position.progress(play) == most);
            position.play(self.plays[random.below(self.plays.len())]);
        }
        self.evaluation.value(&position, leaf.to_move())
    }
}

impl Named for Own {
    const NAME: &'static str = "own";
    const ABOUT: &'static str = "a play of most progress, any of those, to the cap, then the evaluation";
    type Parameters = OwnParameters;
    type Uses = Box<dyn Evaluation>;

    fn new(parameters: OwnParameters, evaluation: Box<dyn Evaluation>) -> Own {
        Own { parameters, evaluation, plays: Vec::new() }
    }
}

fn main() -> ExitCode {
    Lab::new().playout::<Own>().run()
}
