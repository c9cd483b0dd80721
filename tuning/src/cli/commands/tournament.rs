//! `lab tournament`: several agents or programs, each against each.

use super::output::{default_folder, play_and_print};
use crate::cli::arguments::games::{GamesArgs, RunArgs};
use crate::play::whole_number::whole;
use crate::runs::experiment::Document;
use crate::runs::tournament::Tournament;
use anyhow::Result;
use std::path::PathBuf;

/// Games of every two agents, if nothing is said.
const GAMES: u64 = 100;

/// Arguments of `lab tournament`.
#[derive(clap::Args)]
pub struct TournamentArgs {
    /// The agents, such as mcts 'mcts(playout=static)' 'program(COMMAND)': two or more.
    #[arg(required_unless_present = "file", num_args = 1.., value_name = "SPEC")]
    agents: Vec<String>,
    /// All of it in a TOML file such as tuning/panel.toml, which explains itself; --games alone overrides it.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["agents", "seed", "openings", "max_plies", "rules", "tree_nodes", "cpu", "iterations", "game_time"]
    )]
    file: Option<PathBuf>,
    /// Games of every two agents, rounded up to pairs [default: 100, or the file's].
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    games: Option<u64>,
    #[command(flatten)]
    play: GamesArgs,
    #[command(flatten)]
    run: RunArgs,
}

/// Runs the command.
pub fn run(args: &TournamentArgs) -> Result<()> {
    let tournament = match &args.file {
        Some(file) => Tournament::parse(&Document::read(file)?, args.games)?,
        None => {
            let each = args.play.settings("", "", args.games.unwrap_or(GAMES))?;
            Tournament::new(args.agents.clone(), each)?
        }
    };
    let folder = args.run.out.clone().or_else(|| args.file.as_deref().map(default_folder));
    play_and_print("tournament", tournament, &args.run, folder.as_deref())
}
