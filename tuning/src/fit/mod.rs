//! Fitting the evaluation's weights to the results of games (Texel tuning: P. Österlund, "Texel's
//! Tuning Method", 2014), with the engine's own sigmoid as the link.
//!
//! [`samples`]: positions of recorded games with their results; [`regression`]: the weights under which
//! these results are likeliest. Fitting the [priors](crate::priors) also uses [`games`], which draws
//! positions, and [`source`], which writes weights into the engine's source.

pub mod games;
pub mod regression;
pub mod samples;
pub mod source;
