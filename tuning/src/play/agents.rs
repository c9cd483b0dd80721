//! The agents that the laboratory knows: the one place where it asks the engine for them.

use halma::agent::{Agent, Registry, SpecError};
use std::sync::OnceLock;

static REGISTRY: OnceLock<Registry> = OnceLock::new();

/// Makes `registry` the one that [`registry()`] returns, unless it has been asked for already.
pub fn install(registry: Registry) {
    let _ = REGISTRY.set(registry);
}

/// All that specs can name in this program.
pub fn registry() -> &'static Registry {
    REGISTRY.get_or_init(Registry::default)
}

/// The agent that `spec` describes; what is random in it follows from `seed`.
///
/// # Errors
/// What is wrong with `spec`.
pub fn make(spec: &str, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
    registry().make_agent(&spec.parse()?, seed)
}

/// Whether two spec strings are the same agent, spelled differently or not.
pub fn are_same(one: &str, other: &str) -> bool {
    let complete = |spec: &str| registry().complete(&spec.parse().ok()?).ok();
    complete(one).is_some_and(|one| complete(other) == Some(one))
}
