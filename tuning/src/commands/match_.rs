//! `lab match`: two agents by spec string.

use anyhow::Result;
use halma_lab::matches::{
    AgentFigures, MoveLimit, Progress, RulesName, Settings, Store, Summary, run as play,
};
use halma_lab::openings::Openings;
use halma_lab::statistics::{Hypotheses, Verdict};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
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
#[command(group(clap::ArgGroup::new("limit").required(true).args(["cpu", "iterations"])))]
pub struct Args {
    /// The first agent, such as 'mcts(c=0.5)'.
    a: String,
    /// The second agent, such as 'greedy'.
    b: String,
    /// Games to play, rounded up to pairs [default: 100; with --sprt at most 20000].
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// CPU seconds for each move.
    #[arg(long, value_name = "SECONDS")]
    cpu: Option<f64>,
    /// Iterations for each move: the result is the same on every machine.
    #[arg(long, value_name = "N")]
    iterations: Option<u64>,
    /// The number from which openings and agents' seeds follow.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Where games begin: 'start', or 'random:LEAST-MOST' plies that go forward by and large.
    #[arg(long, default_value = "random:4-10", value_parser = parse_openings)]
    openings: Openings,
    /// Stop as soon as it is clear whether A is ELO0 or ELO1 points stronger (errors of 5 %).
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Games to play at the same time [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Where to keep the games; started again with the same arguments, the match goes on there.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
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

impl Args {
    fn settings(&self) -> Settings {
        let sprt = self.sprt.as_ref().map(|elo| Hypotheses { elo0: elo[0], elo1: elo[1] });
        let games = self.games.unwrap_or(if sprt.is_some() { MOST_GAMES } else { GAMES });
        Settings {
            a: self.a.clone(),
            b: self.b.clone(),
            pairs: games.div_ceil(2),
            limit: match (self.cpu, self.iterations) {
                (Some(seconds), _) => MoveLimit::Cpu(seconds),
                (None, iterations) => MoveLimit::Iterations(iterations.unwrap_or_default()),
            },
            seed: self.seed,
            openings: self.openings.clone(),
            sprt,
            max_plies: self.max_plies,
            rules: self.rules,
        }
    }
}

/// Reads the value of `--openings`.
fn parse_openings(text: &str) -> Result<Openings, String> {
    let range = text.strip_prefix("random:").and_then(|range| range.split_once('-'));
    let range = range.and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    match (text, range) {
        ("start", _) => Ok(Openings::Start),
        ("random", _) => Ok(Openings::default()),
        (_, Some((least, most))) if least <= most && most <= 1000 => Ok(Openings::Random { least, most }),
        _ => Err("expected 'start' or 'random:LEAST-MOST', such as random:4-10".to_string()),
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let settings = args.settings();
    settings.check()?;
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let (mut store, records) = match &args.out {
        Some(folder) => {
            let (store, records) = Store::open(folder, &settings)?;
            (Some(store), records)
        }
        None => Default::default(),
    };
    let mut watcher = Watcher::new(&settings, records.len() as u64);
    let summary = play(&settings, jobs, store.as_mut(), records, &mut |progress| watcher.tell(progress))?;
    watcher.bar.finish_and_clear();
    if let Some(store) = &store {
        store.write_result(&summary)?;
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&summary)?);
    } else {
        print!("{}", table(&summary));
    }
    Ok(())
}

/// Shows on standard error how the match goes: a bar on a terminal, else a line now and then.
struct Watcher {
    bar: ProgressBar,
    plain: bool,
    pairs_per_line: u64,
    lines: u64,
}

impl Watcher {
    fn new(settings: &Settings, ended: u64) -> Watcher {
        let bar = ProgressBar::new(settings.games()).with_position(ended);
        let style = ProgressStyle::with_template("{bar:32} {pos}/{len} games, {eta} left  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.reset_eta();
        let pairs_per_line = (settings.pairs / 10).clamp(1, PAIRS_PER_LINE);
        Watcher { bar, plain: !std::io::stderr().is_terminal(), pairs_per_line, lines: 0 }
    }

    fn tell(&mut self, progress: &Progress) {
        let summary = &progress.summary;
        self.bar.set_position(progress.ended);
        self.bar.set_message(running(summary));
        let lines = summary.games / 2 / self.pairs_per_line;
        if self.plain && lines > self.lines {
            self.lines = lines;
            eprintln!("{} games: {}", summary.games, running(summary));
        }
    }
}

/// The running result in a few words.
fn running(summary: &Summary) -> String {
    let Summary { wins, draws, losses, .. } = summary;
    let llr = summary.sprt.map_or(String::new(), |sprt| format!(", LLR {:+.2}", sprt.llr));
    format!("+{wins} ={draws} -{losses}, Elo {}{llr}", elo(summary))
}

/// The Elo difference with its error; of a one-sided match only what it is above or below.
fn elo(summary: &Summary) -> String {
    match (summary.elo, summary.elo_interval) {
        (_, interval) if interval.from.is_infinite() && interval.to.is_infinite() => "unknown".to_string(),
        (_, interval) if interval.to.is_infinite() => format!("above {:+.0}", interval.from),
        (_, interval) if interval.from.is_infinite() => format!("below {:+.0}", interval.to),
        (elo, _) => format!("{elo:+.1} ± {:.1}", summary.elo_error),
    }
}

/// The result as a table for people.
fn table(summary: &Summary) -> String {
    let Summary { a, b, games, wins, draws, losses, .. } = summary;
    let [ll, ld, even, wd, ww] = summary.pairs.counts();
    let mut text = format!(
        "A          {a}\n\
         B          {b}\n\
         games      {games}: A won {wins}, drew {draws}, lost {losses}; score {:.1} %\n\
         Elo        {} (95 %), LOS {:.1} %, normalized Elo {:+.1}\n\
         pairs      {ww} of 2 points, {wd} of 1½, {even} of 1, {ld} of ½, {ll} of 0\n",
        100.0 * summary.score,
        elo(summary),
        100.0 * summary.los,
        summary.normalized_elo,
    );
    if let Some(sprt) = &summary.sprt {
        let (Hypotheses { elo0, elo1 }, (low, high)) = (sprt.hypotheses, sprt.bounds);
        let verdict = match sprt.verdict {
            Verdict::Undecided => "undecided".to_string(),
            Verdict::H0 => format!("{elo0:+} Elo accepted, {elo1:+} rejected"),
            Verdict::H1 => format!("{elo1:+} Elo accepted, {elo0:+} rejected"),
        };
        text += &format!("SPRT       {verdict}: LLR {:+.2} in {low:.2} … {high:+.2}\n", sprt.llr);
    }
    text += &format!(
        "plies      {:.1} a game; {} games drawn at the limit\n",
        summary.mean_plies, summary.ply_limit_games
    );
    text + &figures("A", &summary.agents[0]) + &figures("B", &summary.agents[1])
}

/// One agent's line of the table.
fn figures(name: &str, agent: &AgentFigures) -> String {
    let AgentFigures { iterations_per_second, mean_inherited, illegal_plays, overdrafts, .. } = agent;
    let mean_seconds = agent.seconds / agent.decisions.max(1) as f64;
    format!(
        "{name}          {iterations_per_second:.0} iterations/s, {mean_seconds:.4} s a move, \
         {mean_inherited:.0} visits inherited, {illegal_plays} illegal plays, {overdrafts} overdrafts\n"
    )
}
