//! `lab match`: two agents or programs play many games.

use super::output::{play_and_print, print_note};
use crate::cli::arguments::games::{GamesArgs, RunArgs};
use crate::play::matches::Settings;
use crate::play::whole_number::whole;
use crate::stats::{ERROR, Hypotheses, Scale};
use anyhow::Result;

/// Arguments of `lab match`.
#[derive(clap::Args)]
pub struct MatchArgs {
    /// First agent, such as 'mcts(c=0.5)', or program, 'program(COMMAND)'
    a: String,
    /// Second agent or program, such as 'greedy'
    b: String,
    /// Games to play, rounded up to pairs [default: 100, or up to 20000 with --sprt]; a larger number extends the
    /// match in the folder
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    games: Option<u64>,
    #[command(flatten)]
    play: GamesArgs,
    /// Stop as soon as the sequential test decides whether A is ELO0 or ELO1 points stronger
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"])]
    sprt: Option<Vec<f64>>,
    /// Unit of ELO0 and ELO1
    #[arg(long, value_enum, default_value_t, requires = "sprt", value_name = "SCALE")]
    elo_scale: Scale,
    /// Probability, between 0 and 0.5, of accepting ELO1 when ELO0 is true
    #[arg(long, default_value_t = ERROR, requires = "sprt", value_name = "P")]
    alpha: f64,
    /// Probability, between 0 and 0.5, of accepting ELO0 when ELO1 is true
    #[arg(long, default_value_t = ERROR, requires = "sprt", value_name = "P")]
    beta: f64,
    #[command(flatten)]
    run: RunArgs,
}

impl MatchArgs {
    fn settings(&self) -> Result<Settings> {
        let (scale, alpha, beta) = (self.elo_scale, self.alpha, self.beta);
        let sprt = self.sprt.as_ref();
        let sprt = sprt.map(|elo| Hypotheses { elo0: elo[0], elo1: elo[1], scale, alpha, beta });
        let games = self.games.unwrap_or_else(|| Settings::default_games(sprt.is_some()));
        let settings = Settings { sprt, ..self.play.settings(&self.a, &self.b, games)? };
        settings.check()?;
        Ok(settings)
    }
}

/// Plays the match.
pub fn run(args: &MatchArgs) -> Result<()> {
    let (settings, shard) = (args.settings()?, args.run.shard);
    shard.check(&settings)?;
    if settings.sprt.is_some() && !shard.is_whole() {
        print_note(format_args!(
            "note: a shard does not stop early: it plays all its {} games, and 'lab merge' applies the sequential test",
            shard.count_games(settings.pairs)
        ));
    }
    play_and_print("match", settings, &args.run, args.run.out.as_deref())
}
