//! Which agents a page may name: those that are made of numbers and names, and nothing else.

use crate::play::entrants::is_program;
use anyhow::{Context, Result, bail, ensure};
use halma::agent::{Agent, Kind, Registry, Spec};
use halma::support::parameters::{Parameter, Range};

/// The longest spec, in bytes.
const LONGEST: usize = 1000;

/// Parameters that say how many MiB to take.
const MEBIBYTES: [&str; 2] = ["memory", "table"];

/// The agent that `text` describes, unless it could do more than think, with `memory` bytes at most.
///
/// # Errors
/// What is wrong with it.
pub(super) fn make(registry: &Registry, text: &str, seed: u64, memory: usize) -> Result<Box<dyn Agent>> {
    ensure!(text.len() <= LONGEST, "an agent's spec may have {LONGEST} letters at most");
    ensure!(!is_program(text), "a page may not start programs; 'lab match' has them play");
    let spec: Spec = text.parse()?;
    check(registry, &registry.agents(), &spec, memory)?;
    Ok(registry.make_agent(&spec, seed)?)
}

/// Whether all that `spec` sets is harmless, whoever sets it. What is unknown is left to whoever makes the agent,
/// who knows the right names.
fn check(registry: &Registry, kinds: &[Kind], spec: &Spec, memory: usize) -> Result<()> {
    let Some(kind) = kinds.iter().find(|kind| kind.name == spec.name) else { return Ok(()) };
    for (name, value) in &spec.settings {
        let Some(Parameter { range, .. }) = kind.parameters.iter().find(|one| one.name == *name) else {
            continue;
        };
        match range {
            Range::Number { .. } | Range::Whole { .. } | Range::Word(_) => {}
            Range::File(word) => {
                ensure!(value.name == *word, "{name}={value}: a page may not name files; there is '{word}'");
            }
            Range::Part(part) => check(registry, &registry.parts(*part), value, memory)?,
        }
        if MEBIBYTES.contains(&name.as_str()) {
            let most = memory >> 20;
            let wanted: usize =
                value.name.parse().with_context(|| format!("{name}={value}: expected MiB"))?;
            if wanted > most {
                bail!("{name}={wanted}: a search of this page may take {most} MiB at most");
            }
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
    fn programs_files_and_much_memory_are_refused() {
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
        assert!(refused("mcts(memory=65536)").contains("256 MiB at most"));
        assert!(refused("alphabeta(table=4096)").contains("256 MiB at most"));
        assert!(refused(&format!("mcts(c={})", "1".repeat(2000))).contains("letters"));
        let harmless = "mcts(memory=256, playout=static, evaluation=network(file=built-in))";
        assert!(make(&Registry::default(), harmless, 1, 256 << 20).is_ok());
    }
}
