//! `lab analyse`: how an agent evaluates a position.

use crate::cli::arguments::BoardArgs;
use crate::figures::diagram::Diagram;
use crate::play::agents;
use crate::play::entrant::is_program;
use crate::play::time_control::{DEFAULT_SECONDS, positive_seconds};
use crate::play::whole_number::whole;
use crate::runs::check_output;
use crate::show::analysis::{Analysis, AnalysisRequest, AnalysisText, picture_of};
use anyhow::{Context, Result, ensure};
use halma::search::Limits;
use halma::support::clock::ProcessClock;
use halma::support::files::replace;
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

impl AnalyseArgs {
    fn request(&self) -> AnalysisRequest {
        let unlimited = self.cpu.is_none() && self.iterations.is_none();
        AnalysisRequest {
            file: self.board.name(),
            rules: self.board.rules,
            agent: self.agent.clone(),
            seed: self.seed,
            cpu_limit: if unlimited { Some(DEFAULT_SECONDS) } else { self.cpu },
            iteration_limit: self.iterations,
        }
    }
}

/// Prints the analysis.
pub fn run(args: &AnalyseArgs) -> Result<()> {
    if let Some(file) = &args.svg {
        let networks =
            args.agent.parse().and_then(|spec| agents::registry().files(&spec)).unwrap_or_default();
        check_output(file, args.board.file().into_iter().chain(networks.iter().map(PathBuf::as_path)))?;
    }
    let position = args.board.load()?;
    let request = args.request();
    let limits = Limits { cpu: request.cpu_limit, iterations: request.iteration_limit, ..Limits::default() };
    let to_play = "programs can't be analysed; use 'lab match' or 'lab referee' to play one";
    ensure!(!is_program(&args.agent), "--agent '{}': {to_play}", args.agent);
    let mut agent =
        agents::make(&args.agent, args.seed).with_context(|| format!("--agent '{}'", args.agent))?;
    let (analysis, decision) = match position.winner() {
        Some(winner) => (Analysis::of_finished_game(request, &position, winner), None),
        None => {
            let decision = agent.decide(&position, &limits, &ProcessClock, None);
            let decision = decision.with_context(|| request.file.clone())?;
            (Analysis::new(request, &position, &decision), Some(decision))
        }
    };
    if let Some(file) = &args.svg {
        replace(file, picture_of(&position, decision.as_ref())?.as_bytes())?;
    }
    let mut out = stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&analysis)?)?;
    } else {
        let diagram = Diagram { position: &position, play: decision.map(|decision| decision.play) };
        write!(out, "{diagram}\n{}", AnalysisText { analysis: &analysis, top: args.top })?;
    }
    Ok(())
}
