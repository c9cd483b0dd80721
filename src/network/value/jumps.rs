//! What the network sees beside the pieces: how far each side could jump forward.
//!
//! One hidden layer can't follow chains of jumps, and whether somebody has a long one at hand decides much.

use crate::game::Player;
use crate::network::seen_by;
use crate::rules::{ForwardJumps, FurthestJump};
use std::iter::zip;
use std::ops::Range;

/// How far a jump goes: 0 if there is none, else [`FurthestJump::diagonals`].
const LENGTHS: usize = 15;
/// Where it starts or lands: 256 squares, or nowhere.
const PLACES: usize = 257;
/// What may be said of one side: the length, the start and the landing of its furthest jump, and the lengths of others.
const OF_A_SIDE: usize = LENGTHS + 2 * PLACES + LENGTHS;
/// Inputs for jumps: those for the own ones, and those for the opponent's.
pub const JUMP_FEATURES: usize = 2 * OF_A_SIDE;
/// How many of them are on for one side: one of each kind, but three of the others' lengths, which may be the same.
const INPUTS_OF_A_SIDE: usize = 6;
/// How many of them are on.
pub const JUMP_INPUTS: usize = 2 * INPUTS_OF_A_SIDE;

/// The ranges of inputs of which exactly one is on, [`JUMP_INPUTS`] in all: that of the others' lengths comes three
/// times a side.
pub(super) fn jump_groups() -> impl Iterator<Item = Range<usize>> {
    let others = LENGTHS + 2 * PLACES;
    let starts = [0, LENGTHS, LENGTHS + PLACES, others, others, others];
    let sizes = [LENGTHS, PLACES, PLACES, LENGTHS, LENGTHS, LENGTHS];
    let groups =
        move |first: usize| zip(starts, sizes).map(move |(start, size)| first + start..first + start + size);
    [0, OF_A_SIDE].into_iter().flat_map(groups)
}

/// The inputs that `jumps`, those of each side by [`Player::index`], switch on, seen by `view`, from 0 to
/// [`JUMP_FEATURES`]: the own furthest jump's length, start and landing, the lengths of the own ones in the other parity
/// classes; then the same of the opponent's.
#[inline(always)]
pub fn jump_features(jumps: &[ForwardJumps; 2], view: Player) -> [[usize; INPUTS_OF_A_SIDE]; 2] {
    let of = |side: Player, first: usize| {
        let ForwardJumps { furthest, others: [a, b, c] } = jumps[side.index()];
        let (length, from, to) = match furthest {
            Some(FurthestJump { from, to, diagonals }) => {
                (diagonals as usize, seen_by(view, from), seen_by(view, to))
            }
            None => (0, PLACES - 1, PLACES - 1),
        };
        let (places, others) = (first + LENGTHS, first + LENGTHS + 2 * PLACES);
        let [a, b, c] = [others + usize::from(a), others + usize::from(b), others + usize::from(c)];
        [first + length, places + from, places + PLACES + to, a, b, c]
    };
    [of(view, 0), of(view.opponent(), OF_A_SIDE)]
}

/// How many [`length_pair`]s there are: two kinds for each side.
pub(super) const LENGTH_PAIRS: usize = 2 * 2 * LENGTHS * LENGTHS;

/// Features of lengths two by two, so that there are fewer rows to add up for a position: of each side the furthest
/// jump's with the first of the others', and the second of these with the third.
pub(super) const fn length_pair(number: usize) -> [usize; 2] {
    let (kind, first, second) = (number / LENGTHS / LENGTHS, number / LENGTHS % LENGTHS, number % LENGTHS);
    let side = kind / 2 * OF_A_SIDE;
    let others = side + LENGTHS + 2 * PLACES;
    [if kind.is_multiple_of(2) { side } else { others } + first, others + second]
}

/// The [`jump_features`] of a side in fewer rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct InPairs {
    /// The numbers of its [`length_pair`]s.
    pub lengths: [usize; 2],
    /// The features that say where the furthest jump starts and lands.
    pub places: [usize; 2],
}

/// The [`jump_features`] of both sides in fewer rows.
#[inline(always)]
pub(super) fn in_pairs(features: [[usize; INPUTS_OF_A_SIDE]; 2]) -> [InPairs; 2] {
    [0, 1].map(|side| {
        let [length, from, to, a, b, c] = features[side];
        let first = side * OF_A_SIDE;
        let others = first + LENGTHS + 2 * PLACES;
        let pair = |kind: usize, one: usize, two: usize| ((2 * side + kind) * LENGTHS + one) * LENGTHS + two;
        let lengths = [pair(0, length - first, a - others), pair(1, b - others, c - others)];
        InPairs { lengths, places: [from, to] }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rules::{BLACK, Position, Rules, forward_jumps};
    use crate::support::random::Random;

    #[test]
    fn one_input_of_each_group_is_on_alone_or_in_a_pair() {
        assert_eq!(jump_groups().count(), JUMP_INPUTS);
        assert!((0..JUMP_FEATURES).all(|input| jump_groups().any(|group| group.contains(&input))));
        let (mut position, mut random) = (Position::initial(BLACK, Rules::Addendum), Random::new(3));
        let mut plays = Vec::new();
        for _ in 0..300 {
            position.legal_plays(&mut plays);
            position.play(plays[random.below(plays.len())]);
            for view in Player::BOTH {
                let features = jump_features(&forward_jumps(&position), view);
                let pairs = zip(features.as_flattened(), jump_groups());
                assert!(pairs.into_iter().all(|(input, group)| group.contains(input)), "{position}");
                for (InPairs { lengths: [one, two], places: [from, to] }, all) in
                    zip(in_pairs(features), features)
                {
                    assert!(one.max(two) < LENGTH_PAIRS);
                    let ([length, a], [b, c]) = (length_pair(one), length_pair(two));
                    assert_eq!([length, from, to, a, b, c], all, "{position}");
                }
            }
        }
    }
}
