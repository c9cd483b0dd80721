//! The agents that specs can name. All of the laboratory uses this registry, so that the agents of a custom
//! `lab` are available everywhere.

use halma::agent::{Agent, Registry, SpecError};
use std::sync::OnceLock;

static REGISTRY: OnceLock<Registry> = OnceLock::new();

/// Installs the registry of this program. This must happen before the first use of [`registry()`].
pub fn install(registry: Registry) {
    let _ = REGISTRY.set(registry);
}

/// The registry of this program; by default that of the engine.
pub fn registry() -> &'static Registry {
    REGISTRY.get_or_init(Registry::default)
}

/// The agent that `spec` describes. Its randomness follows from `seed`.
///
/// # Errors
/// `spec` is malformed or names no agent.
pub fn make(spec: &str, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
    registry().make_agent(&spec.parse()?, seed)
}
