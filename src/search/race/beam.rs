//! The beam search for a shortest line that finishes a race.
//!
//! A *layer* is the set of boards after some number of plays. The next layer holds the boards one play further on that
//! were not seen before. A board is left out unless the plays so far plus the lower bound on the rest are fewer than in
//! the best line known ("breadth-first branch and bound": Zhou, Hansen, "Breadth-first heuristic search", 2006). A beam
//! search keeps only the `width` boards of lowest rank in each layer. The search is repeated, each time with twice the
//! width and the next of the four rank formulas (`rank.rs`), until no board is dropped for lack of room. This proves
//! that the best line is a shortest one ("complete anytime beam search": Zhang 1998).
//!
//! Boards that occurred in the game are left out at first: if an opponent's piece moves back and forth, the shortest line
//! from each of two boards may lead through the other. If the opponent's pieces are out of reach, a line through such a
//! board is taken once it is proved to be the shortest.

use super::bound::{Shortage, min_plays};
use super::rank::{RANKS, Rank};
use super::side::{Race, board_hash};
use crate::rules::{Bitboard, Play, Square};
use crate::search::Limits;
use crate::support::clock::Clock;
use crate::support::hashing::FastSet;
use std::mem::swap;

/// The width of the first beam.
const FIRST_WIDTH: usize = 4;
/// How many times wider each beam is than the one before.
const WIDENING: usize = 2;
/// The number of boards expanded between two readings of the clock. Each board takes a few microseconds.
const CLOCK_EVERY: u64 = 8;
/// The search looks only for lines with fewer plays than this.
const MAX_PLAYS: u32 = 400;
/// The maximum number of boards that a beam may see: about 300 MB.
const MAX_SEEN: usize = 16_000_000;
/// The maximum number of bytes for each board seen, including its entry in a layer. The maximum is reached while the
/// set of boards is copied to grow.
const BYTES_PER_SEEN: usize = 64;
/// A layer is trimmed once it holds more boards than this many times the beam's width, plus [`SPARE`].
const OVERFULL: usize = 2;
/// Extra boards, so that narrow beams are not trimmed again and again.
const SPARE: usize = 128;

/// The play stored for the first board, which no play led to.
const NO_PLAY: Play = Play::new(Square::from_number(0), Square::from_number(0));

/// A line that finishes a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The plays, on the real board.
    pub line: Vec<Play>,
    /// A proved lower bound on the length of any line.
    pub min_length: u32,
    /// The number of boards expanded.
    pub boards: u64,
}

impl Solution {
    /// The number of plays.
    pub fn length(&self) -> u32 {
        self.line.len() as u32
    }

    /// Whether no line is shorter.
    pub fn is_proved(&self) -> bool {
        self.length() <= self.min_length
    }
}

/// Searches for a shortest line that finishes `race`, until it is proved or a limit is reached: CPU seconds, memory, or
/// iterations, which count boards expanded. `None` if no line was found.
pub fn solve(race: &Race, limits: &Limits, clock: &dyn Clock) -> Option<Solution> {
    improve(race, &[], &[], limits, clock)
}

/// [`solve`] with a `known` line, such as the rest of the line found a play earlier. If that line finishes `race`, only
/// shorter lines are searched for, and `known` is returned if none is found. New lines avoid the boards in `history`,
/// each given by the side's pieces. If the opponent's pieces are out of reach, a line through an earlier board is returned
/// if it is proved to be the shortest.
pub fn improve(
    race: &Race,
    known: &[Play],
    history: &[Bitboard],
    limits: &Limits,
    clock: &dyn Clock,
) -> Option<Solution> {
    let mut meter = Meter::new(limits, clock);
    let min_length = race.min_plays();
    let known = Solution { line: known.to_vec(), min_length, boards: 0 };
    let mut best = Some(known).filter(|known| race.is_finished_by(&known.line));
    if best.as_ref().is_some_and(Solution::is_proved) {
        return best;
    }
    let (mut width, mut turn, mut may_return) = (FIRST_WIDTH, 0, false);
    loop {
        let below = best.as_ref().map_or(MAX_PLAYS, Solution::length);
        let mut beam = Beam::new(race, width, &RANKS[turn % RANKS.len()], below);
        if !may_return {
            beam.avoided.extend(history.iter().map(|&board| race.key(board)));
        }
        let found = beam.run(&mut meter);
        let (boards, complete) = (meter.boards, !beam.cut && !meter.is_over);
        // Through an earlier board, only a proved line brings the end nearer with each play. Others might go in circles.
        if let Some(line) = found.filter(|_| complete || !may_return) {
            best = Some(Solution { line, min_length, boards });
        }
        if let Some(best) = &mut best {
            best.boards = boards;
            // No board was dropped for lack of room or because it occurred before, so there is no shorter line.
            if complete && !beam.has_avoided {
                best.min_length = best.length();
            }
        }
        // An opponent in reach could lead the side through the same boards forever.
        let try_returning = complete && beam.has_avoided && race.alone;
        let is_proved = best.as_ref().is_some_and(Solution::is_proved);
        if meter.is_over || is_proved || complete && !try_returning {
            return best;
        }
        may_return |= try_returning;
        if !try_returning {
            width *= WIDENING;
            turn += 1;
        }
    }
}

/// Counts boards, and stops the search at its limits.
struct Meter<'a> {
    clock: &'a dyn Clock,
    end: f64,
    max_boards: u64,
    /// The maximum number of boards that one beam may see.
    max_seen: usize,
    boards: u64,
    is_over: bool,
}

impl<'a> Meter<'a> {
    fn new(limits: &Limits, clock: &'a dyn Clock) -> Meter<'a> {
        // Without time, not even the clock is read.
        let is_over = limits.seconds().is_some_and(|seconds| seconds <= 0.0);
        let seconds = limits.seconds().filter(|_| !is_over);
        let end = seconds.map_or(f64::INFINITY, |seconds| clock.seconds() + seconds);
        let max_boards = limits.iterations.unwrap_or(u64::MAX);
        let max_seen = limits.memory.map_or(MAX_SEEN, |bytes| MAX_SEEN.min(bytes / BYTES_PER_SEEN));
        Meter { clock, end, max_boards, max_seen, boards: 0, is_over }
    }

    /// Counts a board, and returns whether it may be expanded.
    #[inline]
    fn count(&mut self) -> bool {
        self.is_over = self.is_over
            || self.boards >= self.max_boards
            || self.boards.is_multiple_of(CLOCK_EVERY) && self.time_is_up();
        self.boards += u64::from(!self.is_over);
        !self.is_over
    }

    fn time_is_up(&self) -> bool {
        self.clock.is_cancelled() || self.end.is_finite() && self.clock.seconds() >= self.end
    }
}

/// A board of a layer.
#[derive(Clone, Copy)]
struct Node {
    pieces: Bitboard,
    /// The part of the rank that is a sum over the pieces.
    sum: i32,
    rank: i32,
    /// The index of its parent in the layer before.
    parent: u32,
    /// The play that led here.
    play: Play,
}

/// The sort key of boards in a layer, best first.
fn order(node: &Node) -> (i32, u64) {
    (node.rank, board_hash(node.pieces))
}

/// One beam search.
struct Beam<'a> {
    race: &'a Race,
    width: usize,
    rank: &'static Rank,
    /// The search looks only for lines with fewer plays than this.
    below: u32,
    /// The parent and the play of each board, layer by layer.
    layers: Vec<Vec<(u32, Play)>>,
    /// The keys of the boards seen so far.
    seen: Seen,
    /// The keys of the boards to avoid.
    avoided: FastSet<u64>,
    /// Whether a board was dropped because it is to be avoided.
    has_avoided: bool,
    /// Whether a board was dropped for lack of room.
    cut: bool,
    /// An upper bound on the ranks that have room in the next layer.
    highest: i32,
}

impl<'a> Beam<'a> {
    fn new(race: &'a Race, width: usize, rank: &'static Rank, below: u32) -> Beam<'a> {
        let (layers, seen, avoided) = (Vec::new(), Seen::new(), FastSet::default());
        Beam {
            race,
            width,
            rank,
            below,
            layers,
            seen,
            avoided,
            has_avoided: false,
            cut: false,
            highest: i32::MAX,
        }
    }

    /// The plays of the first line found, on the real board.
    fn run(&mut self, meter: &mut Meter) -> Option<Vec<Play>> {
        let start = self.race.pieces;
        let mut layer =
            vec![Node { pieces: start, sum: self.rank.sum(start), rank: 0, parent: 0, play: NO_PLAY }];
        let mut next = Vec::new();
        self.seen.insert(board_hash(start));
        for depth in 1..self.below {
            for (parent, node) in layer.iter().enumerate() {
                if !meter.count() || self.seen.count > meter.max_seen {
                    meter.is_over = true;
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
            // Best first: their children have low ranks, so `highest` soon falls.
            next.sort_unstable_by_key(order);
            self.highest = i32::MAX;
            self.layers.push(next.iter().map(|node| (node.parent, node.play)).collect());
            swap(&mut layer, &mut next);
            next.clear();
            if layer.is_empty() {
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

    /// Adds to `next` the boards one play after `node`, which are `depth` plays from the start. Returns a board that
    /// finishes the race, if there is one.
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
                let needed = min_plays(&race, pieces, holes, steps);
                if depth + needed >= self.below {
                    return;
                }
                let rank = self.rank.of(sum, steps, needed);
                if needed > 0 && rank > self.highest {
                    self.cut = true;
                    return;
                }
                let key = board_hash(pieces);
                if !self.seen.insert(key) {
                    return;
                }
                if self.avoided.contains(&key) {
                    self.has_avoided = true;
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

/// The keys of the boards seen so far, in shards: growing copies a set, and copying one large set could make a move
/// overrun its time.
struct Seen {
    shards: Vec<FastSet<u64>>,
    count: usize,
}

const SHARDS: usize = 64;

impl Seen {
    fn new() -> Seen {
        Seen { shards: vec![FastSet::default(); SHARDS], count: 0 }
    }

    /// Inserts `hash`, and returns whether it was new.
    #[inline]
    fn insert(&mut self, hash: u64) -> bool {
        let is_new = self.shards[hash as usize % SHARDS].insert(hash);
        self.count += usize::from(is_new);
        is_new
    }
}
