//! Tuning: finds good values of several parameters at once by playing games.
//!
//! A [`Tune`] is read from a TOML file. Each iteration plays a small match between two agents whose parameters are all
//! moved a little in opposite directions, then moves them towards the winner: see [`Spsa`]. The result is a [`Tuned`].

mod draw;
mod file;
mod result;
mod spsa;

pub use draw::plot;
pub use file::Tune;
pub use result::{Iteration, Tuned};
pub use spsa::{Opposites, Spsa, TunedParameter};

use crate::play::matches::Count;
use crate::runs::{Arguments, Conclusion, Match, Schedule, read_arguments};
use anyhow::{Result, bail, ensure};
use result::steps;

/// An iteration is a round of one match.
impl Schedule for Tune {
    fn rounds(&self) -> u64 {
        self.iterations
    }

    fn round(&self, counts: &[Count]) -> Result<Vec<Match>> {
        let in_range = |one: &TunedParameter| one.least <= one.start && one.start <= one.most;
        ensure!(self.parameters.iter().all(in_range), "a parameter starts outside its range");
        let iteration = counts.len() as u64 + 1;
        let values = steps(self, counts).pop().map_or_else(|| self.spsa().start(), |step| step.values);
        let opposites = self.spsa().opposites(iteration, &values, self.iteration_seed(iteration));
        let parts = self.parameters.iter().zip(values);
        let values: Vec<String> =
            parts.map(|(one, value)| format!("{}={}", one.name, one.rounded(value))).collect();
        let name = format!("iteration {iteration} at {}", values.join(", "));
        Ok(vec![Match { name, settings: self.settings(iteration, &opposites.plus, &opposites.minus)? }])
    }

    fn conclude(&self, counts: &[Count]) -> Result<Conclusion> {
        let tuned = Tuned::of(self, counts)?;
        let mut log = Vec::new();
        for step in &tuned.steps {
            serde_json::to_writer(&mut log, step)?;
            log.push(b'\n');
        }
        let files = vec![("tune.jsonl", log), ("tune.svg", plot(self, &tuned).picture()?.into_bytes())];
        Ok(Conclusion { files, ..Conclusion::of(&tuned)? })
    }

    /// Extends the same run with fewer steps.
    fn extends(&self, before: &Arguments) -> Result<Option<Box<dyn Schedule>>> {
        let Ok(before) = read_arguments::<Tune>(before) else { return Ok(None) };
        let (mine, its) = (self.horizon(), before.horizon());
        let as_long = |one: &Tune| Tune { iterations: 0, horizon: None, ..one.clone() };
        if as_long(self) != as_long(&before) || before.iterations > self.iterations {
            return Ok(None);
        }
        if mine != its {
            bail!(
                "the run began with 'iterations = {its}': leave that in the file and extend it with --steps {}",
                self.iterations
            );
        }
        Ok(Some(Box::new(before)))
    }
}
