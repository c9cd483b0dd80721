//! The program `lab`, which can be built with agents and parts of your own.

use super::arguments::negative_numbers_are_values;
use super::arguments::strict::Warned;
use super::commands::{self, output::print_note};
use crate::play::agents;
use crate::play::programs::supervise;
use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use halma::agent::Registry;
use halma::playout::{Parts, Playout};
use halma::rules::Position;
use halma::support::parameters::Named;
use std::io;
use std::process::ExitCode;

/// The program `lab`, optionally with agents and parts from outside the engine.
///
/// This is a complete `lab` in which all commands know `mcts(playout=first)`. `tuning/examples/own_policy.rs` is one
/// whose policy has parameters and learns.
///
/// ```no_run
/// use halma::agent::SpecError;
/// use halma::evaluation::Evaluation;
/// use halma::playout::{Parts, Playout, Simulation};
/// use halma::support::parameters::{Named, NoParameters};
/// use halma::{Game, Play, Position, Value};
///
/// /// Both sides make the first legal play, forty times.
/// struct First(Box<dyn Evaluation>);
///
/// impl Playout<Position> for First {
///     fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
///         let mut plays = Vec::new();
///         position.legal_plays(&mut plays);
///         plays.first().copied().filter(|_| simulation.plies() < 40)
///     }
///
///     fn evaluate(&mut self, end: &Position, _: &mut Simulation<Play>) -> Value {
///         self.0.value(end, end.to_move())
///     }
/// }
///
/// impl Named for First {
///     const NAME: &'static str = "first";
///     const ABOUT: &'static str = "the first legal play, forty times, then the evaluation";
///     type Parameters = NoParameters;
///     type Context = Parts;
///
///     fn build(_: NoParameters, parts: Parts) -> Result<First, SpecError> {
///         Ok(First(parts.evaluation()?))
///     }
/// }
///
/// fn main() -> std::process::ExitCode {
///     halma_lab::Lab::new().playout::<First>().run()
/// }
/// ```
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

    /// Runs the command given on the command line. An error is printed to standard error, and the exit status is 2;
    /// it is 3 if a warning stops a command under `--strict`.
    pub fn run(self) -> ExitCode {
        agents::install(self.registry);
        let matches = negative_numbers_are_values(Cli::command()).try_get_matches();
        let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
            Ok(cli) => cli,
            // clap's own exit would hide that the help could not be written.
            Err(error) => {
                return match error.print() {
                    Err(unwritten) if unwritten.kind() != io::ErrorKind::BrokenPipe => {
                        print_note(format_args!("{}: can't print: {unwritten}", agents::program_name()));
                        ExitCode::from(2)
                    }
                    _ => ExitCode::from(error.exit_code() as u8),
                };
            }
        };
        // Only a complete grade can be a full score.
        let unread =
            if matches!(cli.command, Command::Grade(_)) { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        match run(cli.command) {
            Ok(code) => code,
            // The reader has closed the pipe, as in `lab moves FILE | head`.
            Err(error) if is_broken_pipe(&error) => unread,
            Err(error) => {
                let status = if error.is::<Warned>() { 3 } else { 2 };
                print_note(format_args!("{}: {error:#}", agents::program_name()));
                ExitCode::from(status)
            }
        }
    }
}

/// Matches, tuning, analysis and reports for the Halma engine
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve a web page to play against the engine, watch it think, and browse runs
    Serve(commands::serve::ServeArgs),
    /// Play against the engine in this terminal
    Play(commands::play::PlayArgs),
    /// Play a match between two agents: Elo with error bars, optional sequential test
    Match(commands::match_::MatchArgs),
    /// Play a round robin or a gauntlet of several agents: a table of ratings
    Tournament(commands::tournament::TournamentArgs),
    /// Combine the shards of a run
    Merge(commands::merge::MergeArgs),
    /// Export the games of a run as PGN or CSV
    Export(commands::export::ExportArgs),
    /// Sweep one or two parameters: a table, plots with error bars, and the best setting
    Sweep(commands::sweep::SweepArgs),
    /// Tune several parameters at once by many small matches (SPSA)
    Tune(commands::tune::TuneArgs),
    /// List agents, playout policies, priors and evaluations with their parameters
    Agents(commands::agents::AgentsArgs),
    /// Run an agent as a program: read input.txt in the current folder, write output.txt
    Agent(commands::agent::AgentArgs),
    /// Let two programs play each other through input.txt and output.txt
    Referee(commands::referee::RefereeArgs),
    /// Grade a program as the course does: single moves, and games against a reference minimax
    Grade(commands::grade::GradeArgs),
    /// Run programs for a referee
    #[command(hide = true)]
    Supervise(SuperviseArgs),
    /// List the legal plays of a position
    Moves(commands::moves::MovesArgs),
    /// Count lines of play by depth
    Perft(commands::perft::PerftArgs),
    /// Analyse a position: best plays, visits, values, principal variation
    Analyse(commands::analyse::AnalyseArgs),
    /// Describe a network: its origin, weights, and values of sample boards
    Network(commands::network::NetworkArgs),
    /// Compare two agents on one part of the game
    Segment(commands::segment::SegmentArgs),
    /// Write one HTML page about a run, a folder of runs or a referee's log: results, plots, replays
    Report(commands::report::ReportArgs),
    /// Measure speed on this machine, and print a checksum of fixed searches
    Bench(commands::bench::BenchArgs),
}

#[derive(clap::Args)]
struct SuperviseArgs {
    /// Process id of the referee
    #[arg(long)]
    referee: i32,
}

fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Serve(args) => commands::serve::run(&args),
        Command::Play(args) => commands::play::run(&args),
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
