//! The games of a match counted.

use super::forfeit::Forfeit;
use super::record::{Contestant, Ended, GameRecord};
use super::settings::Settings;
use super::work::AgentFigures;
use crate::stats::{Hypotheses, PairCounts, Verdict};
use std::collections::BTreeMap;

/// What the games of a match have come to.
#[derive(Clone, Debug, Default)]
pub struct Count {
    /// A's half points in each pair, 0…4, in the order of the match's list.
    pub half_points: Vec<u8>,
    /// How many pairs brought A 0, ½, 1, 1½ and 2 points.
    pub pairs: PairCounts,
    /// How many pairs brought the side that moved first 0, ½, 1, 1½ and 2 points.
    pub first_mover: PairCounts,
    /// Games that A lost, drew and won.
    pub outcomes: [u64; 3],
    /// Plies of all games, the openings' included.
    pub plies: usize,
    /// Games that the limit of plies ended.
    pub ply_limit_games: u64,
    /// Games lost by using more than the time for the game.
    pub time_forfeits: u64,
    /// Visits reused from earlier searches of A and of B.
    pub reused: [u64; 2],
    /// Games that were lost by something else than being beaten.
    pub forfeits: Vec<Forfeit>,
    /// What A and B used and did wrong; rates and means are not filled in.
    pub agents: [AgentFigures; 2],
    /// Whether these are some of the match's pairs only, by which its sequential test can't be judged.
    pub is_part: bool,
}

impl Count {
    /// Counts both games of one more pair.
    fn add(&mut self, first: &GameRecord, second: &GameRecord) {
        self.pairs.add(first.half_points(), second.half_points());
        self.first_mover.add(first.first_mover_half_points(), second.first_mover_half_points());
        self.half_points.push(first.half_points() + second.half_points());
        for record in [first, second] {
            self.outcomes[usize::from(record.half_points())] += 1;
            self.plies += record.plies();
            self.ply_limit_games += u64::from(record.reason == Ended::PlyLimit);
            self.time_forfeits += u64::from(record.reason == Ended::TimeForfeit);
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

/// Counts the games of a match in the order of its list, whatever the order in which they end.
pub struct Counter<'a> {
    settings: &'a Settings,
    /// The number of the pair that is next, and those after it. There may be more than memory would hold.
    next: Option<u64>,
    after: Box<dyn Iterator<Item = u64> + 'a>,
    /// Games that have ended before another one ahead of them.
    waiting: BTreeMap<u64, GameRecord>,
    count: Count,
}

impl<'a> Counter<'a> {
    /// For these pairs, by number and in order, of the match with `settings`.
    pub fn new(settings: &'a Settings, mut pairs: impl Iterator<Item = u64> + 'a) -> Counter<'a> {
        let next = pairs.next();
        Counter { settings, next, after: Box::new(pairs), waiting: BTreeMap::new(), count: Count::default() }
    }

    /// The same for a part of the match's pairs: all of them are counted, for a sequential test looks at each pair of
    /// the whole match in turn.
    pub fn of_part(settings: &'a Settings, pairs: impl Iterator<Item = u64> + 'a) -> Counter<'a> {
        let count = Count { is_part: true, ..Count::default() };
        Counter { count, ..Counter::new(settings, pairs) }
    }

    /// Adds a game, and counts the pairs that are next and complete, up to the one that decides the match.
    pub fn add(&mut self, record: GameRecord) {
        self.waiting.insert(record.game, record);
        while !self.is_over()
            && let Some(first) = self.next.map(|pair| 2 * pair)
            && self.waiting.contains_key(&(first + 1))
            && let Some(one) = self.waiting.remove(&first)
            && let Some(two) = self.waiting.remove(&(first + 1))
        {
            self.count.add(&one, &two);
            self.next = self.after.next();
        }
    }

    /// Whether all pairs are counted or the sequential test has decided.
    pub fn is_over(&self) -> bool {
        let decided = |sprt: Hypotheses| sprt.verdict(self.count.pairs) != Verdict::Undecided;
        self.next.is_none() || (!self.count.is_part && self.settings.sprt.is_some_and(decided))
    }

    /// What has been counted so far.
    pub fn count(&self) -> &Count {
        &self.count
    }

    /// What has been counted.
    pub fn into_count(self) -> Count {
        self.count
    }
}
