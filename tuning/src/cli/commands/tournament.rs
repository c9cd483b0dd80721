//! `lab tournament`: several agents or programs play a round robin or a gauntlet.

use super::output::{default_folder, play_and_print};
use crate::cli::arguments::games::{GamesArgs, RunArgs};
use crate::play::whole_number::whole;
use crate::runs::experiment::Document;
use crate::runs::tournament::Tournament;
use anyhow::Result;
use std::path::PathBuf;

/// The default number of games between every two agents.
const GAMES: u64 = 100;

/// Arguments of `lab tournament`.
#[derive(clap::Args)]
pub struct TournamentArgs {
    /// Two or more agents or programs, such as mcts 'mcts(playout=static)' 'program(COMMAND)'
    #[arg(required_unless_present = "file", num_args = 1.., value_name = "SPEC")]
    agents: Vec<String>,
    /// TOML file with the whole tournament; tuning/panel.toml is a commented example. Only --games overrides it
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["agents", "gauntlet", "seed", "openings", "max_plies", "rules", "tree_nodes", "cpu", "iterations", "game_time"]
    )]
    file: Option<PathBuf>,
    /// Games of each match, rounded up to pairs [default: 100, or the file's number]
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    games: Option<u64>,
    /// Gauntlet: the first N agents play all the others, but not each other
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    gauntlet: Option<usize>,
    #[command(flatten)]
    play: GamesArgs,
    #[command(flatten)]
    run: RunArgs,
}

/// Plays the tournament.
pub fn run(args: &TournamentArgs) -> Result<()> {
    let tournament = match &args.file {
        Some(file) => Tournament::parse(&Document::read(file)?, args.games)?,
        None => {
            let each = args.play.settings("", "", args.games.unwrap_or(GAMES))?;
            Tournament::new(args.agents.clone(), args.gauntlet, each)?
        }
    };
    let folder = args.run.out.clone().or_else(|| args.file.as_deref().map(default_folder));
    play_and_print("tournament", tournament, &args.run, folder.as_deref())
}
