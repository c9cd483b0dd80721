//! Star and Circle: known answers, to the byte.

use halma::homework::star_circle::Problem;

/// The answer as the homework's output.
fn solve(input: &str) -> String {
    let problem = Problem::parse(input).unwrap_or_else(|error| panic!("{error}:\n{input}"));
    problem.answer().to_string()
}

/// The cases of a data file: name, input and expected output.
fn cases(file: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let (_comment, cases) = file.split_once("==================== ").unwrap();
    cases.split("\n==================== ").map(|case| {
        let (name, case) = case.split_once('\n').unwrap();
        let (input, output) = case.split_once("\n--------------------\n").unwrap();
        (name, input, output.trim_end())
    })
}

#[test]
fn the_five_examples_of_the_homework() {
    let mut solved = 0;
    for (name, input, output) in cases(include_str!("data/star_circle/examples.txt")) {
        assert_eq!(solve(input), output, "{name}");
        solved += 1;
    }
    assert_eq!(solved, 5);
}

#[test]
fn cases_that_tell_wrong_readings_apart() {
    let mut solved = 0;
    for (name, input, output) in cases(include_str!("data/star_circle/cases.txt")) {
        assert_eq!(solve(input), output, "case {solved}, {name}:\n{input}");
        solved += 1;
    }
    assert_eq!(solved, 120);
}

/// A problem from the start of the game, Star to move.
fn from_the_start(algorithm: &str, depth: u32) -> String {
    format!(
        "Star\n{algorithm}\n{depth}\n\
         0,C1,0,C1,0,C1,0,C1\nC1,0,C1,0,C1,0,C1,0\n0,C1,0,C1,0,C1,0,C1\n\
         0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0\n\
         S1,0,S1,0,S1,0,S1,0\n0,S1,0,S1,0,S1,0,S1\nS1,0,S1,0,S1,0,S1,0\n\
         10,20,30,40,50,60,70,80\n"
    )
}

#[test]
fn minimax_counts_from_the_start() {
    // Counted by an independent program; depth 10 by a search without a cache.
    for (depth, nodes) in
        [(6, "216033"), (7, "1801129"), (8, "14820445"), (9, "124716388"), (10, "1036744041")]
    {
        let output = solve(&from_the_start("MINIMAX", depth));
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!((lines[0], lines[3]), ("C1-D2", nodes), "depth {depth}");
    }
}

#[test]
fn alpha_beta_counts_from_the_start() {
    for (depth, output) in [
        (7, "C1-D2\n10\n10\n7333"),
        (8, "C1-D2\n10\n0\n38489"),
        (9, "C1-D2\n10\n10\n111178"),
        (10, "C1-D2\n10\n0\n512862"),
    ] {
        assert_eq!(solve(&from_the_start("ALPHABETA", depth)), output, "depth {depth}");
    }
}
