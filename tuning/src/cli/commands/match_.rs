//! `lab match`: two agents by spec string.

use super::output::play_and_print;
use crate::cli::arguments::games::{GamesArgs, RunArgs};
use crate::play::matches::Settings;
use crate::play::whole_number::whole;
use crate::stats::{ERROR, Hypotheses, Scale};
use anyhow::Result;

/// Games of a match that nothing else ends.
const GAMES: u64 = 100;
/// Games after which a match with a sequential test ends undecided.
const MOST_GAMES: u64 = 20_000;

/// Arguments of `lab match`.
#[derive(clap::Args)]
pub struct MatchArgs {
    /// The first agent, such as 'mcts(c=0.5)', or a program, 'program(COMMAND)'.
    a: String,
    /// The second one, such as 'greedy'.
    b: String,
    /// Games to play, rounded up to pairs [default: 100; with --sprt at most 20000]. More of them extend the match that
    /// is in the folder.
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    games: Option<u64>,
    #[command(flatten)]
    play: GamesArgs,
    /// Stop as soon as it is clear whether A is ELO0 or ELO1 points stronger.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// What ELO0 and ELO1 are.
    #[arg(long, value_enum, default_value_t, requires = "sprt", value_name = "SCALE")]
    elo_scale: Scale,
    /// The chance that the test accepts ELO1 if ELO0 is true, above 0 and below 0.5.
    #[arg(long, default_value_t = ERROR, requires = "sprt", value_name = "P", allow_negative_numbers = true)]
    alpha: f64,
    /// The chance that the test accepts ELO0 if ELO1 is true, above 0 and below 0.5.
    #[arg(long, default_value_t = ERROR, requires = "sprt", value_name = "P", allow_negative_numbers = true)]
    beta: f64,
    #[command(flatten)]
    run: RunArgs,
}

impl MatchArgs {
    fn settings(&self) -> Result<Settings> {
        let (scale, alpha, beta) = (self.elo_scale, self.alpha, self.beta);
        let sprt = self.sprt.as_ref();
        let sprt = sprt.map(|elo| Hypotheses { elo0: elo[0], elo1: elo[1], scale, alpha, beta });
        let games = self.games.unwrap_or(if sprt.is_some() { MOST_GAMES } else { GAMES });
        let settings = Settings { sprt, ..self.play.settings(&self.a, &self.b, games)? };
        settings.check()?;
        Ok(settings)
    }
}

/// Runs the command.
pub fn run(args: &MatchArgs) -> Result<()> {
    play_and_print("match", args.settings()?, &args.run, args.run.out.as_deref())
}
