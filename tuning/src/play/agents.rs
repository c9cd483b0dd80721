//! The agents that specs can name, and the name of the program. All of the laboratory uses this registry, so that the
//! agents of a custom `lab` are available everywhere.

use halma::agent::{Agent, Registry, SpecError};
use std::path::Path;
use std::sync::{LazyLock, OnceLock, PoisonError, RwLock};

/// Registries are never freed; a program installs few.
static REGISTRY: RwLock<Option<&'static Registry>> = RwLock::new(None);

static PROGRAM_NAME: OnceLock<String> = OnceLock::new();

/// Sets this program's registry and remembers the name it was started by. Agents that already exist keep the parts of
/// the old registry.
pub fn install(registry: Registry) {
    *REGISTRY.write().unwrap_or_else(PoisonError::into_inner) = Some(Box::leak(Box::new(registry)));
    let path = std::env::args_os().next().unwrap_or_default();
    let name = Path::new(&path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let _ = PROGRAM_NAME.set(name);
}

/// The name by which this program was started, for the commands that it proposes: `lab`, or the name of a custom `lab`.
pub fn program_name() -> &'static str {
    PROGRAM_NAME.get().map_or("lab", String::as_str)
}

/// The registry of this program; by default that of the engine.
pub fn registry() -> &'static Registry {
    let installed = *REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
    installed.unwrap_or_else(|| {
        static DEFAULT: LazyLock<Registry> = LazyLock::new(Registry::default);
        &DEFAULT
    })
}

/// The agent that `spec` describes. Its randomness follows from `seed`.
///
/// # Errors
/// `spec` is malformed or names no agent.
pub fn make(spec: &str, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
    registry().make_agent(&spec.parse()?, seed)
}
