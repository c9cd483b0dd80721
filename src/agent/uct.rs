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
use super::registry::{Component, Entry, MakeAgent};
use crate::support::parameters::{Named, Parameters};

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

/// The agent's entry in the registry.
pub(super) const ENTRY: Entry<MakeAgent> = Entry {
    name: "uct",
    component,
    make: |spec, context| {
        let defaults = DEFAULTS.map(|(name, value)| (name.to_string(), value.parse().expect("a spec")));
        let (uct, mut parameters) = (component(ENTRY.name), MctsParameters::default());
        for (name, value) in defaults.iter().chain(&spec.settings) {
            uct.parameter(name)?;
            parameters.set(name, value)?;
        }
        Ok(Box::new(MctsAgent::build(parameters, context)?))
    },
};

fn component(name: &'static str) -> Component {
    let mut parameters = MctsParameters::table();
    for parameter in &mut parameters {
        if let Some((_, value)) = DEFAULTS.iter().find(|(name, _)| *name == parameter.name) {
            parameter.default = value.parse().expect("a spec");
        }
    }
    Component { name, about: "UCT with playouts that favour forward jumps, without networks", parameters }
}
