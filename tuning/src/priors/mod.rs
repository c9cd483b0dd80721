//! Fitting the weights of the engine's [priors](halma::prior) to plays that a deep search
//! chooses, as a multinomial logistic regression (R. Coulom, "Computing Elo Ratings of Move Patterns
//! in the Game of Go", 2007).
//!
//! [`questions`]: positions of games that were played; [`labels`]: what the search plays there;
//! [`choice`]: that, as features; [`regression`]: the weights under which these plays are likeliest;
//! [`tables`]: these weights as whole numbers of a handy size; [`quality`]: how well they do.

pub mod choice;
pub mod labels;
pub mod quality;
pub mod questions;
pub mod regression;
pub mod tables;
