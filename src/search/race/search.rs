//! The search for a shortest way to finish a race.
//!
//! A *layer* is the set of boards that some number of plays leads to. The next layer has every
//! board that one play makes of them and that was not met before, if its plays so far and the bound
//! on the rest come to less than the best line known ("breadth-first branch and bound": Zhou,
//! Hansen, "Breadth-first heuristic search", 2006). Each layer keeps only the `width` boards of
//! lowest rank, a beam search. The search is repeated with twice the width and the next of four ranks
//! until no board was dropped for want of room: then the best line is proved ("complete anytime beam
//! search": Zhang 1998).
//!
//! Boards on which the side has already stood in the game count as met. No race needs a board twice; but
//! if an opponent's piece steps to and fro, the shortest line from each of two boards may lead through
//! the other.

use super::bound::{Shortage, plays_needed};
use super::rank::{RANKS, Rank};
use super::side::{Race, hash};
use crate::rules::{Bitboard, Play, Square};
use crate::support::clock::Clock;
use crate::support::hashing::FastSet;
use std::mem::swap;

/// The width of the first beam.
const FIRST_WIDTH: usize = 4;
/// How much wider the next one is.
const WIDENING: usize = 2;
/// Boards expanded between two readings of the clock; each takes some microseconds.
const CLOCK_EVERY: u64 = 8;
/// The search only looks for lines of fewer plays than this.
const MOST_PLAYS: u32 = 400;
/// Boards that one beam may meet. They bound the memory of a search to about 300 MB.
const MOST_MET: usize = 16_000_000;
/// The bytes that a board met takes at the most, with what else is kept of it, while its set is copied to grow.
const BYTES_MET: usize = 64;
/// A layer is trimmed when it has this many times the boards of the beam's width, and [`SPARE`] more.
const OVERFULL: usize = 2;
/// Keeps narrow beams from being trimmed again and again.
const SPARE: usize = 128;

/// The play that led to the first board: none.
const NO_PLAY: Play = Play::new(Square::from_number(0), Square::from_number(0));

/// How much a search may do. It stops at the first of these that is reached, or when the line is
/// proved to be a shortest one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// CPU seconds by the clock that is passed in.
    pub seconds: Option<f64>,
    /// Boards whose plays are listed.
    pub boards: Option<u64>,
    /// Bytes of memory.
    pub memory: Option<usize>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The plays that finish the race, for the board as it really is.
    pub line: Vec<Play>,
    /// No line has fewer plays than this.
    pub at_least: u32,
    /// Boards whose plays were listed.
    pub boards: u64,
}

impl Solution {
    /// How many plays the line has.
    pub fn length(&self) -> u32 {
        self.line.len() as u32
    }

    /// Whether it is proved that no line is shorter.
    pub fn is_proved(&self) -> bool {
        self.length() <= self.at_least
    }
}

/// Searches for a shortest line that finishes `race`.
///
/// `None` if no line was found: the effort was too small for any, or there is none.
pub fn solve(race: &Race, effort: &Effort, clock: &dyn Clock) -> Option<Solution> {
    improve(race, &[], &[], effort, clock)
}

/// As [`solve`], but starts with a `known` line, such as the rest of the one found a play earlier: if it
/// finishes `race`, the search looks for shorter ones only, and returns it if there is none.
/// New lines avoid the boards that have `been`, given by their [`board_key`](super::board_key).
pub fn improve(
    race: &Race,
    known: &[Play],
    been: &[u64],
    effort: &Effort,
    clock: &dyn Clock,
) -> Option<Solution> {
    let mut meter = Meter::new(effort, clock);
    let at_least = race.plays_needed();
    let known = Solution { line: known.to_vec(), at_least, boards: 0 };
    let mut best = Some(known).filter(|known| race.is_finished_by(&known.line));
    if best.as_ref().is_some_and(Solution::is_proved) {
        return best;
    }
    let (mut width, mut turn) = (FIRST_WIDTH, 0);
    loop {
        let below = best.as_ref().map_or(MOST_PLAYS, Solution::length);
        let mut beam = Beam::new(race, width, &RANKS[turn % RANKS.len()], below);
        been.iter().for_each(|&board| _ = beam.met.insert(board));
        let found = beam.run(&mut meter);
        let (boards, complete) = (meter.boards, !beam.cut && !meter.is_over);
        if let Some(line) = found {
            // A line found before the first cut is a shortest one; without a cut there is no other.
            best = Some(Solution { line, at_least, boards });
        }
        if let Some(best) = &mut best {
            best.boards = boards;
            if complete {
                best.at_least = best.length();
            }
        }
        if complete || meter.is_over || best.as_ref().is_some_and(Solution::is_proved) {
            return best;
        }
        width *= WIDENING;
        turn += 1;
    }
}

/// Counts the effort spent, and tells when it is over.
struct Meter<'a> {
    clock: &'a dyn Clock,
    end: f64,
    most_boards: u64,
    /// How many boards one beam may meet.
    most_met: usize,
    boards: u64,
    is_over: bool,
}

impl<'a> Meter<'a> {
    fn new(effort: &Effort, clock: &'a dyn Clock) -> Meter<'a> {
        let end = effort.seconds.map_or(f64::INFINITY, |seconds| clock.seconds() + seconds);
        let most_boards = effort.boards.unwrap_or(u64::MAX);
        let most_met = effort.memory.map_or(MOST_MET, |bytes| MOST_MET.min(bytes / BYTES_MET));
        Meter { clock, end, most_boards, most_met, boards: 0, is_over: false }
    }

    /// Counts one more board, and returns whether it may still be expanded.
    #[inline]
    fn count(&mut self) -> bool {
        let timed = self.end.is_finite() && self.boards.is_multiple_of(CLOCK_EVERY);
        self.is_over =
            self.is_over || self.boards >= self.most_boards || timed && self.clock.seconds() >= self.end;
        self.boards += u64::from(!self.is_over);
        !self.is_over
    }
}

/// A board of a layer.
#[derive(Clone, Copy)]
struct Node {
    pieces: Bitboard,
    /// The part of the rank that is a sum over the pieces.
    sum: i32,
    rank: i32,
    /// The place of the board it comes from, in the layer before.
    parent: u32,
    /// The play that led here.
    play: Play,
}

/// The sort key of the boards of a layer, best first.
fn order(node: &Node) -> (i32, u64) {
    (node.rank, hash(node.pieces))
}

/// One beam search.
struct Beam<'a> {
    race: &'a Race,
    width: usize,
    rank: &'static Rank,
    /// The beam looks for lines with fewer plays than this.
    below: u32,
    /// For each layer, each board's parent and play.
    layers: Vec<Vec<(u32, Play)>>,
    /// The keys of the boards met.
    met: Met,
    /// Whether a board was dropped for want of room.
    cut: bool,
    /// The highest rank that still has room in the next layer, as far as is known.
    highest: i32,
}

impl<'a> Beam<'a> {
    /// A beam of this width, for lines of fewer plays than `below`.
    fn new(race: &'a Race, width: usize, rank: &'static Rank, below: u32) -> Beam<'a> {
        let (layers, met) = (Vec::new(), Met::default());
        Beam { race, width, rank, below, layers, met, cut: false, highest: i32::MAX }
    }

    /// The plays to the first finish found, on the board as it really is.
    fn run(&mut self, meter: &mut Meter) -> Option<Vec<Play>> {
        let start = self.race.pieces;
        let mut layer =
            vec![Node { pieces: start, sum: self.rank.sum(start), rank: 0, parent: 0, play: NO_PLAY }];
        let mut next = Vec::new();
        self.met.insert(hash(start));
        for depth in 1..self.below {
            for (parent, node) in layer.iter().enumerate() {
                if !meter.count() {
                    return None;
                }
                if let Some(finish) = self.expand(node, parent as u32, depth, &mut next) {
                    return Some(self.line(finish));
                }
                if next.len() > self.width * OVERFULL + SPARE {
                    self.trim(&mut next);
                }
            }
            self.trim(&mut next);
            // Best first: their children soon show which ranks have no room.
            next.sort_unstable_by_key(order);
            self.highest = i32::MAX;
            self.layers.push(next.iter().map(|node| (node.parent, node.play)).collect());
            swap(&mut layer, &mut next);
            next.clear();
            if layer.is_empty() {
                return None;
            }
            if self.met.count > meter.most_met {
                meter.is_over = true;
                return None;
            }
        }
        None
    }

    /// Keeps the `width` boards of a layer that have the lowest ranks.
    fn trim(&mut self, next: &mut Vec<Node>) {
        if next.len() > self.width {
            self.cut = true;
            next.select_nth_unstable_by_key(self.width, order);
            next.truncate(self.width);
            self.highest = next.iter().map(|node| node.rank).max().unwrap_or(i32::MAX);
        }
    }

    /// Adds to `next` the boards one play after `node`, `depth` plays from the start; returns one on
    /// which the race is finished, if there is any.
    #[inline]
    fn expand(&mut self, node: &Node, parent: u32, depth: u32, next: &mut Vec<Node>) -> Option<Node> {
        let race = *self.race;
        let shortage = Shortage::of(&race, node.pieces);
        let mut finish = None;
        race.for_each_source(node.pieces, |from, to| {
            let mut without = node.pieces;
            without.toggle(from);
            to.for_each(|to| {
                let play = Play::new(from, to);
                let (holes, steps) = shortage.after(&race, play);
                if depth + holes >= self.below {
                    return;
                }
                // The holes alone rule out most boards.
                let sum = node.sum + self.rank.change(play);
                if holes > 0 && self.rank.of(sum, steps, holes) > self.highest {
                    self.cut = true;
                    return;
                }
                let pieces = without.with(to);
                let needed = plays_needed(&race, pieces, holes, steps);
                if depth + needed >= self.below {
                    return;
                }
                let rank = self.rank.of(sum, steps, needed);
                if needed > 0 && rank > self.highest {
                    self.cut = true;
                    return;
                }
                if !self.met.insert(hash(pieces)) {
                    return;
                }
                let child = Node { pieces, sum, rank, parent, play };
                if needed == 0 {
                    finish = Some(child);
                }
                next.push(child);
            });
        });
        finish
    }

    /// The plays that lead to `last`.
    fn line(&self, last: Node) -> Vec<Play> {
        let mut plays = vec![last.play];
        let mut at = last.parent as usize;
        for layer in self.layers.iter().rev() {
            let (parent, play) = layer[at];
            plays.push(play);
            at = parent as usize;
        }
        plays.reverse();
        plays.iter().map(|&play| self.race.on_board(play)).collect()
    }
}

/// The keys of the boards met, in shards: a set is copied when it grows, and copying a large one at once
/// takes longer than a move may be late.
struct Met {
    shards: Vec<FastSet<u64>>,
    count: usize,
}

/// How many shards there are.
const SHARDS: usize = 64;

impl Default for Met {
    fn default() -> Met {
        Met { shards: vec![FastSet::default(); SHARDS], count: 0 }
    }
}

impl Met {
    /// Inserts `hash`, and returns whether it is new.
    #[inline]
    fn insert(&mut self, hash: u64) -> bool {
        let is_new = self.shards[hash as usize % SHARDS].insert(hash);
        self.count += usize::from(is_new);
        is_new
    }
}
