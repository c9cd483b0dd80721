//! What the agents of an experiment may use.

use crate::matches::TimeControl;
use serde::Deserialize;

/// A budget as files have it: `{ iterations = 1000 }`, `{ cpu = 0.01 }` or `{ game_time = 5 }`, and
/// how many games are played with it.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetText {
    /// Iterations for each move: repeatable on every machine.
    pub iterations: Option<u64>,
    /// CPU seconds for each move.
    pub cpu: Option<f64>,
    /// CPU seconds for each side's whole game.
    pub game_time: Option<f64>,
    /// Games of each match with this budget, if not as many as with the others.
    pub games: Option<u64>,
}

impl BudgetText {
    /// The limit.
    ///
    /// # Errors
    /// There is not just one, or it is not above 0.
    pub fn limit(&self) -> Result<TimeControl, &'static str> {
        let positive = |seconds: f64| seconds > 0.0 && seconds.is_finite();
        match (self.iterations, self.cpu, self.game_time) {
            (Some(0), None, None) => Err("0 iterations: expected 1 or more"),
            (Some(iterations), None, None) => Ok(TimeControl::Iterations(iterations)),
            (None, Some(seconds), None) if positive(seconds) => Ok(TimeControl::Cpu(seconds)),
            (None, None, Some(seconds)) if positive(seconds) => Ok(TimeControl::GameTime(seconds)),
            (None, Some(_), None) | (None, None, Some(_)) => Err("expected seconds above 0"),
            _ => Err("expected one of iterations, cpu (seconds a move) and game_time (seconds a game)"),
        }
    }
}

/// The budget in words: `1000 iterations a move`.
pub fn budget_label(limit: TimeControl) -> String {
    match limit {
        TimeControl::Iterations(iterations) => format!("{iterations} iterations a move"),
        TimeControl::Cpu(seconds) => format!("{seconds} CPU s a move"),
        TimeControl::GameTime(seconds) => format!("{seconds} CPU s a game"),
    }
}

/// The budget as a name for folders and tables, which is also how `lab match` is told:
/// `iterations=1000`.
pub fn budget_name(limit: TimeControl) -> String {
    match limit {
        TimeControl::Iterations(iterations) => format!("iterations={iterations}"),
        TimeControl::Cpu(seconds) => format!("cpu={seconds}"),
        TimeControl::GameTime(seconds) => format!("game-time={seconds}"),
    }
}
