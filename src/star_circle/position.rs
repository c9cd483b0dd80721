//! A position of Star and Circle: its legal plays, the end of the game, and the utility.

use super::play::Play;
use super::square::{BOARD_SIZE, Square};
use crate::game::{Game, Outcome, Player};
use crate::support::random::mix;

/// The side that moves from row A up to row H.
pub const STAR: Player = Player::One;
/// The side that moves from row H down to row A.
pub const CIRCLE: Player = Player::Two;

/// The number of consecutive passes that ends the game.
const PASSES_TO_END: u8 = 2;

/// The value of a piece in each row, from its side's first row to the last: A…H for Star, H…A for Circle.
pub type RowValues = [i64; BOARD_SIZE as usize];

/// The pieces of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pieces {
    /// The squares of pieces that have not reached the last row: a bit for each [`Square`], which holds at most one of
    /// them.
    walking: u64,
    /// The number of pieces that have reached the last row. They can't move, be captured or block other pieces, and any
    /// number can share a square, so their squares no longer matter.
    arrived: u64,
}

/// The pieces of both sides, the side to move, the passes so far, and the utility.
///
/// All 64 squares can be used, including the light ones. Plays change a position in place, and a search copies it instead
/// of taking plays back. Each play updates the utility. It has 128 bits because 16 squares may each hold 2³² pieces worth
/// 2³², which exceeds 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pieces: [Pieces; 2],
    /// Star's sum of row values minus Circle's.
    balance: i128,
    values: RowValues,
    to_move: Player,
    /// The number of consecutive passes so far.
    passes: u8,
}

/// The row of `square`, 0…7, counted from `side`'s first row.
#[inline]
const fn advance(side: Player, square: Square) -> u8 {
    match side {
        Player::One => BOARD_SIZE - 1 - square.row(),
        Player::Two => square.row(),
    }
}

/// The squares one row forward of `squares` for `side`, and one column to the left.
#[inline]
const fn forward_left(side: Player, squares: u64) -> u64 {
    let inner = squares & !0x0101_0101_0101_0101;
    match side {
        Player::One => inner >> 9,
        Player::Two => inner << 7,
    }
}

/// The squares one row forward of `squares` for `side`, and one column to the right.
#[inline]
const fn forward_right(side: Player, squares: u64) -> u64 {
    let inner = squares & !0x8080_8080_8080_8080;
    match side {
        Player::One => inner >> 7,
        Player::Two => inner << 9,
    }
}

impl Pieces {
    /// Whether the side has no piece left.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.walking == 0 && self.arrived == 0
    }

    /// Whether a piece that has not reached the last row stands on `square`.
    #[inline]
    pub const fn walks_on(self, square: Square) -> bool {
        self.walking & square.bit() != 0
    }

    /// The number of pieces that have reached the last row.
    #[inline]
    pub const fn arrived(self) -> u64 {
        self.arrived
    }
}

impl Position {
    /// An empty board with these row values, `to_move` to move.
    pub fn empty(values: RowValues, to_move: Player) -> Position {
        Position { pieces: [Pieces::default(); 2], balance: 0, values, to_move, passes: 0 }
    }

    /// The start of the game: twelve pieces a side on the dark squares of its first three rows, Star to move.
    pub fn initial(values: RowValues) -> Position {
        let mut position = Position::empty(values, STAR);
        for row in 0..BOARD_SIZE {
            let side = match row {
                0..3 => CIRCLE,
                5.. => STAR,
                _ => continue,
            };
            for column in (1 - row % 2..BOARD_SIZE).step_by(2) {
                position.place(side, Square::new(row, column), 1);
            }
        }
        position
    }

    /// Puts `count` pieces of `side` on `square`: at most one, except on the side's last row.
    ///
    /// # Panics
    /// If a piece that has not reached its last row stands there, or would share the square.
    pub fn place(&mut self, side: Player, square: Square, count: u32) {
        let free = self.pieces.iter().all(|pieces| !pieces.walks_on(square));
        let last_row = advance(side, square) == BOARD_SIZE - 1;
        assert!(free && (last_row || count <= 1), "{square} can hold only one piece");
        let pieces = &mut self.pieces[side.index()];
        if last_row {
            pieces.arrived += u64::from(count);
        } else if count == 1 {
            pieces.walking |= square.bit();
        }
        self.balance += i128::from(count) * self.worth(side, square);
    }

    /// The pieces of `side`.
    #[inline]
    pub fn pieces(&self, side: Player) -> Pieces {
        self.pieces[side.index()]
    }

    /// The utility for `player`: the sum of its row values minus the opponent's.
    #[inline]
    pub fn utility(&self, player: Player) -> i128 {
        match player {
            Player::One => self.balance,
            Player::Two => -self.balance,
        }
    }

    /// How much one piece of `side` on `square` adds to the balance.
    #[inline]
    fn worth(&self, side: Player, square: Square) -> i128 {
        let value = i128::from(self.values[usize::from(advance(side, square))]);
        match side {
            Player::One => value,
            Player::Two => -value,
        }
    }

    /// Calls `visit` with every move, in the game's order: by source square, then by target square, each from top to
    /// bottom and from left to right.
    ///
    /// This is the only place that knows how pieces move. To go from targets back to sources, it moves forward as the
    /// opponent does, with left and right swapped.
    #[inline(always)]
    fn for_each_move(&self, mut visit: impl FnMut(Square, Square)) {
        let (side, opponent) = (self.to_move, self.to_move.opponent());
        let own = self.pieces(side).walking;
        let prey = self.pieces(opponent).walking;
        let free = !(own | prey);
        let left_of = |targets| forward_right(opponent, targets);
        let right_of = |targets| forward_left(opponent, targets);
        let step_left = own & left_of(free);
        let step_right = own & right_of(free);
        let jump_left = own & left_of(prey & left_of(free));
        let jump_right = own & right_of(prey & right_of(free));
        // Jumps end above steps for Star, and below them for Circle.
        let movers: [(u64, i8); 4] = match side {
            Player::One => [(jump_left, -18), (jump_right, -14), (step_left, -9), (step_right, -7)],
            Player::Two => [(step_left, 7), (step_right, 9), (jump_left, 14), (jump_right, 18)],
        };
        let mut sources = step_left | step_right | jump_left | jump_right;
        while sources != 0 {
            let from = Square::from_number(sources.trailing_zeros() as u8);
            sources &= sources - 1;
            for (set, offset) in movers {
                if set & from.bit() != 0 {
                    visit(from, Square::from_number(from.number().wrapping_add_signed(offset)));
                }
            }
        }
    }
}

impl Game for Position {
    type Play = Play;

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    /// The game ends after two consecutive passes, or when a side has no piece left. The side with the greater utility
    /// wins.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.passes < PASSES_TO_END && !self.pieces[0].is_empty() && !self.pieces[1].is_empty() {
            return None;
        }
        Some(match self.balance {
            1.. => Outcome::Win(STAR),
            0 => Outcome::Draw,
            ..0 => Outcome::Win(CIRCLE),
        })
    }

    /// Lists the moves in the game's order, or the pass if there is none.
    #[inline]
    fn legal_plays(&self, plays: &mut Vec<Play>) {
        plays.clear();
        self.for_each_move(|from, to| plays.push(Play::Move { from, to }));
        if plays.is_empty() {
            plays.push(Play::Pass);
        }
    }

    #[inline]
    fn play(&mut self, play: Play) {
        let (side, opponent) = (self.to_move, self.to_move.opponent());
        self.to_move = opponent;
        let Play::Move { from, to } = play else {
            self.passes += 1;
            return;
        };
        self.passes = 0;
        if let Some(square) = play.captured() {
            debug_assert!(self.pieces(opponent).walks_on(square));
            self.pieces[opponent.index()].walking ^= square.bit();
            self.balance -= self.worth(opponent, square);
        }
        self.balance += self.worth(side, to) - self.worth(side, from);
        let pieces = &mut self.pieces[side.index()];
        debug_assert!(pieces.walks_on(from) && !pieces.walks_on(to));
        pieces.walking ^= from.bit();
        if advance(side, to) == BOARD_SIZE - 1 {
            pieces.arrived += 1;
        } else {
            pieces.walking |= to.bit();
        }
    }

    /// A hash of everything that changes during a game. The row values do not.
    #[inline]
    fn key(&self) -> u64 {
        let [star, circle] = self.pieces;
        let turn = u64::from(self.passes) << 1 | self.to_move.index() as u64;
        [star.walking, circle.walking, star.arrived, circle.arrived]
            .into_iter()
            .fold(mix(turn), |hash, word| mix(hash ^ word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: RowValues = [10, 20, 30, 40, 50, 60, 70, 80];

    fn position(to_move: Player, pieces: &[(Player, u8, u8)]) -> Position {
        let mut position = Position::empty(VALUES, to_move);
        for &(side, row, column) in pieces {
            position.place(side, Square::new(row, column), 1);
        }
        position
    }

    fn plays(position: &Position) -> Vec<Play> {
        let mut plays = Vec::new();
        position.legal_plays(&mut plays);
        plays
    }

    #[test]
    fn two_consecutive_passes_end_the_game() {
        let mut position = position(CIRCLE, &[(STAR, 0, 0), (CIRCLE, 7, 7), (STAR, 7, 0), (CIRCLE, 6, 1)]);
        let (first, second) = (Square::new(7, 0), Square::new(6, 1));
        assert!(position.pieces(STAR).walks_on(first) && position.pieces(CIRCLE).walks_on(second));
        let arrive = Play::Move { from: second, to: Square::new(7, 2) };
        assert_eq!(plays(&position), [arrive]);
        position.play(arrive);
        for to in [(6, 1), (5, 0), (4, 1), (3, 0), (2, 1), (1, 0), (0, 1)] {
            let up = plays(&position)
                .into_iter()
                .find(|play| matches!(play, Play::Move { to: end, .. } if *end == Square::new(to.0, to.1)));
            position.play(up.unwrap());
            assert_eq!(position.outcome(), None);
            assert_eq!(plays(&position), [Play::Pass]);
            assert_eq!(position.winning_play(&[Play::Pass]), None);
            position.play(Play::Pass);
        }
        assert_eq!(plays(&position), [Play::Pass]);
        position.play(Play::Pass);
        assert_eq!(position.outcome(), Some(Outcome::Draw));
    }

    #[test]
    fn capturing_the_last_piece_wins_with_the_greater_utility() {
        let pieces = [(STAR, 4, 3), (CIRCLE, 3, 2)];
        let capture = Play::Move { from: Square::new(4, 3), to: Square::new(2, 1) };
        let mut position = position(STAR, &pieces);
        assert_eq!(position.winning_play(&plays(&position)), Some(capture));
        position.place(CIRCLE, Square::new(7, 0), 1);
        assert_eq!(position.winning_play(&plays(&position)), None);

        let mut worthless = Position::empty([-1; 8], STAR);
        for (side, row, column) in pieces {
            worthless.place(side, Square::new(row, column), 1);
        }
        assert_eq!(worthless.winning_play(&plays(&worthless)), None);
        worthless.play(capture);
        assert_eq!(worthless.outcome(), Some(Outcome::Win(CIRCLE)));
    }
}
