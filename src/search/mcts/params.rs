//! The parameters of the search.

use super::selection::Selection;
use crate::support::parameters::{ON_OFF, Range, number, whole};

crate::parameters! {
    /// The parameters of the search. The defaults were tuned on Halma, but are sound for any game.
    pub struct Params;
    select: Selection = Selection::Puct,
        Range::Word(&["puct", "uct", "ucb1-tuned", "progressive-history", "grave"]),
        "the selection formula: by priors (puct), by visit counts (uct), by visit counts and variance (ucb1-tuned), or uct with averages of each play (progressive-history, grave)";
    c: f32 = 0.16, number(0.0, 100.0, 0.03),
        "exploration constant, for values in -1…+1";
    c_growth: f32 = 0.55, number(0.0, 1.0, 0.05),
        "puct: c grows with a node's visits N by the factor (1 + N/500)^c_growth";
    c_root: f32 = 2.5, number(0.0, 100.0, 0.25),
        "factor on c at the root";
    c_breadth: f32 = 0.1, number(0.0, 1.0, 0.25),
        "how c grows with the number of legal plays: 0 not at all, 1 with its square root";
    history_weight: f32 = 0.1, number(0.0, 1000.0, 0.03),
        "progressive-history: how much a play's average result counts, for values in -1…+1";
    grave_ref: u64 = 100, whole(0, 1_000_000_000, 50),
        "grave: the averages of plays are those of the nearest node upwards with more simulations than this; 0 is RAVE";
    grave_bias: f32 = 0.000001, number(0.0, 1.0, 0.0001),
        "grave: how soon a child's own value replaces the average of its play; larger is sooner";
    fpu: f32 = 0.04, number(-10.0, 10.0, 0.1),
        "first-play urgency: an unvisited child counts as this much below its parent's mean";
    transpositions: bool = true, ON_OFF,
        "whether nodes at the same position, reached in different orders, share their children";
    leaf_batch: u64 = 8, whole(1, 16, 2),
        "the maximum number of new children of a node that are evaluated together";
    leaf_best: f32 = 0.58, number(0.0, 1.0, 0.15),
        "how several new children are backed up together: 0 their mean, 1 the best of them; always the mean if any playout drew random numbers";
    final_visits: f32 = 0.2, number(0.0, 1.0, 0.1),
        "the choice is the play of highest value among those with at least this share of the most visited play's visits; 1 chooses the most visited play";
    instability: f32 = 1.0, number(0.0, 1.0, 0.5),
        "with a game clock: how much an unstable choice lengthens a search and a stable one shortens it";
    memory: u64 = 1024, whole(1, 65536, 256),
        "MiB for the tree, plus half as much while it is reused; a full tree is still searched but no longer expanded";
}

impl Params {
    /// The memory for the tree in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        usize::try_from(self.memory << 20).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::parameters::Parameters;
    use crate::support::spec::Spec;

    #[test]
    fn every_default_and_every_word_can_be_set() {
        for parameter in Params::table() {
            let mut params = Params::default();
            assert_eq!(params.set(parameter.name, &parameter.default), Ok(()), "{}", parameter.name);
            assert_eq!(params, Params::default());
            let Range::Word(words) = parameter.range else { continue };
            for word in words {
                assert_eq!(params.set(parameter.name, &Spec::of(*word)), Ok(()), "{word}");
                assert_eq!(params == Params::default(), parameter.default == Spec::of(*word), "{word}");
            }
        }
    }

    #[test]
    fn bad_values_are_rejected_and_change_nothing() {
        let mut params = Params::default();
        for (name, value) in [
            ("c", "-1"),
            ("c", "NaN"),
            ("c", ""),
            ("leaf_batch", "2.5"),
            ("leaf_batch", "17"),
            ("select", "best"),
            ("transpositions", "yes"),
        ] {
            let error = params.set(name, &Spec::of(value)).expect_err(name).to_string();
            assert!(error.starts_with(&format!("{name}={value}: expected ")), "{error}");
        }
        assert!(params.set("depth", &Spec::of("3")).is_err());
        assert_eq!(params, Params::default());
    }
}
