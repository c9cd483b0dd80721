//! What the agents of an experiment may use.

use crate::play::time_control::TimeControl;
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
        TimeControl::one_of(self.iterations, self.cpu, self.game_time)
    }
}
