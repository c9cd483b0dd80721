//! Learning from games: positions for training, views of trained networks, and segments that compare agents.

pub mod games;
pub mod network;
pub mod segment;
