//! Boards and plots as pictures.

pub mod diagram;
pub mod drawing;
pub mod plot;
