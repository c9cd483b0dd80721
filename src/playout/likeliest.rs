//! Playouts that follow the agent's prior.
//!
//! Each ply makes the play that the prior rates highest, the first among equals. With the policy network, these are
//! rollouts as in "Mastering the Game of Go with Deep Neural Networks and Tree Search" (Silver et al. 2016), except that
//! plays are not drawn at random, and the evaluation takes over after a few plies.

use super::{MAX_CAP, Parts, Playout, play_on};
use crate::game::{Game, Value};
use crate::rules::{Play, Position};
use crate::support::parameters::{Named, whole};
use crate::support::random::Random;
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
    parts: Parts,
    plays: Vec<Play>,
    scores: Vec<i8>,
}

impl Likeliest {
    /// Plays on from `position` up to the cap, and returns the number of plies.
    pub fn run(&mut self, position: &mut Position) -> u32 {
        play_on(position, self.parameters.cap, 0, |position| self.likeliest(position))
    }

    /// The first play of highest score; `None` if there is no legal play.
    fn likeliest(&mut self, position: &Position) -> Option<Play> {
        position.legal_plays(&mut self.plays);
        self.parts.prior.scores(position, &self.plays, &mut self.scores);
        let best = self.scores.iter().max()?;
        let place = self.scores.iter().position(|score| score == best)?;
        Some(self.plays[place])
    }
}

impl Playout<Position> for Likeliest {
    fn value(&mut self, leaf: &Position, _random: &mut Random) -> Value {
        let mut position = *leaf;
        self.run(&mut position);
        self.parts.evaluation.value(&position, leaf.to_move())
    }
}

impl Named for Likeliest {
    const NAME: &'static str = "likeliest";
    const ABOUT: &'static str =
        "the play that the agent's prior rates highest up to the cap, then the evaluation";
    type Parameters = LikeliestParameters;
    type Context = Parts;

    fn build(parameters: LikeliestParameters, parts: Parts) -> Result<Likeliest, SpecError> {
        Ok(Likeliest { parameters, parts, plays: Vec::new(), scores: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Fitted;
    use crate::prior::{self, Prior};
    use crate::rules::{BLACK, Bitboard, Rules, Square, goal};

    fn policy<P: Prior<Position> + Send + 'static>(cap: u64, prior: P) -> Likeliest {
        let parts = Parts { evaluation: Box::new(Fitted), prior: Box::new(prior) };
        Likeliest::build(LikeliestParameters { cap }, parts).expect("it reads no file")
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
                assert_eq!(one_ply.run(&mut position), 1);
                assert_eq!(position, after);
            }
        }
    }

    #[test]
    fn playouts_stop_at_the_cap() {
        for cap in [0, 1, 2, 7] {
            let mut position = Position::default();
            assert_eq!(u64::from(policy(cap, prior::Progress::default()).run(&mut position)), cap);
            assert_eq!(position.to_move() == Position::default().to_move(), cap % 2 == 0);
        }
    }

    #[test]
    fn playouts_stop_when_the_game_is_over() {
        // Black's last piece is a step from the last hole of its goal.
        let (last, before) = (Square::new(11, 14), Square::new(10, 13));
        let mut black = goal(BLACK);
        [last, before].into_iter().for_each(|square| black.toggle(square));
        let white = Bitboard::EMPTY.with(Square::new(5, 5));
        let mut leaf = Position::new([black, white], BLACK, Rules::Addendum);
        let mut policy = policy(7, prior::Progress::default());
        assert_eq!(policy.value(&leaf, &mut Random::new(1)), Value::WIN);
        assert_eq!(policy.run(&mut leaf), 1);
        assert!(leaf.outcome().is_some());
        assert_eq!(policy.run(&mut leaf), 0);
    }
}
