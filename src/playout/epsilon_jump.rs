//! ε-greedy jumps.
//!
//! At each ply, the policy makes the furthest forward jump of the army with probability 1 − ε, as [`ForwardJump`] does,
//! and otherwise draws a play by its progress towards the goal's corner, in columns plus rows:
//!
//! ```text
//! P(a) ∝ exp(progress(a)/τ)
//! ```
//!
//! With a high temperature τ, the draw is nearly uniform. Such playouts are usual in Chinese Checkers, which has the
//! same jumps: Sturtevant, "An Analysis of UCT in Multi-Player Games", 2008; Roschke, Sturtevant, "UCT Enhancements in
//! Chinese Checkers Using an Endgame Database", 2013.

use super::learned::draw;
use super::{ForwardJump, ForwardJumpParameters, MAX_CAP, Parts, Playout, Simulation};
use crate::evaluation::Evaluation;
use crate::game::Value;
use crate::rules::{Play, Position};
use crate::support::parameters::{Named, number, whole};
use crate::support::spec::SpecError;

crate::parameters! {
    /// The parameters of [`EpsilonJump`].
    pub struct EpsilonJumpParameters;
    cap: u64 = 2, whole(0, MAX_CAP, 2),
        "plies of a playout before the evaluation; 4000 plays the whole game";
    leaving: u64 = 4, whole(0, MAX_CAP, 2),
        "extra plies while the side to move must leave its camp";
    epsilon: f32 = 0.1, number(0.0, 1.0, 0.1),
        "how often a play is drawn by its progress";
    temperature: f32 = 2.0, number(0.1, 1000.0, 1.0),
        "temperature of that draw: a low one prefers the most advancing plays, a high one makes all equally likely";
}

/// Makes the army's furthest forward jump with probability 1 − ε, else a play drawn by its progress.
pub struct EpsilonJump {
    parameters: EpsilonJumpParameters,
    jumps: ForwardJump,
    ratings: Vec<f32>,
}

impl EpsilonJump {
    /// A policy that evaluates the end of each playout with `evaluation`.
    pub fn new(parameters: EpsilonJumpParameters, evaluation: Box<dyn Evaluation>) -> EpsilonJump {
        let EpsilonJumpParameters { cap, leaving, .. } = parameters;
        let jumps = ForwardJump::new(ForwardJumpParameters { cap, leaving }, evaluation);
        EpsilonJump { parameters, jumps, ratings: Vec::new() }
    }
}

impl Playout<Position> for EpsilonJump {
    fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        let jump = self.jumps.choose(position, simulation)?;
        if !simulation.random.happens(self.parameters.epsilon) {
            return Some(jump);
        }
        let (plays, random) = simulation.legal_plays(position);
        self.ratings.clear();
        self.ratings.extend(plays.iter().map(|&play| position.progress(play) as f32));
        Some(plays[draw(&mut self.ratings, self.parameters.temperature, random)])
    }

    fn evaluate(&mut self, end: &Position, simulation: &mut Simulation<Play>) -> Value {
        self.jumps.evaluate(end, simulation)
    }
}

impl Named for EpsilonJump {
    const NAME: &'static str = "epsilon-jump";
    const ABOUT: &'static str =
        "mostly the furthest forward jump of the whole army, else a play drawn by its progress";
    type Parameters = EpsilonJumpParameters;
    type Context = Parts;

    fn build(parameters: EpsilonJumpParameters, parts: Parts) -> Result<EpsilonJump, SpecError> {
        Ok(EpsilonJump::new(parameters, parts.evaluation()?))
    }
}
