//! What the agents of a match may use: one of them, or both.

use super::record::Contestant;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// About how many moves a side makes in a game.
const MOVES: f64 = 80.0;

/// About how many iterations the default agent does in a second.
const ITERATIONS_PER_SECOND: f64 = 1e6;

/// What an agent may use.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeControl {
    /// CPU seconds for each move.
    Cpu(f64),
    /// Iterations of tree search for each move: repeatable on every machine.
    Iterations(u64),
    /// CPU seconds for each side's whole game.
    GameTime(f64),
}

impl TimeControl {
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

    /// What kind of limit it is, as the options of `lab match` are called: `iterations`.
    pub fn kind(self) -> &'static str {
        match self {
            TimeControl::Iterations(_) => "iterations",
            TimeControl::Cpu(_) => "cpu",
            TimeControl::GameTime(_) => "game-time",
        }
    }

    /// As a name for tables, which is also how `lab match` is told: `iterations=1000`.
    pub fn name(self) -> String {
        format!("{}={}", self.kind(), self.amount())
    }

    /// About how many CPU seconds a side uses in a game. The kinds are comparable only roughly.
    fn seconds_of_a_game(self) -> f64 {
        match self {
            TimeControl::Iterations(iterations) => MOVES * iterations as f64 / ITERATIONS_PER_SECOND,
            TimeControl::Cpu(seconds) => MOVES * seconds,
            TimeControl::GameTime(seconds) => seconds,
        }
    }

    /// Whether it is above 0, and finite.
    pub fn is_sensible(self) -> bool {
        match self {
            TimeControl::Iterations(iterations) => iterations > 0,
            TimeControl::Cpu(seconds) | TimeControl::GameTime(seconds) => {
                seconds > 0.0 && seconds.is_finite()
            }
        }
    }
}

/// What A may use and what B: a limit of one kind, and its two amounts. These differ if odds are given.
///
/// In files `{"iterations": 1000}`, with odds `{"iterations": [400, 100]}`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SideLimits {
    /// CPU seconds for each move.
    Cpu(#[serde(with = "one_or_two")] [f64; 2]),
    /// Iterations of tree search for each move.
    Iterations(#[serde(with = "one_or_two")] [u64; 2]),
    /// CPU seconds for a side's whole game.
    GameTime(#[serde(with = "one_or_two")] [f64; 2]),
}

impl SideLimits {
    /// What `which` may use.
    pub fn of(self, which: Contestant) -> TimeControl {
        let which = which as usize;
        match self {
            SideLimits::Cpu(seconds) => TimeControl::Cpu(seconds[which]),
            SideLimits::Iterations(counts) => TimeControl::Iterations(counts[which]),
            SideLimits::GameTime(seconds) => TimeControl::GameTime(seconds[which]),
        }
    }

    /// What A may use and what B; `None` if these are not of one kind.
    pub fn of_each(each: [TimeControl; 2]) -> Option<SideLimits> {
        match each {
            [TimeControl::Cpu(a), TimeControl::Cpu(b)] => Some(SideLimits::Cpu([a, b])),
            [TimeControl::Iterations(a), TimeControl::Iterations(b)] => Some(SideLimits::Iterations([a, b])),
            [TimeControl::GameTime(a), TimeControl::GameTime(b)] => Some(SideLimits::GameTime([a, b])),
            _ => None,
        }
    }

    /// What both may use; `None` if odds are given.
    pub fn common(self) -> Option<TimeControl> {
        let [a, b] = Contestant::BOTH.map(|which| self.of(which));
        (a == b).then_some(a)
    }

    /// About how many CPU seconds a game takes, to weigh games with different limits.
    pub fn seconds_of_a_game(self) -> f64 {
        Contestant::BOTH.iter().map(|&which| self.of(which).seconds_of_a_game()).sum()
    }

    /// In words: `1000 iterations a move`, with odds `A 400, B 100 iterations a move`.
    pub fn label(self) -> String {
        let [a, b] = Contestant::BOTH.map(|which| self.of(which));
        if a == b { a.label() } else { format!("A {}, B {}", a.amount(), b.label()) }
    }

    /// As `lab match` is told: `iterations=1000`, with odds `iterations=400,100`.
    pub fn name(self) -> String {
        let [a, b] = Contestant::BOTH.map(|which| self.of(which));
        if a == b { a.name() } else { format!("{},{}", a.name(), b.amount()) }
    }
}

impl From<TimeControl> for SideLimits {
    fn from(both: TimeControl) -> SideLimits {
        match both {
            TimeControl::Cpu(seconds) => SideLimits::Cpu([seconds; 2]),
            TimeControl::Iterations(count) => SideLimits::Iterations([count; 2]),
            TimeControl::GameTime(seconds) => SideLimits::GameTime([seconds; 2]),
        }
    }
}

/// Two amounts; if they are the same, one.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_written_as_they_are_read_and_without_odds_as_they_always_were() {
        for (limits, json, name) in [
            (SideLimits::Iterations([1000; 2]), r#"{"iterations":1000}"#, "iterations=1000"),
            (SideLimits::Iterations([400, 100]), r#"{"iterations":[400,100]}"#, "iterations=400,100"),
            (SideLimits::Cpu([0.1, 0.01]), r#"{"cpu":[0.1,0.01]}"#, "cpu=0.1,0.01"),
            (SideLimits::GameTime([5.0; 2]), r#"{"game-time":5.0}"#, "game-time=5"),
        ] {
            assert_eq!(serde_json::to_string(&limits).expect("it can be written"), json);
            assert_eq!(serde_json::from_str::<SideLimits>(json).expect("it can be read"), limits);
            assert_eq!(limits.name(), name);
        }
        assert_eq!(SideLimits::GameTime([1.0, 100.0]).label(), "A 1, B 100 CPU s a side and game");
        assert!(serde_json::from_str::<SideLimits>(r#"{"iterations":[1,2,3]}"#).is_err());
    }
}
