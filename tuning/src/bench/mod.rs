//! The speed of this build on fixed positions, and the checksum of what it plays.

pub mod checksum;
pub mod measure;
pub mod positions;
