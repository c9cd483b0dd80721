//! Greedy playouts of a sample of the army.
//!
//! At each ply, the policy draws a few pieces at random and moves the one that can get furthest forward, by a chain of
//! jumps if there is one, else by a step. If no piece can, one outside the goal goes nearer to a hole, or the play is
//! random. In long playouts this is cheaper than looking at the whole army, and it makes the playouts vary.

use super::roster::Roster;
use super::{MAX_CAP, Parts, Playout, Simulation, goes_on};
use crate::evaluation::Evaluation;
use crate::game::{Game, Value};
use crate::rules::{
    FurthestJump, PIECES, Play, Position, Square, furthest_jump_of, furthest_jump_of_four, furthest_step,
};
use crate::support::parameters::{Named, whole};
use crate::support::random::Random;
use crate::support::spec::SpecError;
use std::iter::zip;

crate::parameters! {
    /// The parameters of [`SampledJump`].
    pub struct SampledJumpParameters;
    cap: u64 = 2, whole(0, MAX_CAP, 2),
        "plies of a playout before the evaluation; 4000 plays the whole game";
    leaving: u64 = 4, whole(0, MAX_CAP, 2),
        "extra plies while the side to move must leave its camp";
    sample: u64 = 3, whole(1, PIECES as u64, 1),
        "random pieces considered for each play";
}

/// Makes the furthest forward jump of a few random pieces at each ply up to a cap, then evaluates.
pub struct SampledJump {
    parameters: SampledJumpParameters,
    evaluation: Box<dyn Evaluation>,
    /// The pieces of both sides at the last ply.
    rosters: [Roster; 2],
}

impl SampledJump {
    /// A policy that evaluates the end of each playout with `evaluation`.
    pub fn new(parameters: SampledJumpParameters, evaluation: Box<dyn Evaluation>) -> SampledJump {
        SampledJump { parameters, evaluation, rosters: [Roster::default(); 2] }
    }

    /// The jump, or else the step, that brings a piece of the sample furthest forward. Pieces are drawn until the
    /// sample is full and contains a piece that can go forward; `None` if there is no such piece.
    #[inline]
    fn furthest(
        sample: u64,
        position: &Position,
        roster: &mut Roster,
        random: &mut Random,
    ) -> Option<Advance> {
        let side = position.to_move();
        let occupied = position.occupied();
        let (movable, barred) = position.forward_bounds(side);
        let all_movable = !position.must_leave(side);
        let mut best: Option<Advance> = None;
        let (mut drawn, mut slot) = (0, 0);
        loop {
            // Searching four pieces side by side takes as long as searching two one by one.
            let wanted = sample.saturating_sub(drawn).clamp(1, 4) as usize;
            let (mut slots, mut count) = ([0; 4], 0);
            while count < wanted && slot < roster.len {
                let from = roster.draw(slot, random);
                if all_movable || movable.contains(from) {
                    slots[count] = slot;
                    count += 1;
                }
                slot += 1;
            }
            if count == 0 {
                return best;
            }
            let first = slots[0];
            slots[count..].fill(first);
            let pieces = slots.map(|slot| roster.squares[slot]);
            drawn += count as u64;
            let mut offer = |advance: Advance| {
                if best.is_none_or(|best| advance.gain > best.gain) {
                    best = Some(advance);
                }
            };
            let jump = match count {
                1 => furthest_jump_of(side, pieces[0], occupied, barred).map(|jump| (0, jump)),
                _ => furthest_jump_of_four(side, pieces, occupied, barred),
            };
            if let Some((place, jump)) = jump {
                let FurthestJump { from, to, diagonals } = jump;
                offer(Advance { from, to, slot: slots[place], gain: (diagonals, 0) });
            } else {
                for (&from, &slot) in zip(&pieces, &slots).take(count) {
                    if let Some((to, progress)) = furthest_step(side, from, occupied | barred) {
                        offer(Advance { from, to, slot, gain: (0, progress) });
                    }
                }
            }
            if drawn >= sample && best.is_some() {
                return best;
            }
        }
    }
}

/// A forward play.
#[derive(Clone, Copy, Debug)]
struct Advance {
    from: Square,
    to: Square,
    /// The piece's index in the roster.
    slot: usize,
    /// For a jump, the number of diagonals that it crosses on the board of its parity class; for a step, the columns
    /// plus rows that it gains. The shortest jump is better than any step.
    gain: (u32, i32),
}

impl Playout<Position> for SampledJump {
    #[inline]
    fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        let SampledJumpParameters { cap, leaving, sample } = self.parameters;
        if !goes_on(position, simulation, cap, leaving) {
            return None;
        }
        let side = position.to_move();
        let roster = &mut self.rosters[side.index()];
        // Random numbers pick slots of a roster, so its order must not come from an earlier playout. (Inside a policy
        // that makes the first plies itself, it can.)
        if simulation.plies() < 2 || !roster.holds(position.pieces(side)) {
            *roster = Roster::new(position.pieces(side));
        }
        match SampledJump::furthest(sample, position, roster, &mut simulation.random) {
            Some(Advance { from, to, slot, .. }) => {
                roster.move_to(slot, to);
                Some(Play::new(from, to))
            }
            None => roster.sideways(position, simulation),
        }
    }

    #[inline]
    fn evaluate(&mut self, end: &Position, _: &mut Simulation<Play>) -> Value {
        self.evaluation.value(end, end.to_move())
    }
}

impl Named for SampledJump {
    const NAME: &'static str = "sampled-jump";
    const ABOUT: &'static str =
        "up to the cap, the furthest forward jump (or step) among a few random pieces; then the evaluation";
    type Parameters = SampledJumpParameters;
    type Context = Parts;

    fn build(parameters: SampledJumpParameters, parts: Parts) -> Result<SampledJump, SpecError> {
        Ok(SampledJump::new(parameters, parts.evaluation()?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::forward_jump::furthest_forward;
    use super::*;
    use crate::evaluation::Fitted;
    use crate::rules::{BLACK, Bitboard, Rules, WHITE};

    /// [`SampledJump::furthest`] as its documentation describes it: one piece after the other.
    fn furthest_one_by_one(
        sample: usize,
        position: &Position,
        roster: &mut Roster,
        random: &mut Random,
    ) -> Option<Play> {
        let (side, occupied) = (position.to_move(), position.occupied());
        let (movable, barred) = position.forward_bounds(side);
        let (mut jumps, mut steps, mut drawn) = (Vec::new(), Vec::new(), 0);
        for slot in 0..roster.len {
            let from = roster.draw(slot, random);
            if !movable.contains(from) {
                continue;
            }
            drawn += 1;
            let jump = furthest_jump_of(side, from, occupied, barred);
            jumps.extend(jump.map(|jump| (jump.diagonals, Play::new(from, jump.to))));
            let step = furthest_step(side, from, occupied | barred);
            steps.extend(step.map(|(to, progress)| (progress, Play::new(from, to))));
            if drawn >= sample && !(jumps.is_empty() && steps.is_empty()) {
                break;
            }
        }
        // The first among equals.
        let jump = jumps.into_iter().rev().max_by_key(|&(diagonals, _)| diagonals).map(|(_, play)| play);
        let step = steps.into_iter().rev().max_by_key(|&(progress, _)| progress).map(|(_, play)| play);
        jump.or(step)
    }

    #[test]
    fn pieces_searched_side_by_side_go_as_far_as_one_by_one() {
        let mut random = Random::new(3);
        let (mut jumps, mut steps) = (0, 0);
        for rules in [Rules::Addendum, Rules::Original] {
            for army in [1, 2, 9, 19] {
                for _ in 0..300 {
                    let mut pieces = [(); 2].map(|()| Bitboard::EMPTY);
                    for piece in 0..2 * army {
                        // Pieces near one corner make crowds, long chains, and pieces that must leave their camp.
                        let [x, y] = [(); 2].map(|()| random.below(9) as u8);
                        if !(pieces[0] | pieces[1]).contains(Square::new(x, y)) {
                            pieces[piece % 2] = pieces[piece % 2].with(Square::new(x, y));
                        }
                    }
                    let position = Position::new(pieces, [BLACK, WHITE][random.below(2)], rules);
                    let sample = 1 + random.below(PIECES as usize);
                    let roster = || Roster::new(position.pieces(position.to_move()));
                    let (mut rosters, mut randoms) = ([roster(), roster()], [random.clone(), random.clone()]);
                    let found =
                        SampledJump::furthest(sample as u64, &position, &mut rosters[0], &mut randoms[0]);
                    let play = found.map(|found| Play::new(found.from, found.to));
                    let expected = furthest_one_by_one(sample, &position, &mut rosters[1], &mut randoms[1]);
                    assert_eq!(play, expected, "a sample of {sample} in\n{position}");
                    assert_eq!(rosters[0].squares, rosters[1].squares);
                    assert_eq!(randoms[0], randoms[1]);
                    if let Some(Advance { slot, from, .. }) = found {
                        assert_eq!(rosters[0].squares[slot], from);
                    }
                    let is_jump = play.map(|play| play.is_jump());
                    (jumps, steps) =
                        (jumps + i32::from(is_jump == Some(true)), steps + i32::from(is_jump == Some(false)));
                    random = randoms[0].clone();
                }
            }
        }
        assert!(jumps > 500 && steps > 100, "{jumps} jumps, {steps} steps");
    }

    fn policy(cap: u64, sample: u64) -> SampledJump {
        SampledJump::new(SampledJumpParameters { cap, leaving: 0, sample }, Box::new(Fitted))
    }

    #[test]
    fn the_whole_army_and_a_full_sample_find_the_furthest_jump() {
        let mut random = Random::new(5);
        let mut varied = policy(1, 2);
        let mut position = Position::initial(BLACK, Rules::Original);
        let mut plays = Vec::new();
        for ply in 0..300 {
            position.legal_plays(&mut plays);
            let jumps = plays.iter().filter(|play| play.is_jump());
            let max = jumps.map(|&play| position.progress(play)).filter(|&progress| progress > 0).max();
            let mut roster = Roster::new(position.pieces(position.to_move()));
            let found = SampledJump::furthest(PIECES.into(), &position, &mut roster, &mut random);
            let of_sample = found.map(|advance| Play::new(advance.from, advance.to));
            for play in [of_sample, furthest_forward(&position)] {
                let found = play.map(|play| (play.is_jump(), position.progress(play)));
                match max {
                    Some(max) => assert_eq!(found, Some((true, max))),
                    None => assert!(found.is_none_or(|(is_jump, _)| !is_jump)),
                }
            }
            // Now and then a random play, to reach boards that playouts do not.
            if ply % 5 == 0 {
                position.play(plays[random.below(plays.len())]);
            } else {
                varied.play_out(&mut position, &mut Simulation::new(ply));
            }
        }
    }
}
