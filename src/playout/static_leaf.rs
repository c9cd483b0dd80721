//! No playout at all: the evaluation of the leaf itself.

use super::{Options, Playout, Policy, Random, evaluate, priors};
use crate::game::{Game, Value};
use crate::halma::{Play, Position};

/// Judges a leaf by [`evaluate`], as it stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Static;

impl Playout<Position> for Static {
    #[inline]
    fn value(&mut self, leaf: &Position, _random: &mut Random) -> Value {
        evaluate(leaf, leaf.to_move())
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

impl Policy for Static {
    const NAME: &'static str = "static";
    const ABOUT: &'static str = "no playout: the evaluation of the leaf itself";

    fn new(_options: Options) -> Static {
        Static
    }
}
