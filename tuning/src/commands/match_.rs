//! `lab match`: two agents by spec string.

use super::output::{bar_of, print_result};
use anyhow::Result;
use halma_lab::arguments::games::{GamesArgs, RunArgs};
use halma_lab::matches::{Progress, Settings, run as play};
use halma_lab::statistics::{Hypotheses, Scale};
use indicatif::ProgressBar;
use std::io::{IsTerminal, Write};

/// Games of a match that nothing else ends.
const GAMES: u64 = 100;
/// Games after which a match with a sequential test ends undecided.
const MOST_GAMES: u64 = 20_000;
/// At most so many pairs between two lines of progress.
const PAIRS_PER_LINE: u64 = 50;

/// Arguments of `lab match`.
#[derive(clap::Args)]
pub struct Args {
    /// The first agent, such as 'mcts(c=0.5)'.
    a: String,
    /// The second agent, such as 'greedy'.
    b: String,
    /// Games to play, rounded up to pairs [default: 100; with --sprt at most 20000].
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    #[command(flatten)]
    play: GamesArgs,
    /// Stop as soon as it is clear whether A is ELO0 or ELO1 points stronger (errors of 5 %).
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// What ELO0 and ELO1 are.
    #[arg(long, value_enum, default_value_t, requires = "sprt", value_name = "SCALE")]
    elo_scale: Scale,
    #[command(flatten)]
    run: RunArgs,
}

impl Args {
    fn settings(&self) -> Result<Settings> {
        let scale = self.elo_scale;
        let sprt = self.sprt.as_ref().map(|elo| Hypotheses { elo0: elo[0], elo1: elo[1], scale });
        let games = self.games.unwrap_or(if sprt.is_some() { MOST_GAMES } else { GAMES });
        let settings = Settings { sprt, ..self.play.settings(&self.a, &self.b, games)? };
        settings.check()?;
        Ok(settings)
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let settings = args.settings()?;
    let shard = args.run.shard;
    let mut watcher = Watcher::new(shard.games(settings.pairs).count() as u64);
    let tell = &mut |progress: &Progress| watcher.tell(progress);
    let summary = play(&settings, shard, args.run.jobs(), args.run.out.as_deref(), tell)?;
    watcher.bar.finish_and_clear();
    print_result(&summary, args.run.json)
}

/// Shows on standard error how the match goes: a bar on a terminal, else a line now and then.
struct Watcher {
    bar: ProgressBar,
    /// Whether anything has been told.
    begun: bool,
    plain: bool,
    pairs_per_line: u64,
    lines: u64,
}

impl Watcher {
    fn new(games: u64) -> Watcher {
        let bar = bar_of("games", games);
        let pairs_per_line = (games / 20).clamp(1, PAIRS_PER_LINE);
        Watcher { bar, begun: false, plain: !std::io::stderr().is_terminal(), pairs_per_line, lines: 0 }
    }

    fn tell(&mut self, progress: &Progress) {
        let summary = &progress.summary;
        self.bar.set_position(progress.ended);
        if !self.begun {
            // Games of an earlier run say nothing about the time that the others take.
            self.bar.reset_eta();
            self.begun = true;
        }
        self.bar.set_message(summary.in_short());
        let lines = summary.games / 2 / self.pairs_per_line;
        if self.plain && lines > self.lines {
            self.lines = lines;
            // A reader that has gone away is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{} games: {}", summary.games, summary.in_short());
        }
    }
}
