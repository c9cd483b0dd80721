//! How long a move may take.
//!
//! All times are CPU seconds (see [`clock`](crate::support::clock)). A process is charged from its start until its
//! memory has been returned, so the search gets what remains after start-up, reading, writing and exit.
//!
//! **`SINGLE`**: nearly all of the time left, `left·(1 − 8 %) − used − finish`.
//!
//! **`GAME`**: a share of the time left that depends on the number of plays until the race, which needs almost no
//! time (after the EXP strategies of Baier & Winands, "Time Management for Monte-Carlo Tree Search in Go", 2012):
//!
//! ```text
//! planned = (left − used − reserve) · choice · weight / sum of the remaining weights
//! ```
//!
//! `reserve` pays for starting a process for each remaining move (at most 70 % of the time left), `weight` is higher
//! for the last plays before a race, and `choice` is low when few plays are legal. A search takes `planned` on average:
//! less if its choice is stable, up to twice as much if not. A move takes at most a tenth of the time left, so the time
//! left decays geometrically at worst and never runs out. Time that one move saves is shared by all later moves. If the
//! time left barely covers the process starts, the game is finished without searching. That happens early if the
//! opponent stays at home and the addendum is not enforced: the opponent can then keep squares of the goal empty and
//! out of reach, so the game lasts until the move limit.

use super::Machine;
use crate::game::Game;
use crate::rules::Position;
use crate::search::Limits;
use crate::search::mcts::UNSTABLE;

/// Whether the time left is for one move or for the rest of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// One move, which may use all the time.
    Single,
    /// All remaining moves of a game.
    Game,
}

/// The limits of the next move of a game with `seconds_left` for all remaining moves, on a [`Machine::default`].
///
/// `homework` plans in the same way, so time is reserved to start a process for each move.
///
/// ```
/// use halma::Position;
/// use halma::agent::time::game_limits;
///
/// let limits = game_limits(&Position::default(), 300.0);
/// assert!(limits.planned.unwrap() < limits.cpu.unwrap());
/// assert!(limits.cpu.unwrap() < 30.0);
/// ```
pub fn game_limits(position: &Position, seconds_left: f64) -> Limits {
    Situation::of(position, Mode::Game, seconds_left, 0.0).limits(&Machine::default())
}

/// Estimates how many plays the side to move still makes until the armies have passed each other, from the distance its
/// pieces still have to travel. From then on the race solver plays, which takes almost no time.
///
/// The line was fitted by least squares to 59,676 positions of 400 games between `mcts` and `alphabeta` at 1 s a game,
/// with a root-mean-square error of 7.7 plays. The last search of a game was at the side's play 75 of 83.
pub fn own_plays_to_race(position: &Position) -> f64 {
    /// The remaining distance of a side whose army has just passed the other.
    const PASSED: f64 = 100.0;
    /// Columns and rows that a play gains before the race.
    const GAIN: f64 = 5.4;
    let distance = position.tally(position.to_move()).distance();
    (f64::from(distance) - PASSED).max(0.0) / GAIN
}

/// Everything that determines the time of a move, except the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Situation {
    /// Whether the time left is for one move or for the rest of the game.
    pub mode: Mode,
    /// The CPU seconds that were left when this process started, as in `input.txt`.
    pub seconds_left: f64,
    /// The CPU seconds that this process has used so far.
    pub seconds_used: f64,
    /// The number of legal plays.
    pub legal_plays: usize,
    /// How many plays the side to move still makes until the race: see [`own_plays_to_race`].
    pub own_plays_to_race: f64,
    /// Whether the opponent has pieces in its camp.
    pub opponent_at_home: bool,
}

/// The number of iterations of a move that has no time. They take 0.1 to 0.2 ms, enough to look a few plies ahead.
const ITERATIONS_WITHOUT_TIME: u64 = 64;

/// A move without time may search a race for this share of the remaining time: first as a single move, then in a game,
/// where it may also take no longer than two process starts.
const RACE_WITHOUT_TIME: [f64; 2] = [0.2, 0.02];

/// While the opponent is at home, a game may be long. A move without time may then search a race for at most this share
/// of the time that would be left after [`MAX_OWN_PLAYS`] process starts.
const SPARE_WITHOUT_TIME: f64 = 0.1;

/// With at most this many seconds left, a move gets no more than [`ITERATIONS_WITHOUT_TIME`] and a short race. Starting
/// a process costs up to 5 ms of them on a busy machine.
const MIN_LEFT: f64 = 0.02;

/// A shorter search than this, in seconds, is not worth setting up.
const MIN_SEARCH: f64 = 0.001;

/// The maximum length of a search, in seconds. Memory is full long before that, but the input may claim absurd times.
const MAX_SEARCH: f64 = 3600.0;

/// The share of the remaining time that every move leaves untouched. It covers costs that grow with the search
/// (returning the tree's memory takes up to 0.15 s per GiB, and a search fills a GiB in about 20 s), the last
/// iterations after the time is up, writing, and the uncertainty of all of these.
const UNTOUCHED_SHARE: f64 = 0.08;

/// The minimum CPU seconds to end the process, besides writing.
const EXIT_SECONDS: f64 = 0.001;

/// The number of process starts for which a game reserves time, for each of the side's plays until the race.
const STARTS_PER_PLAY: f64 = 1.0;

/// The number of process starts for which a game reserves time once the race has begun, however long it lasts.
const STARTS_AFTER: f64 = 240.0;

/// A game is finished without searching if the time left is less than this many bare process starts for each of the
/// side's plays until the race, plus [`BARE_STARTS_AFTER`].
const BARE_STARTS_PER_PLAY: f64 = 2.0;

/// See [`BARE_STARTS_PER_PLAY`]. Both are twice the measured costs, since starting a process takes up to twice as long
/// on a busy machine.
const BARE_STARTS_AFTER: f64 = 80.0;

/// The number of one side's plays in a game that ends at the usual move limit of 400 plies.
const MAX_OWN_PLAYS: f64 = 200.0;

/// If the opponent still has pieces at home when the side is fewer than this many plays from the race, the game may
/// never end. Under the addendum, the opponent's last piece leaves long before that.
const STALLED_PLAYS: f64 = 40.0;

/// At most this share of the time left is reserved, so that the last moves are still searched.
const MAX_RESERVE: f64 = 0.7;

/// The number of plays before a race that count as late.
const LATE_PLAYS: f64 = 25.0;

/// The weight of a late play; an early one has weight 1.
///
/// Four times the iterations (`lab segment mcts mcts RUN --iterations 24000,6000`) gained 0.054 ± 0.013 in value in
/// plies 14–38, 0.071 ± 0.011 in plies 38–62, 0.072 ± 0.014 in plies 62–86, 0.112 ± 0.019 in plies 86–110 and 0.120 ±
/// 0.036 in plies 110–134. If the gain grows with the logarithm of the time, time is best given in proportion to the
/// gain.
const LATE_WEIGHT: f64 = 1.8;

/// The time is shared among this many more late plays than estimated.
const SPARE_PLAYS: f64 = 3.0;

/// The share of the unreserved time that one move may take.
const MAX_MOVE: f64 = 0.1;

/// The share of the time left that one move may take even if all of it should be reserved.
const MAX_MOVE_IN_NEED: f64 = 0.012;

/// At most this share of a move's maximum time is planned for the move.
const MAX_PLANNED: f64 = 0.7;

/// With fewer legal plays than this, a move of a game gets proportionally less time.
const FULL_CHOICE: usize = 11;

impl Situation {
    /// The situation of the side to move in `position`.
    pub fn of(position: &Position, mode: Mode, seconds_left: f64, seconds_used: f64) -> Situation {
        Situation {
            mode,
            seconds_left,
            seconds_used,
            legal_plays: position.count_plays(),
            own_plays_to_race: own_plays_to_race(position),
            opponent_at_home: position.tally(position.to_move().opponent()).at_home() > 0,
        }
    }

    /// The limits of this move's search on `machine`: when it must stop and, in a game, how long it should take on
    /// average.
    ///
    /// The search takes less than `seconds_left − seconds_used`, and more time left never means a shorter search. If
    /// there is no choice or no time, the limits are a few iterations and, for a race, `planned`.
    pub fn limits(&self, machine: &Machine) -> Limits {
        let max = self.max_seconds(machine);
        let (seconds, planned, min_left) = match self.mode {
            Mode::Single => (max, None, MIN_LEFT),
            Mode::Game => {
                let (planned, max_of_game) = self.share_of_game(machine);
                let seconds = (planned * UNSTABLE).min(max_of_game).min(max);
                (seconds, Some(planned.min(max)), MIN_LEFT.max(self.bare_start_seconds(machine)))
            }
        };
        if self.seconds_left <= min_left || seconds < MIN_SEARCH {
            return self.limits_without_time();
        }
        if self.legal_plays <= 1 {
            // There is nothing to search, but `planned` leaves time to read and save the tree.
            return Limits { planned, ..Limits::iterations(ITERATIONS_WITHOUT_TIME) };
        }
        Limits {
            planned,
            stop_when_settled: planned.is_some(),
            clock_every: machine.iterations_per_clock_read(planned.unwrap_or(seconds)).into(),
            ..Limits::cpu(seconds)
        }
    }

    /// A few iterations, and for a race the time in `planned`.
    fn limits_without_time(&self) -> Limits {
        let left = (self.seconds_left - self.seconds_used).max(0.0);
        let [single, game] = RACE_WITHOUT_TIME.map(|share| share * left);
        let start = self.seconds_used + EXIT_SECONDS;
        let race = match self.mode {
            Mode::Single => single,
            Mode::Game if self.opponent_at_home => {
                let spare = (left - MAX_OWN_PLAYS * start).max(0.0);
                game.min(SPARE_WITHOUT_TIME * spare)
            }
            Mode::Game => game.min(2.0 * start),
        };
        Limits { planned: Some(race), ..Limits::iterations(ITERATIONS_WITHOUT_TIME) }
    }

    /// The CPU seconds that a search may use if no other move has to be paid for.
    ///
    /// Finishing is assumed to cost as much as start-up and reading did: the data that were read will be written, and
    /// a machine that is slow now stays slow.
    fn max_seconds(&self, machine: &Machine) -> f64 {
        let finish = EXIT_SECONDS + self.seconds_used.max(machine.startup_seconds);
        let max = self.seconds_left * (1.0 - UNTOUCHED_SHARE) - self.seconds_used - finish;
        max.clamp(0.0, MAX_SEARCH)
    }

    /// The CPU seconds that the rest of the game may cost without any search.
    fn bare_start_seconds(&self, machine: &Machine) -> f64 {
        let to_race = self.own_plays_to_race.max(0.0);
        let usual = machine.startup_seconds * (BARE_STARTS_PER_PLAY * to_race + BARE_STARTS_AFTER);
        if !self.opponent_at_home || to_race >= STALLED_PLAYS {
            return usual;
        }
        // Assumes that a slow machine stays slow, and that finishing costs as much as start-up and reading did.
        let start = machine.startup_seconds.max(2.0 * self.seconds_used + EXIT_SECONDS);
        usual.max(start * MAX_OWN_PLAYS)
    }

    /// The CPU seconds planned for this move of a game (by the formula in the module's documentation), and their
    /// maximum.
    fn share_of_game(&self, machine: &Machine) -> (f64, f64) {
        let left = self.seconds_left - self.seconds_used;
        let to_race = self.own_plays_to_race.max(0.0);
        let reserve = machine.startup_seconds * (STARTS_PER_PLAY * to_race + STARTS_AFTER);
        let free = (left - reserve).max((1.0 - MAX_RESERVE) * left).max(0.0);
        let max = (MAX_MOVE * (left - reserve)).max(MAX_MOVE_IN_NEED * left);
        let choice = self.legal_plays.min(FULL_CHOICE) as f64 / FULL_CHOICE as f64;
        let (late, early) = (to_race.min(LATE_PLAYS), (to_race - LATE_PLAYS).max(0.0));
        let weight = if early > 0.0 { 1.0 } else { LATE_WEIGHT };
        let remaining = early + LATE_WEIGHT * (late + SPARE_PLAYS);
        let planned = (free * weight / remaining).min(max * MAX_PLANNED);
        (planned * choice, max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{BLACK, Bitboard, Rules, goal};

    #[test]
    fn plays_to_the_race_range_from_a_whole_game_to_none() {
        let start = Position::initial(BLACK, Rules::Addendum);
        assert!((70.0..80.0).contains(&own_plays_to_race(&start)));
        let arrived = Position::new([goal(BLACK), Bitboard::EMPTY], BLACK, Rules::Addendum);
        assert_eq!(own_plays_to_race(&arrived), 0.0);
    }
}
