//! The plainest playout: every legal play is as likely as any other.

use super::{Options, Playout, Policy, Random, evaluate, priors};
use crate::game::{Game, Value};
use crate::halma::{Play, Position};

/// Random plays up to a cap of plies, then the evaluation.
///
/// Left to itself such a game of Halma practically never ends, so the cap decides.
#[derive(Clone, Debug)]
pub struct Uniform {
    cap: u32,
    plays: Vec<Play>,
}

impl Playout<Position> for Uniform {
    fn value(&mut self, leaf: &Position, random: &mut Random) -> Value {
        let player = leaf.to_move();
        let mut position = *leaf;
        for _ in 0..self.cap {
            if let Some(outcome) = position.outcome() {
                return outcome.value_for(player);
            }
            position.plays(&mut self.plays);
            if self.plays.is_empty() {
                break;
            }
            position.play(self.plays[random.below(self.plays.len())]);
        }
        evaluate(&position, player)
    }

    #[inline]
    fn promises(&self, position: &Position, plays: &[Play], promises: &mut Vec<i8>) {
        priors::promises(position, plays, promises);
    }

    #[inline]
    fn estimate(&self, leaf: &Position) -> Value {
        evaluate(leaf, leaf.to_move())
    }
}

impl Policy for Uniform {
    const NAME: &'static str = "uniform";
    const ABOUT: &'static str = "all legal plays alike, to the cap, then the evaluation";

    fn new(options: Options) -> Uniform {
        Uniform { cap: options.cap, plays: Vec::new() }
    }
}
