//! `lab agents`: what spec strings can name, with all parameters.

use crate::play::agents::registry;
use crate::play::programs::SETTINGS;
use anyhow::{Context, Result};
use halma::agent::Component;
use halma::support::parameters::{Parameter, Part};
use serde::Serialize;
use std::io::{Write, stdout};

/// The arguments of `lab agents`.
#[derive(clap::Args)]
pub struct AgentsArgs {
    /// Only what has this name: an agent, a playout policy, a prior or an evaluation.
    name: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What a spec can name, all of one sort.
#[derive(Serialize)]
struct Sort {
    /// What these are: `agent`, or the name of the parameter of `mcts` that names one.
    sort: &'static str,
    known: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    parameters: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    default: String,
    range: String,
    about: &'static str,
}

/// Prints them.
///
/// # Errors
/// Nothing has the name asked for, or the list can't be printed.
pub fn run(args: &AgentsArgs) -> Result<()> {
    let mut sorts = all();
    if let Some(name) = &args.name {
        let known = registry().names_like(name);
        for sort in &mut sorts {
            sort.known.retain(|listed| listed.name == name);
        }
        sorts.retain(|sort| !sort.known.is_empty());
        anyhow::ensure!(!sorts.is_empty(), "nothing is called '{name}'; there are {}", known.join(", "));
    }
    let text = if args.json { serde_json::to_string_pretty(&sorts)? + "\n" } else { in_words(&sorts) };
    stdout().write_all(text.as_bytes()).context("can't print the list")
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

/// What stands for an agent in matches, but is none of this process.
fn programs() -> Listed {
    let row = |[name, default, range, about]: [&'static str; 4]| Row {
        name,
        default: default.to_string(),
        range: range.to_string(),
        about,
    };
    Listed {
        name: "program",
        about: "program(COMMAND): a command line that speaks input.txt and output.txt, in matches",
        parameters: SETTINGS.map(row).into(),
    }
}

impl From<Component> for Listed {
    fn from(component: Component) -> Listed {
        let row = |Parameter { name, range, default, about }| Row {
            name,
            default: default.to_string(),
            range: range.describe(),
            about,
        };
        Listed {
            name: component.name,
            about: component.about,
            parameters: component.parameters.into_iter().map(row).collect(),
        }
    }
}

/// A line for each name and each parameter, in two columns.
fn in_words(sorts: &[Sort]) -> String {
    let mut lines = Vec::new();
    for Sort { sort, known } in sorts {
        for Listed { name, about, parameters } in known {
            let head = if *sort == "agent" { (*name).to_string() } else { format!("{sort}={name}") };
            lines.push((head, (*about).to_string()));
            for Row { name, default, range, about } in parameters {
                lines.push((format!("  {name}={default}"), format!("{about} ({range})")));
            }
        }
    }
    let width = lines.iter().map(|(head, _)| head.len()).max().unwrap_or(0) + 2;
    lines.iter().map(|(head, about)| format!("{head:<width$}{about}\n")).collect()
}
