//! A second, slow implementation of the rules of Halma that follows their wording.
//!
//! It shares no code with the crate: letters on a board of rows, jumps followed one by one, and the camp rules as
//! filters over the list of all movements. A misreading of the rules goes unnoticed only if both implementations share
//! it.

/// A square as `(x, y)`, from the top-left corner.
pub type Xy = (u8, u8);

/// The first and the last square of a piece's path.
pub type Movement = (Xy, Xy);

/// All squares, row by row.
pub fn squares() -> impl Iterator<Item = Xy> {
    (0..16).flat_map(|y| (0..16).map(move |x| (x, y)))
}

/// A board, the side to move (`b'B'` or `b'W'`), and whether the addendum applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveBoard {
    rows: [[u8; 16]; 16],
    mover: u8,
    addendum: bool,
}

/// Whether the square is in the camp of `side`.
pub fn in_camp(side: u8, (x, y): Xy) -> bool {
    let (x, y) = if side == b'B' { (x, y) } else { (15 - x, 15 - y) };
    match y {
        0 | 1 => x < 5,
        2 => x < 4,
        3 => x < 3,
        4 => x < 2,
        _ => false,
    }
}

/// Whether `square` is in the goal of `side`.
pub fn in_goal(side: u8, square: Xy) -> bool {
    in_camp(if side == b'B' { b'W' } else { b'B' }, square)
}

/// Rule 2b: `to` is further than `from` from the corner of the side's camp in at least one coordinate and closer in
/// none.
fn moves_away(side: u8, (from, to): Movement) -> bool {
    from != to
        && if side == b'B' { to.0 >= from.0 && to.1 >= from.1 } else { to.0 <= from.0 && to.1 <= from.1 }
}

/// The squares one and two steps of `(dx, dy)` away, each `None` if it is off the board.
fn line((x, y): Xy, dx: i32, dy: i32) -> (Option<Xy>, Option<Xy>) {
    let at = |times: i32| {
        let (x, y) = (x as i32 + times * dx, y as i32 + times * dy);
        ((0..16).contains(&x) && (0..16).contains(&y)).then_some((x as u8, y as u8))
    };
    (at(1), at(2))
}

const DIRECTIONS: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

impl NaiveBoard {
    /// The board drawn by sixteen lines of `B`, `W` and `.`.
    pub fn from_drawing(drawing: &str, mover: u8, addendum: bool) -> NaiveBoard {
        let mut rows = [[0; 16]; 16];
        assert_eq!(drawing.lines().count(), 16);
        for (row, line) in rows.iter_mut().zip(drawing.lines()) {
            row.copy_from_slice(line.as_bytes());
        }
        NaiveBoard { rows, mover, addendum }
    }

    fn at(&self, (x, y): Xy) -> u8 {
        self.rows[y as usize][x as usize]
    }

    fn set(&mut self, (x, y): Xy, mark: u8) {
        self.rows[y as usize][x as usize] = mark;
    }

    fn pieces(&self, side: u8) -> Vec<Xy> {
        squares().filter(|&square| self.at(square) == side).collect()
    }

    /// The board without the piece on `square`.
    fn lifted(&self, square: Xy) -> NaiveBoard {
        let mut board = self.clone();
        board.set(square, b'.');
        board
    }

    /// The squares that one jump from `from` reaches.
    fn landings(&self, from: Xy) -> Vec<Xy> {
        let jump = |&(dx, dy): &(i32, i32)| match line(from, dx, dy) {
            (Some(over), Some(to)) if self.at(over) != b'.' && self.at(to) == b'.' => Some(to),
            _ => None,
        };
        DIRECTIONS.iter().filter_map(jump).collect()
    }

    /// Follows all chains of jumps from `at` to squares not `reached` before.
    fn follow_jumps(&self, at: Xy, reached: &mut Vec<Xy>) {
        for to in self.landings(at) {
            if !reached.contains(&to) {
                reached.push(to);
                self.follow_jumps(to, reached);
            }
        }
    }

    /// All movements of the mover's pieces, regardless of camp rules.
    fn movements(&self) -> Vec<Movement> {
        let mut movements = Vec::new();
        for from in self.pieces(self.mover) {
            let steps = DIRECTIONS.iter().filter_map(|&(dx, dy)| line(from, dx, dy).0);
            let mut reached: Vec<Xy> = steps.filter(|&to| self.at(to) == b'.').collect();
            self.lifted(from).follow_jumps(from, &mut reached);
            movements.extend(reached.into_iter().filter(|&to| to != from).map(|to| (from, to)));
        }
        movements
    }

    /// The legal plays, sorted.
    pub fn legal_plays(&self) -> Vec<Movement> {
        let home = |square| in_camp(self.mover, square);
        let goal = |square| in_goal(self.mover, square);
        let mut original = self.movements();
        original.retain(|&(from, to)| !goal(from) || goal(to));
        original.sort();
        if !self.addendum {
            return original;
        }
        let filtered = |keep: &dyn Fn(Movement) -> bool| -> Vec<Movement> {
            original.iter().copied().filter(|&movement| keep(movement)).collect()
        };
        let rules_in_order = if self.pieces(self.mover).into_iter().any(home) {
            vec![
                filtered(&|(from, to)| home(from) && !home(to)),
                filtered(&|(from, to)| home(from) && home(to) && moves_away(self.mover, (from, to))),
                filtered(&|(from, to)| !home(from) && !home(to)),
            ]
        } else {
            vec![filtered(&|(_, to)| !home(to))]
        };
        rules_in_order.into_iter().find(|plays| !plays.is_empty()).unwrap_or(original)
    }

    /// The board after the movement, with the other side to move.
    pub fn after(&self, (from, to): Movement) -> NaiveBoard {
        let mut board = self.lifted(from);
        board.set(to, self.mover);
        board.mover = if self.mover == b'B' { b'W' } else { b'B' };
        board
    }

    /// Whether the goal of `side` is full and holds at least one of its pieces.
    pub fn has_won(&self, side: u8) -> bool {
        let goal: Vec<u8> =
            squares().filter(|&square| in_goal(side, square)).map(|square| self.at(square)).collect();
        goal.iter().all(|&mark| mark != b'.') && goal.contains(&side)
    }

    /// The plays among `plays` that win immediately.
    pub fn wins_among(&self, plays: &[Movement]) -> Vec<Movement> {
        plays.iter().copied().filter(|&play| self.after(play).has_won(self.mover)).collect()
    }

    /// Whether each square of `chain` is one jump from the one before it.
    pub fn is_chain_of_jumps(&self, chain: &[Xy]) -> bool {
        let board = self.lifted(chain[0]);
        chain.windows(2).all(|hop| board.landings(hop[0]).contains(&hop[1]))
    }

    /// Whether a referee that checks the camp rules at every hop accepts the mover's `chain`: once the piece is in the
    /// goal it stays in, and once it is outside its camp it stays out.
    pub fn is_hop_safe(&self, chain: &[Xy]) -> bool {
        let goal: Vec<bool> = chain.iter().map(|&square| in_goal(self.mover, square)).collect();
        let away: Vec<bool> = chain.iter().map(|&square| !in_camp(self.mover, square)).collect();
        goal.is_sorted() && away.is_sorted()
    }

    /// The length of the shortest chain of jumps that makes this movement, among all chains or only the hop-safe ones.
    pub fn fewest_jumps(&self, (from, to): Movement, hop_safe: bool) -> Option<usize> {
        let board = self.lifted(from);
        let (mut seen, mut ring, mut jumps) = (vec![from], vec![from], 0);
        while !ring.is_empty() && !ring.contains(&to) {
            let mut next = Vec::new();
            for at in ring {
                for landing in board.landings(at) {
                    if !seen.contains(&landing) && (!hop_safe || self.is_hop_safe(&[at, landing])) {
                        seen.push(landing);
                        next.push(landing);
                    }
                }
            }
            (ring, jumps) = (next, jumps + 1);
        }
        ring.contains(&to).then_some(jumps)
    }
}
