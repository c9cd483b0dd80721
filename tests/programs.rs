//! The two programs, from outside: apart from the engine's tests, for a process that these start begins with
//! the memory of the one that starts it, and one of them looks at how much it takes.

mod homework_attacks;
mod homework_files;
mod homework_game;
mod homework_program;
mod support;
