//! Checksums of the results of searches.
//!
//! A change that only makes the engine faster or clearer must not change the checksum. If the checksum changes, the
//! engine plays differently, and the change needs a match. The checksum depends on the plays found and on their visits,
//! values and priors, down to the last bit, but not on the machine or the compiler's flags.

use crate::bench::positions;
use crate::play::agents;
use crate::play::openings::{Opening, Openings};
use crate::play::programs::Program;
use anyhow::{Context, Result};
use halma::agent::{Agent, Decision, SpecError};
use halma::game::{Game, Outcome, Player};
use halma::rules::{Play, Position, Rules};
use halma::search::{Candidate, Limits, Report};
use halma::support::clock::ProcessClock;
use halma::support::fnv::Fnv;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The default agent and variants that cover the other parts of the search.
const SPECS: &[&str] = &[
    "mcts",
    "mcts(playout=forward-jump)",
    "mcts(select=uct, c=1.0)",
    "mcts(playout=sampled-jump(cap=8, sample=5))",
    "mcts(playout=uniform(cap=6))",
    "mcts(c=1.5, fpu=-0.1, prior=fitted(base=1.5), reuse=off)",
];

/// The iterations of each search: enough for a tree of several plies, in a few milliseconds.
const ITERATIONS: u64 = 1500;

/// The checksum of searches by all `SPECS` from positions of all phases. Each agent searches again two plies later, to
/// cover the reuse of its tree.
///
/// # Errors
/// An agent can't be made or finds no play.
pub fn of_fixed_searches() -> Result<u64> {
    let mut hash = Checksum::default();
    for &spec in SPECS {
        for (seed, position) in (1..).zip(positions::of_all_phases()) {
            let mut agent = agents::make(spec, seed)?;
            search_twice(&mut *agent, position, ITERATIONS, &mut hash).with_context(|| spec.to_string())?;
        }
    }
    Ok(hash.0.value())
}

/// An agent that visits more nodes than this multiple of its limit ignores limits, so it searches only one position.
const UNLIMITED: u64 = 10;

/// The checksum of an agent's decisions, each with a limit of `iterations`. `make` makes the agent from a seed.
///
/// # Errors
/// The agent can't be made or finds no play.
pub fn of_agent(make: &dyn Fn(u64) -> Result<Box<dyn Agent>, SpecError>, iterations: u64) -> Result<u64> {
    let mut hash = Checksum::default();
    for (seed, position) in (1..).zip(positions::of_some_phases()) {
        let report = search_twice(&mut *make(seed)?, position, iterations, &mut hash)?;
        if report.visited > UNLIMITED * iterations {
            break;
        }
    }
    Ok(hash.0.value())
}

/// The checksum of a program: of its executable, the files that its arguments name by absolute paths, and the rest of
/// the arguments. `of_file` gives the checksum of each file. The location of the files does not matter.
pub fn of_program(program: &Program, of_file: impl Fn(&Path) -> u64) -> u64 {
    let mut hash = Checksum::default();
    hash.add(of_file(program.executable()));
    for argument in program.arguments() {
        let file = Program::file_of(argument);
        let option =
            file.map_or(argument.as_str(), |path| &argument[..argument.len() - path.as_os_str().len()]);
        if !option.is_empty() {
            hash.add(option.len() as u64);
            hash.0.add(option.as_bytes());
        }
        if let Some(path) = file {
            hash.add(of_file(path));
        }
    }
    hash.0.value()
}

/// The checksum of the file at `path`.
///
/// # Errors
/// The file can't be read.
pub fn of_file(path: &Path) -> Result<u64> {
    let cant_read = || format!("can't read {}", path.display());
    let mut reader = BufReader::new(File::open(path).with_context(cant_read)?);
    let (mut hash, mut length) = (Checksum::default(), 0);
    loop {
        let bytes = reader.fill_buf().with_context(cant_read)?;
        if bytes.is_empty() {
            break;
        }
        hash.0.add(bytes);
        let read = bytes.len();
        length += read as u64;
        reader.consume(read);
    }
    hash.add(length);
    Ok(hash.0.value())
}

/// How many openings the checksum of openings covers.
const OPENINGS: u64 = 10;

/// The checksum of a few of the `openings`.
pub fn of_openings(openings: &Openings) -> u64 {
    let mut hash = Checksum::default();
    for seed in 0..OPENINGS {
        let Opening(plays) = openings.opening(Rules::Addendum, 0, seed);
        plays.iter().for_each(|&play| hash.add_play(play));
    }
    hash.0.value()
}

/// A checksum as text: sixteen hexadecimal digits.
pub fn text(checksum: u64) -> String {
    format!("{checksum:016x}")
}

/// Adds the decisions of `agent` in `position` and two plies later, and returns the report of the first.
fn search_twice(
    agent: &mut dyn Agent,
    mut position: Position,
    iterations: u64,
    hash: &mut Checksum,
) -> Result<Report<Play>> {
    let limits = Limits::iterations(iterations);
    let first = agent.decide(&position, &limits, &ProcessClock, None)?;
    hash.add_decision(&first);
    let line = &first.report.principal_variation;
    line.iter().take(2).for_each(|&play| position.play(play));
    if position.outcome().is_none() {
        hash.add_decision(&agent.decide(&position, &limits, &ProcessClock, None)?);
    }
    Ok(first.report)
}

/// A hash of whole numbers, low byte first.
#[derive(Default)]
struct Checksum(Fnv);

impl Checksum {
    fn add(&mut self, number: u64) {
        self.0.add(&number.to_le_bytes());
    }

    fn add_play(&mut self, play: Play) {
        for square in [play.from, play.to] {
            self.add(u64::from(square.x()));
            self.add(u64::from(square.y()));
        }
    }

    fn add_proof(&mut self, proof: Option<Outcome>) {
        self.add(match proof {
            None => 0,
            Some(Outcome::Draw) => 1,
            Some(Outcome::Win(Player::One)) => 2,
            Some(Outcome::Win(Player::Two)) => 3,
        });
    }

    /// Adds what was found, and the iterations that it took, but neither times nor memory nor why the search ended. A
    /// decision of the race player counts as one more candidate, whose visits are the boards searched.
    fn add_decision(&mut self, decision: &Decision) {
        let report = &decision.report;
        let race = report.race.as_ref().map(|race| Candidate {
            play: decision.play,
            visits: u32::try_from(race.boards).unwrap_or(u32::MAX),
            value: race.value,
            prior: None,
            proof: None,
        });
        let candidates: Vec<_> = race.iter().chain(&report.candidates).collect();
        self.add_play(decision.play);
        self.add(u64::from(report.value.get().to_bits()));
        self.add_proof(report.proof);
        self.add(report.race.as_ref().map_or(report.iterations, |race| race.boards));
        self.add(u64::from(report.reused));
        self.add(report.depth as u64);
        self.add(candidates.len() as u64);
        for candidate in candidates {
            self.add_play(candidate.play);
            self.add(u64::from(candidate.visits));
            self.add(u64::from(candidate.value.get().to_bits()));
            self.add(u64::from(candidate.prior.unwrap_or(1.0).to_bits()));
            self.add_proof(candidate.proof);
        }
        self.add(report.principal_variation.len() as u64);
        report.principal_variation.iter().for_each(|&play| self.add_play(play));
    }
}
