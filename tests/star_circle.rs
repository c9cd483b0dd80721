//! Star and Circle: known answers, and random positions of every kind against a second, literal implementation.

use crate::support::positions::random_source;
use crate::support::samples::star_and_circle;
use crate::support::star_circle_literal;
use halma::homework::star_circle::Problem;
use rand::RngExt;
use rand::seq::IndexedRandom;

/// The answer as the homework's output.
fn solve(input: &str) -> String {
    let problem = Problem::parse(input).unwrap_or_else(|error| panic!("{error}:\n{input}"));
    problem.answer().to_string()
}

#[test]
fn examples_and_cases_are_answered_to_the_byte() {
    // The homework's five examples, and cases that each rule out a misreading of its text.
    for (file, count) in [("examples", 5), ("cases", 120)] {
        let problems = star_and_circle(file);
        assert_eq!(problems.len(), count);
        for (input, output) in problems {
            assert_eq!(solve(&input), output, "{file}:\n{input}");
        }
    }
}

#[test]
fn searches_from_the_start_have_the_known_answers() {
    const START: &str = "0,C1,0,C1,0,C1,0,C1\nC1,0,C1,0,C1,0,C1,0\n0,C1,0,C1,0,C1,0,C1\n0,0,0,0,0,0,0,0\n\
        0,0,0,0,0,0,0,0\nS1,0,S1,0,S1,0,S1,0\n0,S1,0,S1,0,S1,0,S1\nS1,0,S1,0,S1,0,S1,0\n\
        10,20,30,40,50,60,70,80\n";
    let answer = |algorithm, depth| solve(&format!("Star\n{algorithm}\n{depth}\n{START}"));
    // The nodes were counted by an independent program, those of depth 10 by a search without a cache.
    for (depth, nodes) in
        [(6, "216033"), (7, "1801129"), (8, "14820445"), (9, "124716388"), (10, "1036744041")]
    {
        let output = answer("MINIMAX", depth);
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!((lines[0], lines[3]), ("C1-D2", nodes), "depth {depth}");
    }
    for (depth, output) in [
        (7, "C1-D2\n10\n10\n7333"),
        (8, "C1-D2\n10\n0\n38489"),
        (9, "C1-D2\n10\n10\n111178"),
        (10, "C1-D2\n10\n0\n512862"),
    ] {
        assert_eq!(answer("ALPHABETA", depth), output, "depth {depth}");
    }
}

const POSITIONS: u64 = 3_000;

/// A kind of random board.
#[derive(Clone, Copy)]
struct Boards {
    /// The maximum number of walking pieces of each side.
    pieces: usize,
    /// Whether a piece may stand on (row from the top, column); the flag is set for a star.
    squares: fn(usize, usize, bool) -> bool,
    /// The largest stack on a last row.
    largest_stack: u32,
    /// The deepest search that the literal implementation finishes quickly.
    depth: u32,
}

fn anywhere(_: usize, _: usize, _: bool) -> bool {
    true
}

fn dark(row: usize, column: usize, _: bool) -> bool {
    (row + column) % 2 == 1
}

/// The sides stand face to face, so most pieces are blocked.
fn crowded(row: usize, column: usize, star: bool) -> bool {
    dark(row, column, star) && if star { (3..5).contains(&row) } else { (1..3).contains(&row) }
}

/// The sides have passed each other.
fn passed(row: usize, _: usize, star: bool) -> bool {
    if star { row < 4 } else { row >= 4 }
}

const KINDS: [Boards; 8] = [
    Boards { pieces: 6, squares: anywhere, largest_stack: 1, depth: 6 },
    Boards { pieces: 7, squares: dark, largest_stack: 3, depth: 6 },
    Boards { pieces: 12, squares: dark, largest_stack: 1, depth: 5 },
    Boards { pieces: 24, squares: anywhere, largest_stack: 2, depth: 4 },
    Boards { pieces: 12, squares: crowded, largest_stack: 1, depth: 6 },
    Boards { pieces: 9, squares: passed, largest_stack: 20, depth: 6 },
    Boards { pieces: 4, squares: anywhere, largest_stack: u32::MAX, depth: 6 },
    Boards { pieces: 0, squares: anywhere, largest_stack: 5, depth: 6 },
];

/// A random board, as rows of squares from H down to A.
fn random_board(rng: &mut impl RngExt, kind: Boards) -> [[String; 8]; 8] {
    let mut board: [[String; 8]; 8] = Default::default();
    for star in [true, false] {
        let (letter, last_row) = if star { ('S', 0) } else { ('C', 7) };
        for _ in 0..rng.random_range(0..=kind.pieces) {
            let (row, column) = (rng.random_range(0..8), rng.random_range(0..8));
            if row != last_row && (kind.squares)(row, column, star) {
                board[row][column] = format!("{letter}1");
            }
        }
        for _ in 0..rng.random_range(0..=3) {
            let count = rng.random_range(1..=kind.largest_stack);
            board[last_row][rng.random_range(0..8)] = format!("{letter}{count}");
        }
    }
    for square in board.iter_mut().flatten().filter(|square| square.is_empty()) {
        square.push('0');
    }
    board
}

fn random_values(rng: &mut impl RngExt) -> [i64; 8] {
    let mut value: Box<dyn FnMut() -> i64> = match rng.random_range(0..6) {
        0 => return [10, 20, 30, 40, 50, 60, 70, 80],
        1 => return [10, 20, 30, 40, 52, 70, 90, 1000],
        2 => Box::new(|| rng.random_range(-3..=3)),
        3 => Box::new(|| i64::from(rng.random::<i32>())),
        4 => Box::new(|| i64::from(rng.random::<u32>())),
        _ => Box::new(|| *[i64::from(i32::MIN), i64::from(u32::MAX), 0].choose(rng).unwrap()),
    };
    std::array::from_fn(|_| value())
}

#[test]
fn both_searches_agree_with_the_literal_implementation() {
    let mut rng = random_source(20_180_130);
    let (mut passes, mut over) = (0, 0);
    for at in 0..POSITIONS {
        let kind = KINDS[at as usize % KINDS.len()];
        let board = random_board(&mut rng, kind).map(|row| row.join(",")).join("\n");
        let values = random_values(&mut rng).map(|value| value.to_string()).join(",");
        let player = if rng.random() { "Star" } else { "Circle" };
        let depth = rng.random_range(1..=kind.depth);
        for algorithm in ["MINIMAX", "ALPHABETA"] {
            let input = format!("{player}\n{algorithm}\n{depth}\n{board}\n{values}");
            let output = solve(&input);
            assert_eq!(output, star_circle_literal::answer(&input), "position {at}:\n{input}");
            passes += u32::from(output.starts_with("pass"));
            over += u32::from(output.ends_with("\n1"));
        }
    }
    // Rare answers occur often enough.
    assert!(passes > 500 && over > 250 && passes - over > 250, "{passes} passes, {over} games already over");
}
