//! `lab segment`: compares two agents on one part of the game.

use super::output::Steps;
use crate::cli::arguments::JobsArgs;
use crate::cli::arguments::strict::StrictArgs;
use crate::learn::segment::advantage::Advantage;
use crate::learn::segment::pair::{SegmentPlayer, SegmentSettings};
use crate::learn::segment::starts;
use crate::play::agents;
use crate::play::entrant::is_program;
use crate::play::time_control::{TimeControlArgs, TimeControls};
use crate::play::whole_number::{positive, whole};
use crate::runs::EntrantFiles;
use crate::runs::machine;
use crate::runs::parallel::for_each;
use anyhow::{Result, ensure};
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Arguments of `lab segment`.
#[derive(clap::Args)]
pub struct SegmentArgs {
    /// First agent, such as 'mcts(c=0.7)', or program, 'program(COMMAND)'
    a: String,
    /// Second agent or program
    b: String,
    /// Folders of runs, or folders with runs below them, whose games provide the positions
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    limit: TimeControlArgs,
    /// Ply after which the segment begins
    #[arg(long, value_name = "PLY", value_parser = whole::<usize>)]
    from: usize,
    /// Plies to play from each position
    #[arg(long, value_name = "N", value_parser = positive::<u32>)]
    plies: u32,
    /// Number of positions; each is played twice
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = positive::<u32>)]
    positions: u32,
    /// Agent that evaluates the final positions; can be repeated
    #[arg(long, value_name = "AGENT", default_values = ["mcts", "alphabeta"])]
    evaluator: Vec<String>,
    /// Iterations of each evaluation (nodes for alpha-beta)
    #[arg(long, default_value_t = 50_000, value_name = "N", value_parser = positive::<u64>)]
    evaluator_iterations: u64,
    /// Seed for choosing the positions and for the agents
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u64>)]
    seed: u64,
    #[command(flatten)]
    jobs: JobsArgs,
    #[command(flatten)]
    strict: StrictArgs,
}

/// Plays the segment and prints A's advantage.
pub fn run(args: &SegmentArgs) -> Result<()> {
    let settings = SegmentSettings {
        agents: [args.a.clone(), args.b.clone()],
        limit: args.limit.controls()?,
        plies: args.plies,
        evaluators: args.evaluator.clone(),
        evaluator_iterations: args.evaluator_iterations,
        seed: args.seed,
    };
    let programs = settings.agents.iter().any(|spec| is_program(spec));
    ensure!(
        !programs || !matches!(settings.limit, TimeControls::Iterations(_)),
        "--iterations: a program can't count iterations; use --cpu"
    );
    ensure!(
        !matches!(settings.limit, TimeControls::GameTime(_)),
        "--game-time: a segment is not a whole game; use --cpu or --iterations"
    );
    if settings.limit.is_timed() {
        args.strict.warn(&machine::warnings(args.jobs.threads()))?;
    }
    let specs = settings.agents.iter().chain(&settings.evaluators).map(String::as_str);
    let files = EntrantFiles::of(specs, agents::registry())?;
    let starts = starts::load(&args.runs, args.from, args.positions as usize, args.seed)?;
    let players = 0..args.jobs.threads().min(starts.len());
    let players = players.map(|_| SegmentPlayer::new(&settings)).collect::<Result<Vec<_>, _>>()?;
    let steps = Steps::new("positions", starts.len() as u64);
    let mut advantages = Vec::with_capacity(starts.len());
    let play = |player: &mut SegmentPlayer, (place, start)| Some((place, player.game_pair(start)));
    for_each(starts.iter().enumerate(), players, play, |advantage| {
        advantages.push(advantage);
        steps.step();
    })?;
    steps.finish();
    advantages.sort_unstable_by_key(|&(place, _)| place);
    let advantages = advantages.into_iter().map(|(_, advantage)| advantage).collect::<Result<Vec<_>, _>>()?;
    files.check()?;
    let mut out = stdout().lock();
    writeln!(out, "A          {}\nB          {}", args.a, args.b)?;
    let end = args.from + args.plies as usize;
    writeln!(out, "segment    plies {} to {end}, {} positions, both sides of each", args.from, starts.len())?;
    for (number, evaluator) in args.evaluator.iter().enumerate() {
        let of_evaluator: Vec<f64> = advantages.iter().map(|one| one[number]).collect();
        writeln!(out, "advantage  {} of A by {evaluator}", Advantage::of(&of_evaluator))?;
    }
    Ok(())
}
