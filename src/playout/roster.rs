//! Draws pieces at random, and finds a play when none of them can go forward.

use super::Simulation;
use crate::game::Game;
use crate::rules::{Bitboard, Jumps, PIECES, Play, Position, Rules, Square, camp, goal, neighbours};
use crate::support::random::Random;

/// The squares of one side's pieces, in an array from which one can be drawn without searching a bitboard.
#[derive(Clone, Copy, Debug)]
pub struct Roster {
    pub squares: [Square; PIECES as usize],
    pub len: usize,
    pieces: Bitboard,
}

impl Default for Roster {
    fn default() -> Roster {
        Roster { squares: [Square::new(0, 0); PIECES as usize], len: 0, pieces: Bitboard::EMPTY }
    }
}

impl Roster {
    pub fn new(pieces: Bitboard) -> Roster {
        let mut roster = Roster { pieces, ..Roster::default() };
        pieces.for_each(|square| {
            if let Some(place) = roster.squares.get_mut(roster.len) {
                *place = square;
                roster.len += 1;
            }
        });
        roster
    }

    /// Draws another piece after `drawn` pieces.
    #[inline]
    pub fn draw(&mut self, drawn: usize, random: &mut Random) -> Square {
        let pick = drawn + random.below(self.len - drawn);
        self.squares.swap(drawn, pick);
        self.squares[drawn]
    }

    /// Whether the roster holds exactly these pieces.
    #[inline]
    pub fn holds(&self, pieces: Bitboard) -> bool {
        self.pieces == pieces
    }

    /// Moves the piece in `slot`.
    #[inline]
    pub fn move_to(&mut self, slot: usize, to: Square) {
        self.pieces.toggle(self.squares[slot]);
        self.pieces.toggle(to);
        self.squares[slot] = to;
    }

    /// The play to make when none goes forward. As long as a piece is at home, the play is random. Then a piece outside
    /// the goal moves as near to a hole as it can; if it can't get nearer, the play is random, too.
    #[inline(never)]
    pub fn sideways(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        if position.tally(position.to_move()).at_home() > 0 {
            return self.any_listed(position, simulation);
        }
        let goal = goal(position.to_move());
        let holes = goal & !position.occupied();
        let random = &mut simulation.random;
        let outside = (0..self.len).find(|&slot| !goal.contains(self.draw(slot, random)));
        if let Some(slot) = outside.filter(|_| !holes.is_empty()) {
            let from = self.squares[slot];
            let steps = |square: Square| holes.into_iter().map(|hole| square.steps_to(hole)).min();
            let nearest = reach_of(position, from).into_iter().min_by_key(|&to| steps(to));
            if let Some(to) = nearest.filter(|&to| steps(to) < steps(from)) {
                self.move_to(slot, to);
                return Some(Play::new(from, to));
            }
        }
        self.any(position, simulation)
    }

    /// A random play of a random piece, for a side with no piece at home.
    fn any(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        let random = &mut simulation.random;
        for slot in 0..self.len {
            let from = self.draw(slot, random);
            let to = reach_of(position, from);
            if let Some(to) = to.into_iter().nth(random.below(to.count().max(1) as usize)) {
                self.move_to(slot, to);
                return Some(Play::new(from, to));
            }
        }
        self.any_listed(position, simulation)
    }

    /// A uniformly random legal play.
    fn any_listed(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        let (plays, random) = simulation.legal_plays(position);
        if plays.is_empty() {
            return None;
        }
        let play = plays[random.below(plays.len())];
        if let Some(slot) = self.squares.iter().position(|&square| square == play.from) {
            self.move_to(slot, play.to);
        }
        Some(play)
    }
}

/// The squares that the piece on `from` may go to when its side has no piece at home.
fn reach_of(position: &Position, from: Square) -> Bitboard {
    let side = position.to_move();
    let chains = Jumps::of_class(position.occupied(), from.class()).chains(from.bit());
    let reach = neighbours(from) | Bitboard::of_class(from.class(), chains);
    let barred = match position.rules() {
        Rules::Addendum => position.occupied() | camp(side),
        Rules::Original => position.occupied(),
    };
    reach & !barred & if goal(side).contains(from) { goal(side) } else { !Bitboard::EMPTY }
}
