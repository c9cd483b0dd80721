//! The furthest jump forward, of one piece or of a whole army.
//!
//! Playouts need one good play and evaluations what is threatened, not all plays, so the pieces need not be looked at one by one. One
//! flood follows the chains of all pieces, the four parity classes side by side. A second flood leads
//! from the foremost squares of each class back to the pieces that get there; the rearmost of these goes
//! furthest that way. Both are put aside, and so on, until no piece left can go further than the best
//! one found: mostly two rounds.

use super::bitboard::{Bitboard, class_diagonals};
use super::lanes::{Lanes, WithLanes, with_lanes};
use super::position::Position;
use super::reach::Jumps;
use super::square::Square;
use crate::game::Player;

/// A chain of jumps forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FurthestJump {
    /// Where the piece starts.
    pub from: Square,
    /// Where it lands.
    pub to: Square,
    /// How many diagonals of its class's 8×8 board it crosses, 1…14: half of the columns and rows by
    /// which it comes closer to the corner of its goal.
    pub diagonals: u32,
}

/// The jump of a piece of `army`, some or all pieces of `side`, that goes furthest forward and ends
/// outside `barred`, when just the squares of `occupied` have pieces; `None` if none goes forward.
///
/// Among equals it is always the same one, and on the board's half turn, for the other side, that one's half turn.
#[inline]
pub fn furthest_jump(
    side: Player,
    army: Bitboard,
    occupied: Bitboard,
    barred: Bitboard,
) -> Option<FurthestJump> {
    let [jump] = with_lanes(Question { armies: [Army { side, army, barred }], occupied });
    jump
}

/// As [`furthest_jump`], for the piece on `from` alone.
#[inline(always)]
pub fn furthest_jump_of(
    side: Player,
    from: Square,
    occupied: Bitboard,
    barred: Bitboard,
) -> Option<FurthestJump> {
    let class = from.class();
    let landings = Jumps::of_class(occupied, class).chains(from.bit()) & !barred.class_word(class);
    if landings == 0 {
        return None;
    }
    let diagonal_of_piece = i32::from((from.number() & 7) + (from.number() >> 3 & 7));
    let start = match side {
        Player::One => diagonal_of_piece,
        Player::Two => 14 - diagonal_of_piece,
    };
    let front = front(side, landings);
    (front > start).then(|| {
        let to = on_board(class, landings & diagonal(side, front));
        FurthestJump { from, to, diagonals: (front - start) as u32 }
    })
}

/// The best step forward of the piece on `from`, not to a square of `taken`, and its progress in
/// columns plus rows: along the camps' diagonal if it can, else straight.
#[inline(always)]
pub fn furthest_step(side: Player, from: Square, taken: Bitboard) -> Option<(Square, i32)> {
    let [diagonal, along_row, along_column] = FORWARD[side.index()][from.index()];
    if !taken.contains(diagonal) {
        Some((diagonal, 2))
    } else if !taken.contains(along_row) {
        Some((along_row, 1))
    } else if !taken.contains(along_column) {
        Some((along_column, 1))
    } else {
        None
    }
}

/// The squares one step forward: diagonally, along the row, along the column. Where the board
/// ends, the square itself, which is taken.
static FORWARD: [[[Square; 3]; 256]; 2] = {
    let mut table = [[[Square::new(0, 0); 3]; 256]; 2];
    let mut number = 0;
    while number < 256 {
        let from = Square::from_number(number as u8);
        let mut kind = 0;
        while kind < 3 {
            let (dx, dy) = [(1, 1), (1, 0), (0, 1)][kind];
            table[0][number][kind] = match from.offset(dx, dy) {
                Some(to) => to,
                None => from,
            };
            table[1][number][kind] = match from.offset(-dx, -dy) {
                Some(to) => to,
                None => from,
            };
            kind += 1;
        }
        number += 1;
    }
    table
};

/// The furthest jump of each side in `position`, as [`furthest_jump`] finds it, by [`Player::index`]: as if that side
/// were to move. Who has to leave its camp jumps out of it.
#[inline]
pub fn furthest_jumps(position: &Position) -> [Option<FurthestJump>; 2] {
    let army = |side| {
        let (army, barred) = position.forward_bounds(side);
        Army { side, army, barred }
    };
    let armies = [army(Player::One), army(Player::Two)];
    with_lanes(Question { armies, occupied: position.occupied() })
}

/// Whose jumps are asked for: see [`furthest_jump`].
#[derive(Clone, Copy)]
struct Army {
    side: Player,
    army: Bitboard,
    barred: Bitboard,
}

/// The furthest jump of each of some armies. They are looked for side by side: each flood waits for its own last step
/// only.
struct Question<const ARMIES: usize> {
    armies: [Army; ARMIES],
    occupied: Bitboard,
}

impl<const ARMIES: usize> WithLanes for Question<ARMIES> {
    type Output = [Option<FurthestJump>; ARMIES];

    #[inline(always)]
    fn with_lanes<L: Lanes>(self, lanes: L) -> [Option<FurthestJump>; ARMIES] {
        let Question { armies, occupied } = self;
        let field = Field::new(lanes, occupied);
        // Loops, not maps: their closures would not be compiled for these lanes.
        let mut open = [field.empty; ARMIES];
        for (open, army) in open.iter_mut().zip(&armies) {
            *open = field.landings(lanes.load(army.army.0));
        }
        let open = field.flood(open);
        let mut searches = [Search::NONE; ARMIES];
        for ((search, army), open) in searches.iter_mut().zip(armies).zip(open) {
            search.begin(army, lanes.store(open));
        }
        loop {
            let mut foremost = [[0; 4]; ARMIES];
            let mut squares = open;
            let mut any = 0;
            for ((search, foremost), squares) in searches.iter_mut().zip(&mut foremost).zip(&mut squares) {
                *foremost = search.foremost();
                any |= foremost[0] | foremost[1] | foremost[2] | foremost[3];
                *squares = lanes.load(*foremost);
            }
            if any == 0 {
                break;
            }
            let squares = field.flood(squares);
            for ((search, foremost), squares) in searches.iter_mut().zip(foremost).zip(squares) {
                search.put_aside(foremost, lanes.store(squares), lanes.store(field.beside(squares)));
            }
        }
        // Of squares equally far, those that the piece gets to.
        let mut ways = open;
        let mut several = false;
        for (search, ways) in searches.iter().zip(&mut ways) {
            if let Some(Best { class, piece, squares }) = search.best {
                *ways = field.landings(lanes.load(Bitboard::of_class(class, piece).0));
                several |= !squares.is_power_of_two();
            }
        }
        if several {
            ways = field.flood(ways);
            for (search, ways) in searches.iter_mut().zip(ways) {
                search.keep(lanes.store(ways));
            }
        }
        let mut jumps = [None; ARMIES];
        for (jump, search) in jumps.iter_mut().zip(&searches) {
            *jump = search.found();
        }
        jumps
    }
}

/// The search for one army's furthest jump.
#[derive(Clone, Copy)]
struct Search {
    side: Player,
    classes: [Rest; 4],
    /// The diagonals that the best jump crosses.
    most: i32,
    best: Option<Best>,
}

/// The best jump found.
#[derive(Clone, Copy)]
struct Best {
    class: usize,
    /// Its piece.
    piece: u64,
    /// Squares that it may land on.
    squares: u64,
}

impl Search {
    /// That of no army.
    const NONE: Search = Search {
        side: Player::One,
        classes: [Rest { squares: 0, pieces: 0, front: 0 }; 4],
        most: 0,
        best: None,
    };

    /// Jumps lead to the `open` squares, if these are not barred.
    #[inline(always)]
    fn begin(&mut self, Army { side, army, barred }: Army, open: [u64; 4]) {
        self.side = side;
        for (class, rest) in self.classes.iter_mut().enumerate() {
            (rest.squares, rest.pieces) = (open[class] & !barred.0[class], army.0[class]);
        }
    }

    /// The foremost squares of each class that may better the best jump.
    #[inline(always)]
    fn foremost(&mut self) -> [u64; 4] {
        let mut foremost = [0; 4];
        for (rest, squares) in self.classes.iter_mut().zip(&mut foremost) {
            *squares = rest.foremost(self.side, self.most);
        }
        foremost
    }

    /// Puts aside the squares that chains connect with the `foremost`, and the `pieces` beside them; one of these may
    /// have the best jump.
    #[inline(always)]
    fn put_aside(&mut self, foremost: [u64; 4], squares: [u64; 4], pieces: [u64; 4]) {
        // By a half turn the classes come the other way round, and the squares of each.
        let turn = match self.side {
            Player::One => 0,
            Player::Two => 3,
        };
        for place in 0..4 {
            let class = place ^ turn;
            let rest = &mut self.classes[class];
            let pieces = pieces[class] & rest.pieces;
            if pieces != 0 {
                let rear = rear(self.side, pieces);
                if rest.front - rear > self.most {
                    self.most = rest.front - rear;
                    let piece = first(self.side, pieces & diagonal(self.side, rear));
                    self.best = Some(Best { class, piece, squares: foremost[class] });
                }
            }
            rest.squares &= !squares[class];
            rest.pieces &= !pieces;
        }
    }

    /// Of the squares that the best jump may land on, those among `ways` are left.
    #[inline(always)]
    fn keep(&mut self, ways: [u64; 4]) {
        if let Some(best) = &mut self.best {
            best.squares &= ways[best.class];
        }
    }

    /// The best jump.
    #[inline(always)]
    fn found(&self) -> Option<FurthestJump> {
        let Best { class, piece, squares } = self.best?;
        let (from, to) = (on_board(class, piece), on_board(class, first(self.side, squares)));
        Some(FurthestJump { from, to, diagonals: self.most as u32 })
    }
}

/// What is left to look at in one class.
#[derive(Clone, Copy)]
struct Rest {
    /// Where jumps lead to.
    squares: u64,
    /// The pieces whose furthest jump is not known.
    pieces: u64,
    /// The foremost diagonal of `squares`, as [`foremost`](Self::foremost) found it.
    front: i32,
}

impl Rest {
    /// The foremost squares, if any piece could cross more than `most` diagonals to get there; else none,
    /// for no piece of this class can beat the best jump.
    #[inline(always)]
    fn foremost(&mut self, side: Player, most: i32) -> u64 {
        if self.squares == 0 || self.pieces == 0 {
            return 0;
        }
        self.front = front(side, self.squares);
        if self.front - rear(side, self.pieces) <= most {
            self.pieces = 0;
            return 0;
        }
        self.squares & diagonal(side, self.front)
    }
}

/// The open jumps of all four classes, as [`Jumps`] has them for one.
#[derive(Clone, Copy)]
struct Field<L: Lanes> {
    lanes: L,
    east: L::Words,
    south: L::Words,
    south_east: L::Words,
    south_west: L::Words,
    empty: L::Words,
}

const NOT_LAST_COLUMN: [u64; 4] = [0x7f7f_7f7f_7f7f_7f7f; 4];
const NOT_FIRST_COLUMN: [u64; 4] = [0xfefe_fefe_fefe_fefe; 4];
const NOT_LAST_ROW: [u64; 4] = [0x00ff_ffff_ffff_ffff; 4];

impl<L: Lanes> Field<L> {
    #[inline(always)]
    fn new(lanes: L, occupied: Bitboard) -> Field<L> {
        let [a, b, c, d] = occupied.0;
        let [not_last_column, not_first_column, not_last_row] =
            [NOT_LAST_COLUMN, NOT_FIRST_COLUMN, NOT_LAST_ROW].map(|words| lanes.load(words));
        let beside = lanes.load([b, a, d, c]);
        let below = lanes.load([c, d, a, b]);
        let across = lanes.and(lanes.down_by(lanes.load([d, c, b, a]), [0, 0, 8, 8]), not_last_row);
        Field {
            lanes,
            east: lanes.and(lanes.down_by(beside, [0, 1, 0, 1]), not_last_column),
            south: lanes.and(lanes.down_by(below, [0, 0, 8, 8]), not_last_row),
            south_east: lanes.and(lanes.down_by(across, [0, 1, 0, 1]), not_last_column),
            south_west: lanes.and(lanes.up_by(across, [1, 0, 1, 0]), not_first_column),
            empty: lanes.load((!occupied).0),
        }
    }

    /// The squares, empty or not, between which and a square of `from` a jump is open.
    #[inline(always)]
    fn beside(&self, from: L::Words) -> L::Words {
        let Field { lanes, east, south, south_east, south_west, .. } = *self;
        let row = lanes.or(lanes.up::<1>(lanes.and(from, east)), lanes.and(lanes.down::<1>(from), east));
        let column = lanes.or(lanes.up::<8>(lanes.and(from, south)), lanes.and(lanes.down::<8>(from), south));
        let falling = lanes
            .or(lanes.up::<9>(lanes.and(from, south_east)), lanes.and(lanes.down::<9>(from), south_east));
        let rising = lanes
            .or(lanes.up::<7>(lanes.and(from, south_west)), lanes.and(lanes.down::<7>(from), south_west));
        lanes.or(lanes.or(row, column), lanes.or(falling, rising))
    }

    /// The empty squares one jump away from any square of `from`.
    #[inline(always)]
    fn landings(&self, from: L::Words) -> L::Words {
        self.lanes.and(self.beside(from), self.empty)
    }

    /// The squares of each of `from`, and those that chains of jumps lead to from any of them.
    #[inline(always)]
    fn flood<const MANY: usize>(&self, from: [L::Words; MANY]) -> [L::Words; MANY] {
        let mut reached = from;
        loop {
            let (before, mut all_same) = (reached, true);
            for (squares, before) in reached.iter_mut().zip(&before) {
                *squares = self.lanes.or(*squares, self.landings(*squares));
                all_same &= self.lanes.same(*squares, *before);
            }
            if all_same {
                return reached;
            }
        }
    }
}

/// The first square of `word`, which is not empty, as `side` counts them.
#[inline(always)]
fn first(side: Player, word: u64) -> u64 {
    match side {
        Player::One => word & word.wrapping_neg(),
        Player::Two => 1 << 63 >> (word.leading_zeros() & 63),
    }
}

/// The first square of `word`, which belongs to `class`.
#[inline(always)]
fn on_board(class: usize, word: u64) -> Square {
    Square::from_number((class as u8) << 6 | word.trailing_zeros() as u8)
}

/// How far forward the foremost square of `word` is, in diagonals as `side` counts them, 0…14. There
/// must be one.
#[inline(always)]
fn front(side: Player, word: u64) -> i32 {
    let diagonals = class_diagonals(word);
    match side {
        Player::One => 31 - diagonals.leading_zeros() as i32,
        Player::Two => 14 - diagonals.trailing_zeros() as i32,
    }
}

/// How far forward the rearmost square of `word` is. There must be one.
#[inline(always)]
fn rear(side: Player, word: u64) -> i32 {
    14 - front(side.opponent(), word)
}

/// The squares that are `forward` diagonals forward.
#[inline(always)]
fn diagonal(side: Player, forward: i32) -> u64 {
    let diagonal = match side {
        Player::One => forward,
        Player::Two => 14 - forward,
    };
    DIAGONALS[diagonal as usize & 15]
}

/// The squares of each diagonal of a class's 8×8 board.
static DIAGONALS: [u64; 16] = {
    let mut table = [0; 16];
    let mut place = 0;
    while place < 64 {
        table[place / 8 + place % 8] |= 1 << place;
        place += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::super::camps::camp;
    use super::super::lanes::OneByOne;
    use super::super::position::{BLACK, Rules};
    use super::super::reach::Reach;
    use super::*;
    use crate::game::Game;

    /// Positions of two games in which both sides mostly go forward, seen by either side.
    fn positions() -> Vec<Position> {
        let mut positions = Vec::new();
        let mut plays = Vec::new();
        for stride in [7, 5] {
            let mut position = Position::initial(BLACK, Rules::Original);
            for ply in 0..200 {
                positions.extend([position, position.pass()]);
                position.plays(&mut plays);
                let score = |play| (position.progress(play) + (ply * stride) % 3, (ply * stride) % 11);
                let Some(&play) = plays.iter().max_by_key(|&&play| score(play)) else { break };
                position.play(play);
            }
        }
        positions
    }

    /// The diagonals that the furthest jump of each piece crosses, piece by piece.
    fn one_by_one(side: Player, army: Bitboard, occupied: Bitboard, barred: Bitboard) -> i32 {
        let mut reach = Reach::new(occupied);
        let mut most = 0;
        for from in army {
            let class = from.class();
            let landings = (reach.from(from) & !barred).class_word(class);
            if landings != 0 {
                most = most.max(front(side, landings) - rear(side, from.bit()));
            }
        }
        most
    }

    #[test]
    fn no_piece_has_a_jump_that_goes_further() {
        let mut found = 0;
        for position in positions() {
            let (side, occupied) = (position.to_move(), position.occupied());
            for (army, barred) in [
                (position.pieces(side), Bitboard::EMPTY),
                (position.pieces(side) & camp(side), camp(side)),
                (position.pieces(side) & !camp(side), camp(side.opponent())),
            ] {
                let jump = furthest_jump(side, army, occupied, barred);
                let most = one_by_one(side, army, occupied, barred);
                assert_eq!(jump.map_or(0, |jump| jump.diagonals as i32), most, "{position}");
                let of_pieces =
                    army.into_iter().filter_map(|from| furthest_jump_of(side, from, occupied, barred));
                assert_eq!(of_pieces.map(|jump| jump.diagonals as i32).max().unwrap_or(0), most);
                let Some(FurthestJump { from, to, diagonals }) = jump else { continue };
                assert!(army.contains(from) && !barred.contains(to));
                assert!(Reach::new(occupied).from(from).contains(to), "{from} {to} in\n{position}");
                assert_eq!(front(side, to.bit()) - rear(side, from.bit()), diagonals as i32);
                found += 1;
            }
        }
        assert!(found > 500, "{found}");
    }

    #[test]
    fn the_half_turn_has_the_half_turned_jump() {
        for position in positions() {
            for side in Player::BOTH {
                let of = |position: &Position, side| {
                    furthest_jump(side, position.pieces(side), position.occupied(), Bitboard::EMPTY)
                };
                let turned = of(&position.half_turn(), side.opponent()).map(|jump| FurthestJump {
                    from: jump.from.half_turn(),
                    to: jump.to.half_turn(),
                    ..jump
                });
                assert_eq!(turned, of(&position, side), "{position}");
            }
        }
    }

    #[test]
    fn both_sides_at_once_have_the_jumps_of_each() {
        for position in positions() {
            for position in [position, position.with_rules(Rules::Addendum)] {
                let of = |side| {
                    let (army, barred) = position.forward_bounds(side);
                    furthest_jump(side, army, position.occupied(), barred)
                };
                assert_eq!(furthest_jumps(&position), Player::BOTH.map(of), "{position}");
            }
        }
    }

    #[test]
    fn every_processor_finds_the_same() {
        for position in positions() {
            let (side, occupied) = (position.to_move(), position.occupied());
            let (army, barred) = (position.pieces(side), Bitboard::EMPTY);
            let question = Question { armies: [Army { side, army, barred }], occupied };
            assert_eq!(question.with_lanes(OneByOne), [furthest_jump(side, army, occupied, barred)]);
        }
    }
}
