//! Fitting the evaluation's weights to the results of games (Texel tuning: P. Österlund, "Texel's
//! Tuning Method", 2014), with the engine's own sigmoid as the link.
//!
//! [`samples`]: positions of games that were played, with how they ended; [`regression`]: the
//! weights under which these ends are likeliest. What fitting the [priors](crate::priors) takes
//! too: [`games`], from which positions are drawn; [`source`]: weights as the engine's source.

pub mod games;
pub mod regression;
pub mod samples;
pub mod source;
