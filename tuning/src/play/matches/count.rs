//! Counts the games of a match.

use super::figures::GameFigures;
use super::forfeit::Forfeit;
use super::pair::PairResult;
use super::settings::Settings;
use super::work::AgentFigures;
use crate::play::record::{Contestant, Ended};
use crate::stats::{Hypotheses, PairCounts, Verdict};
use std::collections::{BTreeMap, HashSet};

/// The totals of a match's games.
#[derive(Clone, Debug, Default)]
pub struct Count {
    /// The result of each pair, in order.
    pub results: Vec<PairResult>,
    /// Distinct pairs in which A scored 0, ½, 1, 1½ and 2 points: pairs that repeat an earlier one are left out.
    pub pairs: PairCounts,
    /// Distinct pairs in which the side that moved first scored 0, ½, 1, 1½ and 2 points.
    pub first_mover: PairCounts,
    /// [`pairs`](Self::pairs) by the machine on which they were played, if that is known.
    pub by_machine: BTreeMap<String, PairCounts>,
    /// Games that A lost, drew and won.
    pub outcomes: [u64; 3],
    /// Plies of all games, including the openings.
    pub plies: usize,
    /// Games that ended at the ply limit.
    pub ply_limit_games: u64,
    /// Visits that A and B reused from earlier searches.
    pub reused: [u64; 2],
    /// Games lost by an illegal play, on time, or by a program's fault.
    pub forfeits: Vec<Forfeit>,
    /// Figures of A and B. [`Count::summary`] adds the rates and means.
    pub agents: [AgentFigures; 2],
    /// Whether only some of the match's pairs are counted. The sequential test then stays open.
    pub is_part: bool,
}

impl Count {
    /// The number of pairs that repeat an earlier one.
    pub fn repeats(&self) -> u64 {
        self.results.len() as u64 - self.pairs.pairs()
    }

    fn add(&mut self, game: GameFigures) {
        self.outcomes[usize::from(game.half_points)] += 1;
        self.plies += game.plies;
        self.ply_limit_games += u64::from(game.reason == Ended::PlyLimit);
        self.forfeits.extend(game.forfeit);
        for which in Contestant::BOTH.map(|which| which as usize) {
            self.agents[which].join(&game.agents[which]);
            self.reused[which] += game.reused[which];
        }
    }
}

/// Counts the games of a match in order, although they may finish out of order.
pub struct Counter<'a> {
    settings: &'a Settings,
    /// The number of the next pair.
    next: Option<u64>,
    /// The numbers of the pairs after `next`, as an iterator because a list might not fit into memory.
    after: Box<dyn Iterator<Item = u64> + 'a>,
    /// Finished games that are not yet counted, by number.
    waiting: BTreeMap<u64, GameFigures>,
    /// Identifies the pairs counted so far.
    seen: HashSet<[u64; 2]>,
    count: Count,
}

impl<'a> Counter<'a> {
    /// A counter for the pairs with these numbers, in order.
    pub fn new(settings: &'a Settings, mut pairs: impl Iterator<Item = u64> + 'a) -> Counter<'a> {
        let next = pairs.next();
        let (after, waiting, seen) = (Box::new(pairs), BTreeMap::new(), HashSet::new());
        Counter { settings, next, after, waiting, seen, count: Count::default() }
    }

    /// A counter for a part of the match. It counts every pair, because only the whole match can decide a
    /// sequential test.
    pub fn of_part(settings: &'a Settings, pairs: impl Iterator<Item = u64> + 'a) -> Counter<'a> {
        let count = Count { is_part: true, ..Count::default() };
        Counter { count, ..Counter::new(settings, pairs) }
    }

    /// Adds a game, then counts the complete pairs that come next, up to the pair that decides the match.
    pub fn add(&mut self, game: GameFigures) {
        self.waiting.insert(game.number, game);
        while !self.is_over()
            && let Some(first) = self.next.map(|pair| 2 * pair)
            && self.waiting.contains_key(&(first + 1))
            && let Some(one) = self.waiting.remove(&first)
            && let Some(two) = self.waiting.remove(&(first + 1))
        {
            self.count_pair(one, two);
            self.next = self.after.next();
        }
    }

    fn count_pair(&mut self, first: GameFigures, second: GameFigures) {
        let result = PairResult::of(&first, &second);
        if self.seen.insert(result.games(Contestant::A)) {
            self.count.pairs.add(result.half_points(Contestant::A));
            self.count.first_mover.add(result.first_mover);
            if let Some(machine) = machine_of(&first, &second) {
                self.count
                    .by_machine
                    .entry(machine.to_string())
                    .or_default()
                    .add(result.half_points(Contestant::A));
            }
        }
        self.count.results.push(result);
        self.count.add(first);
        self.count.add(second);
    }

    /// Whether all pairs are counted or the sequential test has reached a verdict.
    pub fn is_over(&self) -> bool {
        let decided = |sprt: Hypotheses| sprt.verdict(self.count.pairs) != Verdict::Undecided;
        self.next.is_none() || (!self.count.is_part && self.settings.sprt.is_some_and(decided))
    }

    /// The totals so far.
    pub fn count(&self) -> &Count {
        &self.count
    }

    /// The totals.
    pub fn into_count(self) -> Count {
        self.count
    }
}

/// The machine on which a pair of games was played, if known. A requeued run may finish a pair on another machine.
fn machine_of<'a>(first: &'a GameFigures, second: &'a GameFigures) -> Option<&'a str> {
    let (first, second) = (first.host.as_deref()?, second.host.as_deref()?);
    Some(if first == second { first } else { "several machines" })
}
