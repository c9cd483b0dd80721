//! `lab tournament`: several agents, each against each.

use super::output::{bar_of_games, print_result};
use anyhow::Result;
use halma_lab::arguments::games::{GamesArgs, RunArgs};
use halma_lab::tournament::{Progress, Tournament, run as play};
use std::io::{IsTerminal, Write, stderr};

/// Arguments of `lab tournament`.
#[derive(clap::Args)]
pub struct Args {
    /// The agents, such as mcts 'mcts(playout=static)' greedy: two or more.
    #[arg(required = true, num_args = 2.., value_name = "SPEC")]
    agents: Vec<String>,
    /// Games of every two agents, rounded up to pairs.
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    #[command(flatten)]
    play: GamesArgs,
    #[command(flatten)]
    run: RunArgs,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let tournament = Tournament::new(args.agents.clone(), args.play.settings("", "", args.games)?)?;
    let RunArgs { out, shard, json, .. } = &args.run;
    let pairings = tournament.pairings();
    let games_of_each = shard.games(tournament.pairs()).count() as u64;
    let bar = bar_of_games(games_of_each * pairings.len() as u64, 0);
    let plain = !stderr().is_terminal();
    let standings = play(&tournament, *shard, args.run.jobs(), out.as_deref(), &mut |progress| {
        let Progress { games, current, summary, ended } = progress;
        let line = format!("{}: {}", current.folder(), summary.in_short());
        bar.set_position(*games);
        if plain && *ended {
            // A reader that has gone away is no reason to stop.
            let _ = writeln!(stderr(), "{line}");
        }
        bar.set_message(line);
    })?;
    bar.finish_and_clear();
    print_result(&standings, *json)
}
