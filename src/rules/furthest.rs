//! The furthest jump forward, of one piece or of a whole army.
//!
//! Playouts need one good play and evaluations what is threatened, not all plays, so the pieces need not be looked at
//! one by one. One flood follows the chains of all pieces, the four parity classes side by side. A second flood leads
//! from the foremost squares of each class back to the pieces that get there; the rearmost of these goes furthest that
//! way. Both are put aside, and so on, until no piece left can go further than the best one found: mostly two rounds.

use super::bitboard::{Bitboard, class_diagonals};
use super::flood::Field;
use super::position::Position;
use super::reach::Jumps;
use super::square::Square;
use crate::game::Player;
use crate::support::simd::{Lanes, WithLanes, with_lanes};

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
    let [found] = with_lanes(Question { armies: [Army { side, army, barred }], occupied });
    found.furthest
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
    let front = front(side, class_diagonals(landings).into());
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

/// How far an army can jump forward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ForwardJumps {
    /// The jump that goes furthest; `None` if none goes forward.
    pub furthest: Option<FurthestJump>,
    /// For the three other parity classes, the diagonals that a jump crosses to the foremost squares that any can get to,
    /// from as far back as one does; 0 where none goes forward. Mostly it is the class's furthest jump.
    pub others: [u8; 3],
}

/// How far each side can jump in `position`, by [`Player::index`]: as if that side were to move. Among jumps that go
/// equally far it is always the same one. Who has to leave its camp jumps out of it.
#[inline]
pub fn forward_jumps(position: &Position) -> [ForwardJumps; 2] {
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

/// How far each of some armies can jump. They are looked for side by side: each flood waits for its own last step only.
struct Question<const ARMIES: usize> {
    armies: [Army; ARMIES],
    occupied: Bitboard,
}

impl<const ARMIES: usize> WithLanes for Question<ARMIES> {
    type Output = [ForwardJumps; ARMIES];

    #[inline(always)]
    fn with_lanes<L: Lanes>(self, lanes: L) -> [ForwardJumps; ARMIES] {
        let Question { armies, occupied } = self;
        let field = Field::new(lanes, occupied);
        // Loops, not maps: their closures would not be compiled for these lanes.
        let mut words = [field.empty; ARMIES];
        for (words, army) in words.iter_mut().zip(&armies) {
            *words = field.landings(lanes.load(army.army.0));
        }
        words = field.flood(words);
        let mut searches = [Search::of_no_army(field.empty); ARMIES];
        for ((search, army), &open) in searches.iter_mut().zip(armies).zip(&words) {
            search.side = army.side;
            search.squares = lanes.without(open, lanes.load(army.barred.0));
            search.pieces = lanes.load(army.army.0);
        }
        let mut first_round = true;
        loop {
            let mut any = false;
            for (search, words) in searches.iter_mut().zip(&mut words) {
                any |= search.look(&field);
                *words = search.foremost;
            }
            if !any {
                break;
            }
            words = field.flood(words);
            for (search, &squares) in searches.iter_mut().zip(&words) {
                search.put_aside(&field, squares, first_round);
            }
            first_round = false;
        }
        let mut found = [None; ARMIES];
        let mut several = false;
        for ((search, found), words) in searches.iter().zip(&mut found).zip(&mut words) {
            *found = search.found(lanes);
            if let Some((class, piece, squares)) = *found {
                *words = field.landings(lanes.load(Bitboard::of_class(class, piece).0));
                several |= !squares.is_power_of_two();
            }
        }
        if several {
            // Of squares equally far, those that the piece gets to.
            words = field.flood(words);
        }
        let mut jumps = [ForwardJumps::default(); ARMIES];
        for (army, jump) in jumps.iter_mut().enumerate() {
            let Some((class, piece, mut squares)) = found[army] else { continue };
            if several {
                squares &= lanes.store(words[army])[class];
            }
            let Search { side, most, to_the_front, .. } = searches[army];
            let (from, to) = (on_board(class, piece), on_board(class, first(side, squares)));
            jump.furthest = Some(FurthestJump { from, to, diagonals: most as u32 });
            for (place, other) in jump.others.iter_mut().enumerate() {
                *other = to_the_front[(class + 1 + place) & 3] as u8;
            }
        }
        jumps
    }
}

/// The search for one army's furthest jump.
#[derive(Clone, Copy)]
struct Search<L: Lanes> {
    side: Player,
    /// Where jumps lead to, but for what has been put aside.
    squares: L::Words,
    /// The pieces whose furthest jump is not known.
    pieces: L::Words,
    /// The foremost squares of each class from which a jump may be better, and how far forward they are.
    foremost: L::Words,
    fronts: [i32; 4],
    /// The diagonals that the best jump crosses.
    most: i32,
    /// Those that jumps to the foremost squares of each class cross: what the first round finds.
    to_the_front: [i32; 4],
    /// The class of the best jump, how far forward its piece is, and in that class the pieces and the squares that it
    /// may start from and land on.
    class: usize,
    rear: i32,
    best_pieces: L::Words,
    best_squares: L::Words,
}

impl<L: Lanes> Search<L> {
    /// That of an army without pieces; `words` stand for those that are to come.
    #[inline(always)]
    fn of_no_army(words: L::Words) -> Self {
        Search {
            side: Player::One,
            squares: words,
            pieces: words,
            foremost: words,
            fronts: [0; 4],
            most: 0,
            to_the_front: [0; 4],
            class: 0,
            rear: 0,
            best_pieces: words,
            best_squares: words,
        }
    }

    /// Finds the foremost squares of each class, if any piece could cross more diagonals to get there than the best
    /// jump does; returns whether there are any.
    #[inline(always)]
    fn look(&mut self, field: &Field<L>) -> bool {
        let (squares, pieces) = (field.diagonals(self.squares), field.diagonals(self.pieces));
        let mut masks = [0; 4];
        for class in 0..4 {
            // Without a square or a piece no jump is long enough.
            let front = front(self.side, squares[class]);
            let longer = front - rear(self.side, pieces[class]) > self.most;
            self.fronts[class] = if longer { front } else { self.fronts[class] };
            masks[class] = diagonal(self.side, front) & u64::from(longer).wrapping_neg();
        }
        self.foremost = field.lanes.and(self.squares, field.lanes.load(masks));
        (masks[0] | masks[1] | masks[2] | masks[3]) != 0
    }

    /// Puts aside the `squares` that chains connect with the foremost, and the pieces beside them; one of these may
    /// have the best jump.
    #[inline(always)]
    fn put_aside(&mut self, field: &Field<L>, squares: L::Words, first_round: bool) {
        let pieces = field.lanes.and(field.beside(squares), self.pieces);
        let diagonals = field.diagonals(pieces);
        // By a half turn the classes come the other way round, and the squares of each.
        let turn = match self.side {
            Player::One => 0,
            Player::Two => 3,
        };
        let before = self.most;
        for place in 0..4 {
            let class = place ^ turn;
            // Without a piece none is crossed.
            let rear = rear(self.side, diagonals[class]);
            let crossed = self.fronts[class] - rear;
            if first_round {
                self.to_the_front[class] = crossed.max(0);
            }
            let longer = crossed > self.most;
            (self.most, self.class, self.rear) =
                if longer { (crossed, class, rear) } else { (self.most, self.class, self.rear) };
        }
        if self.most > before {
            (self.best_pieces, self.best_squares) = (pieces, self.foremost);
        }
        self.squares = field.lanes.without(self.squares, squares);
        self.pieces = field.lanes.without(self.pieces, pieces);
    }

    /// The best jump: its class, its piece, and squares that it may land on.
    #[inline(always)]
    fn found(&self, lanes: L) -> Option<(usize, u64, u64)> {
        let Search { side, class, rear, .. } = *self;
        let pieces = lanes.store(self.best_pieces)[class] & diagonal(side, rear);
        (self.most > 0).then(|| (class, first(side, pieces), lanes.store(self.best_squares)[class]))
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

/// How far forward the foremost of `diagonals` is, as `side` counts them, 0…14; below 0 if there is none.
#[inline(always)]
fn front(side: Player, diagonals: u64) -> i32 {
    match side {
        Player::One => 63 - diagonals.leading_zeros() as i32,
        Player::Two => 14 - diagonals.trailing_zeros() as i32,
    }
}

/// How far forward the rearmost of `diagonals` is, 0…14; above 14 if there is none.
#[inline(always)]
fn rear(side: Player, diagonals: u64) -> i32 {
    14 - front(side.opponent(), diagonals)
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
    use super::super::position::{BLACK, Rules};
    use super::super::reach::Reach;
    use super::*;
    use crate::game::Game;
    use crate::support::simd::with_all_lanes;

    /// Positions of two games in which both sides mostly go forward, seen by either side.
    fn positions() -> Vec<Position> {
        let mut positions = Vec::new();
        let mut plays = Vec::new();
        for stride in [7, 5] {
            let mut position = Position::initial(BLACK, Rules::Original);
            for ply in 0..200 {
                positions.extend([position, position.pass()]);
                position.legal_plays(&mut plays);
                let score = |play| (position.progress(play) + (ply * stride) % 3, (ply * stride) % 11);
                let Some(&play) = plays.iter().max_by_key(|&&play| score(play)) else { break };
                position.play(play);
            }
        }
        positions
    }

    /// The diagonals that the furthest jump of each piece crosses, piece by piece.
    fn one_by_one(side: Player, army: Bitboard, occupied: Bitboard, barred: Bitboard) -> i32 {
        let of = |word: u64, end: fn(Player, u64) -> i32| end(side, class_diagonals(word).into());
        let mut reach = Reach::new(occupied);
        let mut most = 0;
        for from in army {
            let class = from.class();
            let landings = (reach.from(from) & !barred).class_word(class);
            if landings != 0 {
                most = most.max(of(landings, front) - of(from.bit(), rear));
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
                let [start, end] = [from, to].map(|square| front(side, class_diagonals(square.bit()).into()));
                assert_eq!(end - start, diagonals as i32);
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
                let found = forward_jumps(&position);
                assert_eq!(found.map(|found| found.furthest), Player::BOTH.map(of), "{position}");
            }
        }
    }

    #[test]
    fn the_other_classes_have_the_jumps_to_their_front() {
        let mut found = [0; 15];
        for position in positions() {
            let mut reach = Reach::new(position.occupied());
            for (side, jumps) in Player::BOTH.into_iter().zip(forward_jumps(&position)) {
                let (army, barred) = position.forward_bounds(side);
                let mut longest = |class: usize| {
                    let end =
                        |word: u64, end: fn(Player, u64) -> i32| end(side, class_diagonals(word).into());
                    let of_class = army.into_iter().filter(|from| from.class() == class);
                    let jumps = of_class.map(|from| (from, (reach.from(from) & !barred).class_word(class)));
                    let jumps: Vec<(Square, u64)> = jumps.filter(|&(_, landings)| landings != 0).collect();
                    let foremost = jumps.iter().map(|&(_, landings)| end(landings, front)).max()?;
                    let there = jumps.iter().filter(|&&(_, landings)| end(landings, front) == foremost);
                    there.map(|&(from, _)| foremost - end(from.bit(), rear)).max()
                };
                let best = jumps.furthest.map_or(3, |jump| jump.from.class());
                for (place, &other) in (1..).zip(&jumps.others) {
                    let expected = longest((best + place) % 4).unwrap_or(0).max(0);
                    assert_eq!(i32::from(other), expected, "{side:?} {place} in\n{position}");
                    found[usize::from(other)] += 1;
                }
            }
        }
        assert!(found[..4].iter().all(|&times| times > 20), "{found:?}");
    }

    #[test]
    fn every_processor_finds_the_same() {
        for position in positions() {
            let armies = Player::BOTH.map(|side| {
                let (army, barred) = position.forward_bounds(side);
                Army { side, army, barred }
            });
            let question = || Question { armies, occupied: position.occupied() };
            for found in with_all_lanes(question) {
                assert_eq!(found, forward_jumps(&position));
            }
        }
    }
}
