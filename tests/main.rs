//! The engine and its two programs, from outside: one test program, for linking takes longer than running.

mod agent;
mod budget;
mod deepening;
mod game_conformance;
mod halma_properties;
mod halma_rules;
mod homework_files;
mod homework_game;
mod homework_program;
mod homework_text;
mod mcts;
mod mcts_go_on;
mod mcts_graph;
mod mcts_memory;
mod mcts_solver;
mod mcts_star_circle;
mod minimax;
mod race;
mod race_play;
mod registry;
mod star_circle;
mod star_circle_random;
mod star_circle_text;
mod support;
