//! What every room needs and none owns: random numbers, clocks, memory, parsing, hashing, SIMD, parameter tables.

pub mod clock;
pub(crate) mod hashing;
pub mod memory;
pub mod parameters;
pub mod random;
pub(crate) mod simd;
pub mod text;
