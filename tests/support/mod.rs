//! Helpers that the tests share.

pub mod agents;
pub mod connect_four;
pub mod endings;
pub mod homework;
pub mod inputs;
pub mod naive;
pub mod networks;
pub mod plays;
pub mod positions;
pub mod program;
pub mod samples;
pub mod searches;
pub mod star_circle_literal;
pub mod tic_tac_toe;
