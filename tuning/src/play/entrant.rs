//! Who plays: agents in this process, and programs that speak `input.txt` and `output.txt`.
//!
//! An entrant is named by the spec of an agent or by `program(COMMAND)`: see [`ProgramSpec`]. A program plays as
//! [`lab referee`](crate::play::referee) has it play: in a folder of its own, one process a move, its time and its plays
//! judged by the same code. A spec that comes from somebody else must not start programs: [`agents::make`] knows none.

mod program;

pub use program::{ProgramSpec, SETTINGS};

use crate::play::agents;
use crate::play::referee::{Folder, ProgramFault, ProgramPlayer, with_last_words};
use crate::play::rules_name::RulesName;
use anyhow::{Result, bail, ensure};
use halma::agent::time::{Mode, game_limits};
use halma::agent::{Agent, Decision};
use halma::rules::{Play, Position};
use halma::search::mcts::SavedNode;
use halma::search::{Limits, Report};
use halma::support::clock::{Clock, ThreadClock};

/// Whether `spec` names a program.
pub fn is_program(spec: &str) -> bool {
    ProgramSpec::is_one(spec)
}

/// Whether there is such an entrant.
///
/// # Errors
/// What is wrong with `spec`.
pub fn check(spec: &str) -> Result<()> {
    match is_program(spec) {
        true => ProgramSpec::parse(spec).map(|_| ()),
        false => Ok(agents::make(spec, 0).map(|_| ())?),
    }
}

/// Whether two specs are the same entrant, spelled differently or not.
pub fn are_same(one: &str, other: &str) -> bool {
    match (is_program(one), is_program(other)) {
        (false, false) => agents::are_same(one, other),
        (true, true) => {
            ProgramSpec::parse(one).is_ok_and(|one| ProgramSpec::parse(other).is_ok_and(|other| one == other))
        }
        _ => false,
    }
}

/// By which rules the plays of the entrant `spec` are judged, if these are not the game's.
pub fn own_rules(spec: &str) -> Option<RulesName> {
    if is_program(spec) { ProgramSpec::rules_in(spec) } else { None }
}

/// What the next decision may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MoveLimit {
    /// Iterations, whatever time they take.
    Iterations(u64),
    /// CPU seconds for this decision.
    Move(f64),
    /// CPU seconds for this decision and all others of the game.
    Game(f64),
}

/// Who plays one side of a game.
pub enum Entrant {
    /// An agent in this process, on this thread.
    Agent(Box<dyn Agent>),
    /// A program.
    Program(Box<ProgramPlayer>),
}

/// The result of asking for a decision.
pub struct Answer {
    /// The decision; a program's is legal.
    pub decision: Result<Decision, Failure>,
    /// CPU seconds that it took.
    pub seconds: f64,
}

/// What a program did wrong is told in so many letters at most.
const MOST_LETTERS: usize = 300;

/// Why there is no decision.
pub enum Failure {
    /// An agent found no play.
    NoPlay,
    /// What a program did wrong.
    Program(ProgramFault, String),
}

impl Failure {
    /// In words, if there is more to say than that there is none.
    pub fn detail(&self) -> Option<String> {
        let Failure::Program(fault, stderr) = self else { return None };
        let words = with_last_words(&fault.to_string(), stderr);
        // A program could write what a terminal takes for a command.
        let plain = words.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
        Some(plain.take(MOST_LETTERS).collect())
    }
}

impl Entrant {
    /// The entrant that `spec` names, for one game; what is random in an agent follows from `seed`.
    ///
    /// # Errors
    /// What is wrong with the spec; or a program can't be given what it needs.
    pub fn make(spec: &str, seed: u64) -> Result<Entrant> {
        if !is_program(spec) {
            return Ok(Entrant::Agent(agents::make(spec, seed)?));
        }
        let ProgramSpec { program, confinement, patience, .. } = ProgramSpec::parse(spec)?;
        let player = ProgramPlayer::new(&program, Folder::temporary()?, patience, &confinement)?;
        Ok(Entrant::Program(Box::new(player)))
    }

    /// At most `most` nodes of the last decision's tree, below the play decided on, each followed by its own
    /// descendants; none of who keeps no tree: of programs, after races and proofs, and of other `reuse` than `tree`.
    pub fn tree(&self, most: usize) -> Vec<SavedNode<Play>> {
        match self {
            Entrant::Agent(agent) => agent.save(most).map_or_else(Vec::new, |game| game.nodes),
            Entrant::Program(_) => Vec::new(),
        }
    }

    /// Asks for a decision in `position`, by whose rules a program's play is judged.
    ///
    /// # Errors
    /// A program can't be started or watched; or it is to count iterations.
    pub fn decide(&mut self, position: &Position, limit: MoveLimit) -> Result<Answer> {
        match self {
            Entrant::Agent(agent) => {
                let start = ThreadClock.seconds();
                let decision = agent.decide(position, &limits(position, limit), &ThreadClock, None);
                let seconds = ThreadClock.seconds() - start;
                Ok(Answer { decision: decision.map_err(|_| Failure::NoPlay), seconds })
            }
            Entrant::Program(program) => {
                let (mode, seconds) = match limit {
                    MoveLimit::Move(seconds) => (Mode::Single, seconds),
                    MoveLimit::Game(left) => (Mode::Game, left),
                    MoveLimit::Iterations(_) => {
                        bail!("a program can't be told how many iterations to search")
                    }
                };
                ensure!(seconds > 0.0, "a program is to play with no time left");
                let reply = program.ask(position, mode, seconds)?;
                let decision = match reply.turn {
                    Ok(turn) => Ok(Decision { play: turn.play(), report: Report::unsearched(turn.play()) }),
                    Err(fault) => Err(Failure::Program(fault, reply.stderr)),
                };
                Ok(Answer { decision, seconds: reply.cpu })
            }
        }
    }
}

/// What an agent's search may take. Time for a game is divided by the plan that `homework` uses; that plan also keeps
/// back what starting a program for each move would cost.
fn limits(position: &Position, limit: MoveLimit) -> Limits {
    match limit {
        MoveLimit::Iterations(iterations) => Limits::iterations(iterations),
        MoveLimit::Move(seconds) => Limits::cpu(seconds),
        MoveLimit::Game(left) => game_limits(position, left),
    }
}
