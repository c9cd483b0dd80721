//! Time controls: how much time or work a side may spend on its decisions, in matches, experiments, `lab
//! referee` and `lab grade`. [`TimeControl::limits`] turns one into the engine's [`Limits`] for a single
//! search.

use super::record::Contestant;
use super::whole_number::positive;
use halma::agent::time::game_limits;
use halma::rules::Position;
use halma::search::Limits;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The CPU seconds of a search for which no limit is given.
pub const DEFAULT_SECONDS: f64 = 1.0;

/// The number of moves that a side makes in a typical game.
const MOVES: f64 = 80.0;

/// The iterations per second of the default agent, roughly.
const ITERATIONS_PER_SECOND: f64 = 1e6;

/// The limit of one side. In files `{"iterations": 1000}`, `{"cpu": 0.1}` or `{"game-time": 60.0}`.
///
/// ```
/// use halma_lab::play::time_control::TimeControl;
///
/// let control: TimeControl = serde_json::from_str(r#"{"iterations": 1000}"#)?;
/// assert_eq!(control, TimeControl::Iterations(1000));
/// assert_eq!(control.label(), "1000 iterations a move");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeControl {
    /// CPU seconds for each move.
    Cpu(f64),
    /// Iterations of tree search for each move: repeatable on every machine.
    Iterations(u64),
    /// CPU seconds for the side's whole game; during a game, the seconds left.
    GameTime(f64),
}

impl TimeControl {
    /// Whether the amount is finite and above 0.
    pub fn is_positive(self) -> bool {
        match self {
            TimeControl::Iterations(iterations) => iterations > 0,
            TimeControl::Cpu(seconds) | TimeControl::GameTime(seconds) => {
                seconds > 0.0 && seconds.is_finite()
            }
        }
    }

    /// The limits of an agent's search in `position`. Game time is divided as `homework` divides it.
    pub fn limits(self, position: &Position) -> Limits {
        match self {
            TimeControl::Iterations(iterations) => Limits::iterations(iterations),
            TimeControl::Cpu(seconds) => Limits::cpu(seconds),
            TimeControl::GameTime(left) => game_limits(position, left),
        }
    }

    /// In words: `1000 iterations a move`.
    pub fn label(self) -> String {
        let unit = match self {
            TimeControl::Iterations(_) => "iterations a move",
            TimeControl::Cpu(_) => "CPU s a move",
            TimeControl::GameTime(_) => "CPU s a side and game",
        };
        format!("{} {unit}", self.amount())
    }

    /// The number alone: `1000`.
    pub fn amount(self) -> String {
        match self {
            TimeControl::Iterations(iterations) => iterations.to_string(),
            TimeControl::Cpu(seconds) | TimeControl::GameTime(seconds) => seconds.to_string(),
        }
    }

    /// The option of `lab match` for this kind of limit: `iterations`, `cpu` or `game-time`.
    pub fn kind(self) -> &'static str {
        match self {
            TimeControl::Iterations(_) => "iterations",
            TimeControl::Cpu(_) => "cpu",
            TimeControl::GameTime(_) => "game-time",
        }
    }

    /// The name in tables and in the options of `lab match`: `iterations=1000`.
    pub fn name(self) -> String {
        format!("{}={}", self.kind(), self.amount())
    }

    /// A rough estimate of the CPU seconds that a side uses in a game.
    fn seconds_of_a_game(self) -> f64 {
        match self {
            TimeControl::Iterations(iterations) => MOVES * iterations as f64 / ITERATIONS_PER_SECOND,
            TimeControl::Cpu(seconds) => MOVES * seconds,
            TimeControl::GameTime(seconds) => seconds,
        }
    }
}

/// The limits of A and B, both of the same kind. They differ in a match with odds.
///
/// In files `{"iterations": 1000}`, with odds `{"iterations": [400, 100]}`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeControls {
    /// CPU seconds for each move.
    Cpu(#[serde(with = "one_or_two")] [f64; 2]),
    /// Iterations of tree search for each move.
    Iterations(#[serde(with = "one_or_two")] [u64; 2]),
    /// CPU seconds for a side's whole game.
    GameTime(#[serde(with = "one_or_two")] [f64; 2]),
}

impl TimeControls {
    /// The limits of A and B; `None` if they are of different kinds.
    pub fn new(each: [TimeControl; 2]) -> Option<TimeControls> {
        match each {
            [TimeControl::Cpu(a), TimeControl::Cpu(b)] => Some(TimeControls::Cpu([a, b])),
            [TimeControl::Iterations(a), TimeControl::Iterations(b)] => {
                Some(TimeControls::Iterations([a, b]))
            }
            [TimeControl::GameTime(a), TimeControl::GameTime(b)] => Some(TimeControls::GameTime([a, b])),
            _ => None,
        }
    }

    /// The limits of A and of B.
    pub fn each(self) -> [TimeControl; 2] {
        match self {
            TimeControls::Cpu(each) => each.map(TimeControl::Cpu),
            TimeControls::Iterations(each) => each.map(TimeControl::Iterations),
            TimeControls::GameTime(each) => each.map(TimeControl::GameTime),
        }
    }

    /// The limit of `which`.
    pub fn of(self, which: Contestant) -> TimeControl {
        self.each()[which as usize]
    }

    /// The limit of both; `None` in a match with odds.
    pub fn common(self) -> Option<TimeControl> {
        let [a, b] = self.each();
        (a == b).then_some(a)
    }

    /// The same limits with `factor` times the seconds; iterations stay as they are.
    #[must_use]
    pub fn scaled(self, factor: f64) -> TimeControls {
        match self {
            TimeControls::Cpu(each) => TimeControls::Cpu(each.map(|seconds| factor * seconds)),
            TimeControls::GameTime(each) => TimeControls::GameTime(each.map(|seconds| factor * seconds)),
            TimeControls::Iterations(_) => self,
        }
    }

    /// Whether the limits are in seconds.
    pub fn is_timed(self) -> bool {
        !matches!(self, TimeControls::Iterations(_))
    }

    /// A rough estimate of the CPU seconds of a game, for comparing games with different limits.
    pub fn seconds_of_a_game(self) -> f64 {
        self.each().map(TimeControl::seconds_of_a_game).iter().sum()
    }

    /// In words: `1000 iterations a move`, with odds `A 400, B 100 iterations a move`.
    pub fn label(self) -> String {
        let [a, b] = self.each();
        if a == b { a.label() } else { format!("A {}, B {}", a.amount(), b.label()) }
    }

    /// The name in the options of `lab match`: `iterations=1000`, with odds `iterations=400,100`.
    pub fn name(self) -> String {
        let [a, b] = self.each();
        if a == b { a.name() } else { format!("{},{}", a.name(), b.amount()) }
    }
}

impl From<TimeControl> for TimeControls {
    fn from(both: TimeControl) -> TimeControls {
        match both {
            TimeControl::Cpu(seconds) => TimeControls::Cpu([seconds; 2]),
            TimeControl::Iterations(count) => TimeControls::Iterations([count; 2]),
            TimeControl::GameTime(seconds) => TimeControls::GameTime([seconds; 2]),
        }
    }
}

/// Reads and writes two amounts, or a single one if they are equal.
mod one_or_two {
    use super::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrTwo<T> {
        One(T),
        Two([T; 2]),
    }

    pub(super) fn serialize<T: Serialize + PartialEq, S: Serializer>(
        amounts: &[T; 2],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        if amounts[0] == amounts[1] {
            amounts[0].serialize(serializer)
        } else {
            amounts.serialize(serializer)
        }
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de> + Copy, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<[T; 2], D::Error> {
        Ok(match OneOrTwo::deserialize(deserializer)? {
            OneOrTwo::One(both) => [both; 2],
            OneOrTwo::Two(each) => each,
        })
    }
}

/// The limits of both sides as options of a command. At most one is given.
#[derive(Clone, Copy, Debug, clap::Args)]
#[group(multiple = false)]
pub struct TimeControlArgs {
    /// CPU seconds for each move; two numbers, as in '0.1,0.01', are A's and B's.
    #[arg(long, value_name = "SECONDS", value_parser = seconds_of_each)]
    cpu: Option<[f64; 2]>,
    /// Iterations for each move (nodes for alpha-beta, boards in a race): the result is the same on every
    /// machine. Two numbers, as in '400,100', are A's and B's.
    #[arg(long, value_name = "N", value_parser = iterations_of_each)]
    iterations: Option<[u64; 2]>,
    /// CPU seconds for each side's whole game, divided among the moves as 'homework' does; two numbers, as in
    /// '1,100', are A's and B's.
    #[arg(long, value_name = "SECONDS", value_parser = seconds_of_each)]
    game_time: Option<[f64; 2]>,
}

impl TimeControlArgs {
    /// The limits that were given.
    ///
    /// # Errors
    /// No limit was given.
    pub fn controls(self) -> anyhow::Result<TimeControls> {
        let controls = self.cpu.map(TimeControls::Cpu);
        let controls = controls.or(self.iterations.map(TimeControls::Iterations));
        let controls = controls.or(self.game_time.map(TimeControls::GameTime));
        controls.ok_or_else(|| anyhow::anyhow!("no limit given: use --cpu, --iterations or --game-time"))
    }
}

/// Parses a number, for clap.
///
/// # Errors
/// `text` is not a finite number above 0.
pub fn positive_number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("expected a number above 0".to_string()),
    }
}

/// Parses a number of seconds, for clap.
///
/// # Errors
/// The same as for [`positive_number`].
pub fn positive_seconds(text: &str) -> Result<f64, String> {
    positive_number(text).map_err(|_| "expected a number of seconds above 0".to_string())
}

fn seconds_of_each(text: &str) -> Result<[f64; 2], String> {
    of_each(text, positive_seconds)
}

fn iterations_of_each(text: &str) -> Result<[u64; 2], String> {
    of_each(text, positive)
}

/// Parses one number for both sides, or two separated by a comma.
fn of_each<T: Copy>(text: &str, parse: impl Fn(&str) -> Result<T, String>) -> Result<[T; 2], String> {
    let numbers: Vec<T> = text.split(',').map(|number| parse(number.trim())).collect::<Result<_, _>>()?;
    match numbers[..] {
        [both] => Ok([both; 2]),
        [a, b] => Ok([a, b]),
        _ => Err("expected one number for both agents, or two numbers, A's and B's".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_survive_a_round_trip_through_json() {
        for (controls, json, name) in [
            (TimeControls::Iterations([1000; 2]), r#"{"iterations":1000}"#, "iterations=1000"),
            (TimeControls::Iterations([400, 100]), r#"{"iterations":[400,100]}"#, "iterations=400,100"),
            (TimeControls::Cpu([0.1, 0.01]), r#"{"cpu":[0.1,0.01]}"#, "cpu=0.1,0.01"),
            (TimeControls::GameTime([5.0; 2]), r#"{"game-time":5.0}"#, "game-time=5"),
        ] {
            assert_eq!(serde_json::to_string(&controls).expect("serializable"), json);
            assert_eq!(serde_json::from_str::<TimeControls>(json).expect("readable"), controls);
            assert_eq!(controls.name(), name);
        }
        assert_eq!(TimeControls::GameTime([1.0, 100.0]).label(), "A 1, B 100 CPU s a side and game");
        assert!(serde_json::from_str::<TimeControls>(r#"{"iterations":[1,2,3]}"#).is_err());
    }
}
