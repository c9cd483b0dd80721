//! The result of a tuning run.

use super::file::Tune;
use super::spsa::Opposites;
use crate::play::entrant::are_same;
use crate::play::matches::{Count, FirstMover};
use crate::play::record::Contestant;
use crate::runs::text::verification;
use crate::stats::PairCounts;
use anyhow::Result;
use serde::Serialize;
use std::fmt;

/// A finished iteration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Iteration {
    /// Its number, from 1.
    pub iteration: u64,
    /// The points compared.
    #[serde(flatten)]
    pub opposites: Opposites,
    /// Pairs in which the plus side scored 0, ½, 1, 1½ and 2 points. Repeated pairs count, because a step has no interval
    /// that they could make too narrow.
    pub pairs: PairCounts,
    /// The plus side's points minus the minus side's, per pair: −2…+2.
    pub result: f64,
    /// The parameters after this iteration.
    pub values: Vec<f64>,
}

/// The iterations of `tune` whose games have been counted.
pub(super) fn steps(tune: &Tune, counts: &[Count]) -> Vec<Iteration> {
    let spsa = tune.spsa();
    let mut values = spsa.start();
    let step = |(iteration, count): (u64, &Count)| {
        let opposites = spsa.opposites(iteration, &values, tune.iteration_seed(iteration));
        let mut pairs = PairCounts::default();
        count.results.iter().for_each(|result| pairs.add(result.half_points(Contestant::A)));
        // A pair's score per game s, 0…1, is 2s points against 2 − 2s.
        let result = 4.0 * pairs.mean() - 2.0;
        values = spsa.step(iteration, &values, &opposites, result);
        Iteration { iteration, opposites, pairs, result, values: values.clone() }
    };
    (1..).zip(counts).map(step).collect()
}

/// The result of a tuning run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tuned {
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// Their initial values.
    pub start: Vec<f64>,
    /// Their final values, rounded to values that can be played.
    pub values: Vec<f64>,
    /// The spec of the agent with these values.
    pub spec: String,
    /// The number of games played.
    pub games: u64,
    /// The first mover's score.
    pub first_mover: FirstMover,
    /// The command that tests whether the new values beat the old ones, which tuning does not show; `None` if they are
    /// the same.
    pub verify: Option<String>,
    /// All iterations.
    #[serde(skip)]
    pub steps: Vec<Iteration>,
}

impl Tuned {
    /// The result of the iterations whose games have been counted.
    ///
    /// # Errors
    /// The same as for [`Tune::spec`].
    pub fn of(tune: &Tune, counts: &[Count]) -> Result<Tuned> {
        let steps = steps(tune, counts);
        let start = tune.spsa().start();
        let end = steps.last().map_or(&start, |step| &step.values);
        let values: Vec<f64> =
            tune.parameters.iter().zip(end).map(|(parameter, &value)| parameter.rounded(value)).collect();
        let (spec, before) = (tune.spec(&values)?, tune.spec(&start)?);
        Ok(Tuned {
            parameters: tune.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
            verify: (!are_same(&spec, &before))
                .then(|| verification(&spec, &before, tune.budget, &tune.terms)),
            games: 2 * tune.pairs * steps.len() as u64,
            first_mover: FirstMover::joined(counts),
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
        writeln!(f, "The first mover scored {}.", self.first_mover)?;
        writeln!(f, "{}", self.spec)?;
        match &self.verify {
            Some(verify) => write!(f, "To test whether this is better than before, run:\n  {verify}"),
            None => write!(f, "The values are those at the start."),
        }
    }
}
