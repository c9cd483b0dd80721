//! `uct`: the engine with UCT selection (Kocsis, Szepesvári 2006) and playouts, without networks.
//!
//! The value of a leaf is the average of its fitted evaluation and of a short playout. Each ply of the playout draws
//! three pieces and moves the one that can get furthest forward. After four plies, or up to eight while the side to
//! move must leave its camp, the fitted evaluation values the last position.
//!
//! It is the same search as `mcts` with other defaults, so every parameter of `mcts` can be set here too. Apart from
//! the playouts, it differs from textbook UCT as follows:
//!
//! - Plays are tried in descending order of progress (`prior=progress`).
//! - Not every play is tried before one is tried again: an unvisited play counts as visited once, with a value slightly
//!   below its parent's (`fpu`).
//! - Exploration grows with the number of legal plays (`c_breadth`).
//! - Nodes at the same position share their children (`transpositions`).
//! - Proved wins and losses are backed up as such.
//! - The choice is the play of highest value among those with enough visits (`final_visits`).
//! - Races are solved apart from the tree (`race`).

use super::mcts::{MctsAgent, MctsParameters};
use super::{Agent, AgentContext, Decision, NoLegalPlay, SavedGame};
use crate::rules::{Play, Position};
use crate::search::{Limits, Observer};
use crate::support::clock::Clock;
use crate::support::parameters::{Named, Parameter, Parameters};
use crate::support::spec::{Spec, SpecError};

/// The defaults that differ from those of `mcts`. Matches that compare them with others are in `tuning/EXPERIMENTS.md`
/// (E240 and E253).
const DEFAULTS: [(&str, &str); 7] = [
    ("playout", "mixed-leaf(inner=sampled-jump(cap=4))"),
    ("prior", "progress"),
    ("evaluation", "fitted"),
    ("select", "uct"),
    ("c", "0.05"),
    ("c_root", "1"),
    ("leaf_batch", "1"),
];

/// The parameters of [`UctAgent`]: those of `mcts` with other defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct UctParameters(pub MctsParameters);

impl Default for UctParameters {
    fn default() -> UctParameters {
        let mut parameters = MctsParameters::default();
        for (name, value) in DEFAULTS {
            let value = value.parse().expect("a spec");
            parameters.set(name, &value).expect("a value in range");
        }
        UctParameters(parameters)
    }
}

impl Parameters for UctParameters {
    fn table() -> Vec<Parameter> {
        let mut table = MctsParameters::table();
        for parameter in &mut table {
            if let Some((_, value)) = DEFAULTS.iter().find(|(name, _)| *name == parameter.name) {
                parameter.default = value.parse().expect("a spec");
            }
        }
        table
    }

    fn set(&mut self, name: &str, value: &Spec) -> Result<(), SpecError> {
        self.0.set(name, value)
    }
}

/// The engine with UCT selection and playouts, without networks.
pub struct UctAgent(MctsAgent);

impl Named for UctAgent {
    const NAME: &'static str = "uct";
    const ABOUT: &'static str = "UCT with playouts that favour forward jumps, without networks";
    type Parameters = UctParameters;
    type Context = AgentContext;

    fn build(parameters: UctParameters, context: AgentContext) -> Result<UctAgent, SpecError> {
        MctsAgent::build(parameters.0, context).map(UctAgent)
    }
}

impl Agent for UctAgent {
    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn decide(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: &dyn Clock,
        observer: Option<Observer<'_, Play>>,
    ) -> Result<Decision, NoLegalPlay> {
        self.0.decide(position, limits, clock, observer)
    }

    fn save(&self, max_nodes: usize) -> Option<SavedGame> {
        self.0.save(max_nodes)
    }

    fn restore(&mut self, game: SavedGame) {
        self.0.restore(game);
    }
}
