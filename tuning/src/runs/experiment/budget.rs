//! What the agents of an experiment may use.

use crate::play::matches::TimeControl;
use crate::play::whole_number::optional_in_file;
use serde::Deserialize;

/// A budget as files have it: `{ iterations = 1000 }`, `{ cpu = 0.01 }` or `{ game_time = 5 }`, and
/// how many games are played with it.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetText {
    /// Iterations for each move: repeatable on every machine.
    #[serde(default, deserialize_with = "optional_in_file")]
    pub iterations: Option<u64>,
    /// CPU seconds for each move.
    pub cpu: Option<f64>,
    /// CPU seconds for each side's whole game.
    pub game_time: Option<f64>,
    /// Games of each match with this budget, if it differs from the others.
    #[serde(default, deserialize_with = "optional_in_file")]
    pub games: Option<u64>,
}

impl BudgetText {
    /// The limit.
    ///
    /// # Errors
    /// There is not exactly one limit, or it is not above 0.
    pub fn limit(&self) -> Result<TimeControl, &'static str> {
        let limit = match (self.iterations, self.cpu, self.game_time) {
            (Some(iterations), None, None) => TimeControl::Iterations(iterations),
            (None, Some(seconds), None) => TimeControl::Cpu(seconds),
            (None, None, Some(seconds)) => TimeControl::GameTime(seconds),
            _ => {
                return Err(
                    "expected one of iterations, cpu (seconds a move) and game_time (seconds a game)",
                );
            }
        };
        match limit {
            _ if limit.is_sensible() => Ok(limit),
            TimeControl::Iterations(_) => Err("0 iterations: expected 1 or more"),
            _ => Err("expected seconds above 0"),
        }
    }
}
