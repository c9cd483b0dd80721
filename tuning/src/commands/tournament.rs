//! `lab tournament`: several agents, each against each.

use super::output::play_and_print;
use crate::arguments::games::{GamesArgs, RunArgs};
use crate::tournament::Tournament;
use crate::whole_number::whole;
use anyhow::Result;

/// Arguments of `lab tournament`.
#[derive(clap::Args)]
pub struct TournamentArgs {
    /// The agents, such as mcts 'mcts(playout=static)' greedy: two or more.
    #[arg(required = true, num_args = 2.., value_name = "SPEC")]
    agents: Vec<String>,
    /// Games of every two agents, rounded up to pairs.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u64>)]
    games: u64,
    #[command(flatten)]
    play: GamesArgs,
    #[command(flatten)]
    run: RunArgs,
}

/// Runs the command.
pub fn run(args: &TournamentArgs) -> Result<()> {
    let tournament = Tournament::new(args.agents.clone(), args.play.settings("", "", args.games)?)?;
    play_and_print("tournament", &tournament, &args.run, args.run.out.as_deref())
}
