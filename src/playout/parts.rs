//! The parts that policies for Halma are built from.

use super::{BoxedPlayout, Playout, Simulation};
use crate::agent::Registry;
use crate::evaluation::Evaluation;
use crate::prior::BoxedPrior;
use crate::rules::Position;
use crate::support::spec::{Spec, SpecError};

/// Makes the parts that a policy for Halma is built from.
#[derive(Clone)]
pub struct Parts {
    registry: Registry,
    evaluation: Spec,
    prior: Spec,
    /// The policies that will contain the one being built, outermost first.
    within: Vec<Outer>,
}

/// A policy that is built on another one.
#[derive(Clone)]
struct Outer {
    name: String,
    /// Whether it uses the values of the other policy, not only its plays.
    uses_values: bool,
}

impl Parts {
    /// The parts of an agent with this evaluation and prior.
    pub fn new(registry: Registry, evaluation: Spec, prior: Spec) -> Parts {
        Parts { registry, evaluation, prior, within: Vec::new() }
    }

    /// The agent's evaluation.
    ///
    /// # Errors
    /// A file that its spec names can't be used.
    pub fn evaluation(&self) -> Result<Box<dyn Evaluation>, SpecError> {
        self.registry.make_evaluation(&self.evaluation)
    }

    /// The agent's prior. It is not the search's own instance, because a prior keeps results of the last position scored.
    ///
    /// # Errors
    /// A file that its spec names can't be used.
    pub fn prior(&self) -> Result<BoxedPrior, SpecError> {
        self.registry.make_prior(&self.prior)
    }

    /// Refuses to build `policy` inside another one that uses its plays but not its values. For a policy that does not
    /// value a leaf by the end of a playout, and so has an effect only through [`Playout::value`].
    ///
    /// # Errors
    /// `policy` would be inside a policy that ignores its values.
    pub fn check_values_are_used(&self, policy: &str) -> Result<(), SpecError> {
        match self.within.last() {
            Some(Outer { name, uses_values: false }) => Err(SpecError::new(format!(
                "{policy} has no effect inside {name}, which uses only the plays of its inner policy: write \
                 {policy}(inner={name})"
            ))),
            _ => Ok(()),
        }
    }

    /// The policy `inner`, which `outer` is built on, for its plays: `outer` uses [`Playout::choose`] and
    /// [`Playout::evaluate`].
    ///
    /// # Errors
    /// The spec is invalid, `inner` chooses no plays or has an effect only through its values, or `outer` is inside
    /// itself.
    pub fn playout(&self, outer: &str, inner: &Spec) -> Result<BoxedPlayout, SpecError> {
        self.inner(outer, false, inner)
    }

    /// The policy `inner`, which `outer` is built on, for its values: `outer` uses [`Playout::value`].
    ///
    /// # Errors
    /// The spec is invalid, `inner` chooses no plays, or `outer` is inside itself.
    pub fn playout_for_values(&self, outer: &str, inner: &Spec) -> Result<BoxedPlayout, SpecError> {
        self.inner(outer, true, inner)
    }

    fn inner(&self, outer: &str, uses_values: bool, inner: &Spec) -> Result<BoxedPlayout, SpecError> {
        let mut parts = self.clone();
        parts.within.push(Outer { name: outer.to_string(), uses_values });
        if parts.within.iter().any(|outer| outer.name == inner.name) {
            return Err(SpecError::new(format!(
                "{} is inside itself: name another policy in its place",
                inner.name
            )));
        }
        let mut policy = self.registry.make_playout(inner, parts)?;
        policy.new_search(&Position::default());
        if policy.choose(&Position::default(), &mut Simulation::new(0)).is_none() {
            return Err(SpecError::new(format!(
                "{outer} needs a policy that plays on, but {inner} makes no plays: name another, or give it a cap above 0"
            )));
        }
        policy.new_game();
        Ok(policy)
    }
}
