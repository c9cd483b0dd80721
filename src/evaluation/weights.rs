//! The weights of the fitted evaluation, in the unit of its score. `lab fit` of commit a42f31d can refit them.

/// The distance left for a side at each entry of [`TRAVEL`], in columns plus rows: 60 when it fills its goal.
pub const KNOTS: [i32; 14] = [60, 64, 68, 74, 82, 92, 105, 125, 150, 190, 240, 300, 370, 450];

/// The score at each knot.
pub const TRAVEL: [f32; KNOTS.len()] = [
    8.1008, 5.4410, 3.4633, 2.2311, 1.2961, 0.56179, -0.070185, -0.87314, -1.6468, -2.6008, -3.3595, -3.8818,
    -4.2079, -4.4541,
];

/// The score for the rearmost piece, indexed by its distance, 0…30.
pub const REAR: [f32; 31] = [
    0.0, 0.0, 0.0, 0.0, 0.0, 2.2011, 1.5558, 1.3422, 0.99162, 0.91446, 0.71574, 0.64762, 0.54752, 0.41788,
    0.20151, 0.14252, -0.0015688, -0.053357, -0.20382, -0.29606, -0.37404, -0.46853, -0.54656, -0.64004,
    -0.69708, -0.88312, -0.97150, -1.0035, -1.1124, -1.1922, -1.2341,
];

/// The weight of the sum of squared distances.
pub const STRAGGLERS: f32 = -0.00048616;

/// The weight of the sum of the pieces' offsets from the diagonal between the camps.
pub const CORRIDOR: f32 = -0.023642;

/// The value of having the turn.
pub const TEMPO: f32 = 0.096034;
