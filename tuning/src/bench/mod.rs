//! The speed of this build on fixed positions, and the checksum of its searches.

pub mod checksum;
pub mod measure;
pub mod positions;
pub mod speed;
