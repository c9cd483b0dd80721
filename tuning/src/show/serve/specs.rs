//! The agents that a page may name: specs of numbers and names, without programs, files or too much memory.

use crate::play::entrant::is_program;
use anyhow::{Context, Result, ensure};
use halma::agent::{Agent, Component, Registry, Spec};
use halma::support::parameters::{Parameter, Range};

/// The maximum length of a spec, in bytes.
const MAX_LENGTH: usize = 1000;

/// The parameters that set an amount of memory, in MiB.
const MEBIBYTES: [&str; 2] = ["memory", "table"];

/// Makes the agent that `text` describes, with at most `memory` bytes.
///
/// # Errors
/// The spec is invalid, or pages may not use it.
pub(super) fn make(registry: &Registry, text: &str, seed: u64, memory: usize) -> Result<Box<dyn Agent>> {
    ensure!(text.len() <= MAX_LENGTH, "the agent's spec is longer than {MAX_LENGTH} bytes");
    ensure!(!is_program(text), "a page may not start programs; use 'lab match'");
    let spec: Spec = text.parse()?;
    check(registry, &registry.agents(), &spec, memory)?;
    Ok(registry.make_agent(&spec, seed)?)
}

/// Checks that all settings of `spec` are harmless. Unknown names are left to the registry, which suggests the right
/// ones.
fn check(registry: &Registry, known: &[Component], spec: &Spec, memory: usize) -> Result<()> {
    let Some(component) = known.iter().find(|known| known.name == spec.name) else { return Ok(()) };
    for (name, value) in &spec.settings {
        let Some(Parameter { range, .. }) = component.parameters.iter().find(|one| one.name == *name) else {
            continue;
        };
        match range {
            Range::Number { .. } | Range::Whole { .. } | Range::Word(_) => {}
            Range::File(word) => {
                ensure!(value.name == *word, "{name}={value}: a page may not name files; use '{word}'");
            }
            Range::Part(part) => check(registry, &registry.parts(*part), value, memory)?,
        }
        if MEBIBYTES.contains(&name.as_str()) {
            let max = memory >> 20;
            let mebibytes: usize =
                value.name.parse().with_context(|| format!("{name}={value}: expected a number of MiB"))?;
            ensure!(mebibytes <= max, "{name}={mebibytes}: a search may take at most {max} MiB here");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(spec: &str) -> String {
        let made = make(&Registry::default(), spec, 1, 256 << 20);
        format!("{:#}", made.err().expect(spec))
    }

    #[test]
    fn programs_files_and_too_much_memory_are_refused() {
        for spec in ["program(./homework)", " program (rm -rf /)"] {
            assert!(refused(spec).contains("may not start programs"), "{spec}");
        }
        for spec in ["mcts(network=/etc/passwd)", "mcts(file=x)"] {
            assert!(refused(spec).contains("has no parameter"), "{spec}");
        }
        for searcher in ["mcts", "alphabeta"] {
            let message = refused(&format!("{searcher}(evaluation=network(file=/etc/passwd))"));
            assert!(message.contains("may not name files"), "{message}");
        }
        assert!(refused("mcts(memory=65536)").contains("at most 256 MiB"));
        assert!(refused("alphabeta(table=4096)").contains("at most 256 MiB"));
        assert!(refused(&format!("mcts(c={})", "1".repeat(2000))).contains("longer than 1000 bytes"));
        let harmless = "mcts(memory=256, playout=static, evaluation=network(file=built-in))";
        assert!(make(&Registry::default(), harmless, 1, 256 << 20).is_ok());
    }
}
