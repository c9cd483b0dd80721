//! The program `lab`, and how to make one that knows agents and parts of one's own.

use super::commands;
use crate::cli::commands::output::print_note;
use crate::play::agents;
use crate::play::programs::supervise;
use anyhow::Result;
use clap::{Parser, Subcommand};
use halma::agent::Registry;
use halma::playout::{Parts, Playout};
use halma::rules::Position;
use halma::support::parameters::Named;
use std::io;
use std::process::ExitCode;

/// The program `lab`, which can know agents and parts from outside the engine.
///
/// `tuning/examples/own_policy.rs` is a complete one with its own playout policy.
#[derive(Default)]
pub struct Lab {
    registry: Registry,
}

impl Lab {
    /// A laboratory with the agents and parts of the engine.
    pub fn new() -> Lab {
        Lab::default()
    }

    /// A laboratory with the agents and parts of `registry`.
    pub fn with(registry: Registry) -> Lab {
        Lab { registry }
    }

    /// Adds a playout policy, for `mcts(playout=NAME)`.
    #[must_use]
    pub fn playout<T: Playout<Position> + Named<Context = Parts> + Send>(self) -> Lab {
        Lab::with(self.registry.playout::<T>())
    }

    /// Runs the command that the program was started with. What is wrong goes to standard error; then the
    /// status is 2.
    pub fn run(self) -> ExitCode {
        agents::install(self.registry);
        let cli = Cli::parse();
        match run(cli.command) {
            Ok(code) => code,
            // Whoever reads has seen enough: `lab moves FILE | head`.
            Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
            Err(error) => {
                print_note(format_args!("lab: {error:#}"));
                ExitCode::from(2)
            }
        }
    }
}

/// The laboratory around the Halma engine.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// A page in the browser: play against the engine, watch it think, look into runs.
    Serve(commands::serve::ServeArgs),
    /// Two agents play a match: Elo with error bars, a sequential test.
    Match(commands::match_::MatchArgs),
    /// Each of several agents plays each other one: a table of ratings.
    Tournament(commands::tournament::TournamentArgs),
    /// Puts the shards of a run together.
    Merge(commands::merge::MergeArgs),
    /// The games of a run as PGN, for programs that compute ratings, or as CSV, for pandas and others.
    Export(commands::export::ExportArgs),
    /// A grid over one or two parameters: a table and plots with error bars, and the best setting.
    Sweep(commands::sweep::SweepArgs),
    /// Tunes several parameters at once by many small matches (SPSA).
    Tune(commands::tune::TuneArgs),
    /// What a spec can name: agents, playout policies, priors, evaluations, with their parameters.
    Agents(commands::agents::AgentsArgs),
    /// Any agent as a program: reads input.txt in the current folder, writes output.txt.
    Agent(commands::agent::AgentArgs),
    /// Two programs play each other through input.txt and output.txt, by the clock.
    Referee(commands::referee::RefereeArgs),
    /// The course's grading of a program: single moves, and games against the reference minimax.
    Grade(commands::grade::GradeArgs),
    /// Runs programs for a referee, who starts it.
    #[command(hide = true)]
    Supervise(SuperviseArgs),
    /// Every legal play of the position in an input.txt, one a line.
    Moves(commands::moves::MovesArgs),
    /// How many lines of play there are, by depth.
    Perft(commands::perft::PerftArgs),
    /// The search's view of a position: plays, visits, values, principal variation.
    Analyse(commands::analyse::AnalyseArgs),
    /// What is in a network: where it comes from, its weights, its opinion of the sample boards.
    Network(commands::network::NetworkArgs),
    /// Which of two agents plays a part of the game better: an advantage with its error bar.
    Segment(commands::segment::SegmentArgs),
    /// One page for a run, a folder of runs or a referee's log: results, plots, replays.
    Report(commands::report::ReportArgs),
    /// Speed figures of this machine, and the checksum of fixed searches.
    Bench(commands::bench::BenchArgs),
}

#[derive(clap::Args)]
struct SuperviseArgs {
    /// The referee's process.
    #[arg(long)]
    referee: i32,
}

fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Serve(args) => commands::serve::run(&args),
        Command::Match(args) => commands::match_::run(&args),
        Command::Tournament(args) => commands::tournament::run(&args),
        Command::Merge(args) => commands::merge::run(&args),
        Command::Export(args) => commands::export::run(&args),
        Command::Sweep(args) => commands::sweep::run(&args),
        Command::Tune(args) => commands::tune::run(&args),
        Command::Agents(args) => commands::agents::run(&args),
        Command::Agent(args) => commands::agent::run(&args),
        Command::Referee(args) => commands::referee::run(&args),
        Command::Supervise(args) => supervise(args.referee),
        Command::Grade(args) => return commands::grade::run(&args),
        Command::Moves(args) => commands::moves::run(&args),
        Command::Perft(args) => commands::perft::run(&args),
        Command::Analyse(args) => commands::analyse::run(&args),
        Command::Network(args) => commands::network::run(&args),
        Command::Segment(args) => commands::segment::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
    }
    .map(|()| ExitCode::SUCCESS)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe)
}
