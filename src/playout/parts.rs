//! The parts that policies for Halma are built from.

use super::{BoxedInner, MixedLeaf, Playout, Simulation};
use crate::agent::Registry;
use crate::evaluation::Evaluation;
use crate::prior::BoxedPrior;
use crate::rules::Position;
use crate::support::parameters::Named;
use crate::support::spec::{Spec, SpecError};

/// Makes the parts that a policy for Halma is built from.
#[derive(Clone)]
pub struct Parts {
    registry: Registry,
    evaluation: Spec,
    prior: Spec,
    /// The policies that will contain the one being built, outermost first.
    within: Vec<String>,
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

    /// Refuses to build `policy` inside another one that would use its plays but not its values: inside any but
    /// [`MixedLeaf`].
    ///
    /// # Errors
    /// `policy` would be inside a policy that ignores its values.
    pub fn outermost(&self, policy: &str) -> Result<(), SpecError> {
        match self.within.last() {
            None => Ok(()),
            Some(outer) if outer == MixedLeaf::NAME => Ok(()),
            Some(outer) => Err(SpecError::new(format!(
                "{policy} has no effect inside {outer}, which uses only the plays of its inner policy: write \
                 {policy}(inner={outer})"
            ))),
        }
    }

    /// The policy `inner`, which `outer` is built on.
    ///
    /// # Errors
    /// The spec is invalid, `inner` chooses no plays, or `outer` is inside itself.
    pub fn playout(&self, outer: &str, inner: &Spec) -> Result<BoxedInner<Position>, SpecError> {
        let mut parts = self.clone();
        parts.within.push(outer.to_string());
        if parts.within.contains(&inner.name) {
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
