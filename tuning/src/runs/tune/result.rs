//! The result of a tuning run.

use super::file::Tune;
use super::spsa::Trial;
use crate::play::matches::{Count, FirstMover};
use crate::stats::PairCounts;
use anyhow::Result;
use serde::Serialize;
use std::fmt;

/// An iteration that has ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Iteration {
    /// Its number, from 1.
    pub iteration: u64,
    /// The points compared.
    #[serde(flatten)]
    pub trial: Trial,
    /// Pairs in which the one side got 0, ½, 1, 1½ and 2 points.
    pub pairs: PairCounts,
    /// Its points less those of the other side, per pair, −2…+2.
    pub result: f64,
    /// The parameters after it.
    pub values: Vec<f64>,
}

/// The iterations of `tune` whose games have been counted: each follows from the one before it and its games.
pub(super) fn steps(tune: &Tune, counts: &[Count]) -> Vec<Iteration> {
    let spsa = tune.spsa();
    let mut values = spsa.start();
    let step = |(iteration, count): (u64, &Count)| {
        let trial = spsa.trial(iteration, &values, tune.trial_seed(iteration));
        // A pair's score per game s, 0…1, is 2s points against 2 − 2s.
        let result = 4.0 * count.pairs.mean() - 2.0;
        values = spsa.step(iteration, &values, &trial, result);
        Iteration { iteration, trial, pairs: count.pairs, result, values: values.clone() }
    };
    (1..).zip(counts).map(step).collect()
}

/// The result of a tuning run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tuned {
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// Their first values.
    pub start: Vec<f64>,
    /// Their last values, as they can be played.
    pub values: Vec<f64>,
    /// The agent with these values, as a spec string.
    pub spec: String,
    /// How many games were played.
    pub games: u64,
    /// What it was worth to move first in them.
    pub first_mover: FirstMover,
    /// The command of the match that tests whether it is better than before; tuning does not.
    pub verify: String,
    /// All iterations.
    #[serde(skip)]
    pub steps: Vec<Iteration>,
}

impl Tuned {
    /// The result of the iterations of `tune` whose games have been counted.
    ///
    /// # Errors
    /// As [`Tune::spec`].
    pub fn of(tune: &Tune, counts: &[Count]) -> Result<Tuned> {
        let steps = steps(tune, counts);
        let start = tune.spsa().start();
        let end = steps.last().map_or(&start, |step| &step.values);
        let values: Vec<f64> =
            tune.parameters.iter().zip(end).map(|(parameter, &value)| parameter.rounded(value)).collect();
        let (spec, before) = (tune.spec(&values)?, tune.spec(&start)?);
        let budget = tune.budget.name();
        let seed = tune.terms.seed.wrapping_add(1);
        Ok(Tuned {
            parameters: tune.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
            verify: format!("lab match '{spec}' '{before}' --{budget} --sprt 0 10 --seed {seed}"),
            games: 2 * tune.pairs * steps.len() as u64,
            first_mover: FirstMover::joined(counts.iter().map(|count| count.first_mover)),
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
        writeln!(f, "The first mover had {}.", self.first_mover)?;
        writeln!(f, "{}", self.spec)?;
        write!(f, "To see whether that is better than before, run:\n  {}", self.verify)
    }
}
