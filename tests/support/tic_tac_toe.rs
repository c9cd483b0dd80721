//! Tic-tac-toe, a game small enough to be solved, for tests of code that works with any game.

use halma::game::{Game, Outcome, Player};
use std::fmt;

/// The eight lines of three, as masks over the nine cells.
const LINES: [u16; 8] =
    [0b111, 0b111_000, 0b111_000_000, 0b1_001_001, 0b10_010_010, 0b100_100_100, 0b100_010_001, 0b1_010_100];

const ALL_CELLS: u16 = 0b111_111_111;

/// The cell to mark: 0…8 in reading order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(pub u8);

impl fmt::Display for Cell {
    /// Writes column and row from the top-left corner, as `x,y`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.0 % 3, self.0 / 3)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({self})")
    }
}

/// A position: the cells of player one (`X`, who starts) and of player two (`O`), as masks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TicTacToe {
    marks: [u16; 2],
}

impl TicTacToe {
    /// The empty board.
    pub fn new() -> TicTacToe {
        TicTacToe::default()
    }

    /// Reads nine marks `X`, `O` and `.` in reading order; other characters are ignored. `X` is to move if both have
    /// the same number of marks.
    pub fn from_drawing(drawing: &str) -> TicTacToe {
        let mut marks = [0_u16; 2];
        let cells: Vec<char> = drawing.chars().filter(|mark| "XO.".contains(*mark)).collect();
        assert_eq!(cells.len(), 9, "a board has nine cells");
        for (cell, mark) in cells.into_iter().enumerate() {
            match mark {
                'X' => marks[0] |= 1 << cell,
                'O' => marks[1] |= 1 << cell,
                _ => {}
            }
        }
        let lead = marks[0].count_ones() as i32 - marks[1].count_ones() as i32;
        assert!((0..=1).contains(&lead), "players take turns, and X starts");
        TicTacToe { marks }
    }

    fn empty(&self) -> u16 {
        ALL_CELLS & !(self.marks[0] | self.marks[1])
    }
}

impl fmt::Display for TicTacToe {
    /// Draws the board in three lines, as [`TicTacToe::from_drawing`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in 0..9 {
            let marked = |player: Player| self.marks[player.index()] >> cell & 1 == 1;
            let mark = match (marked(Player::One), marked(Player::Two)) {
                (true, _) => 'X',
                (_, true) => 'O',
                _ => '.',
            };
            write!(f, "{mark}{}", if cell % 3 == 2 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl Game for TicTacToe {
    type Play = Cell;

    fn to_move(&self) -> Player {
        if self.empty().count_ones() % 2 == 1 { Player::One } else { Player::Two }
    }

    fn outcome(&self) -> Option<Outcome> {
        let has_line = |player: &Player| LINES.iter().any(|&line| self.marks[player.index()] & line == line);
        match Player::BOTH.into_iter().find(has_line) {
            Some(winner) => Some(Outcome::Win(winner)),
            None => (self.empty() == 0).then_some(Outcome::Draw),
        }
    }

    fn legal_plays(&self, plays: &mut Vec<Cell>) {
        plays.clear();
        plays.extend((0..9).filter(|cell| self.empty() >> cell & 1 == 1).map(Cell));
    }

    fn play(&mut self, Cell(cell): Cell) {
        debug_assert!(self.empty() >> cell & 1 == 1, "the cell is taken");
        self.marks[self.to_move().index()] |= 1 << cell;
    }

    /// The two masks side by side, spread over 64 bits by an odd factor. No two positions collide.
    fn key(&self) -> u64 {
        (self.marks[0] as u64 | (self.marks[1] as u64) << 9).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
