//! Star and Circle: random positions of every kind against a second, literal implementation.

#[path = "support/star_circle_literal.rs"]
mod star_circle_literal;

use halma::homework::star_circle::Problem;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const POSITIONS: u64 = 6_000;

/// What sort of board is drawn.
#[derive(Clone, Copy)]
struct Kind {
    /// The most walking pieces of each side.
    pieces: usize,
    /// Squares they stand on, by (row from the top, column) and whether the piece is a star.
    squares: fn(usize, usize, bool) -> bool,
    /// Stacks on last rows: the largest count.
    largest_stack: u32,
    /// The deepest search for which the literal implementation is fast enough.
    depth: u32,
}

fn anywhere(_: usize, _: usize, _: bool) -> bool {
    true
}

fn dark(row: usize, column: usize, _: bool) -> bool {
    (row + column) % 2 == 1
}

/// Face to face in four rows: most pieces are blocked.
fn crowded(row: usize, column: usize, star: bool) -> bool {
    dark(row, column, star) && if star { (3..5).contains(&row) } else { (1..3).contains(&row) }
}

/// Already past each other.
fn passed(row: usize, _: usize, star: bool) -> bool {
    if star { row < 4 } else { row >= 4 }
}

const KINDS: [Kind; 8] = [
    Kind { pieces: 6, squares: anywhere, largest_stack: 1, depth: 6 },
    Kind { pieces: 7, squares: dark, largest_stack: 3, depth: 6 },
    Kind { pieces: 12, squares: dark, largest_stack: 1, depth: 5 },
    Kind { pieces: 24, squares: anywhere, largest_stack: 2, depth: 4 },
    Kind { pieces: 12, squares: crowded, largest_stack: 1, depth: 6 },
    Kind { pieces: 9, squares: passed, largest_stack: 20, depth: 6 },
    Kind { pieces: 4, squares: anywhere, largest_stack: u32::MAX, depth: 6 },
    Kind { pieces: 0, squares: anywhere, largest_stack: 5, depth: 6 },
];

/// A board of this kind, as rows of squares from H down to A.
fn random_board(rng: &mut impl RngExt, kind: Kind) -> [[String; 8]; 8] {
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
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(20_180_130);
    let (mut passes, mut over) = (0, 0);
    for at in 0..POSITIONS {
        let kind = KINDS[at as usize % KINDS.len()];
        let board = random_board(&mut rng, kind).map(|row| row.join(",")).join("\n");
        let values = random_values(&mut rng).map(|value| value.to_string()).join(",");
        let player = if rng.random() { "Star" } else { "Circle" };
        let depth = rng.random_range(1..=kind.depth);
        for algorithm in ["MINIMAX", "ALPHABETA"] {
            let input = format!("{player}\n{algorithm}\n{depth}\n{board}\n{values}");
            let output = Problem::parse(&input).unwrap().answer().to_string();
            assert_eq!(output, star_circle_literal::answer(&input), "position {at}:\n{input}");
            passes += u32::from(output.starts_with("pass"));
            over += u32::from(output.ends_with("\n1"));
        }
    }
    // Rare answers must be among them.
    assert!(passes > 1_000 && over > 500 && passes - over > 500, "{passes} passes, {over} over");
}
