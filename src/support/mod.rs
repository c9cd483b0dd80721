//! What every room needs and none owns: random numbers, clocks, memory, parsing, hashing, SIMD, spec strings,
//! parameter tables.

pub mod clock;
pub mod fnv;
pub(crate) mod hashing;
pub mod memory;
pub mod parameters;
pub mod random;
pub(crate) mod simd;
pub mod spec;
pub mod text;
