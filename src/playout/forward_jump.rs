//! Greedy playouts of the whole army.
//!
//! At each ply, the policy moves the piece that can get furthest forward, by a chain of jumps if there is one, else by
//! a step. If no piece can, one outside the goal goes nearer to a hole, or the play is random. [`furthest_jump`] looks
//! at the whole army at once, so no plays are listed, and a few plies show the best jumps of both sides.

use super::roster::Roster;
use super::{MAX_CAP, Parts, Playout, Simulation, goes_on};
use crate::evaluation::Evaluation;
use crate::game::{Game, Value};
use crate::rules::{Play, Position, furthest_jump, furthest_step};
use crate::support::parameters::{Named, whole};
use crate::support::spec::SpecError;

crate::parameters! {
    /// The parameters of [`ForwardJump`].
    pub struct ForwardJumpParameters;
    cap: u64 = 2, whole(0, MAX_CAP, 2),
        "plies of a playout before the evaluation; 4000 plays the whole game";
    leaving: u64 = 4, whole(0, MAX_CAP, 2),
        "extra plies while the side to move must leave its camp";
}

/// Makes the army's furthest forward jump at each ply up to a cap, then evaluates.
pub struct ForwardJump {
    parameters: ForwardJumpParameters,
    evaluation: Box<dyn Evaluation>,
}

impl ForwardJump {
    /// A policy that evaluates the end of each playout with `evaluation`.
    pub fn new(parameters: ForwardJumpParameters, evaluation: Box<dyn Evaluation>) -> ForwardJump {
        ForwardJump { parameters, evaluation }
    }
}

/// The jump, or else the step, that brings a piece furthest forward; `None` if none goes forward. Of equal steps it is
/// the one of the last piece in the order of squares, for both sides.
#[inline]
pub fn furthest_forward(position: &Position) -> Option<Play> {
    let side = position.to_move();
    let (movable, barred) = position.forward_bounds(side);
    if let Some(jump) = furthest_jump(side, movable, position.occupied(), barred) {
        return Some(Play::new(jump.from, jump.to));
    }
    let taken = position.occupied() | barred;
    let steps = movable.into_iter().filter_map(|from| {
        furthest_step(side, from, taken).map(|(to, progress)| (Play::new(from, to), progress))
    });
    steps.max_by_key(|&(_, progress)| progress).map(|(play, _)| play)
}

impl Playout<Position> for ForwardJump {
    fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        if !goes_on(position, simulation, self.parameters.cap, self.parameters.leaving) {
            return None;
        }
        furthest_forward(position)
            .or_else(|| Roster::new(position.pieces(position.to_move())).sideways(position, simulation))
    }

    #[inline]
    fn evaluate(&mut self, end: &Position, _: &mut Simulation<Play>) -> Value {
        self.evaluation.value(end, end.to_move())
    }
}

impl Named for ForwardJump {
    const NAME: &'static str = "forward-jump";
    const ABOUT: &'static str =
        "up to the cap, the furthest forward jump (or step) of the whole army; then the evaluation";
    type Parameters = ForwardJumpParameters;
    type Context = Parts;

    fn build(parameters: ForwardJumpParameters, parts: Parts) -> Result<ForwardJump, SpecError> {
        Ok(ForwardJump::new(parameters, parts.evaluation()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Fitted;
    use crate::rules::{BLACK, Bitboard, Rules, Square, WHITE};

    fn policy(cap: u64, leaving: u64) -> ForwardJump {
        ForwardJump::new(ForwardJumpParameters { cap, leaving }, Box::new(Fitted))
    }

    /// Plays on from `position` and returns the number of plies.
    fn run(policy: &mut ForwardJump, position: &mut Position, seed: u64) -> u64 {
        let mut simulation = Simulation::new(seed);
        policy.play_out(position, &mut simulation);
        simulation.plies()
    }

    #[test]
    fn playouts_are_longer_while_a_side_must_leave_its_camp() {
        let mut policy = policy(2, 4);
        let start = Position::initial(BLACK, Rules::Addendum);
        assert_eq!(run(&mut policy, &mut start.clone(), 1), 6);
        // Under the original rules no side must leave.
        assert_eq!(run(&mut policy, &mut start.with_rules(Rules::Original), 1), 2);
        let mut out = [Bitboard::EMPTY; 2];
        out[BLACK.index()] = Bitboard::EMPTY.with(Square::new(7, 7));
        out[WHITE.index()] = Bitboard::EMPTY.with(Square::new(9, 6));
        let mut out = Position::new(out, BLACK, Rules::Addendum);
        assert_eq!(run(&mut policy, &mut out, 1), 2);
    }
}
