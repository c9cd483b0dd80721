//! MAST, the move-average sampling technique.
//!
//! A play is rated by the average result of all simulations in which its player made it, anywhere in the tree or in a
//! playout:
//!
//! ```text
//! Q(a) = mean of the values of the simulations in which a was made
//! ```
//!
//! Playouts choose plays by `Q` with Gibbs sampling, P(a) ∝ exp(Q(a)/τ) (Finnsson, Björnsson, "Simulation-Based
//! Approach to General Game Playing", 2008), or ε-greedily, which was stronger (Tak, Winands, Björnsson, "N-Grams and
//! the Last-Good-Reply Policy Applied in General Game Playing", 2012). Statistics decay from move to move (Tak,
//! Winands, Björnsson, "Decaying Simulation Strategies", 2014).
//!
//! A play never made counts as a loss (`unknown`), so while no play is known to be better than that, the inner policy
//! makes its own. Counting it as a win, so that every play gets tried, ruins playouts in Halma, where a side has a
//! hundred legal plays (`tuning/EXPERIMENTS.md`, E271).
//!
//! On Connect Four, where the same cell is worth different things at different times, MAST did not help: at
//! 500 iterations against random playouts it scored 40 to 50 % of 686 games, with every setting that was tried. If a play
//! is a column instead of a cell, the best of them scores 50 to 51 % at 500 to 8,000 iterations (E275).

use super::super::{BoxedPlayout, Parts};
use super::choice::{CHOICES, Choice};
use super::learning::Learning;
use super::nst::{Averages, NstParameters};
use crate::game::{Game, MoveIndex};
use crate::rules::Position;
use crate::support::parameters::{Named, Part, Range, number};
use crate::support::spec::{Spec, SpecError};

crate::parameters! {
    /// The parameters of [`Mast`].
    pub struct MastParameters;
    inner: Spec = Spec::of("uniform"), Range::Part(Part::Playout),
        "the policy that makes the other plays and ends the playout";
    choice: Choice = Choice::Greedy, CHOICES,
        "the play with the highest average (greedy), or plays drawn by their averages (gibbs)";
    epsilon: f32 = 0.4, number(0.0, 1.0, 0.1),
        "greedy: how often the inner policy makes the play";
    temperature: f32 = 0.5, number(0.01, 100.0, 0.1),
        "gibbs: the temperature; near 0 the highest average always wins, and at higher values averages matter less";
    unknown: f32 = -1.0, number(-1.0, 1.0, 0.25),
        "the average assumed for plays never made";
    decay: f32 = 0.4, number(0.0, 1.0, 0.2),
        "the share of all visits that the next move keeps";
}

/// Chooses plays by their average results.
pub type Mast<G> = Learning<G, Averages<G, 1>>;

impl<G: Game<Play: MoveIndex>> Mast<G> {
    /// A policy that falls back on `inner`, which also values the end of a playout.
    pub fn new(parameters: MastParameters, inner: BoxedPlayout<G>) -> Mast<G> {
        let MastParameters { inner: spec, choice, epsilon, temperature, unknown, decay } = parameters;
        let alike =
            NstParameters { inner: spec, choice, epsilon, temperature, unknown, decay, ..Default::default() };
        Learning::of(Averages::new(alike), inner)
    }
}

impl Named for Mast<Position> {
    const NAME: &'static str = "mast";
    const ABOUT: &'static str = "the play whose simulations had the best average result (MAST)";
    type Parameters = MastParameters;
    type Context = Parts;

    fn build(parameters: MastParameters, parts: Parts) -> Result<Mast<Position>, SpecError> {
        let inner = parts.playout(Self::NAME, &parameters.inner)?;
        Ok(Mast::new(parameters, inner))
    }
}
