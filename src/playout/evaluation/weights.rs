//! The weights of the evaluation: written by `lab fit`, not by hand.

use std::ops::Range;

/// The ways at which TRAVEL is known; a side that fills its goal has one of 60.
pub const KNOTS: [i32; 14] = [60, 64, 68, 74, 82, 92, 105, 125, 150, 190, 240, 300, 370, 450];

/// The weights of ways, one for each knot.
pub const TRAVEL: Range<usize> = 0..14;
/// The weights of the rearmost piece's distance, 0…30.
pub const REAR: Range<usize> = 14..45;
/// The weight of the sum of squared distances.
pub const STRAGGLERS: usize = 45;
/// The weight of how far the pieces stand off the diagonal.
pub const CORRIDOR: usize = 46;
/// The weight of being the one to move.
pub const TEMPO: usize = 47;
/// The weights of how many pieces are in the goal, 0…19.
pub const ARRIVED: Range<usize> = 48..68;
/// How many weights there are.
pub const COUNT: usize = 68;

/// The weights, by number.
#[rustfmt::skip]
pub const WEIGHTS: [f32; COUNT] = [
    7.1631, 5.0623, 3.2252, 2.0850, 1.2799, 0.63478, 0.031869, -0.69710,
    -1.4600, -2.4045, -3.1714, -3.6422, -3.9266, -4.1803, 0.000000000, 0.000000000,
    0.000000000, 0.000000000, 0.000000000, 2.3176, 1.7233, 1.4310, 0.98832, 0.81212,
    0.64473, 0.51589, 0.47180, 0.35512, 0.12667, 0.098346, -0.063335, -0.12523,
    -0.24384, -0.33711, -0.36988, -0.45984, -0.58004, -0.64231, -0.69672, -0.89049,
    -0.93179, -0.94759, -1.0073, -1.1001, -1.0894, -0.00039498, -0.018513, 0.084175,
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
];
