//! The parameters of the search.

use crate::support::parameters::{ON_OFF, Range, Words, number, whole};

/// How selection scores children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Predictor + UCB: exploration follows priors (Rosin 2011; Silver et al. 2017).
    Puct,
    /// UCB1 applied to trees: exploration follows visits alone (Auer et al. 2002; Kocsis, Szepesvári 2006).
    Uct,
}

impl Words for Selection {
    const WORDS: &'static [(&'static str, Selection)] = &[("puct", Selection::Puct), ("uct", Selection::Uct)];
}

crate::parameters! {
    /// The parameters of the search. The defaults were tuned on Halma, but are sound for any game.
    pub struct Params;
    select: Selection = Selection::Puct, Range::Word(&["puct", "uct"]),
        "the selection formula: by priors (puct) or by visit counts alone (uct)";
    c: f32 = 0.16, number(0.0, 100.0, 0.03),
        "exploration constant, for values in -1…+1";
    c_growth: f32 = 0.55, number(0.0, 1.0, 0.05),
        "puct: c grows with a node's visits N by the factor (1 + N/500)^c_growth";
    c_root: f32 = 2.5, number(0.0, 100.0, 0.25),
        "factor on c at the root";
    c_breadth: f32 = 0.1, number(0.0, 1.0, 0.25),
        "how c grows with the number of legal plays: 0 not at all, 1 with its square root";
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
        "MiB for the tree, plus half as much while it is reused; a full tree is searched on but not expanded";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::parameters::Parameters;
    use crate::support::spec::Spec;

    #[test]
    fn every_default_can_be_set() {
        for parameter in Params::table() {
            let mut params = Params::default();
            assert_eq!(params.set(parameter.name, &parameter.default), Ok(()), "{}", parameter.name);
            assert_eq!(params, Params::default());
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
