//! The weights of the features of plays, in hundredths of a nat, fitted by `lab priors`.

use super::COUNT;

/// The weight of each feature, in the order of [`for_each_feature`](super::for_each_feature):
/// for each phase those of the squares left, of the squares reached, of steps and of jumps by
/// progress; then those of the ranks.
pub static WEIGHTS: [i16; COUNT] = [0; COUNT];
