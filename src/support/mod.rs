//! Foundations of all modules: random numbers, clocks, files, memory, text errors, hashing, SIMD, logarithms and
//! exponentials, spec strings and parameter tables.

pub mod clock;
pub mod files;
pub mod fnv;
pub(crate) mod hashing;
pub(crate) mod math;
pub mod memory;
pub mod parameters;
pub mod random;
pub(crate) mod simd;
pub mod spec;
pub mod text;
