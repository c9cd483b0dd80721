//! Greedy playouts that sample straight from bitboards.
//!
//! At each ply a few pieces are drawn at random, and the one that can get furthest forward does:
//! by a chain of jumps if any of them has one, else by a step. No list of plays is made. Halma
//! makes this legal at no cost, for a play that comes nearer to the goal's corner never breaks a
//! camp rule by where it lands: every square of the own camp is as far from that corner as any
//! square outside or further, and every square nearer than one of the goal's belongs to the goal.
//! All that is left to see to is that a side with pieces at home moves one of these out.

use super::{Options, Playout, Policy, Random, evaluate};
use crate::game::{Game, Player, Value};
use crate::halma::{Bitboard, Jumps, PIECES, Play, Position, Rules, Square, camp, distance, neighbours};

/// A playout that has not ended after so many plies is stopped and evaluated, whatever its cap. It
/// does not happen in play (playouts from the start take some 300 plies); it bounds the time that
/// boards nobody can win on take.
const LONGEST: u32 = 4000;

/// Plays the furthest forward jump among a few pieces drawn at random, up to a cap of plies, then
/// asks the evaluation.
#[derive(Clone, Debug)]
pub struct ForwardJump {
    cap: u32,
    epsilon: f32,
    sample: u32,
    plays: Vec<Play>,
}

impl ForwardJump {
    /// Plays on from `position` for at most the cap's plies and returns how many it made.
    pub fn run(&mut self, position: &mut Position, random: &mut Random) -> u32 {
        let mut rosters = Player::BOTH.map(|side| Roster::new(position.pieces(side)));
        for ply in 0..self.cap {
            if position.outcome().is_some() {
                return ply;
            }
            let roster = &mut rosters[position.to_move().index()];
            let Some(play) = self.choose(position, roster, random) else { return ply };
            position.play(play);
            roster.moved(play);
        }
        self.cap
    }

    /// The next play of a playout; `None` if there is no legal one.
    #[inline]
    fn choose(&mut self, position: &Position, roster: &mut Roster, random: &mut Random) -> Option<Play> {
        if self.epsilon > 0.0 && random.happens(self.epsilon) {
            return self.any(position, random);
        }
        self.furthest(position, roster, random).or_else(|| self.any(position, random))
    }

    /// The play that brings a piece of the sample furthest forward, jumps before steps. Pieces are
    /// drawn until the sample is full and something was found; `None` if no piece can go forward.
    #[inline]
    fn furthest(&self, position: &Position, roster: &mut Roster, random: &mut Random) -> Option<Play> {
        let side = position.to_move();
        let occupied = position.occupied();
        let leaving = position.rules() == Rules::Addendum && position.tally(side).at_home() > 0;
        let home = camp(side);
        let mut best: Option<(Play, i32)> = None;
        let mut looked_at = 0;
        for drawn in 0..roster.len {
            let from = roster.draw(drawn, random);
            let mut allowed = !occupied;
            if leaving {
                if !home.contains(from) {
                    continue;
                }
                allowed &= !home;
            }
            let found = furthest_of(side, from, occupied, allowed);
            if found.map(|(_, rank)| rank) > best.map(|(_, rank)| rank) {
                best = found;
            }
            looked_at += 1;
            if looked_at >= self.sample && best.is_some() {
                break;
            }
        }
        best.map(|(play, _)| play)
    }

    /// Any legal play, all alike.
    #[inline(never)]
    fn any(&mut self, position: &Position, random: &mut Random) -> Option<Play> {
        position.plays(&mut self.plays);
        (!self.plays.is_empty()).then(|| self.plays[random.below(self.plays.len())])
    }
}

/// A jump counts as this much more progress than any step.
const JUMP: i32 = 64;

/// The play to a square of `allowed` that brings the piece on `from` furthest forward, and its
/// rank: progress, jumps before steps. `None` if none brings it forward at all.
#[inline(always)]
fn furthest_of(side: Player, from: Square, occupied: Bitboard, allowed: Bitboard) -> Option<(Play, i32)> {
    let class = from.class();
    let chains = Jumps::of_class(occupied, class).chains(from.bit());
    let jumps = Bitboard::of_class(class, chains) & allowed;
    let steps = neighbours(from) & allowed;
    let start = i32::from(distance(side, from));
    let (to, rank) = match nearest(side, jumps, start) {
        Some((to, left)) => (to, start - left + JUMP),
        None => nearest(side, steps, start).map(|(to, left)| (to, start - left))?,
    };
    Some((Play::new(from, to), rank))
}

/// The square of `squares` that is nearest to the corner of `side`'s goal, and its distance, if
/// that is less than `limit`.
#[inline(always)]
fn nearest(side: Player, squares: Bitboard, limit: i32) -> Option<(Square, i32)> {
    let mut best = None;
    let mut least = limit;
    squares.for_each(|square| {
        let left = i32::from(distance(side, square));
        if left < least {
            least = left;
            best = Some((square, left));
        }
    });
    best
}

/// Where the pieces of one side stand, for drawing one without searching through a bitboard.
#[derive(Clone, Debug)]
struct Roster {
    squares: [Square; PIECES as usize],
    len: usize,
}

impl Roster {
    fn new(pieces: Bitboard) -> Roster {
        let mut roster = Roster { squares: [Square::new(0, 0); PIECES as usize], len: 0 };
        pieces.for_each(|square| {
            if let Some(place) = roster.squares.get_mut(roster.len) {
                *place = square;
                roster.len += 1;
            }
        });
        roster
    }

    /// The next piece of a random order, of which the first `drawn` have been asked for already.
    #[inline]
    fn draw(&mut self, drawn: usize, random: &mut Random) -> Square {
        let pick = drawn + random.below(self.len - drawn);
        self.squares.swap(drawn, pick);
        self.squares[drawn]
    }

    #[inline]
    fn moved(&mut self, play: Play) {
        if let Some(place) = self.squares.iter_mut().find(|place| **place == play.from) {
            *place = play.to;
        }
    }
}

impl Playout<Position> for ForwardJump {
    #[inline]
    fn value(&mut self, leaf: &Position, random: &mut Random) -> Value {
        let mut position = *leaf;
        self.run(&mut position, random);
        evaluate(&position, leaf.to_move())
    }
}

impl Policy for ForwardJump {
    const NAME: &'static str = "forward-jump";
    const ABOUT: &'static str =
        "the furthest forward jump (else step) of a few random pieces, to the cap, then the evaluation";

    fn new(options: Options) -> ForwardJump {
        let Options { cap, epsilon, sample } = options;
        ForwardJump { cap: cap.min(LONGEST), epsilon, sample: sample.max(1), plays: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halma::{BLACK, WHITE};

    /// Playouts to the end, from the start and from boards with few pieces, all end, and by legal
    /// plays only.
    #[test]
    fn playouts_from_the_start_always_end() {
        for (epsilon, sample) in [(0.0, 1), (0.0, 3), (0.1, 3), (0.0, 19)] {
            let mut policy = ForwardJump::new(Options { cap: LONGEST, epsilon, sample });
            for seed in 0..500 {
                let first = if seed % 2 == 0 { BLACK } else { WHITE };
                let mut position = Position::initial(first, Rules::Addendum);
                let plies = policy.run(&mut position, &mut Random::new(seed));
                assert!(position.outcome().is_some(), "no end after {plies} plies, seed {seed}");
            }
        }
    }

    #[test]
    fn every_play_of_a_playout_is_legal() {
        let mut policy = ForwardJump::new(Options { cap: LONGEST, epsilon: 0.05, sample: 3 });
        for rules in [Rules::Addendum, Rules::Original] {
            let mut random = Random::new(7);
            for _ in 0..20 {
                let mut position = Position::initial(BLACK, rules);
                let mut rosters = Player::BOTH.map(|side| Roster::new(position.pieces(side)));
                while position.outcome().is_none() {
                    let roster = &mut rosters[position.to_move().index()];
                    let play = policy.choose(&position, roster, &mut random).expect("a play");
                    assert!(position.is_legal(play), "{play} in\n{position}");
                    position.play(play);
                    roster.moved(play);
                }
            }
        }
    }

    #[test]
    fn jumps_come_before_steps() {
        let piece = Square::new(5, 5);
        let black = Bitboard::EMPTY.with(piece).with(Square::new(5, 6));
        let position = Position::new([black, Bitboard::EMPTY], BLACK, Rules::Addendum);
        let (play, _) = furthest_of(BLACK, piece, position.occupied(), !position.occupied()).unwrap();
        assert_eq!(play, Play::new(piece, Square::new(5, 7)));
    }
}
