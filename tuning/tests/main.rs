//! The laboratory, from outside: one test program, for linking takes longer than running.

mod agent_command;
mod analyse_command;
mod commands;
mod fit_command;
mod match_command;
mod priors_command;
mod progress;
mod provenance;
mod ratings;
mod readme;
mod referee_attacks;
mod referee_command;
mod report_browser;
mod report_command;
mod report_page_attacks;
mod run_extended;
mod run_folder;
mod run_folder_attacks;
mod segment_command;
mod shards;
mod statistics;
mod support;
mod sweep_command;
mod sweep_script;
mod tournament_command;
mod tune_command;
