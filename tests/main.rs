//! Tests of the engine from outside. They are one program, because linking takes longer than running.

mod agent;
mod agent_reports;
mod alphabeta;
mod composed_playouts;
mod game_conformance;
mod halma_properties;
mod halma_rules;
mod homework_text;
mod learned_playouts;
mod mcts;
mod mcts_solver;
mod mcts_tree;
mod minimax;
mod network_files;
mod network_policy;
mod network_value;
mod playout_conformance;
mod playouts;
mod race;
mod race_play;
mod race_values;
mod registry;
mod star_circle;
mod star_circle_text;
mod support;
mod time;
