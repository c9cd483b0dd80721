//! The weights of the plain evaluation, fitted to recorded games at commit a42f31d and kept as they are.

use std::ops::Range;

/// The ways, in columns and rows, at which TRAVEL has a weight; a side that fills its goal has a way of 60.
pub const KNOTS: [i32; 14] = [60, 64, 68, 74, 82, 92, 105, 125, 150, 190, 240, 300, 370, 450];

/// The weights of ways, one for each knot.
pub const TRAVEL: Range<usize> = 0..14;
/// The weights of the rearmost piece's distance, 0…30.
pub const REAR: Range<usize> = 14..45;
/// The weight of the sum of squared distances.
pub const STRAGGLERS: usize = 45;
/// The weight of the sum of how far the pieces stand off the diagonal.
pub const CORRIDOR: usize = 46;
/// The weight of being to move.
pub const TEMPO: usize = 47;
/// How many weights there are.
pub const COUNT: usize = 48;

/// The weights, by number.
#[rustfmt::skip]
pub const WEIGHTS: [f32; COUNT] = [
    8.1008, 5.4410, 3.4633, 2.2311, 1.2961, 0.56179, -0.070185, -0.87314,
    -1.6468, -2.6008, -3.3595, -3.8818, -4.2079, -4.4541, 0.000000000, 0.000000000,
    0.000000000, 0.000000000, 0.000000000, 2.2011, 1.5558, 1.3422, 0.99162, 0.91446,
    0.71574, 0.64762, 0.54752, 0.41788, 0.20151, 0.14252, -0.0015688, -0.053357,
    -0.20382, -0.29606, -0.37404, -0.46853, -0.54656, -0.64004, -0.69708, -0.88312,
    -0.97150, -1.0035, -1.1124, -1.1922, -1.2341, -0.00048616, -0.023642, 0.096034,
];
