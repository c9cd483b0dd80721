//! `lab match`: two agents by spec string.

use anyhow::{Context, Result};
use halma_lab::matches::{Progress, RulesName, Settings, Shard, Store, TimeControl, run as play};
use halma_lab::openings::Openings;
use halma_lab::statistics::{Hypotheses, Scale};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::thread;

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
    limit: LimitArgs,
    /// The number from which openings and agents' seeds follow.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Where games begin: 'start', 'random:LEAST-MOST' plies (which go forward by and large), or a
    /// file with one opening a line, such as '2,0 4,2; 13,15 11,13'.
    #[arg(long, default_value = "random:4-10", value_name = "OPENINGS")]
    openings: String,
    /// Stop as soon as it is clear whether A is ELO0 or ELO1 points stronger (errors of 5 %).
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// What ELO0 and ELO1 are.
    #[arg(long, value_enum, default_value_t, requires = "sprt", value_name = "SCALE")]
    elo_scale: Scale,
    /// Games to play at the same time [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Where to keep the games; started again with the same arguments, the match goes on there.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Play part I of N of the games only, into a folder of its own; 'lab merge' puts them together.
    #[arg(long, value_name = "I/N", requires = "out", default_value_t)]
    shard: Shard,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    /// A game of so many plies is a draw.
    #[arg(long, default_value_t = 400, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: u32,
    /// The rules of the games.
    #[arg(long, value_enum, default_value_t)]
    rules: RulesName,
}

/// What the agents may use: one of these.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct LimitArgs {
    /// CPU seconds for each move.
    #[arg(long, value_name = "SECONDS")]
    cpu: Option<f64>,
    /// Iterations for each move: the result is the same on every machine.
    #[arg(long, value_name = "N")]
    iterations: Option<u64>,
    /// CPU seconds for each side's whole game, divided by the time plan of 'homework'.
    #[arg(long, value_name = "SECONDS")]
    game_time: Option<f64>,
}

impl Args {
    fn settings(&self) -> Result<Settings> {
        let scale = self.elo_scale;
        let sprt = self.sprt.as_ref().map(|elo| Hypotheses { elo0: elo[0], elo1: elo[1], scale });
        let games = self.games.unwrap_or(if sprt.is_some() { MOST_GAMES } else { GAMES });
        let LimitArgs { cpu, iterations, game_time } = self.limit;
        let limit = cpu
            .map(TimeControl::Cpu)
            .or(iterations.map(TimeControl::Iterations))
            .or(game_time.map(TimeControl::GameTime))
            .context("one of --cpu, --iterations and --game-time is needed")?;
        let settings = Settings {
            a: self.a.clone(),
            b: self.b.clone(),
            pairs: games.div_ceil(2),
            limit,
            seed: self.seed,
            openings: Openings::parse(&self.openings)?,
            sprt,
            max_plies: self.max_plies,
            rules: self.rules,
        };
        settings.check()?;
        Ok(settings)
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let settings = args.settings()?;
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let (mut store, records) = match &args.out {
        Some(folder) => {
            let (store, records) = Store::open(folder, &settings, args.shard)?;
            (Some(store), records)
        }
        None => Default::default(),
    };
    let mut watcher = Watcher::new(args.shard.games(settings.pairs).count() as u64, records.len() as u64);
    let tell = &mut |progress: &Progress| watcher.tell(progress);
    let summary = play(&settings, args.shard, jobs, store.as_mut(), records, tell)?;
    watcher.bar.finish_and_clear();
    if let Some(store) = &store {
        store.write_result(&summary)?;
    }
    let text = if args.json { serde_json::to_string_pretty(&summary)? } else { summary.to_string() };
    writeln!(std::io::stdout(), "{text}").context("can't print the result")
}

/// Shows on standard error how the match goes: a bar on a terminal, else a line now and then.
struct Watcher {
    bar: ProgressBar,
    plain: bool,
    pairs_per_line: u64,
    lines: u64,
}

impl Watcher {
    fn new(games: u64, ended: u64) -> Watcher {
        let bar = ProgressBar::new(games).with_position(ended);
        let style = ProgressStyle::with_template("{bar:32} {pos}/{len} games, {eta} left  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.reset_eta();
        let pairs_per_line = (games / 20).clamp(1, PAIRS_PER_LINE);
        Watcher { bar, plain: !std::io::stderr().is_terminal(), pairs_per_line, lines: 0 }
    }

    fn tell(&mut self, progress: &Progress) {
        let summary = &progress.summary;
        self.bar.set_position(progress.ended);
        self.bar.set_message(summary.in_short());
        let lines = summary.games / 2 / self.pairs_per_line;
        if self.plain && lines > self.lines {
            self.lines = lines;
            // A reader that has gone away is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{} games: {}", summary.games, summary.in_short());
        }
    }
}
