//! How long this move may take.
//!
//! All times are CPU seconds (see [`clock`](crate::support::clock)). A program pays for everything from its
//! start to the return of its memory at its end, so the search gets what remains after start-up,
//! reading, writing and leaving.
//!
//! **`SINGLE`**: nearly all of the time left, `left·(1 − 8 %) − used − finish`.
//!
//! **`GAME`**: a share of what is left, by the number of plays until the race, which needs almost no time
//! (after the EXP strategies of Baier & Winands, "Time Management for Monte-Carlo Tree Search in Go",
//! 2012):
//!
//! ```text
//! planned = (left − used − held) · choice · weight / sum of the weights to come
//! ```
//!
//! `held` pays for the start-ups of a long rest of the game (at most 70 % of the time), `weight` is greater
//! for the last plays before a race, and `choice` is small where few plays are legal. A search takes
//! `planned` on average: less if its choice is stable, up to twice as much if it is not. No move takes more
//! than a tenth of the time left, so however long the game gets there is time left, in geometric decay at
//! worst. All later moves share what one move saves. Where the time is hardly enough for the start-ups to come, the
//! game is played on without a search.

use super::Machine;
use crate::game::Game;
use crate::rules::Position;
use crate::search::Limits;
use crate::search::mcts::UNSTABLE;

/// What the time left is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// One move: it may use all the time.
    Single,
    /// All further moves of a game.
    Game,
}

/// The sum of the [`distance`](crate::rules::distance)s of a side's pieces when the armies have passed each
/// other.
const PASSED: f64 = 100.0;

/// How far a play brings an army forward before the race, in columns plus rows.
const GAIN: f64 = 5.4;

/// Estimates how many own plays it takes until the armies have passed each other, from how far the side's
/// pieces still have to go. From then on a race is searched, which takes almost no time.
///
/// A line fitted by least squares to 59,676 positions of 400 games between `mcts` and `alphabeta` with 1 s
/// for the game; it is off by 7.7 plays (root mean square). The last search of a game was at own play 75
/// of 83.
pub fn own_plays_to_race(position: &Position) -> f64 {
    let way = position.tally(position.to_move()).distance();
    (f64::from(way) - PASSED).max(0.0) / GAIN
}

/// What the plan of a move's time depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Situation {
    /// Whether the time left is for one move or for a game.
    pub mode: Mode,
    /// The CPU seconds left when this process started, as `input.txt` has it.
    pub seconds_left: f64,
    /// The CPU seconds that this process has used so far: start-up and reading.
    pub seconds_used: f64,
    /// How many plays are legal.
    pub plays: usize,
    /// How many own plays are left until the race (see [`own_plays_to_race`]).
    pub own_plays_to_race: f64,
}

impl Situation {
    /// The situation of the side to move in `position`.
    pub fn of(position: &Position, mode: Mode, seconds_left: f64, seconds_used: f64) -> Situation {
        Situation {
            mode,
            seconds_left,
            seconds_used,
            plays: position.count_plays(),
            own_plays_to_race: own_plays_to_race(position),
        }
    }
}

/// What a search may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowance {
    /// CPU seconds from now after which the search must stop. 0: answer at once, without a search.
    pub seconds: f64,
    /// CPU seconds that it should take on average, by how stable its choice is; `None` if stopping early
    /// gains nothing.
    pub planned: Option<f64>,
    /// How many iterations to run between two readings of the clock.
    pub iterations_per_clock_read: u32,
}

impl Allowance {
    /// The limits of the search: it stops when its time is over, and in a game when its choice is settled.
    /// Without time it runs a few iterations, which take 0.1 or 0.2 ms and are enough to look a few plies
    /// ahead.
    pub fn limits(&self) -> Limits {
        if self.seconds <= 0.0 {
            return Limits::iterations(AT_ONCE);
        }
        Limits {
            planned: self.planned,
            stop_when_settled: self.planned.is_some(),
            clock_every: self.iterations_per_clock_read.into(),
            ..Limits::cpu(self.seconds)
        }
    }
}

/// Iterations of a move for which there is no time.
const AT_ONCE: u64 = 64;

/// With this much time left or less, the program answers at once. A bare start costs up to 5 ms of it on a busy machine.
const LEAST_LEFT: f64 = 0.02;

/// A shorter search than this, in seconds, is not worth setting up.
const LEAST_SEARCH: f64 = 0.001;

/// The longest search, in seconds: memory is full long before, and input may claim absurd times.
const LONGEST_SEARCH: f64 = 3600.0;

/// The part of the time left that no move touches. It covers what grows with the search: freeing the
/// tree's memory (at most 0.15 s for 1 GiB, which takes some 20 s to fill), the last iterations after the
/// clock has run out, and writing; and the uncertainty of all these.
const UNTOUCHED_SHARE: f64 = 0.08;

/// The CPU seconds that the end of the process costs at least, beside writing.
const LEAVING_SECONDS: f64 = 0.001;

/// A game holds back the time of this many start-ups for each own play until the race …
const HELD_FOR_A_PLAY: f64 = 1.0;

/// … and of this many for the rest, however long that takes.
const HELD_FOR_THE_END: f64 = 240.0;

/// A game with time for fewer bare start-ups than this many for each own play until the race …
const BARE_FOR_A_PLAY: f64 = 2.0;

/// … and this many for the rest is played on without a search.
const BARE_FOR_THE_END: f64 = 80.0;

/// At most this part of the time left is held back, so that there is time to search to the end.
const MOST_HELD: f64 = 0.7;

/// The last plays before a race, this many, are late ones.
const LATE_PLAYS: f64 = 25.0;

/// A late play gets this many times the time of an early one.
///
/// Four times the iterations (`lab segment mcts mcts RUN --iterations 24000,6000`) gained 0.054 ± 0.013 in
/// value in plies 14–38, 0.071 ± 0.011 in plies 38–62, 0.072 ± 0.014 in plies 62–86, 0.112 ± 0.019 in plies
/// 86–110 and 0.120 ± 0.036 in plies 110–134. If the gain grows with the logarithm of the time, time should be given in proportion to it.
const LATE_WEIGHT: f64 = 1.8;

/// The time is shared among this many more late plays than estimated.
const SPARE_PLAYS: f64 = 3.0;

/// The part of the time not held back that one move may take.
const MOST_AT_ONCE: f64 = 0.1;

/// The part of all the time left that one move may take even if that much should be held back.
const AT_ONCE_IN_NEED: f64 = 0.012;

/// At most this part of what one move may take is planned for it.
const MOST_PLANNED: f64 = 0.7;

/// Where fewer plays than this are legal, a move of a game gets proportionally less time.
const FULL_CHOICE: usize = 11;

/// How long the move in `situation` may take on `machine`.
///
/// Never more than `seconds_left − seconds_used` less a reserve; more time left never means a shorter
/// allowance; 0 if there is nothing to choose or no time.
pub fn allowance(situation: &Situation, machine: &Machine) -> Allowance {
    let most = most_seconds(situation, machine);
    let (seconds, planned) = match situation.mode {
        Mode::Single => (most, None),
        Mode::Game => {
            let (planned, at_once) = shares_of_game(situation, machine);
            ((planned * UNSTABLE).min(at_once).min(most), Some(planned.min(most)))
        }
    };
    let least_left = match situation.mode {
        Mode::Single => LEAST_LEFT,
        Mode::Game => LEAST_LEFT.max(seconds_of_bare_starts(situation, machine)),
    };
    let at_once = situation.plays <= 1 || situation.seconds_left <= least_left || seconds < LEAST_SEARCH;
    let (seconds, planned) = if at_once { (0.0, None) } else { (seconds, planned) };
    Allowance {
        seconds,
        planned,
        iterations_per_clock_read: machine.iterations_per_clock_read(planned.unwrap_or(seconds)),
    }
}

/// The CPU seconds a search may use if this is the only move.
///
/// Assumes that finishing costs as much as start-up and reading did: what was read will be written again,
/// and a machine that is slow now stays slow.
fn most_seconds(situation: &Situation, machine: &Machine) -> f64 {
    let Situation { seconds_left, seconds_used, .. } = *situation;
    let finish = LEAVING_SECONDS + seconds_used.max(machine.startup_seconds);
    let most = seconds_left * (1.0 - UNTOUCHED_SHARE) - seconds_used - finish;
    most.clamp(0.0, LONGEST_SEARCH)
}

/// The CPU seconds that the rest of a game may cost without any search: twice what is measured, because a busy machine
/// takes that much longer to start a program.
fn seconds_of_bare_starts(situation: &Situation, machine: &Machine) -> f64 {
    let starts = BARE_FOR_A_PLAY * situation.own_plays_to_race.max(0.0) + BARE_FOR_THE_END;
    machine.startup_seconds * starts
}

/// The CPU seconds that are this move's share of a game (the formula in the module's head), and the
/// most that it may take.
fn shares_of_game(situation: &Situation, machine: &Machine) -> (f64, f64) {
    let left = situation.seconds_left - situation.seconds_used;
    let to_race = situation.own_plays_to_race.max(0.0);
    let held = machine.startup_seconds * (HELD_FOR_A_PLAY * to_race + HELD_FOR_THE_END);
    let free = (left - held).max((1.0 - MOST_HELD) * left).max(0.0);
    let at_once = (MOST_AT_ONCE * (left - held)).max(AT_ONCE_IN_NEED * left);
    let choice = situation.plays.min(FULL_CHOICE) as f64 / FULL_CHOICE as f64;
    let (late, early) = (to_race.min(LATE_PLAYS), (to_race - LATE_PLAYS).max(0.0));
    let weight = if early > 0.0 { 1.0 } else { LATE_WEIGHT };
    let to_come = early + LATE_WEIGHT * (late + SPARE_PLAYS);
    let planned = (free * weight / to_come).min(at_once * MOST_PLANNED);
    (planned * choice, at_once)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{BLACK, Bitboard, Rules, goal};

    #[test]
    fn a_full_goal_needs_no_plays_to_the_race() {
        let arrived = Position::new([goal(BLACK), Bitboard::EMPTY], BLACK, Rules::Addendum);
        assert_eq!(own_plays_to_race(&arrived), 0.0);
    }

    #[test]
    fn a_start_has_a_whole_game_left() {
        let start = Position::initial(BLACK, Rules::Addendum);
        assert!((70.0..80.0).contains(&own_plays_to_race(&start)));
    }
}
