//! What a tuning run has come to.

use super::file::Tune;
use super::log::Step;
use crate::experiment::budget_name;
use anyhow::Result;
use serde::Serialize;
use std::fmt;

/// The result of a tuning run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tuned {
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// Where they began.
    pub start: Vec<f64>,
    /// Where they ended, as they can be played.
    pub values: Vec<f64>,
    /// The agent with these values, as a spec string.
    pub spec: String,
    /// How many games were played.
    pub games: u64,
    /// The match that tells whether it is better than what it began with: tuning itself does not.
    pub verify: String,
    /// All iterations.
    #[serde(skip)]
    pub steps: Vec<Step>,
}

impl Tuned {
    /// What the iterations of `tune` have come to.
    ///
    /// # Errors
    /// As [`Tune::spec`].
    pub fn of(tune: &Tune, steps: Vec<Step>) -> Result<Tuned> {
        let start = tune.spsa().start();
        let end = steps.last().map_or(&start, |step| &step.values);
        let values: Vec<f64> =
            tune.parameters.iter().zip(end).map(|(knob, &value)| knob.rounded(value)).collect();
        let (spec, before) = (tune.spec(&values)?, tune.spec(&start)?);
        let budget = budget_name(tune.budget);
        let seed = tune.seed.wrapping_add(1);
        Ok(Tuned {
            parameters: tune.parameters.iter().map(|knob| knob.name.clone()).collect(),
            verify: format!("lab match '{spec}' '{before}' --{budget} --sprt 0 10 --seed {seed}"),
            games: 2 * tune.pairs * steps.len() as u64,
            start,
            values,
            spec,
            steps,
        })
    }
}

impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.parameters.iter().map(String::len).max().unwrap_or(0);
        writeln!(f, "{} iterations, {} games", self.steps.len(), self.games)?;
        for ((name, start), value) in self.parameters.iter().zip(&self.start).zip(&self.values) {
            writeln!(f, "  {name:width$}  {start} → {value}")?;
        }
        writeln!(f, "{}", self.spec)?;
        write!(f, "Whether that is better than before, this tells:\n  {}", self.verify)
    }
}
