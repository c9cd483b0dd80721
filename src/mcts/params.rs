//! The search's parameters: spec strings, sweeps and documentation all come from this table.

use super::parameter::{ON_OFF, Range, Setting, number, parameters, whole};
use crate::playout;
use std::fmt;

/// How a child to descend into is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Predictor + UCB: exploration follows the priors (Rosin 2011; Silver et al. 2017).
    Puct,
    /// UCB1 applied to trees: exploration by visit counts alone (Auer et al. 2002; Kocsis,
    /// Szepesvári 2006).
    Uct,
}

impl Setting for Selection {
    fn parse(text: &str, _range: &Range) -> Option<Selection> {
        match text {
            "puct" => Some(Selection::Puct),
            "uct" => Some(Selection::Uct),
            _ => None,
        }
    }

    fn print(&self) -> String {
        match self {
            Selection::Puct => "puct".to_string(),
            Selection::Uct => "uct".to_string(),
        }
    }
}

parameters! {
    /// The settings of the search and of its playouts.
    pub struct Params;
    select: Selection = Selection::Puct, Range::Word(&["puct", "uct"]),
        "how a child is chosen: by prior (puct) or by visit counts alone (uct)";
    c: f32 = 0.6, number(0.0, 100.0, 0.1),
        "exploration constant, for values in -1…+1";
    growth: f32 = 0.3, number(0.0, 10.0, 0.15),
        "puct: how much more is explored at a node with many visits, N: 1 + growth ln(1 + N/500) times as much";
    root: f32 = 1.5, number(0.0, 100.0, 0.25),
        "how many times as much is explored at the root as elsewhere";
    breadth: f32 = 0.5, number(0.0, 1.0, 0.25),
        "how much more is explored where there are many plays: 0 not at all, 1 in proportion to their number's root";
    fpu: f32 = 0.1, number(-10.0, 10.0, 0.1),
        "first-play urgency: an unvisited child counts as this much worse than its parent's mean";
    lean: f32 = 1.25, number(1.0, 10.0, 0.05),
        "priors: one more step of promise makes a play this many times as likely; 1.35 is what was fitted";
    minimax: f32 = 0.0, number(0.0, 1.0, 0.1),
        "the part that minimax over static values has in a node's value, beside the playouts' mean";
    graph: bool = true, ON_OFF,
        "whether plays that lead to one position in different orders share what is searched below it";
    siblings: u64 = 4, whole(1, 4, 1),
        "how many new children, at the most, are judged in one go";
    pick: f32 = 0.7, number(0.0, 1.0, 0.1),
        "the play of highest value is decided on among those with at least this part of the most visits; 1 is the most visited";
    doubt: f32 = 1.0, number(0.0, 1.0, 0.5),
        "in a game's time: how much a doubtful choice lengthens a search and a clear one shortens it";
    playout: &'static str = "forward-jump", Range::Policy,
        "the policy that judges leaves";
    cap: u64 = 2, whole(0, 4000, 2),
        "plies of a playout before the evaluation speaks; 4000 is to the end";
    leaving: u64 = 4, whole(0, 4000, 2),
        "forward-jump: plies more than the cap as long as the side to move has to leave its camp";
    epsilon: f32 = 0.0, number(0.0, 1.0, 0.05),
        "forward-jump: the chance of a random play at each ply";
    sample: u64 = 19, whole(1, 19, 1),
        "forward-jump: pieces, drawn at random, looked at for one play; 19 are all, and chance decides only where none of them gets forward";
    memory: u64 = 1024, whole(1, 65536, 256),
        "MiB the tree may take, and half as much again when it goes on to the next move; the search goes on without expanding when they are used up";
    inherit: bool = true, ON_OFF,
        "whether the next move goes on with what this one knows of it: the tree below the plays made, or what playdata.txt says of it";
    race: bool = true, ON_OFF,
        "whether a race, the armies having passed each other, is searched by each side's own plays alone";
}

impl Params {
    /// What the playout policy is told.
    pub fn playout_options(&self) -> playout::Options {
        playout::Options {
            cap: self.cap as u32,
            leaving: self.leaving as u32,
            epsilon: self.epsilon,
            sample: self.sample as u32,
        }
    }
}

impl fmt::Display for Params {
    /// Writes what differs from the default as `name=value, …`; nothing if nothing does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Params::default();
        let mut separator = "";
        for parameter in Params::TABLE {
            let value = self.get(parameter.name).unwrap_or_default();
            if Some(&value) != default.get(parameter.name).as_ref() {
                write!(f, "{separator}{}={value}", parameter.name)?;
                separator = ", ";
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::ParamError;

    #[test]
    fn every_default_can_be_set_from_its_own_text() {
        for parameter in Params::TABLE {
            let mut params = Params::default();
            let text = params.get(parameter.name).expect("a value");
            assert_eq!(params.set(parameter.name, &text), Ok(()), "{}", parameter.name);
            assert_eq!(params, Params::default());
        }
        assert_eq!(Params::default().to_string(), "");
    }

    #[test]
    fn bad_values_are_refused_and_change_nothing() {
        let mut params = Params::default();
        for (name, value) in [
            ("c", "-1"),
            ("c", "NaN"),
            ("c", ""),
            ("cap", "2.5"),
            ("cap", "4001"),
            ("select", "best"),
            ("playout", "no-such"),
            ("lean", "0"),
        ] {
            assert!(matches!(params.set(name, value), Err(ParamError::BadValue { .. })), "{name}={value}");
        }
        assert!(matches!(params.set("depth", "3"), Err(ParamError::Unknown { .. })));
        assert_eq!(params, Params::default());
    }

    #[test]
    fn what_differs_from_the_default_is_written() {
        let mut params = Params::default();
        params.set("c", "0.75").unwrap();
        params.set("select", "uct").unwrap();
        assert_eq!(params.to_string(), "select=uct, c=0.75");
    }
}
