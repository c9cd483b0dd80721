//! The race player: how an agent plays once only speed counts.

use super::Decision;
use crate::evaluation::Evaluation;
use crate::game::{Game, Player, Value};
use crate::rules::{Bitboard, Play, Position, distance};
use crate::search::race::{Race, Solution, estimate, improve};
use crate::search::{Certainty, DecidedBy, Limits, Observer, PlaysNeeded, RaceReport, Report, Stop};
use crate::support::clock::Clock;
use crate::support::math::exp;

/// The share of the limits for the agent's own race.
const OWN_SHARE: f64 = 0.85;
/// The share for the opponent's race, which shows who is ahead.
const OPPONENTS_SHARE: f64 = 0.1;
/// The minimum number of boards for each line, unless time is limited: enough to find one.
const MIN_BOARDS: u64 = 256;
/// The share for a line past a passive opponent. If none is found, the rest is left for the tree search.
const PASSIVE_SHARE: f64 = 0.6;
/// A passive opponent must need at least this many plays more than the agent, because it may still get in the way and
/// [`estimate`] errs by three.
const LEAD: f32 = 6.0;
/// An agent counts a position of this value or more as won, and then makes progress: all plays that win are worth nearly
/// the same, so a tree search has no reason to prefer those that make progress.
///
/// Only in such positions does it play past a passive opponent. The plays that both sides need say too little while the
/// armies still meet: an opponent that plays on, and jumps over the agent's pieces, needs far fewer than [`estimate`] says
/// (E264).
pub(super) const WON: f32 = 0.95;
/// The value of a race whose winner is known, provided that neither side turns back.
pub(super) const SURE: f32 = 0.99;

/// The log-odds of winning per play of the lead, if both lines are as short as possible.
const SURENESS: f32 = 12.0;
/// The opponent's line, which is searched less than the agent's own, is expected to shrink by this fraction of its gap
/// to the lower bound.
const STILL_TO_FIND: f32 = 0.17;
/// The log-odds of winning per play of the lead, if the opponent's plays are estimated.
const SURENESS_OF_ESTIMATE: f32 = 1.26;
/// [`estimate`] is this many plays below the result of a short search.
const ESTIMATED_TOO_FEW: f32 = 1.8;

/// Plays races for an agent.
pub struct RacePlayer {
    /// The agent's evaluation.
    evaluation: Box<dyn Evaluation>,
    /// The rest of the agent's line after its last play.
    rest: Vec<Play>,
    /// The opponent's line to its goal when it was last searched.
    opponents: Vec<Play>,
    /// The agent's own pieces at the start of this game and after each of its plays, oldest first.
    history: Vec<Bitboard>,
}

impl RacePlayer {
    /// The race player of an agent with this `evaluation`, at the start of a game.
    pub fn new(evaluation: Box<dyn Evaluation>) -> RacePlayer {
        RacePlayer { evaluation, rest: Vec::new(), opponents: Vec::new(), history: Vec::new() }
    }

    /// Decides in `position` if only speed counts: the armies have passed each other, or the opponent is far behind and
    /// the agent's evaluation calls the game won. The decision is the first play of the shortest line to the goal found
    /// within `limits`, where iterations are boards. The rest of the line is kept for the next decision, so within one
    /// process the line never gets longer.
    ///
    /// The report's value compares the number of plays that each side needs. It is never a proof, since the opponent
    /// might turn back.
    ///
    /// `None` if speed alone does not decide the game yet, or if no line was found. Also `None` if there is only one
    /// legal play, or a winning one, which every search finds and proves.
    pub fn decide(&mut self, position: &Position, limits: &Limits, clock: &dyn Clock) -> Option<Decision> {
        let start = clock.seconds();
        let mover = position.to_move();
        let known = std::mem::take(&mut self.rest);
        self.sync_history(position);
        if position.count_plays() <= 1 {
            return None;
        }
        let own = match Race::new(position, mover) {
            Some(race) => improve(&race, &known, self.earlier(), &share(limits, OWN_SHARE), clock)?,
            None => self.past_passive_opponent(position, &known, limits, clock)?,
        };
        let (&play, rest) = own.line.split_first()?;
        if rest.is_empty() || !position.is_legal(play) {
            return None;
        }
        self.rest = rest.to_vec();
        let opponents = self.opponents_line(position, limits, clock);
        let report = report(position, limits, &own, opponents.as_ref(), clock.seconds() - start);
        Some(Decision { play, report })
    }

    /// Finds a line to the goal past an opponent too far behind to win in time, as if the opponent's pieces were frozen.
    ///
    /// This quickly finishes games against a side that stays in the way. To a tree search, all plays of a won game look
    /// alike.
    fn past_passive_opponent(
        &mut self,
        position: &Position,
        known: &[Play],
        limits: &Limits,
        clock: &dyn Clock,
    ) -> Option<Solution> {
        let mover = position.to_move();
        let in_time = estimate(position, mover.opponent()) - LEAD;
        if estimate(position, mover) > in_time || self.evaluation.value(position, mover).get() < WON {
            return None;
        }
        let race = Race::against_frozen(position, mover)?;
        let own = improve(&race, known, self.earlier(), &share(limits, PASSIVE_SHARE), clock)?;
        Some(own).filter(|own| own.length() as f32 <= in_time)
    }

    /// The opponent's shortest known line, improved at each decision like the agent's own, so that their lengths can be
    /// compared. `None` before the armies have passed each other.
    fn opponents_line(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: &dyn Clock,
    ) -> Option<Solution> {
        let mut known = std::mem::take(&mut self.opponents);
        let race = Race::new(position, position.to_move().opponent())?;
        if !known.is_empty() && !race.is_finished_by(&known) {
            // The opponent has moved. The search finds out whether it followed the line.
            known.remove(0);
        }
        let found = improve(&race, &known, &[], &share(limits, OPPONENTS_SHARE), clock)?;
        self.opponents.clone_from(&found.line);
        Some(found)
    }

    /// Records that the agent makes `play` in `position`. Lines avoid the boards of the game so far.
    pub fn played(&mut self, position: &Position, play: Play) {
        self.sync_history(position);
        self.history.push(board_after(position, play));
    }

    /// How many times the agent has already had the board that `play` leads to.
    pub fn returns(&self, position: &Position, play: Play) -> usize {
        let board = board_after(position, play);
        self.history_of(position).iter().filter(|&&earlier| earlier == board).count()
    }

    /// How much nearer to the goal's corner the agent's last `plays` plays have brought its army, in columns plus rows.
    /// `None` if the agent has made fewer.
    pub fn gained(&self, position: &Position, plays: usize) -> Option<i32> {
        let history = self.history_of(position);
        let earlier = history.len().checked_sub(plays + 1)?;
        let side = position.to_move();
        Some(total_distance(side, history[earlier]) - total_distance(side, position.pieces(side)))
    }

    /// The number of plays that the agent has made since its army first reached its smallest distance to the goal.
    pub fn plays_since_nearest(&self, position: &Position) -> usize {
        let distances =
            self.history_of(position).iter().map(|&board| total_distance(position.to_move(), board));
        let nearest = distances.clone().enumerate().min_by_key(|&(_, distance)| distance);
        nearest.map_or(0, |(at, _)| distances.len() - 1 - at)
    }

    /// The agent's own pieces at the start of this game and after each of its plays, oldest first.
    pub fn history(&self) -> &[Bitboard] {
        &self.history
    }

    /// The boards before the current one, with which the history ends.
    fn earlier(&self) -> &[Bitboard] {
        self.history.split_last().map_or(&[], |(_, earlier)| earlier)
    }

    /// Restores the [`history`](Self::history).
    pub fn restore(&mut self, history: Vec<Bitboard>) {
        self.history = history;
    }

    /// Forgets the game so far.
    pub fn forget(&mut self) {
        self.rest.clear();
        self.opponents.clear();
        self.history.clear();
    }

    /// Starts a new history if `position` does not follow the last board.
    fn sync_history(&mut self, position: &Position) {
        if !self.history_ends_at(position) {
            self.history = vec![position.pieces(position.to_move())];
        }
    }

    /// The history, if it leads to `position`.
    fn history_of(&self, position: &Position) -> &[Bitboard] {
        if self.history_ends_at(position) { &self.history } else { &[] }
    }

    /// Whether the last board of the history is that of `position`.
    fn history_ends_at(&self, position: &Position) -> bool {
        self.history.last() == Some(&position.pieces(position.to_move()))
    }
}

/// The mover's pieces after `play`.
fn board_after(position: &Position, play: Play) -> Bitboard {
    let mut next = *position;
    next.play(play);
    next.pieces(position.to_move())
}

/// The sum of the distances of the pieces of `side` to the corner of its goal.
fn total_distance(side: Player, pieces: Bitboard) -> i32 {
    let mut total = 0;
    pieces.for_each(|square| total += i32::from(distance(side, square)));
    total
}

/// The race player's limits. It sends no interim reports, so with an `observer` any limit on its CPU time is at most one
/// interval.
pub fn race_limits(limits: &Limits, observer: &Option<Observer<'_, Play>>) -> Limits {
    let interval = observer.as_ref().map_or(f64::INFINITY, |observer| observer.every);
    let capped = |seconds: Option<f64>| seconds.map(|seconds| seconds.min(interval));
    Limits { cpu: capped(limits.cpu), planned: capped(limits.planned), ..*limits }
}

/// The limits for one line: a `share` of `limits`, but at least [`MIN_BOARDS`] boards, if boards are limited.
fn share(limits: &Limits, share: f64) -> Limits {
    let boards = |iterations: u64| ((iterations as f64 * share) as u64).max(MIN_BOARDS);
    Limits {
        cpu: limits.seconds().map(|seconds| seconds * share),
        iterations: limits.iterations.map(boards),
        memory: limits.memory,
        ..Limits::default()
    }
}

fn report(
    position: &Position,
    limits: &Limits,
    own: &Solution,
    opponents: Option<&Solution>,
    seconds: f64,
) -> Report<Play> {
    let value = value(position, own, opponents);
    let boards = own.boards + opponents.map_or(0, |line| line.boards);
    let stop = match (own.is_proved(), limits.iterations) {
        (true, _) => Stop::Settled,
        (false, Some(_)) => Stop::Iterations,
        (false, None) => Stop::Time,
    };
    let principal_variation = in_turn(own, opponents);
    let race = RaceReport {
        own: plays_needed(own),
        opponent: opponents.map_or_else(
            || PlaysNeeded {
                plays: estimate(position, position.to_move().opponent()),
                certainty: Certainty::Estimated,
            },
            plays_needed,
        ),
        value,
        line: principal_variation.clone(),
        boards,
    };
    Report {
        decided_by: DecidedBy::Race,
        race: Some(race),
        candidates: Vec::new(),
        depth: principal_variation.len(),
        principal_variation,
        value,
        proof: None,
        iterations: 0,
        visited: 0,
        reused: 0,
        nodes: 0,
        seconds,
        stop,
    }
}

/// The length of the line `found`.
fn plays_needed(found: &Solution) -> PlaysNeeded {
    let certainty = if found.is_proved() { Certainty::Proved } else { Certainty::Found };
    PlaysNeeded { plays: found.length() as f32, certainty }
}

/// The value of the race for the side to move, which wins if it needs no more plays than the opponent. If both numbers
/// are proved, the winner is certain as long as neither side turns back. Otherwise the value follows from the probability
/// of winning, fitted to races of the engine against itself (`tuning/results/race-values.txt`).
fn value(position: &Position, own: &Solution, opponents: Option<&Solution>) -> Value {
    let Some(others) = opponents else {
        let others = estimate(position, position.to_move().opponent()) + ESTIMATED_TOO_FEW;
        return likely(SURENESS_OF_ESTIMATE * (others - own.length() as f32));
    };
    // The side to move is ahead at equal numbers.
    let lead = others.length() as f32 - own.length() as f32 + 0.5;
    let [own_gap, others_gap] =
        [own, others].map(|line| line.length().saturating_sub(line.min_length) as f32);
    match own_gap + others_gap {
        0.0 => Value::new(SURE.copysign(lead)),
        gaps => likely(SURENESS * (lead - STILL_TO_FIND * others_gap) / (1.0 + gaps)),
    }
}

/// The value for these log-odds of winning.
fn likely(log_odds: f32) -> Value {
    // tanh(x/2) = 1 − 2 / (eˣ + 1)
    Value::new(SURE * (1.0 - 2.0 / (exp(log_odds) + 1.0)))
}

/// Combines the decision of the race player with the `report` of a tree search: the race player decides unless the
/// search has proved the outcome.
pub fn prefer(race: Decision, report: Report<Play>) -> Option<Decision> {
    let Decision { play, report: Report { decided_by, race, value, principal_variation, .. } } = race;
    let report = Report { race, ..report };
    match report.proof {
        Some(_) => Some(Decision { play: report.best()?.play, report }),
        None => Some(Decision { play, report: Report { decided_by, value, principal_variation, ..report } }),
    }
}

/// The plays of both lines, alternating, until one line ends.
fn in_turn(own: &Solution, opponents: Option<&Solution>) -> Vec<Play> {
    let others = opponents.map_or(&[][..], |opponents| &opponents.line);
    let mut plays = Vec::new();
    for (at, &play) in own.line.iter().enumerate() {
        plays.push(play);
        match others.get(at) {
            Some(&other) if at + 1 < own.line.len() => plays.push(other),
            _ => break,
        }
        if at + 1 == others.len() {
            break;
        }
    }
    plays
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_follow_from_the_plays_that_both_sides_need() {
        let start = Position::default();
        let mut plays = Vec::new();
        start.legal_plays(&mut plays);
        let line = |(length, min_length)| Solution { line: plays[..1].repeat(length), min_length, boards: 0 };
        // The plays of each side and their lower bounds, and the value: certain if both are proved, and otherwise 0.99
        // times the hyperbolic tangent of half of the log-odds, 12 · (lead + 0.5 − 0.17 · gap of the opponent) / (1 + gaps).
        for (own, others, expected) in [
            ((20, 20), (20, 20), 0.99),
            ((21, 21), (20, 20), -0.99),
            ((20, 20), (20, 19), 0.99 * 0.99_f32.tanh()),
            ((21, 18), (21, 19), 0.99 * 0.16_f32.tanh()),
            ((22, 18), (21, 21), 0.99 * (-0.6_f32).tanh()),
        ] {
            let found = value(&start, &line(own), Some(&line(others))).get();
            assert!((found - expected).abs() < 1e-5, "{own:?} {others:?}: {found}, expected {expected}");
        }
    }
}
