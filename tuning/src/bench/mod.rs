//! How fast this build is, on fixed positions, and the checksum of what it plays.

pub mod checksum;
pub mod measure;
pub mod positions;
