//! `lab agents`: everything that a spec can name, with all parameters.

use crate::play::agents::registry;
use crate::play::programs::SETTINGS;
use anyhow::{Context, Result};
use halma::agent::Component;
use halma::support::parameters::{Parameter, Part, Range};
use serde::Serialize;
use std::io::{Write, stdout};

/// The arguments of `lab agents`.
#[derive(clap::Args)]
pub struct AgentsArgs {
    /// List only the agent, playout policy, prior or evaluation with this name; or, for a word such as 'grave', the
    /// parameters that accept it
    name: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The entries of one sort. The fields are those of the JSON output.
#[derive(Serialize)]
struct Sort {
    /// `agent`, or the parameter of `mcts` that takes such an entry.
    sort: &'static str,
    known: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    parameters: Vec<ParameterRow>,
}

#[derive(Serialize)]
struct ParameterRow {
    name: &'static str,
    default: String,
    range: String,
    about: &'static str,
    /// The words that the parameter takes, such as `grave` for `select`.
    #[serde(skip)]
    words: &'static [&'static str],
}

/// Prints the list.
pub fn run(args: &AgentsArgs) -> Result<()> {
    let sorts = listed(args.name.as_deref())?;
    let text = if args.json { serde_json::to_string_pretty(&sorts)? + "\n" } else { table(&sorts) };
    stdout().write_all(text.as_bytes()).context("can't print the list")
}

/// The list that `lab agents` prints: everything, or only the entries that are called `name` or accept it as a word.
///
/// # Errors
/// Nothing has this name.
pub fn list_agents(name: Option<&str>) -> Result<String> {
    listed(name).map(|sorts| table(&sorts))
}

fn listed(name: Option<&str>) -> Result<Vec<Sort>> {
    let mut sorts = all();
    if let Some(name) = name {
        let known = registry().names_like(name);
        let is_called = |listed: &Listed| listed.name == name;
        if sorts.iter().flat_map(|sort| &sort.known).any(is_called) {
            sorts.iter_mut().for_each(|sort| sort.known.retain(is_called));
        } else {
            for sort in &mut sorts {
                sort.known.retain_mut(|listed| {
                    listed.parameters.retain(|row| row.words.contains(&name));
                    !listed.parameters.is_empty()
                });
            }
        }
        sorts.retain(|sort| !sort.known.is_empty());
        anyhow::ensure!(!sorts.is_empty(), "unknown name '{name}'; known names: {}", known.join(", "));
    }
    Ok(sorts)
}

fn all() -> Vec<Sort> {
    let listed = |components: Vec<Component>| components.into_iter().map(Listed::from).collect();
    let part = |sort, part| Sort { sort, known: listed(registry().parts(part)) };
    let mut agents: Vec<Listed> = listed(registry().agents());
    agents.push(programs());
    vec![
        Sort { sort: "agent", known: agents },
        part("playout", Part::Playout),
        part("prior", Part::Prior),
        part("evaluation", Part::Evaluation),
    ]
}

/// Programs, which can play in matches like agents.
fn programs() -> Listed {
    let row = |[name, default, range, about]: [&'static str; 4]| ParameterRow {
        name,
        default: default.to_string(),
        range: range.to_string(),
        about,
        words: &[],
    };
    Listed {
        name: "program",
        about: "in matches, program(COMMAND) runs a command line that reads input.txt and writes output.txt",
        parameters: SETTINGS.map(row).into(),
    }
}

impl From<Component> for Listed {
    fn from(component: Component) -> Listed {
        let row = |Parameter { name, range, default, about }| ParameterRow {
            name,
            default: default.to_string(),
            range: range.describe(),
            about,
            words: if let Range::Word(words) = range { words } else { &[] },
        };
        Listed {
            name: component.name,
            about: component.about,
            parameters: component.parameters.into_iter().map(row).collect(),
        }
    }
}

/// The list as two columns, with a line for each name and each parameter.
fn table(sorts: &[Sort]) -> String {
    let mut lines = Vec::new();
    for Sort { sort, known } in sorts {
        for Listed { name, about, parameters } in known {
            let head = if *sort == "agent" { (*name).to_string() } else { format!("{sort}={name}") };
            lines.push((head, (*about).to_string()));
            for ParameterRow { name, default, range, about, .. } in parameters {
                lines.push((format!("  {name}={default}"), format!("{about} ({range})")));
            }
        }
    }
    let width = lines.iter().map(|(head, _)| head.len()).max().unwrap_or(0) + 2;
    lines.iter().map(|(head, about)| format!("{head:<width$}{about}\n")).collect()
}
