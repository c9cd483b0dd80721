//! The file of a tuning run, and what it asks for.

use super::spsa::{Knob, Spsa};
use crate::experiment::{BudgetText, Entries, Family, MAX_PLIES, Source};
use crate::matches::settings::mixed;
use crate::matches::{RulesName, Settings, TimeControl};
use crate::openings::Openings;
use anyhow::Result;
use halma::agent;
use halma::mcts::Range;
use serde::{Deserialize, Serialize};
use std::num::{NonZeroU32, NonZeroU64};
use toml::Spanned;

/// How far a point won moves a parameter, in steps, unless the file says otherwise: enough for a
/// few hundred iterations.
const RATE: f64 = 0.05;

/// Everything that a tuning run's games depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tune {
    /// What it is about, in a few words.
    pub title: String,
    /// The spec string to which the parameters are added.
    pub agent: String,
    /// The parameters, and where each begins.
    pub parameters: Vec<Knob>,
    /// What agents may use.
    pub budget: TimeControl,
    /// How many steps are made.
    pub iterations: u64,
    /// Pairs of games before each step.
    pub pairs: u64,
    /// The number from which all that is random follows.
    pub seed: u64,
    /// Where games begin.
    pub openings: Openings,
    /// A game of so many plies is a draw.
    pub max_plies: u32,
    /// The rules of the games.
    pub rules: RulesName,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    title: Option<String>,
    agent: Spanned<String>,
    budget: Spanned<BudgetText>,
    iterations: NonZeroU64,
    pairs: NonZeroU64,
    #[serde(default = "one")]
    seed: u64,
    openings: Option<Spanned<String>>,
    max_plies: Option<NonZeroU32>,
    #[serde(default)]
    rules: RulesName,
    parameters: Spanned<Entries<Spanned<KnobText>>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct KnobText {
    start: Option<f64>,
    from: Option<f64>,
    to: Option<f64>,
    step: Option<f64>,
    rate: Option<f64>,
}

fn one() -> u64 {
    1
}

impl Tune {
    /// The tuning run that a file asks for, every value of it checked.
    ///
    /// # Errors
    /// What is wrong, as `FILE:LINE:COLUMN: …`.
    pub fn parse(source: &Source) -> Result<Tune> {
        let text: Text = source.parse()?;
        let family =
            Family::new(text.agent.get_ref()).map_err(|error| source.error(text.agent.span(), error))?;
        let entries = &text.parameters.get_ref().0;
        let knobs = entries.iter().map(|(name, knob)| read_knob(source, &family, name, knob));
        let parameters: Vec<Knob> = knobs.collect::<Result<_>>()?;
        if parameters.is_empty() {
            return Err(source.error(text.parameters.span(), "there are no parameters to tune"));
        }
        let budget = text.budget.get_ref();
        if budget.games.is_some() {
            return Err(
                source.error(text.budget.span(), "'pairs' says how many games are played, not the budget")
            );
        }
        let openings = match &text.openings {
            Some(name) => Openings::parse(name.get_ref())
                .map_err(|error| source.error(name.span(), format!("{error:#}")))?,
            None => Openings::default(),
        };
        let names: Vec<&str> = parameters.iter().map(|knob| knob.name.as_str()).collect();
        let tune = Tune {
            title: text.title.clone().unwrap_or_else(|| format!("Tuning of {}", names.join(", "))),
            agent: text.agent.get_ref().clone(),
            budget: budget.limit().map_err(|error| source.error(text.budget.span(), error))?,
            iterations: text.iterations.get(),
            pairs: text.pairs.get(),
            seed: text.seed,
            openings,
            max_plies: text.max_plies.map_or(MAX_PLIES, NonZeroU32::get),
            rules: text.rules,
            parameters,
        };
        let start = tune.spsa().start();
        let span = text.openings.as_ref().map_or(0..0, Spanned::span);
        let check = tune.settings(1, &start, &start).and_then(|settings| settings.check());
        check.map_err(|error| source.error(span, format!("{error:#}")))?;
        Ok(tune)
    }

    /// The optimiser.
    pub fn spsa(&self) -> Spsa {
        Spsa { knobs: self.parameters.clone(), iterations: self.iterations }
    }

    /// The seed of what is random in the choice of points in iteration `k`.
    pub fn trial_seed(&self, k: u64) -> u64 {
        mixed(mixed(self.seed) ^ k)
    }

    /// The spec string of the agent with these values.
    ///
    /// # Errors
    /// Never, once the file has been checked.
    pub fn spec(&self, values: &[f64]) -> Result<String> {
        let values: Vec<String> = values.iter().map(f64::to_string).collect();
        let names = self.parameters.iter().map(|knob| knob.name.as_str());
        Ok(Family::new(&self.agent)?.with(names.zip(values.iter().map(String::as_str))))
    }

    /// The match in iteration `k` between agents with these values.
    ///
    /// # Errors
    /// As [`spec`](Self::spec).
    pub fn settings(&self, k: u64, plus: &[f64], minus: &[f64]) -> Result<Settings> {
        Ok(Settings {
            a: self.spec(plus)?,
            b: self.spec(minus)?,
            pairs: self.pairs,
            limit: self.budget,
            seed: mixed(!mixed(self.seed) ^ k) >> 11,
            openings: self.openings.clone(),
            sprt: None,
            max_plies: self.max_plies,
            rules: self.rules,
        })
    }
}

/// A parameter, with what the file does not say taken from the engine's table.
fn read_knob(
    source: &Source,
    family: &Family,
    name: &Spanned<String>,
    text: &Spanned<KnobText>,
) -> Result<Knob> {
    let error = |message: String| source.error(text.span(), message);
    let parameter = family.parameter(name.get_ref()).map_err(|missing| source.error(name.span(), missing))?;
    let (least, most, step, whole) = match parameter.range {
        Range::Number { least, most, step } => (least, most, step, false),
        Range::Whole { least, most, step } => (least as f64, most as f64, step as f64, true),
        Range::Word(_) | Range::Policy => {
            return Err(source
                .error(name.span(), format!("'{}' is no number; a sweep compares words", parameter.name)));
        }
    };
    let default = || family.default_value(parameter.name).and_then(|value| value.parse().ok());
    let KnobText { start, from, to, step: asked, rate } = *text.get_ref();
    let Some(start) = start.or_else(default) else { return Err(error("'start' is missing".to_string())) };
    let knob = Knob {
        name: parameter.name.to_string(),
        start,
        least: from.unwrap_or(least),
        most: to.unwrap_or(most),
        step: asked.unwrap_or(step),
        rate: rate.unwrap_or(RATE),
        whole,
    };
    let Knob { least: from, most: to, .. } = knob;
    if !(least <= from && from < to && to <= most) {
        return Err(error(format!("from {from} to {to}: expected a range within {least} to {most}")));
    }
    if !(from..=to).contains(&start) {
        return Err(error(format!("start {start}: expected a number from {from} to {to}")));
    }
    let sensible = |number: f64| number > 0.0 && number.is_finite();
    if !sensible(knob.step) || knob.step > to - from {
        return Err(error(format!(
            "step {}: expected a number above 0 and at most {}",
            knob.step,
            to - from
        )));
    }
    if !sensible(knob.rate) || knob.rate > 1.0 {
        return Err(error(format!("rate {}: expected a number above 0 and at most 1", knob.rate)));
    }
    if whole && (from.fract() != 0.0 || to.fract() != 0.0) {
        return Err(error(format!("from {from} to {to}: '{}' has whole values", knob.name)));
    }
    // A value of each end, so that nothing goes wrong after hours.
    for value in [from, to] {
        let spec = family.with([(knob.name.as_str(), value.to_string().as_str())]);
        agent::parse(&spec, 0).map_err(|wrong| source.error(name.span(), wrong))?;
    }
    Ok(knob)
}
