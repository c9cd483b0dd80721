//! `lab analyse`: how an agent evaluates a position.

use crate::cli::arguments::BoardArgs;
use crate::figures::diagram::Diagram;
use crate::play::agents;
use crate::play::entrant::is_program;
use crate::play::time_control::{DEFAULT_SECONDS, positive_seconds};
use crate::play::whole_number::whole;
use crate::runs::check_output;
use crate::show::analysis::{Analysis, AnalysisText, picture_of};
use anyhow::{Context, Result, ensure};
use halma::search::Limits;
use halma::support::clock::ProcessClock;
use halma::support::files::replace;
use serde::Serialize;
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Arguments of `lab analyse`.
#[derive(clap::Args)]
pub struct AnalyseArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// Agent, such as 'mcts(c=0.7, playout=static)'
    #[arg(long, value_name = "SPEC", default_value = "mcts")]
    agent: String,
    /// Stop after this many CPU seconds [default: 1 without --iterations]
    #[arg(long, value_name = "S", value_parser = positive_seconds)]
    cpu: Option<f64>,
    /// Stop after this many iterations, which makes the result repeatable
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    iterations: Option<u64>,
    /// Seed of the agent
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
    seed: u64,
    /// Number of plays to list; JSON contains all of them
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<usize>)]
    top: usize,
    /// Print one JSON object with all details
    #[arg(long)]
    json: bool,
    /// Also draw the board, with arrows for the best plays and their shares of visits
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
}

/// What `--json` prints: the question and the answer.
#[derive(Serialize)]
struct Output<'a> {
    /// The name of the file with the position.
    file: &'a str,
    seed: u64,
    cpu_limit: Option<f64>,
    iteration_limit: Option<u64>,
    #[serde(flatten)]
    analysis: &'a Analysis,
}

/// Prints the analysis.
pub fn run(args: &AnalyseArgs) -> Result<()> {
    if let Some(file) = &args.svg {
        let networks =
            args.agent.parse().and_then(|spec| agents::registry().files(&spec)).unwrap_or_default();
        check_output(file, args.board.file().into_iter().chain(networks.iter().map(PathBuf::as_path)))?;
    }
    let position = args.board.load()?;
    let file = args.board.name();
    let cpu = args.cpu.or(args.iterations.is_none().then_some(DEFAULT_SECONDS));
    let limits = Limits { cpu, iterations: args.iterations, ..Limits::default() };
    let to_play = "programs can't be analysed; use 'lab match' or 'lab referee' to play one";
    ensure!(!is_program(&args.agent), "--agent '{}': {to_play}", args.agent);
    let mut agent =
        agents::make(&args.agent, args.seed).with_context(|| format!("--agent '{}'", args.agent))?;
    let (analysis, decision) = match position.winner() {
        Some(winner) => (Analysis::of_finished_game(&args.agent, &position, winner), None),
        None => {
            let decision = agent.decide(&position, &limits, &ProcessClock, None);
            let decision = decision.with_context(|| file.clone())?;
            (Analysis::new(&args.agent, &position, &decision), Some(decision))
        }
    };
    if let Some(file) = &args.svg {
        replace(file, picture_of(&position, decision.as_ref())?.as_bytes())?;
    }
    let mut out = stdout().lock();
    if args.json {
        let (cpu_limit, iteration_limit) = (limits.cpu, limits.iterations);
        let output = Output { file: &file, seed: args.seed, cpu_limit, iteration_limit, analysis: &analysis };
        writeln!(out, "{}", serde_json::to_string_pretty(&output)?)?;
    } else {
        let diagram = Diagram { position: &position, play: decision.map(|decision| decision.play) };
        write!(out, "{diagram}\n{}", AnalysisText { analysis: &analysis, seed: args.seed, top: args.top })?;
    }
    Ok(())
}
