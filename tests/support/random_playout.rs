//! Uniform random playouts of any game.

use halma::game::{Game, Outcome, Value};
use halma::playout::{Playout, Random};

/// Every legal play alike, to the end.
#[derive(Clone, Copy, Debug)]
pub struct RandomPlayout;

impl<G: Game> Playout<G> for RandomPlayout {
    fn value(&mut self, leaf: &G, random: &mut Random) -> Value {
        let player = leaf.to_move();
        let (mut position, mut plays) = (leaf.clone(), Vec::new());
        loop {
            if let Some(outcome) = position.outcome() {
                return outcome.value_for(player);
            }
            position.plays(&mut plays);
            if plays.is_empty() {
                return Outcome::Win(position.to_move().opponent()).value_for(player);
            }
            position.play(plays[random.below(plays.len())]);
        }
    }
}
