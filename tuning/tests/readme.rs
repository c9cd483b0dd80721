//! The READMEs agree with the program: formulas, tables of parameters, commands and results.

use crate::support::Folder;
use halma::Registry;
use halma::support::parameters::{Parameter, Part};
use halma_lab::stats::score_of_elo;

/// The quantiles of the normal distribution that leave 2.5 % and 20 % above them.
const Z_95: f64 = 1.959_964;
const Z_80: f64 = 0.841_621;

/// A rounded number, with a comma before the last three digits if it has more.
fn written(number: f64) -> String {
    let number = number.round() as u64;
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}

#[test]
fn the_table_of_games_follows_the_formula() {
    let readme = include_str!("../README.md");
    for elo in [100.0, 50.0, 30.0, 20.0, 10.0, 5.0] {
        let score = score_of_elo(elo);
        let games = |quantile: f64| written((quantile * 0.5 / (score - 0.5)).powi(2));
        let percent = 100.0 * score;
        let line = format!("| {elo} | {percent:.1} % | {} | {} |\n", games(Z_95), games(Z_95 + Z_80));
        assert!(readme.contains(&line), "put this line into README.md: {line}");
    }
}

/// The rows of a Markdown table of parameters, with `of` before each name.
fn rows(of: &str, parameters: &[Parameter]) -> String {
    let row = |parameter: &Parameter| {
        let Parameter { name, default, about, .. } = parameter;
        format!("|{of} `{name}` | `{default}` | {about} |\n")
    };
    parameters.iter().map(row).collect()
}

#[test]
fn the_tables_of_parameters_agree_with_the_code() {
    let readme = include_str!("../README.md");
    let registry = Registry::default();
    let mut tables = Vec::new();
    for kind in registry.agents().into_iter().filter(|kind| kind.name == "mcts") {
        tables.push(rows("", &kind.parameters));
    }
    let mut parts = String::new();
    for (part, name) in [(Part::Playout, "playout"), (Part::Prior, "prior"), (Part::Evaluation, "evaluation")]
    {
        for kind in registry.parts(part) {
            parts += &format!("| `{name}={}` | | | {} |\n", kind.name, kind.about);
            parts += &rows(" |", &kind.parameters);
        }
    }
    tables.push(parts);
    for table in tables {
        assert!(readme.contains(&table), "put this table into tuning/README.md:\n{table}");
    }
}

/// A `lab` command in a README, and its options.
type Example = (String, Vec<String>);

const READMES: &str = concat!(include_str!("../../README.md"), "\n", include_str!("../README.md"));

/// The `lab` commands in the code blocks of both READMEs. A line that ends in `\` continues on the next one.
fn examples() -> Vec<Example> {
    let mut lines: Vec<String> = Vec::new();
    let (mut in_block, mut goes_on) = (false, false);
    for line in READMES.lines() {
        if line.starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            match lines.last_mut().filter(|_| goes_on) {
                Some(last) => last.push_str(line.trim_end_matches('\\')),
                None => lines.push(line.trim_end_matches('\\').to_string()),
            }
            goes_on = line.ends_with('\\');
        }
    }
    // The example program, a laboratory of its own, runs as `cargo run … --example own_policy -- match …`.
    let lines = lines
        .iter()
        .map(|line| line.replace("own_policy -- ", "lab ").replace("--bin lab -- ", "--bin lab "));
    lines.flat_map(|line| commands_in(&line)).collect()
}

/// Every `lab COMMAND …` in a line, including commands inside another command's arguments.
fn commands_in(line: &str) -> Vec<Example> {
    let (mut found, mut inner): (Vec<Example>, Vec<Example>) = (Vec::new(), Vec::new());
    // A line that is not a command can have unmatched quotes.
    let words = shell_words::split(line).unwrap_or_default();
    for (at, word) in words.iter().enumerate() {
        let starts = at > 0 && (words[at - 1] == "lab" || words[at - 1].ends_with("/lab"));
        if word.contains("lab ") {
            inner.extend(commands_in(&word.replace(['(', ')', ','], " ")));
        } else if starts && word.chars().all(|letter| letter.is_ascii_lowercase()) {
            found.push((word.clone(), Vec::new()));
        } else if let Some((_, options)) = found.last_mut().filter(|_| word.starts_with("--")) {
            options.push(word.clone());
        }
    }
    found.into_iter().chain(inner).collect()
}

/// The commands or options that `lab [COMMAND] -h` lists, each as its first word and the rest.
fn listed(command: &str) -> Vec<(String, String)> {
    let help = Folder::new().succeeds(&format!("{command} -h"));
    let mut entries: Vec<(String, String)> = Vec::new();
    for line in help.lines().filter_map(|line| line.strip_prefix("  ")) {
        let entry = line.trim_start();
        let entry = entry.strip_prefix("-h, ").unwrap_or(entry);
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        match (entry.split_once(' '), entries.last_mut()) {
            // A wrapped line continues on the next one, further to the right.
            (_, Some((_, rest))) if line.starts_with(' ') && !entry.starts_with('-') => {
                *rest = format!("{rest} {}", words(entry));
            }
            (Some((name, rest)), _) => entries.push((name.to_string(), words(rest))),
            (None, _) => {}
        }
    }
    entries
}

#[test]
fn every_command_and_option_has_an_example_and_every_example_is_valid() {
    let examples = examples();
    let commands: Vec<String> = listed("").into_iter().map(|(name, _)| name).collect();
    let commands: Vec<&str> =
        commands.iter().map(String::as_str).filter(|name| name.chars().all(char::is_alphabetic)).collect();
    let options = |command: &&str| {
        let mut options = listed(command);
        options.retain(|(name, _)| name.starts_with("--") && name != "--help");
        (command.to_string(), options)
    };
    let commands = commands.iter().filter(|&&name| name != "help").map(options).collect::<Vec<_>>();
    assert!(commands.len() > 15, "{commands:?}");
    let options_of =
        |name: &str| commands.iter().find(|(command, _)| command == name).map(|(_, options)| options);
    for (command, used) in &examples {
        let known = options_of(command).unwrap_or_else(|| panic!("an example has 'lab {command}'"));
        for option in used {
            assert!(known.iter().any(|(name, _)| name == option), "an example has 'lab {command} {option}'");
        }
    }
    // An example of another command counts as well, if the option has the same description there.
    let shown = |option: &(String, String)| {
        examples.iter().any(|(command, used)| {
            used.contains(&option.0) && options_of(command).is_some_and(|options| options.contains(option))
        })
    };
    let mut missing = Vec::new();
    for (command, options) in &commands {
        if !examples.iter().any(|(name, _)| name == command) {
            missing.push(format!("lab {command}"));
        }
        missing.extend(
            options.iter().filter(|option| !shown(option)).map(|(name, _)| format!("lab {command} {name}")),
        );
    }
    assert!(missing.is_empty(), "README.md and tuning/README.md have no example of {}", missing.join(", "));
}

/// The names of A and B if `result` begins like a match's result.
fn contestants(result: &str) -> Option<[&str; 2]> {
    let mut lines = result.lines();
    let mut name = |side| Some(lines.next()?.strip_prefix(side)?.trim());
    Some([name("A  ")?, name("B  ")?])
}

#[test]
fn the_results_of_matches_in_the_readmes_are_current() {
    let mut shown = 0;
    for (at, _) in READMES.match_indices("```text\nA  ") {
        let block = READMES[at..].trim_start_matches("```text\n").split("```").next().expect("a block");
        let agents = contestants(block).expect("A and B");
        // The last match between these two agents above the result.
        let words =
            READMES[..at].lines().rev().filter_map(|line| shell_words::split(line).ok()).find(|words| {
                let command = words.iter().position(|word| word == "match");
                command.is_some_and(|at| words.get(at + 1..at + 3).is_some_and(|found| found == agents))
            });
        let words = words.unwrap_or_else(|| {
            panic!("README.md shows a result of {agents:?} without the `match` command above it")
        });
        let mut arguments: Vec<&str> =
            words.iter().map(String::as_str).skip_while(|&word| word != "match").collect();
        assert!(arguments.contains(&"--iterations"), "{words:?}");
        if let Some(folder) = arguments.iter().position(|&word| word == "--out") {
            arguments.drain(folder..folder + 2);
        }
        // Only the guide's example program has the policy `own`, so `mast`, which plays the same, stands in for it.
        let [own, mast] = ["playout=own", "playout=mast"];
        let mut result = Folder::new().succeeds(&shell_words::join(arguments).replace(own, mast));
        if agents[0].contains(own) {
            result = result.replace(mast, own);
        }
        // Speeds differ from run to run.
        let lines = |text: &str| -> Vec<String> {
            let is_result = |line: &&str| !line.contains("a move, ") && *line != "…";
            text.lines().filter(is_result).map(str::to_string).collect()
        };
        let (shown_lines, found) = (lines(block), lines(&result));
        assert_eq!(
            shown_lines,
            found[..shown_lines.len().min(found.len())],
            "put this into the README:\n{result}"
        );
        shown += 1;
    }
    assert!(shown >= 2, "{shown}");
}
