//! Integration tests of the two programs. They are separate from the engine's tests because one of them measures the
//! memory of a program, which includes the memory of the process that starts it.

mod homework_attacks;
mod homework_files;
mod homework_game;
mod homework_program;
mod homework_refusals;
mod support;
