//! The furthest jump forward of a whole army.
//!
//! Playouts need one good play, and evaluations need the longest jumps, so it would be wasteful to search piece by piece.
//! One flood follows the chains of all pieces, in the four parity classes at once. A second flood leads from the foremost
//! squares of each class back to the pieces that can reach them; the rearmost of these pieces jumps furthest. Then these
//! squares and pieces are set aside for the next round, until no remaining piece can beat the best jump. Most positions
//! take two rounds. If the best jump could end on several squares, a last flood, from its piece and in its class alone,
//! finds out which of them the piece reaches.

use super::bitboard::{Bitboard, class_diagonals};
use super::flood::Field;
use super::position::Position;
use super::reach::Jumps;
use super::square::Square;
use crate::game::Player;
use crate::support::simd::{Simd, SimdTask, with_simd};

/// A chain of jumps forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FurthestJump {
    /// The square the piece leaves.
    pub from: Square,
    /// The square it lands on.
    pub to: Square,
    /// The number of diagonals that it crosses on the 8×8 board of its parity class, 1…14: half of its progress in
    /// columns plus rows.
    pub diagonals: u32,
}

/// The jumps forward of an army.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ForwardJumps {
    /// The furthest jump; `None` if no jump leads forward.
    pub furthest: Option<FurthestJump>,
    /// For each of the other three parity classes: diagonals gained by jumping to the foremost reachable squares from
    /// the rearmost piece that reaches them; 0 if that jump does not lead forward. Usually this is the class's furthest
    /// jump.
    pub others: [u8; 3],
}

/// The furthest jump forward of any piece of `army` to a square outside `barred`; `None` if no jump leads forward.
/// `army` holds some or all pieces of `side`, and `occupied` all pieces on the board.
///
/// Ties are broken deterministically, and on a half-turned board the result is the half-turned jump.
///
/// ```
/// use halma::rules::furthest_jump;
/// use halma::{Game, Play, Position};
///
/// let position = Position::default();
/// let side = position.to_move();
/// let (movable, barred) = position.forward_bounds(side);
/// let jump = furthest_jump(side, movable, position.occupied(), barred).unwrap();
/// assert!(position.is_legal(Play::new(jump.from, jump.to)));
/// assert_eq!(position.progress(Play::new(jump.from, jump.to)), 2 * jump.diagonals as i32);
/// ```
#[inline]
pub fn furthest_jump(
    side: Player,
    army: Bitboard,
    occupied: Bitboard,
    barred: Bitboard,
) -> Option<FurthestJump> {
    let [found] = with_simd(FindJumps { armies: [Army { side, pieces: army, barred }], occupied });
    found.furthest
}

/// Each side's jumps forward in `position`, as if that side were to move, indexed by [`Player::index`]. If a side must
/// leave its camp, only jumps out of it count.
///
/// Ties are broken as in [`furthest_jump`].
#[inline]
pub fn forward_jumps(position: &Position) -> [ForwardJumps; 2] {
    let armies = [Army::of(position, Player::One), Army::of(position, Player::Two)];
    with_simd(FindJumps { armies, occupied: position.occupied() })
}

/// The pieces that may jump, and the squares where they may not land.
#[derive(Clone, Copy)]
struct Army {
    side: Player,
    pieces: Bitboard,
    barred: Bitboard,
}

impl Army {
    #[inline(always)]
    fn of(position: &Position, side: Player) -> Army {
        let (pieces, barred) = position.forward_bounds(side);
        Army { side, pieces, barred }
    }
}

/// Finds the jumps of several armies side by side.
struct FindJumps<const ARMIES: usize> {
    armies: [Army; ARMIES],
    occupied: Bitboard,
}

impl<const ARMIES: usize> SimdTask for FindJumps<ARMIES> {
    type Output = [ForwardJumps; ARMIES];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [ForwardJumps; ARMIES] {
        let field = Field::new(simd, self.occupied);
        let mut searches = self.begin(&field);
        let mut first_round = true;
        loop {
            let (mut fronts, mut any) = ([field.empty; ARMIES], false);
            for (search, front) in searches.iter_mut().zip(&mut fronts) {
                any |= search.find_front(&field);
                *front = search.front;
            }
            if !any {
                break;
            }
            for (search, connected) in searches.iter_mut().zip(field.flood(fronts)) {
                search.finish_round(&field, connected, first_round);
            }
            first_round = false;
        }
        finish(&searches, &field, self.occupied)
    }
}

impl<const ARMIES: usize> FindJumps<ARMIES> {
    /// The searches before the first round.
    #[inline(always)]
    fn begin<S: Simd>(&self, field: &Field<S>) -> [ArmySearch<S>; ARMIES] {
        let simd = field.simd;
        let mut landings = [field.empty; ARMIES];
        for (landings, army) in landings.iter_mut().zip(&self.armies) {
            *landings = field.landings(simd.load(army.pieces.0));
        }
        let reached = field.flood(landings);
        let mut searches = [ArmySearch::new(field.empty); ARMIES];
        for ((search, army), reached) in searches.iter_mut().zip(&self.armies).zip(reached) {
            search.side = army.side;
            search.squares = simd.and_not(reached, simd.load(army.barred.0));
            search.pieces = simd.load(army.pieces.0);
        }
        searches
    }
}

/// Picks one piece and one landing square for the best jump of each search.
#[inline(always)]
fn finish<S: Simd, const ARMIES: usize>(
    searches: &[ArmySearch<S>; ARMIES],
    field: &Field<S>,
    occupied: Bitboard,
) -> [ForwardJumps; ARMIES] {
    let mut jumps = [ForwardJumps::default(); ARMIES];
    for (search, jumps) in searches.iter().zip(&mut jumps) {
        let Some((class, piece, mut squares)) = search.best(field.simd) else { continue };
        if !squares.is_power_of_two() {
            // The piece may be unable to reach some of the foremost squares.
            squares &= Jumps::of_class(occupied, class).chains(piece);
        }
        let ArmySearch { side, longest, to_front, .. } = *search;
        let to_front = field.simd.store(to_front);
        let (from, to) = (square_of(class, piece), square_of(class, first(side, squares)));
        jumps.furthest = Some(FurthestJump { from, to, diagonals: longest as u32 });
        for (place, other) in jumps.others.iter_mut().enumerate() {
            *other = (to_front[(class + 1 + place) & 3] as i64).max(0) as u8;
        }
    }
    jumps
}

/// The search for one army's furthest jump.
#[derive(Clone, Copy)]
struct ArmySearch<S: Simd> {
    side: Player,
    /// The landing squares that have not been set aside.
    squares: S::Words,
    /// The pieces that have not been set aside.
    pieces: S::Words,
    /// The foremost squares of each class to which a jump may beat the best one.
    front: S::Words,
    /// The number of the foremost diagonal of each class's `squares` when the round began; 0 if there were none.
    fronts: S::Words,
    /// For each class, the diagonals crossed by the jump to its foremost squares, as found in the first round; 0 or
    /// negative if that jump does not lead forward.
    to_front: S::Words,
    /// The diagonals that the best jump crosses; 0 if there is none.
    longest: i64,
    /// The best jump's class.
    class: usize,
    /// The pieces that may make the best jump, and the squares where it may land, in the words of its class.
    best_pieces: S::Words,
    best_squares: S::Words,
}

impl<S: Simd> ArmySearch<S> {
    /// An empty search, with `words` as placeholders.
    #[inline(always)]
    fn new(words: S::Words) -> Self {
        ArmySearch {
            side: Player::One,
            squares: words,
            pieces: words,
            front: words,
            fronts: words,
            to_front: words,
            longest: 0,
            class: 0,
            best_pieces: words,
            best_squares: words,
        }
    }

    /// For each class, finds the foremost squares, if a jump to them by the class's rearmost piece would beat the best
    /// jump. Returns whether there are any.
    #[inline(always)]
    fn find_front(&mut self, field: &Field<S>) -> bool {
        let simd = field.simd;
        self.fronts = field.front(self.side, self.squares);
        let lengths = simd.sub(self.fronts, field.rear(self.side, self.pieces));
        let longer = simd.greater(lengths, simd.load([self.longest as u64; 4]));
        let foremost = simd.and(self.squares, field.on_diagonal(self.side, self.fronts));
        self.front = simd.and(foremost, longer);
        !simd.equal(self.front, simd.load([0; 4]))
    }

    /// Updates the best jump with the pieces that reach the front. `connected` holds the squares that chains connect
    /// with the front. Sets these squares and pieces aside.
    #[inline(always)]
    fn finish_round(&mut self, field: &Field<S>, connected: S::Words, first_round: bool) {
        let simd = field.simd;
        let pieces = simd.and(field.beside(connected), self.pieces);
        let lengths = simd.sub(self.fronts, field.rear(self.side, pieces));
        if first_round {
            self.to_front = lengths;
        }
        let lengths = simd.store(lengths);
        // A half turn reverses the order of the classes, and the order of the squares in each.
        let turn = match self.side {
            Player::One => 0,
            Player::Two => 3,
        };
        let before = self.longest;
        for place in 0..4 {
            let class = place ^ turn;
            // Negative if there is no piece.
            let length = lengths[class] as i64;
            let longer = length > self.longest;
            (self.longest, self.class) = if longer { (length, class) } else { (self.longest, self.class) };
        }
        if self.longest > before {
            (self.best_pieces, self.best_squares) = (pieces, self.front);
        }
        self.squares = simd.and_not(self.squares, connected);
        self.pieces = simd.and_not(self.pieces, pieces);
    }

    /// The best jump: its class, its piece, and the squares where it may land.
    #[inline(always)]
    fn best(&self, simd: S) -> Option<(usize, u64, u64)> {
        let ArmySearch { side, class, .. } = *self;
        let pieces = simd.store(self.best_pieces)[class];
        let rearmost = pieces & diagonal(side, rear(side, class_diagonals(pieces).into()));
        (self.longest > 0).then(|| (class, first(side, rearmost), simd.store(self.best_squares)[class]))
    }
}

/// The first bit of `word`, which must not be 0, in the order of `side`.
#[inline(always)]
fn first(side: Player, word: u64) -> u64 {
    match side {
        Player::One => word & word.wrapping_neg(),
        Player::Two => 1 << 63 >> (word.leading_zeros() & 63),
    }
}

/// The square of `class` for the lowest bit of `word`.
#[inline(always)]
pub(super) fn square_of(class: usize, word: u64) -> Square {
    Square::from_number((class as u8) << 6 | word.trailing_zeros() as u8)
}

/// The foremost of `diagonals` for `side`, counted forward, 0…14; negative if there is none.
/// ([`Field::front`] counts from 1, so that 0 can stand for none.)
#[inline(always)]
pub(super) fn front(side: Player, diagonals: u64) -> i32 {
    match side {
        Player::One => 63 - diagonals.leading_zeros() as i32,
        Player::Two => 14 - diagonals.trailing_zeros() as i32,
    }
}

/// The rearmost of `diagonals` for `side`, counted forward, 0…14; above 14 if there is none.
#[inline(always)]
pub(super) fn rear(side: Player, diagonals: u64) -> i32 {
    14 - front(side.opponent(), diagonals)
}

/// The squares of a class on diagonal number `forward`, counted forward for `side`.
#[inline(always)]
pub(super) fn diagonal(side: Player, forward: i32) -> u64 {
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
    use super::super::forward_piece::furthest_jump_of;
    use super::super::position::Rules;
    use super::super::reach::Reach;
    use super::super::test_games::forward_games;
    use super::*;
    use crate::game::Game;
    use crate::support::simd::with_each_simd;

    /// Positions of games, with either side to move.
    fn positions() -> impl Iterator<Item = Position> {
        forward_games(2, 200, Rules::Original).flat_map(|position| [position, position.pass()])
    }

    fn foremost(side: Player, word: u64) -> i32 {
        front(side, class_diagonals(word).into())
    }

    fn rearmost(side: Player, word: u64) -> i32 {
        rear(side, class_diagonals(word).into())
    }

    #[test]
    fn no_piece_jumps_further() {
        let mut found = 0;
        for position in positions() {
            let (side, occupied) = (position.to_move(), position.occupied());
            for (army, barred) in [
                (position.pieces(side), Bitboard::EMPTY),
                (position.pieces(side) & camp(side), camp(side)),
                (position.pieces(side) & !camp(side), camp(side.opponent())),
            ] {
                let jump = furthest_jump(side, army, occupied, barred);
                let of_pieces =
                    army.into_iter().filter_map(|from| furthest_jump_of(side, from, occupied, barred));
                let longest = of_pieces.map(|jump| jump.diagonals).max();
                assert_eq!(jump.map(|jump| jump.diagonals), longest, "{position}");
                let mut reach = Reach::new(occupied);
                let by_reach = army.into_iter().filter_map(|from| {
                    let landings = (reach.from(from) & !barred).class_word(from.class());
                    (landings != 0).then(|| foremost(side, landings) - rearmost(side, from.bit()))
                });
                let by_reach = by_reach.filter(|&diagonals| diagonals > 0).max();
                assert_eq!(jump.map(|jump| jump.diagonals as i32), by_reach, "{position}");
                let Some(FurthestJump { from, to, diagonals }) = jump else { continue };
                assert!(army.contains(from) && !barred.contains(to));
                assert!(Reach::new(occupied).from(from).contains(to), "{from} {to} in\n{position}");
                let [start, end] = [from, to].map(|square| foremost(side, square.bit()));
                assert_eq!(end - start, diagonals as i32);
                found += 1;
            }
        }
        assert!(found > 500, "{found} jumps");
    }

    #[test]
    fn a_half_turn_turns_the_jump() {
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
    fn two_armies_searched_together_find_the_jumps_of_each() {
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
    fn the_other_classes_report_the_jumps_to_their_front() {
        let mut found = [0; 15];
        for position in positions() {
            let mut reach = Reach::new(position.occupied());
            for (side, jumps) in Player::BOTH.into_iter().zip(forward_jumps(&position)) {
                let (army, barred) = position.forward_bounds(side);
                let mut longest = |class: usize| {
                    let of_class = army.into_iter().filter(|from| from.class() == class);
                    let jumps = of_class.map(|from| (from, (reach.from(from) & !barred).class_word(class)));
                    let jumps: Vec<(Square, u64)> = jumps.filter(|&(_, landings)| landings != 0).collect();
                    let front = jumps.iter().map(|&(_, landings)| foremost(side, landings)).max()?;
                    let there = jumps.iter().filter(|&&(_, landings)| foremost(side, landings) == front);
                    there.map(|&(from, _)| front - rearmost(side, from.bit())).max()
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
    fn every_instruction_set_finds_the_same() {
        for position in positions() {
            let armies = Player::BOTH.map(|side| Army::of(&position, side));
            for found in with_each_simd(|| FindJumps { armies, occupied: position.occupied() }) {
                assert_eq!(found, forward_jumps(&position));
            }
        }
    }
}
