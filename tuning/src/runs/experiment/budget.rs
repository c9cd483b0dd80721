//! The budgets of an experiment.

use crate::play::time_control::TimeControl;
use crate::play::whole_number::optional_in_file;
use serde::Deserialize;

/// A budget in a file: `{ iterations = 1000 }`, `{ cpu = 0.01 }` or `{ game_time = 5 }`, with an optional number of
/// games.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetText {
    /// Iterations per move, which make results repeatable.
    #[serde(default, deserialize_with = "optional_in_file")]
    pub iterations: Option<u64>,
    /// CPU seconds per move.
    pub cpu: Option<f64>,
    /// CPU seconds per side for the whole game.
    pub game_time: Option<f64>,
    /// Games of each match with this budget, if not the default.
    #[serde(default, deserialize_with = "optional_in_file")]
    pub games: Option<u64>,
}

impl BudgetText {
    /// The limit of this budget.
    ///
    /// # Errors
    /// The budget has no limit or more than one, or its limit is not above 0.
    pub fn limit(&self) -> Result<TimeControl, &'static str> {
        let control = match (self.iterations, self.cpu, self.game_time) {
            (Some(iterations), None, None) => TimeControl::Iterations(iterations),
            (None, Some(seconds), None) => TimeControl::Cpu(seconds),
            (None, None, Some(seconds)) => TimeControl::GameTime(seconds),
            _ => {
                return Err(
                    "expected one of iterations, cpu (seconds a move) and game_time (seconds a game)",
                );
            }
        };
        match control {
            _ if control.is_positive() => Ok(control),
            TimeControl::Iterations(_) => Err("0 iterations: expected 1 or more"),
            _ => Err("expected seconds above 0"),
        }
    }
}
