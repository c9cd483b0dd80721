//! `lab stretch`: which of two agents plays a part of the game better.

use super::output::bar_of;
use anyhow::{Result, bail};
use halma::mcts::Limits;
use halma_lab::arguments::{positive_seconds, threads};
use halma_lab::parallel::in_order;
use halma_lab::stretch::advantage::Advantage;
use halma_lab::stretch::duel::{Settings, Table};
use halma_lab::stretch::starts;
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Arguments of `lab stretch`.
#[derive(clap::Args)]
pub struct Args {
    /// The first agent, such as 'mcts(c=0.7)'.
    a: String,
    /// The second agent.
    b: String,
    /// Folders of matches from whose games the positions are taken, as 'lab match --out' leaves them.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    limit: LimitArgs,
    /// The ply after which the stretch begins.
    #[arg(long, value_name = "PLY")]
    from: usize,
    /// How many plies are played from each position.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    plies: u32,
    /// From how many positions; each is played twice.
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Who judges what comes out; may be given more than once.
    #[arg(long, value_name = "AGENT", default_values = ["mcts", "alphabeta"])]
    judge: Vec<String>,
    /// Iterations of a judgement; for alpha-beta, nodes.
    #[arg(long, default_value_t = 50_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    judge_iterations: u64,
    /// The number from which the choice of positions and the agents' seeds follow.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Positions to play at the same time [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

/// What the agents may use: one of these.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct LimitArgs {
    /// CPU seconds for each move; two numbers, as in '0.1,0.01', are A's and B's.
    #[arg(long, value_name = "SECONDS", value_parser = positive_seconds, allow_negative_numbers = true)]
    #[arg(value_delimiter = ',')]
    cpu: Vec<f64>,
    /// Iterations for each move, for alpha-beta nodes: the result is the same on every machine. Two
    /// numbers, as in '8000,2000', are A's and B's.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    iterations: Vec<u64>,
}

impl LimitArgs {
    /// What A may use, and what B.
    fn each(&self) -> Result<[Limits; 2]> {
        let seconds = self.cpu.iter().map(|&seconds| Limits::cpu(seconds));
        let limits: Vec<_> =
            seconds.chain(self.iterations.iter().map(|&count| Limits::iterations(count))).collect();
        match limits[..] {
            [both] => Ok([both; 2]),
            [a, b] => Ok([a, b]),
            _ => bail!("--cpu and --iterations take one number for both agents or two, A's and B's"),
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let settings = Settings {
        agents: [args.a.clone(), args.b.clone()],
        limits: args.limit.each()?,
        plies: args.plies,
        judges: args.judge.clone(),
        judge_iterations: args.judge_iterations,
        seed: args.seed,
    };
    let tables = (0..threads(args.jobs)).map(|_| Table::new(&settings)).collect::<Result<Vec<_>, _>>()?;
    let starts = starts::load(&args.runs, args.from, args.positions as usize, args.seed)?;
    let bar = bar_of("positions", starts.len() as u64);
    let advantages = in_order(&starts, tables, Table::duel, &mut |done| bar.set_position(done));
    bar.finish_and_clear();
    let advantages = advantages.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut out = stdout().lock();
    writeln!(out, "A          {}\nB          {}", args.a, args.b)?;
    let end = args.from + args.plies as usize;
    writeln!(out, "stretch    plies {} to {end}, {} positions, both sides of each", args.from, starts.len())?;
    for (number, judge) in args.judge.iter().enumerate() {
        let as_it_has_them: Vec<f64> = advantages.iter().map(|one| one[number]).collect();
        writeln!(out, "advantage  {} of A by {judge}", Advantage::of(&as_it_has_them))?;
    }
    Ok(())
}
