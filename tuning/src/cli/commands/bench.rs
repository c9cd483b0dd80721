//! `lab bench`: the speed of the engine on this machine, and a checksum of its play.

use crate::bench::checksum;
use crate::bench::measure::Meter;
use crate::bench::positions;
use crate::bench::speed;
use crate::cli::arguments::JobsArgs;
use crate::cli::arguments::strict::StrictArgs;
use crate::play::agents;
use crate::play::time_control::positive_seconds;
use crate::runs::machine;
use anyhow::Result;
use halma::agent::Spec;
use halma::evaluation::Fitted;
use halma::game::Game;
use halma::network::policy::NetworkPrior;
use halma::playout::{Parts, Playout, Simulation};
use halma::rules::{Bitboard, Position};
use halma::support::clock::ThreadClock;
use halma::support::parameters::{Named, Part};
use std::hint::black_box;
use std::io::{Write, stdout};

/// The agents whose speed is measured.
const AGENTS: [&str; 2] = [speed::AGENT, "mcts(playout=forward-jump)"];

/// Iterations of each search per second spent on a figure; more than one second counts as one. With one second, the
/// tree is as large as that of a 0.05 s move.
const ITERATIONS: f64 = 50_000.0;

/// The cap of all playouts, in plies, so that their speeds can be compared: about the length of a forward-jump playout to
/// the end.
const CAP: u64 = 300;

/// Arguments of `lab bench`.
#[derive(clap::Args)]
#[command(mut_arg("jobs", |jobs| jobs.help("Threads of the speed measurement [default: one per core]")))]
pub struct BenchArgs {
    /// CPU seconds to spend on each figure
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = positive_seconds)]
    seconds: f64,
    /// Print only the checksum
    #[arg(long, conflicts_with = "speed")]
    checksum: bool,
    /// Print only the speed, to be passed to --scale-time in a run with the same --jobs
    #[arg(long)]
    speed: bool,
    #[command(flatten)]
    jobs: JobsArgs,
    #[command(flatten)]
    strict: StrictArgs,
}

/// Prints a line `name<TAB>value<TAB>unit` for each figure as soon as it is measured.
pub fn run(args: &BenchArgs) -> Result<()> {
    let mut out = stdout().lock();
    if !args.checksum {
        let mut print = |name: &str, value: f64, unit: &str| -> Result<()> {
            writeln!(out, "{name}\t{value:.0}\t{unit}/s")?;
            Ok(out.flush()?)
        };
        args.strict.warn(&machine::warnings(args.jobs.threads()))?;
        let speed = speed::of_machine(args.jobs.threads(), args.seconds)?;
        print(speed::NAME, speed, "iterations")?;
        if args.speed {
            return Ok(());
        }
        let meter = Meter { clock: &ThreadClock, seconds: args.seconds };
        rules(&meter, &mut print)?;
        playouts(&meter, &mut print)?;
        searches(&meter, &mut print)?;
    }
    let checksum = checksum::text(checksum::of_fixed_searches()?);
    writeln!(out, "checksum\t{checksum}\tfnv-1a")?;
    Ok(())
}

/// Prints a figure: its name, its value per second, and its unit.
type PrintFigure<'a> = dyn FnMut(&str, f64, &str) -> Result<()> + 'a;

/// Measures the rules: sets of destinations, and lists of plays.
fn rules(meter: &Meter, print: &mut PrintFigure) -> Result<()> {
    let positions = positions::from_games();
    let mut plays = Vec::new();
    let sets = meter.rate(|| {
        let mut all = Bitboard::EMPTY;
        for position in &positions {
            black_box(position).for_each_source(|_, to| all |= to);
        }
        black_box(all);
        positions.len() as u64
    });
    print("destination-sets", sets, "positions")?;
    let lists = meter.rate(|| {
        for position in &positions {
            black_box(position).legal_plays(&mut plays);
            black_box(&plays);
        }
        positions.len() as u64
    });
    print("play-lists", lists, "positions")?;
    let listed: usize = positions.iter().map(Position::count_plays).sum();
    print("plays-listed", lists * listed as f64 / positions.len() as f64, "plays")
}

/// Measures playouts of every policy from the initial position, including the time to learn from them. Also measures
/// plies, for policies whose playouts make any.
fn playouts(meter: &Meter, print: &mut PrintFigure) -> Result<()> {
    let registry = agents::registry();
    let start = Position::default();
    for kind in registry.parts(Part::Playout) {
        let mut agent = Spec::of("mcts");
        agent.set("playout", Spec::of(kind.name));
        let mut agent = registry.complete(&agent)?;
        agent.replace("cap", &Spec::of(CAP.to_string()));
        let Some(spec) = agent.get("playout") else { continue };
        let parts = Parts::new(registry.clone(), Spec::of(Fitted::NAME), Spec::of(NetworkPrior::NAME));
        let mut policy = registry.make_playout(spec, parts)?;
        let mut simulation = Simulation::new(1);
        if policy.learns() {
            simulation = simulation.recording();
        }
        policy.new_search(&start);
        let (mut playouts, mut plies) = (0, 0);
        let rate = meter.rate(|| {
            simulation.begin([]);
            let value = black_box(policy.value(black_box(&start), &mut simulation));
            if simulation.is_recording() {
                simulation.end(value, start.to_move());
                policy.learn(&simulation);
            }
            (playouts, plies) = (playouts + 1, plies + simulation.plies());
            1
        });
        print(&format!("playouts/{}", kind.name), rate, "playouts")?;
        if plies > 0 {
            print(&format!("plies/{}", kind.name), rate * plies as f64 / playouts as f64, "plies")?;
        }
    }
    Ok(())
}

/// Measures searches of [`AGENTS`] from a middlegame position, each with a new tree.
fn searches(meter: &Meter, print: &mut PrintFigure) -> Result<()> {
    let iterations = (ITERATIONS * meter.seconds.min(1.0)).max(1.0) as u64;
    for spec in AGENTS {
        print(
            &format!("iterations/{spec}"),
            speed::iterations_per_second(meter, spec, iterations)?,
            "iterations",
        )?;
    }
    Ok(())
}
