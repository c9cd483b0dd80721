//! The sides of a game: agents in this process, and programs that read `input.txt` and write `output.txt`.
//!
//! An entrant is named by an agent's spec or by `program(COMMAND)`. An [`EntrantSpec`] is parsed once for a match and
//! makes an [`Entrant`] for each game. [`agents::make`] never starts a program, but opens files that a spec names; for
//! untrusted specs see `show/serve/specs.rs`.

use crate::play::agents;
pub use crate::play::programs::{Failure, is_program, own_rules};
use crate::play::programs::{Folder, ProgramPlayer, ProgramSpec};
use crate::play::record::ProgramRun;
use crate::play::time_control::TimeControl;
use anyhow::{Result, bail};
use halma::agent::time::Mode;
use halma::agent::{Agent, Decision, Spec};
use halma::rules::{Play, Position};
use halma::search::Report;
use halma::search::mcts::SavedNode;
use halma::support::clock::{Clock, ThreadClock};

/// A parsed spec of an agent or a program.
#[derive(Clone, Debug)]
pub enum EntrantSpec {
    /// An agent in the registry.
    Agent(Spec),
    /// A program whose executable exists.
    Program(Box<ProgramSpec>),
}

impl EntrantSpec {
    /// Parses `spec`.
    ///
    /// # Errors
    /// `spec` is malformed, or names an unknown agent or a missing program.
    pub fn parse(spec: &str) -> Result<EntrantSpec> {
        if is_program(spec) {
            return Ok(EntrantSpec::Program(Box::new(ProgramSpec::parse(spec)?)));
        }
        let spec: Spec = spec.parse()?;
        agents::registry().make_agent(&spec, 0)?;
        Ok(EntrantSpec::Agent(spec))
    }

    /// The entrant, ready for a game. An agent's randomness follows from `seed`.
    ///
    /// # Errors
    /// A program can't get a folder or a user of its own.
    pub fn entrant(&self, seed: u64) -> Result<Box<dyn Entrant>> {
        Ok(match self {
            EntrantSpec::Agent(spec) => Box::new(agents::registry().make_agent(spec, seed)?),
            EntrantSpec::Program(spec) => {
                Box::new(ProgramPlayer::new(&spec.program, Folder::temporary()?, &spec.sandbox)?)
            }
        })
    }
}

/// The canonical form of `spec`, the same for all spellings of an entrant; `None` if it names none.
pub fn canonical(spec: &str) -> Option<String> {
    if is_program(spec) {
        let ProgramSpec { program, rules, sandbox } = ProgramSpec::parse(spec).ok()?;
        return Some(format!("{:?}", (program.executable(), program.arguments(), rules, sandbox)));
    }
    Some(agents::registry().complete(&spec.parse().ok()?).ok()?.to_string())
}

/// Whether two specs name the same entrant, even if they are spelled differently or its program is not on this machine.
pub fn are_same(one: &str, other: &str) -> bool {
    one == other || canonical(one).is_some_and(|one| canonical(other) == Some(one))
}

/// One side of a game: an agent, or a program.
pub trait Entrant {
    /// Asks for a decision in `position`. A program's play is checked against the position's rules. `limit` is the
    /// time or work that the side has left.
    ///
    /// # Errors
    /// A program can't be started or supervised, or the limit is in iterations.
    fn answer(&mut self, position: &Position, limit: TimeControl) -> Result<Answer>;

    /// At most `max` nodes of the last decision's tree, below the play decided on, each followed by its
    /// descendants. Empty for programs, after races and proofs, and unless the agent reuses its tree.
    fn tree(&self, max: usize) -> Vec<SavedNode<Play>>;
}

/// The answer to a request for a decision.
pub struct Answer {
    /// The decision. A program's play has been checked for legality.
    pub decision: Result<Decision, Failure>,
    /// CPU seconds used.
    pub seconds: f64,
    /// How the program ran; `None` for an agent.
    pub run: Option<ProgramRun>,
}

/// An agent plays on the current thread.
impl Entrant for Box<dyn Agent> {
    fn answer(&mut self, position: &Position, limit: TimeControl) -> Result<Answer> {
        let start = ThreadClock.seconds();
        let decision = self.decide(position, &limit.limits(position), &ThreadClock, None);
        let seconds = ThreadClock.seconds() - start;
        Ok(Answer { decision: decision.map_err(|_| Failure::NoPlay), seconds, run: None })
    }

    fn tree(&self, max: usize) -> Vec<SavedNode<Play>> {
        self.save(max).map_or_else(Vec::new, |game| game.nodes)
    }
}

impl Entrant for ProgramPlayer {
    fn answer(&mut self, position: &Position, limit: TimeControl) -> Result<Answer> {
        let (mode, seconds) = match limit {
            TimeControl::Cpu(seconds) => (Mode::Single, seconds),
            TimeControl::GameTime(left) => (Mode::Game, left),
            TimeControl::Iterations(_) => bail!("programs can't be limited by iterations"),
        };
        let (turn, run) = self.ask(position, mode, seconds)?;
        let decision =
            turn.map(|turn| Decision { play: turn.play(), report: Report::unsearched(turn.play()) });
        Ok(Answer { decision, seconds: run.cpu, run: Some(run) })
    }

    fn tree(&self, _: usize) -> Vec<SavedNode<Play>> {
        Vec::new()
    }
}
