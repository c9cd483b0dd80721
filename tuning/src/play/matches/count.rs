//! Counts the games of a match.

use super::forfeit::Forfeit;
use super::pair::PairResult;
use super::settings::Settings;
use super::work::AgentFigures;
use crate::play::record::{Contestant, Ended, GameRecord};
use crate::stats::{Hypotheses, PairCounts, Verdict};
use halma::rules::{BLACK, Position};
use std::collections::{BTreeMap, HashSet};

/// The totals of a match's games.
#[derive(Clone, Debug, Default)]
pub struct Count {
    /// The result of each pair, in order.
    pub results: Vec<PairResult>,
    /// Different pairs in which A scored 0, ½, 1, 1½ and 2 points. Pairs that repeat an earlier one are left out.
    pub pairs: PairCounts,
    /// Different pairs in which the side that moved first scored 0, ½, 1, 1½ and 2 points.
    pub first_mover: PairCounts,
    /// Games that A lost, drew and won.
    pub outcomes: [u64; 3],
    /// Plies of all games, including the openings.
    pub plies: usize,
    /// Games that ended at the ply limit.
    pub ply_limit_games: u64,
    /// Visits that A and B reused from earlier searches.
    pub reused: [u64; 2],
    /// Games that were not decided on the board.
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

    /// Counts the games of a pair.
    fn add_games(&mut self, games: [&GameRecord; 2]) {
        for record in games {
            self.outcomes[usize::from(record.half_points())] += 1;
            self.plies += record.plies();
            self.ply_limit_games += u64::from(record.reason == Ended::PlyLimit);
            self.add_figures(record);
            self.forfeits.extend(Forfeit::of(record));
        }
    }

    fn add_figures(&mut self, record: &GameRecord) {
        for decision in 0..record.plays.len() {
            let which = record.decider(decision) as usize;
            let agent = &mut self.agents[which];
            agent.decisions += 1;
            agent.seconds += record.seconds[decision];
            let work = record.work(decision);
            agent.work.iterations += work.iterations;
            agent.work.nodes += work.nodes;
            agent.work.boards += work.boards;
            agent.pace.add(work, record.seconds[decision]);
            self.reused[which] += u64::from(record.reused[decision]);
        }
        for which in Contestant::BOTH {
            let agent = &mut self.agents[which as usize];
            let lost = record.winner == Some(which.opponent());
            agent.illegal_plays += u64::from(lost && record.reason == Ended::IllegalPlay);
            agent.time_forfeits += u64::from(lost && record.reason == Ended::TimeForfeit);
            agent.program_faults += u64::from(lost && record.reason == Ended::ProgramFault);
            agent.overdrafts += u64::from(record.overdrafts[which as usize]);
        }
    }
}

/// Counts the games of a match in order, although they may finish out of order.
pub struct Counter<'a> {
    settings: &'a Settings,
    /// The number of the next pair.
    next: Option<u64>,
    /// The pairs after it, as an iterator because a list might not fit into memory.
    after: Box<dyn Iterator<Item = u64> + 'a>,
    /// Games that finished before an earlier one did.
    waiting: BTreeMap<u64, GameRecord>,
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
    pub fn add(&mut self, record: GameRecord) {
        self.waiting.insert(record.game, record);
        while !self.is_over()
            && let Some(first) = self.next.map(|pair| 2 * pair)
            && self.waiting.contains_key(&(first + 1))
            && let Some(one) = self.waiting.remove(&first)
            && let Some(two) = self.waiting.remove(&(first + 1))
        {
            self.count_pair(&one, &two);
            self.next = self.after.next();
        }
    }

    fn count_pair(&mut self, first: &GameRecord, second: &GameRecord) {
        let start = Position::initial(BLACK, self.settings.widest_rules());
        let result = PairResult::of(first, second, start);
        if self.seen.insert(result.games(Contestant::A)) {
            self.count.pairs.add(result.half_points(Contestant::A));
            self.count.first_mover.add(result.first_mover);
        }
        self.count.results.push(result);
        self.count.add_games([first, second]);
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
