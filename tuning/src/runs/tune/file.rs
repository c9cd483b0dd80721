//! Reading a tuning run's file.

use super::spsa::{Spsa, TunedParameter};
use crate::play::agents;
use crate::play::matches::{Settings, Terms};
use crate::play::time_control::TimeControl;
use crate::play::whole_number::in_file;
use crate::runs::experiment::{BudgetText, Document, Family, Table, experiment_text};
use anyhow::Result;
use halma::support::parameters::Range;
use halma::support::random::mix;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;
use toml::Spanned;

/// The default rate: how many steps each point won in a pair moves a parameter. It is enough for a few hundred
/// iterations.
const RATE: f64 = 0.05;

/// Everything that the games of a tuning run depend on, and its title.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tune {
    /// The title of its plot.
    pub title: String,
    /// The spec to which the parameters are added.
    pub agent: String,
    /// The parameters to tune.
    pub parameters: Vec<TunedParameter>,
    /// The limit of both agents.
    pub budget: TimeControl,
    /// The number of iterations.
    pub iterations: u64,
    /// The iteration in which the gains reach the file's values; if `None`, the last one.
    #[serde(default)]
    pub(super) horizon: Option<u64>,
    /// Pairs of games in each iteration.
    pub pairs: u64,
    /// The terms of all games.
    #[serde(flatten)]
    pub terms: Terms,
}

experiment_text! {
    struct TuneText {
        title: Option<String>,
        agent: Spanned<String>,
        budget: Spanned<BudgetText>,
        #[serde(deserialize_with = "in_file")]
        iterations: NonZeroU64,
        #[serde(deserialize_with = "in_file")]
        pairs: NonZeroU64,
        parameters: Spanned<Table<Spanned<ParameterText>>>,
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct ParameterText {
    start: Option<f64>,
    from: Option<f64>,
    to: Option<f64>,
    step: Option<f64>,
    rate: Option<f64>,
}

impl Tune {
    /// Reads the tuning run in `source` and checks every value.
    ///
    /// # Errors
    /// A value is invalid: `FILE:LINE:COLUMN: the fault`.
    pub fn parse(source: &Document) -> Result<Tune> {
        let text: TuneText = source.parse()?;
        let family =
            Family::new(text.agent.get_ref()).map_err(|error| source.error(text.agent.span(), error))?;
        let read =
            text.parameters.get_ref().iter().map(|(name, text)| read_parameter(source, &family, name, text));
        let parameters: Vec<TunedParameter> = read.collect::<Result<_>>()?;
        if parameters.is_empty() {
            return Err(source.error(text.parameters.span(), "there are no parameters to tune"));
        }
        let budget = text.budget.get_ref();
        if budget.games.is_some() {
            return Err(source
                .error(text.budget.span(), "'games' is not allowed here: 'pairs' sets the number of games"));
        }
        let names: Vec<&str> = parameters.iter().map(|one| one.name.as_str()).collect();
        let tune = Tune {
            title: text.title.clone().unwrap_or_else(|| format!("Tuning of {}", names.join(", "))),
            agent: text.agent.get_ref().clone(),
            budget: budget.limit().map_err(|error| source.error(text.budget.span(), error))?,
            iterations: text.iterations.get(),
            horizon: Some(text.iterations.get()),
            pairs: text.pairs.get(),
            terms: text.terms(source, None)?,
            parameters,
        };
        let start = tune.spsa().start();
        source.check(&tune.settings(1, &start, &start)?, text.openings.as_ref())?;
        Ok(tune)
    }

    /// The same run with `steps` iterations. The gains still follow the file's number of iterations, so runs of
    /// different lengths share their first iterations.
    pub fn with_steps(self, steps: NonZeroU64) -> Tune {
        Tune { iterations: steps.get(), ..self }
    }

    /// The iteration in which the gains reach the file's values.
    pub(super) fn horizon(&self) -> u64 {
        self.horizon.unwrap_or(self.iterations)
    }

    /// The optimiser of this run.
    pub fn spsa(&self) -> Spsa {
        Spsa { parameters: self.parameters.clone(), iterations: self.horizon() }
    }

    /// The seed of the points that iteration `k` compares.
    pub fn iteration_seed(&self, k: u64) -> u64 {
        mix(mix(self.terms.seed) ^ k)
    }

    /// The spec of the agent with these values.
    ///
    /// # Errors
    /// A value is invalid, which [`parse`](Self::parse) rules out.
    pub fn spec(&self, values: &[f64]) -> Result<String> {
        let values: Vec<String> = values.iter().map(f64::to_string).collect();
        let names = self.parameters.iter().map(|one| one.name.as_str());
        Ok(Family::new(&self.agent)?.with(names.zip(values.iter().map(String::as_str)))?)
    }

    /// The match in iteration `k` between agents with these values.
    ///
    /// # Errors
    /// The same as for [`spec`](Self::spec).
    pub fn settings(&self, k: u64, plus: &[f64], minus: &[f64]) -> Result<Settings> {
        let (plus, minus) = (self.spec(plus)?, self.spec(minus)?);
        let terms = Terms { seed: mix(!mix(self.terms.seed) ^ k) >> 11, ..self.terms.clone() };
        Ok(Settings::new([&plus, &minus], self.pairs, self.budget, terms))
    }
}

/// Reads a parameter. Values missing in the file come from the parameter's declaration.
fn read_parameter(
    source: &Document,
    family: &Family,
    name: &Spanned<String>,
    text: &Spanned<ParameterText>,
) -> Result<TunedParameter> {
    let error = |message: String| source.error(text.span(), message);
    let (parameter, default) =
        family.parameter(name.get_ref()).map_err(|missing| source.error(name.span(), missing))?;
    let (least, most, step, whole) = match parameter.range {
        Range::Number { min, max, step } => (min, max, step, false),
        Range::Whole { min, max, step } => (min as f64, max as f64, step as f64, true),
        Range::Word(_) | Range::Part(_) | Range::File(_) => {
            return Err(source.error(
                name.span(),
                format!("'{}' is not a number; use a sweep to compare words", parameter.name),
            ));
        }
    };
    let ParameterText { start, from, to, step: asked, rate } = *text.get_ref();
    let Some(start) = start.or_else(|| default.parse().ok()) else {
        return Err(error("'start' is missing".to_string()));
    };
    let tuned = TunedParameter {
        name: name.get_ref().clone(),
        start,
        least: from.unwrap_or(least),
        most: to.unwrap_or(most),
        step: asked.unwrap_or(step),
        rate: rate.unwrap_or(RATE),
        whole,
    };
    let TunedParameter { least: from, most: to, .. } = tuned;
    if !(least <= from && from < to && to <= most) {
        return Err(error(format!("from {from} to {to}: expected a range within {least} to {most}")));
    }
    if !(from..=to).contains(&start) {
        return Err(error(format!("start {start}: expected a number from {from} to {to}")));
    }
    let sensible = |number: f64| number > 0.0 && number.is_finite();
    if !sensible(tuned.step) || tuned.step > to - from {
        return Err(error(format!(
            "step {}: expected a number above 0 and at most {}",
            tuned.step,
            to - from
        )));
    }
    let smallest = tuned.min_step();
    if tuned.step < smallest {
        return Err(error(format!(
            "step {}: too small to change '{}', which is {}: expected {smallest} or more",
            tuned.step,
            tuned.name,
            if whole { "a whole number" } else { "rounded to five digits" }
        )));
    }
    if !sensible(tuned.rate) || tuned.rate > 1.0 {
        return Err(error(format!("rate {}: expected a number above 0 and at most 1", tuned.rate)));
    }
    let numbers = [("start", start), ("from", from), ("to", to)];
    if let Some((name, number)) = numbers.into_iter().find(|(_, number)| whole && number.fract() != 0.0) {
        return Err(error(format!("{name} {number}: '{}' takes whole numbers", tuned.name)));
    }
    // Trying both ends now keeps the run from failing after hours.
    for value in [from, to] {
        let spec = family.with([(tuned.name.as_str(), value.to_string().as_str())]);
        let made = spec.and_then(|spec| agents::make(&spec, 0));
        made.map_err(|wrong| source.error(name.span(), wrong))?;
    }
    Ok(tuned)
}
