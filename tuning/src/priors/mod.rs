//! Fitting the weights of the engine's [priors](halma::prior) to plays that a deep search
//! chooses, as a multinomial logistic regression (R. Coulom, "Computing Elo Ratings of Move Patterns
//! in the Game of Go", 2007).
//!
//! [`questions`]: positions of recorded games; [`labels`]: what the search plays there; [`choice`]: that
//! play among the others, as features; [`regression`]: the weights under which these plays are likeliest;
//! [`tables`]: these weights as small whole numbers; [`quality`]: how well they predict.

pub mod choice;
pub mod labels;
pub mod quality;
pub mod questions;
pub mod regression;
pub mod tables;
