//! What games teach: positions drawn from them, what is in a network, and which agent plays a part of the game better.

pub mod games;
pub mod network;
pub mod segment;
