//! How many plays a side still needs, at a glance.

use crate::game::Player;
use crate::halma::Position;

/// How many plays `side` still needs in `position` if nobody is in its way, roughly.
pub fn estimate(position: &Position, side: Player) -> f32 {
    position.tally(side).distance() as f32
}
