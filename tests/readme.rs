//! The README says what the code says.

use halma::mcts::Params;

/// The table of parameters, as Markdown.
fn parameter_table() -> String {
    let default = Params::default();
    let row = |name: &str, about: &str| {
        let value = default.get(name).expect("every parameter of the table has a value");
        format!("| `{name}` | `{value}` | {about} |\n")
    };
    Params::TABLE.iter().map(|parameter| row(parameter.name, parameter.about)).collect()
}

#[test]
fn the_readme_lists_the_parameters_as_they_are() {
    let readme = include_str!("../README.md");
    let table = parameter_table();
    assert!(readme.contains(&table), "put this table into README.md:\n{table}");
}
