//! The laboratory's README says what the formulas and the tables of parameters say.

use halma::Registry;
use halma::parameters::{Parameter, Part};
use halma_lab::statistics::score_of_elo;

/// The quantiles of the normal distribution that leave 2.5 % and 20 % above them.
const Z_95: f64 = 1.959_964;
const Z_80: f64 = 0.841_621;

/// A number with commas between thousands.
fn written(number: f64) -> String {
    let number = number.round() as u64;
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}

#[test]
fn the_table_of_games_is_that_of_the_formula() {
    let readme = include_str!("../README.md");
    for elo in [100.0, 50.0, 30.0, 20.0, 10.0, 5.0] {
        let score = score_of_elo(elo);
        let games = |quantile: f64| written((quantile * 0.5 / (score - 0.5)).powi(2));
        let percent = 100.0 * score;
        let line = format!("| {elo} | {percent:.1} % | {} | {} |\n", games(Z_95), games(Z_95 + Z_80));
        assert!(readme.contains(&line), "put this line into README.md: {line}");
    }
}

/// The rows of a table of parameters, as Markdown; each begins with `of`.
fn rows(of: &str, parameters: &[Parameter]) -> String {
    let row = |parameter: &Parameter| {
        let Parameter { name, default, about, .. } = parameter;
        format!("|{of} `{name}` | `{default}` | {about} |\n")
    };
    parameters.iter().map(row).collect()
}

#[test]
fn the_tables_of_parameters_are_the_code_s() {
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
