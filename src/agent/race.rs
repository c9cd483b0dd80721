//! The play that a race asks for, whoever plays it.

use super::Decision;
use crate::clock::Clock;
use crate::game::{Game, Value};
use crate::race::{Effort, Race, Solution, board_key, estimate, improve, solve};
use crate::rules::{Play, Position};
use crate::search::{Candidate, Limits, Report, Stop};

/// The part of the limits that goes into the own race; there is room for the opponent's, too.
const OWN_SHARE: f64 = 0.85;
/// The part that goes into the opponent's, which says who is ahead.
const OPPONENTS_SHARE: f64 = 0.1;
/// The part that goes into a way past a passive opponent; if there is none, the rest is for another search.
const IDLERS_SHARE: f64 = 0.6;
/// A passive opponent must need so many plays more, for what it may still put in the way. The estimate is
/// off by three (see [`estimate`]).
const LEAD: f32 = 6.0;
/// The value of a race whose end is known, as long as nobody turns back.
const SURE: f32 = 0.99;

/// Plays races for an agent.
#[derive(Clone, Debug, Default)]
pub struct RacePlayer {
    /// What should come after the play made last.
    rest: Vec<Play>,
    /// The own boards of this game so far, each by its [`board_key`]; the last is that after the play made last.
    been: Vec<u64>,
}

impl RacePlayer {
    /// The play to make in `position` if all that counts is who is faster: the first of a shortest
    /// line to the goal, as far as one is found within `limits`. Iterations count for boards.
    /// The rest of the line is kept for the next time: however little is found then, it gets no longer.
    ///
    /// So it is when the armies have passed each other, and when the opponent is far behind.
    /// The report's value compares the plays that both sides need; it is never proved, for the opponent
    /// might turn back.
    ///
    /// `None` if more than that counts, or if no way to the goal was found; also if there is nothing to
    /// choose, or a win in one, which every search sees and proves.
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
        let opponents = Race::new(position, mover.opponent())
            .and_then(|race| solve(&race, &share(limits, OPPONENTS_SHARE), clock));
        let report = report(position, limits, &own, opponents.as_ref(), clock.seconds() - start);
        Some(Decision { play, report })
    }

    /// Notes that `play` is made in `position`, whoever chose it: races do not lead back to where one has been.
    pub fn played(&mut self, position: &Position, play: Play) {
        self.stand_on(position);
        self.been.push(board_after(position, play));
    }

    /// How many times the own pieces have stood in this game as they will after `play` in `position`.
    pub fn times_been(&self, position: &Position, play: Play) -> usize {
        let board = board_after(position, play);
        let been = if self.stands_on(position) { self.been() } else { &[] };
        been.iter().filter(|&&been| been == board).count()
    }

    /// The own boards of this game so far, for [`restore`](Self::restore).
    pub fn been(&self) -> &[u64] {
        &self.been
    }

    /// Takes over the boards of the game so far.
    pub fn restore(&mut self, been: Vec<u64>) {
        self.been = been;
    }

    /// Forgets the game so far.
    pub fn forget(&mut self) {
        self.rest.clear();
        self.been.clear();
    }

    /// Begins with the boards anew if the game has not come to `position` from the last of them.
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

/// The hash of the own board after `play` in `position`.
fn board_after(position: &Position, play: Play) -> u64 {
    let mut next = *position;
    next.play(play);
    board_key(&next, position.to_move())
}

/// A way to the goal among pieces of an opponent that is so far behind that it cannot win in time,
/// whatever it does: it is taken to stand still.
///
/// That is how to finish against a side that stays in the way, and quickly: to tree search,
/// all plays of a game that is as good as won are alike.
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
    let own = improve(&race, known, been, &share(limits, IDLERS_SHARE), clock)?;
    Some(own).filter(|own| own.plays() as f32 <= in_time)
}

/// What the search of one race may take.
fn share(limits: &Limits, share: f64) -> Effort {
    Effort {
        seconds: limits.seconds().map(|seconds| seconds * share),
        boards: limits.iterations.map(|iterations| (iterations as f64 * share) as u64),
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
    let visits = u32::try_from(boards).unwrap_or(u32::MAX);
    let candidate = Candidate { play: own.line[0], visits, value, prior: 1.0, proof: None };
    let principal_variation = in_turn(own, opponents);
    Report {
        candidates: vec![candidate],
        depth: principal_variation.len(),
        principal_variation,
        value,
        proof: None,
        iterations: boards,
        reused: 0,
        nodes: usize::try_from(boards).unwrap_or(usize::MAX),
        seconds,
        stop,
    }
}

/// What the race is worth to the side to move, which wins if it needs no more plays than the other.
/// With both numbers proved that is certain as long as nobody turns back; else it is a guess.
fn value(position: &Position, own: &Solution, opponents: Option<&Solution>) -> Value {
    let opponent = position.to_move().opponent();
    let others = opponents.map_or_else(|| estimate(position, opponent), |other| other.plays() as f32);
    let lead = others - own.plays() as f32 + 0.5;
    if own.is_proved() && opponents.is_some_and(Solution::is_proved) {
        return Value::new(SURE.copysign(lead));
    }
    Value::new(SURE * lead / (1.0 + lead * lead).sqrt())
}

/// Makes `race` the best of a search that went on after it, unless that has proved a win.
pub fn prefer(race: Decision, mut report: Report<Play>) -> Decision {
    let Decision { play, report: mut raced } = race;
    match (report.best(), report.proof) {
        (Some(best), Some(_)) => return Decision { play: best.play, report },
        _ => report.candidates.retain(|candidate| candidate.play != play),
    }
    report.candidates.splice(0..0, raced.candidates.drain(..1));
    let (value, principal_variation) = (raced.value, raced.principal_variation);
    Decision { play, report: Report { value, principal_variation, ..report } }
}

/// Both lines, play by play, to the end of the first.
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
