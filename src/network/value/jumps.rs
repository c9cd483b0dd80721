//! Input features for jumps: how far each side can jump forward.
//!
//! A single hidden layer can't follow chains of jumps, and a long chain can decide the game.

use crate::game::Player;
use crate::network::seen_by;
use crate::rules::{ForwardJumps, FurthestJump};
use std::iter::zip;
use std::ops::Range;

/// The number of jump lengths: 0 if there is no jump, else [`FurthestJump::diagonals`].
const LENGTHS: usize = 15;
/// The number of values that a jump's start or landing can have: 256 squares, and one for no jump.
const PLACES: usize = 257;
/// The number of features of a side: the length, start and landing of its furthest jump, and the jump lengths of the
/// other parity classes.
const PER_SIDE: usize = OTHERS + LENGTHS;
/// A side's first feature for the other classes' lengths.
const OTHERS: usize = LENGTHS + 2 * PLACES;
/// The number of inputs for jumps: those for the viewer's jumps, then those for the opponent's.
pub const JUMP_FEATURES: usize = 2 * PER_SIDE;
/// The number of active features of a side: one of each kind, except three for the lengths of the other classes, which
/// may coincide.
const INPUTS_PER_SIDE: usize = 6;
/// The number of active features in a view.
pub const JUMP_INPUTS: usize = 2 * INPUTS_PER_SIDE;

/// Ranges of features, one for each of the [`JUMP_INPUTS`] active features. The range for the lengths of the other
/// classes occurs three times for each side.
pub(super) fn jump_groups() -> impl Iterator<Item = Range<usize>> {
    let starts = [0, LENGTHS, LENGTHS + PLACES, OTHERS, OTHERS, OTHERS];
    let sizes = [LENGTHS, PLACES, PLACES, LENGTHS, LENGTHS, LENGTHS];
    let groups =
        move |first: usize| zip(starts, sizes).map(move |(start, size)| first + start..first + start + size);
    [0, PER_SIDE].into_iter().flat_map(groups)
}

/// The active features seen by `view`: the viewer's six, then the opponent's. `jumps` is indexed by [`Player::index`].
///
/// The six are the length, start and landing of the furthest jump, and the lengths in the other three parity classes.
#[inline(always)]
pub fn jump_features(jumps: &[ForwardJumps; 2], view: Player) -> [[usize; INPUTS_PER_SIDE]; 2] {
    let of = |side: Player, first: usize| {
        let ForwardJumps { furthest, others: [a, b, c] } = jumps[side.index()];
        let (length, from, to) = match furthest {
            Some(FurthestJump { from, to, diagonals }) => {
                (diagonals as usize, seen_by(view, from), seen_by(view, to))
            }
            None => (0, PLACES - 1, PLACES - 1),
        };
        let (places, others) = (first + LENGTHS, first + OTHERS);
        let [a, b, c] = [others + usize::from(a), others + usize::from(b), others + usize::from(c)];
        [first + length, places + from, places + PLACES + to, a, b, c]
    };
    [of(view, 0), of(view.opponent(), PER_SIDE)]
}

/// The number of [`length_pair`]s: two kinds for each side.
pub(super) const LENGTH_PAIRS: usize = 2 * 2 * LENGTHS * LENGTHS;

/// The two length features of a pair, whose rows an evaluation adds as one precomputed sum. For each side, the length of
/// the furthest jump is paired with the first of the other three lengths, and the second of these with the third.
pub(super) const fn length_pair(number: usize) -> [usize; 2] {
    let (kind, first, second) = (number / LENGTHS / LENGTHS, number / LENGTHS % LENGTHS, number % LENGTHS);
    let side = kind / 2 * PER_SIDE;
    let others = side + OTHERS;
    [if kind.is_multiple_of(2) { side } else { others } + first, others + second]
}

/// A side's [`jump_features`] as four rows instead of six.
#[derive(Clone, Copy, Debug)]
pub(super) struct InPairs {
    /// The numbers of the side's [`length_pair`]s.
    pub lengths: [usize; 2],
    /// The features for the start and the landing of the furthest jump.
    pub places: [usize; 2],
}

/// Both sides' [`jump_features`] in pairs.
#[inline(always)]
pub(super) fn in_pairs(features: [[usize; INPUTS_PER_SIDE]; 2]) -> [InPairs; 2] {
    [0, 1].map(|side| {
        let [length, from, to, a, b, c] = features[side];
        let first = side * PER_SIDE;
        let others = first + OTHERS;
        let pair = |kind: usize, one: usize, two: usize| ((2 * side + kind) * LENGTHS + one) * LENGTHS + two;
        let lengths = [pair(0, length - first, a - others), pair(1, b - others, c - others)];
        InPairs { lengths, places: [from, to] }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::test_games::forward_games;
    use crate::rules::{Rules, forward_jumps};

    #[test]
    fn each_group_has_one_active_feature_and_pairs_cover_the_lengths() {
        assert_eq!(jump_groups().count(), JUMP_INPUTS);
        assert!((0..JUMP_FEATURES).all(|input| jump_groups().any(|group| group.contains(&input))));
        for position in forward_games(3, 100, Rules::Addendum) {
            for view in Player::BOTH {
                let features = jump_features(&forward_jumps(&position), view);
                let mut in_groups = zip(features.as_flattened(), jump_groups());
                assert!(in_groups.all(|(input, group)| group.contains(input)), "{position}");
                for (InPairs { lengths: [one, two], places: [from, to] }, all) in
                    zip(in_pairs(features), features)
                {
                    let ([length, a], [b, c]) = (length_pair(one), length_pair(two));
                    assert_eq!([length, from, to, a, b, c], all, "{position}");
                }
            }
        }
    }
}
