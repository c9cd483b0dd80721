//! The race player: how an agent plays once all that counts is which side is faster.

use super::Decision;
use crate::game::{Game, Value};
use crate::rules::{Play, Position};
use crate::search::race::{Race, Solution, board_key, estimate, improve};
use crate::search::{Certainty, DecidedBy, Limits, Observer, PlaysNeeded, RaceReport, Report, Stop};
use crate::support::clock::Clock;

/// The part of the limits for searching the own race.
const OWN_SHARE: f64 = 0.85;
/// The part for the opponent's race, which says who is ahead.
const OPPONENTS_SHARE: f64 = 0.1;
/// Boards that find the opponent some line, however few the iterations are.
const LEAST_BOARDS: u64 = 256;
/// The part for a line past a passive opponent; if there is none, the rest is for another search.
const PASSIVE_SHARE: f64 = 0.6;
/// A passive opponent must need at least this many plays more than we do: it may still get in the way, and
/// [`estimate`] is off by three.
const LEAD: f32 = 6.0;
/// The value of a race whose end is known, as long as nobody turns back.
const SURE: f32 = 0.99;

/// The log-odds of winning for each play of the lead, if nothing is open between the plays found and the
/// fewest possible.
const SURENESS: f32 = 12.0;
/// The part of that gap by which the opponent's line, which is searched less than the own, is still to
/// get shorter.
const STILL_TO_FIND: f32 = 0.17;
/// The log-odds for each play of the lead over an opponent whose plays are estimated.
const SURENESS_OF_ESTIMATE: f32 = 1.26;
/// By how many plays [`estimate`] is less than what a short search finds.
const ESTIMATED_TOO_FEW: f32 = 1.8;

/// Plays races for an agent.
#[derive(Clone, Debug, Default)]
pub struct RacePlayer {
    /// The rest of the line after the last play.
    rest: Vec<Play>,
    /// The opponent's line to its goal, as it stood when it was found.
    opponents: Vec<Play>,
    /// The [`board_key`]s of the own boards of this game so far, the last one after the last play.
    been: Vec<u64>,
}

impl RacePlayer {
    /// The play to make in `position` if all that counts is who is faster, that is if the armies have
    /// passed each other or the opponent is far behind: the first play of the shortest line to the goal
    /// found within `limits`. Iterations count as boards. The rest of the line is kept for the next
    /// decision, so the line never gets longer.
    ///
    /// The report's value compares the plays that both sides need; it is never proved, since the opponent
    /// might turn back.
    ///
    /// `None` if more than that counts, or if no line was found; also if there is only one play, or a win
    /// in one, which every search sees and proves.
    pub fn decide(&mut self, position: &Position, limits: &Limits, clock: &dyn Clock) -> Option<Decision> {
        let start = clock.seconds();
        let mover = position.to_move();
        let known = std::mem::take(&mut self.rest);
        self.stand_on(position);
        if position.outcome().is_some() || position.count_plays() <= 1 {
            return None;
        }
        let own = match Race::new(position, mover) {
            Some(race) => improve(&race, &known, &self.been, &share(limits, OWN_SHARE), clock)?,
            None => past_passive_opponent(position, &known, &self.been, limits, clock)?,
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

    /// The opponent's shortest line known, improved from decision to decision as the own line is: only then
    /// can their lengths be compared. `None` before the armies have passed each other.
    fn opponents_line(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: &dyn Clock,
    ) -> Option<Solution> {
        let mut known = std::mem::take(&mut self.opponents);
        let race = Race::new(position, position.to_move().opponent())?;
        if !known.is_empty() && !race.is_finished_by(&known) {
            // The opponent has moved, by the line or not; which of the two, the search finds out.
            known.remove(0);
        }
        let mut limits = share(limits, OPPONENTS_SHARE);
        limits.iterations = limits.iterations.map(|boards| boards.max(LEAST_BOARDS));
        let found = improve(&race, &known, &[], &limits, clock)?;
        self.opponents.clone_from(&found.line);
        Some(found)
    }

    /// Notes that `play` is made in `position`, whoever chose it: lines avoid boards of the game so far.
    pub fn played(&mut self, position: &Position, play: Play) {
        self.stand_on(position);
        self.been.push(board_after(position, play));
    }

    /// How often the own pieces have already stood in this game as they will after `play` in `position`.
    pub fn times_been(&self, position: &Position, play: Play) -> usize {
        let board = board_after(position, play);
        let been = if self.stands_on(position) { self.been() } else { &[] };
        been.iter().filter(|&&been| been == board).count()
    }

    /// The [`board_key`]s of the own boards of this game so far, for [`restore`](Self::restore).
    pub fn been(&self) -> &[u64] {
        &self.been
    }

    /// Restores the boards of the game so far.
    pub fn restore(&mut self, been: Vec<u64>) {
        self.been = been;
    }

    /// Forgets the game so far.
    pub fn forget(&mut self) {
        self.rest.clear();
        self.opponents.clear();
        self.been.clear();
    }

    /// Forgets the boards if the game has not come to `position` from the last of them.
    fn stand_on(&mut self, position: &Position) {
        if !self.stands_on(position) {
            self.been = vec![board_key(position, position.to_move())];
        }
    }

    /// Whether the last of the boards is that of `position`.
    fn stands_on(&self, position: &Position) -> bool {
        self.been.last() == Some(&board_key(position, position.to_move()))
    }
}

/// The key of the own board after `play` in `position`.
fn board_after(position: &Position, play: Play) -> u64 {
    let mut next = *position;
    next.play(play);
    board_key(&next, position.to_move())
}

/// A line to the goal past an opponent too far behind to win in time, as if its pieces were frozen.
///
/// This finishes games against a side that stays in the way, and quickly: to tree search, all plays of a
/// game that is as good as won are alike.
fn past_passive_opponent(
    position: &Position,
    known: &[Play],
    been: &[u64],
    limits: &Limits,
    clock: &dyn Clock,
) -> Option<Solution> {
    let mover = position.to_move();
    let in_time = estimate(position, mover.opponent()) - LEAD;
    if estimate(position, mover) > in_time {
        return None;
    }
    let race = Race::against_frozen(position, mover)?;
    let own = improve(&race, known, been, &share(limits, PASSIVE_SHARE), clock)?;
    Some(own).filter(|own| own.length() as f32 <= in_time)
}

/// The limits of the race player: with an observer no more than one of its intervals, for it says nothing meanwhile.
pub fn race_limits(limits: &Limits, observer: &Option<Observer<'_, Play>>) -> Limits {
    let interval = observer.as_ref().map(|observer| observer.every);
    Limits { cpu: limits.cpu.map(|cpu| interval.map_or(cpu, |interval| cpu.min(interval))), ..*limits }
}

/// The limits for one race, a part of all.
fn share(limits: &Limits, share: f64) -> Limits {
    Limits {
        cpu: limits.seconds().map(|seconds| seconds * share),
        iterations: limits.iterations.map(|iterations| (iterations as f64 * share) as u64),
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
    let boards = own.boards + opponents.map_or(0, |opponents| opponents.boards);
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

/// How many plays the line of `found` has.
fn plays_needed(found: &Solution) -> PlaysNeeded {
    let certainty = if found.is_proved() { Certainty::Proved } else { Certainty::Found };
    PlaysNeeded { plays: found.length() as f32, certainty }
}

/// What the race is worth to the side to move, which wins if it needs no more plays than the other.
/// If both numbers are proved that is certain as long as nobody turns back; else it is the probability to
/// win, by a fit to races of the engine against itself (`tuning/results/race-values.txt`).
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

/// The value of a win with these log-odds.
fn likely(log_odds: f32) -> Value {
    Value::new(SURE * (log_odds / 2.0).tanh())
}

/// The decision of `race`, unless the search behind `report` has proved how the game ends. What the search found
/// stays its own.
pub fn prefer(race: Decision, report: Report<Play>) -> Option<Decision> {
    let Decision { play, report: Report { decided_by, race, value, principal_variation, .. } } = race;
    let report = Report { race, ..report };
    match report.proof {
        Some(_) => Some(Decision { play: report.best()?.play, report }),
        None => Some(Decision { play, report: Report { decided_by, value, principal_variation, ..report } }),
    }
}

/// Both lines, play by play, to the end of the one that finishes first.
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
