//! Learning from games: their positions, the networks trained on them, and segments that compare agents.

pub mod games;
pub mod network;
pub mod segment;
