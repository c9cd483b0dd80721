//! Playouts that follow the agent's prior.
//!
//! At each ply, the policy makes the play that the prior rates highest, the first among equals. After a few plies, the
//! evaluation takes over. The rollouts of AlphaGo (Silver et al., "Mastering the Game of Go with Deep Neural Networks
//! and Tree Search", 2016) also follow a learned policy, but a separate linear one, which is much faster than the
//! policy network; they draw plays at random and go on to the end of the game.

use super::{MAX_CAP, Parts, Playout, Simulation, goes_on};
use crate::evaluation::Evaluation;
use crate::game::{Game, Value};
use crate::prior::BoxedPrior;
use crate::rules::{Play, Position};
use crate::support::parameters::{Named, whole};
use crate::support::spec::SpecError;

crate::parameters! {
    /// The parameters of [`Likeliest`].
    pub struct LikeliestParameters;
    cap: u64 = 2, whole(0, MAX_CAP, 2),
        "plies of a playout before the evaluation; 4000 plays the whole game";
}

/// Makes the play that the prior rates highest at each ply up to a cap, then evaluates.
pub struct Likeliest {
    parameters: LikeliestParameters,
    evaluation: Box<dyn Evaluation>,
    prior: BoxedPrior,
    scores: Vec<i8>,
}

impl Likeliest {
    /// A policy that follows `prior` and evaluates the end of each playout with `evaluation`.
    pub fn new(
        parameters: LikeliestParameters,
        evaluation: Box<dyn Evaluation>,
        prior: BoxedPrior,
    ) -> Likeliest {
        Likeliest { parameters, evaluation, prior, scores: Vec::new() }
    }
}

impl Playout<Position> for Likeliest {
    fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        if !goes_on(position, simulation, self.parameters.cap, 0) {
            return None;
        }
        let (plays, _) = simulation.legal_plays(position);
        self.prior.scores(position, plays, &mut self.scores);
        let best = self.scores.iter().max()?;
        let place = self.scores.iter().position(|score| score == best)?;
        Some(plays[place])
    }

    fn evaluate(&mut self, end: &Position, _: &mut Simulation<Play>) -> Value {
        self.evaluation.value(end, end.to_move())
    }
}

impl Named for Likeliest {
    const NAME: &'static str = "likeliest";
    const ABOUT: &'static str =
        "up to the cap, the play that the agent's prior rates highest; then the evaluation";
    type Parameters = LikeliestParameters;
    type Context = Parts;

    fn build(parameters: LikeliestParameters, parts: Parts) -> Result<Likeliest, SpecError> {
        Ok(Likeliest::new(parameters, parts.evaluation()?, parts.prior()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Fitted;
    use crate::prior::{self, Prior};
    use crate::rules::{BLACK, Rules};

    fn policy<P: Prior<Position> + Send + 'static>(cap: u64, prior: P) -> Likeliest {
        Likeliest::new(LikeliestParameters { cap }, Box::new(Fitted), Box::new(prior))
    }

    /// Plays on from `position` and returns the number of plies.
    fn run(policy: &mut Likeliest, position: &mut Position) -> u64 {
        let mut simulation = Simulation::new(1);
        policy.play_out(position, &mut simulation);
        simulation.plies()
    }

    #[test]
    fn each_play_is_the_first_legal_one_of_highest_score() {
        for rules in [Rules::Addendum, Rules::Original] {
            let (mut one_ply, mut prior) = (policy(1, prior::Fitted::default()), prior::Fitted::default());
            let mut position = Position::initial(BLACK, rules);
            let (mut plays, mut scores) = (Vec::new(), Vec::new());
            for _ in 0..200 {
                if position.outcome().is_some() {
                    break;
                }
                position.legal_plays(&mut plays);
                prior.scores(&position, &plays, &mut scores);
                let place = (0..plays.len()).rev().max_by_key(|&place| scores[place]).expect("a play");
                let mut after = position;
                after.play(plays[place]);
                assert_eq!(run(&mut one_ply, &mut position), 1);
                assert_eq!(position, after);
            }
        }
    }

    #[test]
    fn playouts_stop_at_the_cap() {
        for cap in [0, 1, 2, 7] {
            let mut position = Position::default();
            assert_eq!(run(&mut policy(cap, prior::Progress::default()), &mut position), cap);
            assert_eq!(position.to_move() == Position::default().to_move(), cap % 2 == 0);
        }
    }
}
