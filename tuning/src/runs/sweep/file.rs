//! Reading a sweep's file.

use super::axis::{Axis, AxisText, Scalar};
use super::plan::{Budget, Setting, Sweep};
use crate::play::agents;
use crate::play::entrant::{EntrantSpec, canonical};
use crate::play::matches::{SettingError, Terms};
use crate::play::text::rules_parser;
use crate::play::whole_number::{optional_in_file, whole};
use crate::runs::experiment::{BudgetText, Document, Family, Table, experiment_text};
use anyhow::Result;
use halma::rules::Rules;
use std::collections::HashMap;
use std::fmt::Display;
use std::ops::Range;
use toml::Spanned;

/// The default number of games of a match.
const GAMES: u64 = 100;
/// The maximum number of matches of a sweep; more are surely a mistake.
const MAX_MATCHES: usize = 10_000;

/// Values from the command line that replace the file's.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Overrides {
    /// Games of each match, instead of the file's number
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    pub games: Option<u64>,
    /// Seed, instead of the file's
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    pub seed: Option<u64>,
    /// Rules of the games, instead of the file's
    #[arg(long, value_name = "RULES", value_parser = rules_parser())]
    pub rules: Option<Rules>,
}

experiment_text! {
    struct SweepText {
        title: Option<String>,
        agent: Spanned<String>,
        opponent: Option<Spanned<String>>,
        each_other: Option<Spanned<bool>>,
        #[serde(default)]
        also: Vec<Spanned<String>>,
        budgets: Spanned<Vec<Spanned<BudgetText>>>,
        #[serde(default, deserialize_with = "optional_in_file")]
        games: Option<u64>,
        grid: Spanned<Table<AxisText>>,
    }
}

impl Sweep {
    /// Reads the sweep in `source` and checks every value.
    ///
    /// # Errors
    /// A value is invalid: `FILE:LINE:COLUMN: the fault`.
    pub fn parse(source: &Document, overrides: Overrides) -> Result<Sweep> {
        let text: SweepText = source.parse()?;
        let at = |span: &Range<usize>, error: &dyn Display| source.error(span.clone(), error);
        let family = Family::new(text.agent.get_ref()).map_err(|error| at(&text.agent.span(), &error))?;
        let axes = axes(source, &family, &text.grid)?;
        let opponent = opponent(source, &text)?;
        // Before they are listed: the list of too many matches may not fit into memory.
        check_number(source, &text, &axes)?;
        let mut settings = grid(source, &family, &axes, &text.grid)?;
        let mut seen = HashMap::new();
        for Setting { spec, .. } in &settings {
            add_new(&mut seen, spec).map_err(|error| at(&text.grid.span(), &error))?;
        }
        for spec in &text.also {
            EntrantSpec::parse(spec.get_ref()).map_err(|error| at(&spec.span(), &format!("{error:#}")))?;
            add_new(&mut seen, spec.get_ref()).map_err(|error| at(&spec.span(), &error))?;
            settings.push(Setting { values: Vec::new(), spec: spec.get_ref().clone() });
        }
        let games = overrides.games.or(text.games);
        let terms = text.terms(source, overrides.seed)?;
        let sweep = Sweep {
            title: text.title.clone().unwrap_or_else(|| title(&axes, opponent.as_deref())),
            axes,
            settings,
            opponent,
            budgets: budgets(source, &text.budgets, games.unwrap_or(GAMES), overrides.games)?,
            terms: Terms { rules: overrides.rules.unwrap_or(terms.rules), ..terms },
        };
        let mut cells = sweep.cells();
        for cell in &cells {
            let checked = sweep.one_match(cell).settings.check_programs();
            checked.map_err(|error| at(&text.budgets.span(), &SettingError::with_keys(&error)))?;
        }
        cells.dedup_by_key(|cell| cell.budget);
        for cell in &cells {
            source.check(&sweep.one_match(cell).settings, text.openings.as_ref())?;
        }
        Ok(sweep)
    }
}

/// Checks that there are matches, but not too many.
fn check_number(source: &Document, text: &SweepText, axes: &[Axis]) -> Result<()> {
    let agents = axes.iter().map(|axis| axis.values.len()).product::<usize>() + text.also.len();
    let pairings =
        if text.opponent.is_some() { agents } else { agents.saturating_mul(agents.saturating_sub(1)) / 2 };
    let matches = pairings.saturating_mul(text.budgets.get_ref().len());
    let message = match matches {
        _ if pairings == 0 => {
            "a single agent has nobody to play; add a value, or an agent under 'also'".to_string()
        }
        0..=MAX_MATCHES => return Ok(()),
        _ => format!("expected at most {MAX_MATCHES} matches, found {matches}"),
    };
    Err(source.error(text.grid.span(), message))
}

/// Adds the agent `spec` to `seen`, the specs so far, keyed by canonical form.
///
/// # Errors
/// The agent is in `seen` already, perhaps spelled differently.
fn add_new(seen: &mut HashMap<String, String>, spec: &str) -> Result<(), String> {
    match seen.insert(canonical(spec).unwrap_or_default(), spec.to_string()) {
        Some(same) if same == spec => Err(format!("the agent '{spec}' appears twice")),
        Some(same) => Err(format!("the agents '{same}' and '{spec}' are the same")),
        None => Ok(()),
    }
}

/// The default title.
fn title(axes: &[Axis], opponent: Option<&str>) -> String {
    let names: Vec<&str> = axes.iter().map(|axis| axis.parameter.as_str()).collect();
    format!("{} against {}", names.join(" and "), opponent.unwrap_or("each other"))
}

/// The axes of the grid: one or two parameters of the agent.
fn axes(source: &Document, family: &Family, grid: &Spanned<Table<AxisText>>) -> Result<Vec<Axis>> {
    let list = grid.get_ref();
    if !(1..=2).contains(&list.len()) {
        let message = format!("expected one or two parameters, found {}", list.len());
        return Err(source.error(grid.span(), message));
    }
    let mut family = family.clone();
    let axis = |(name, axis): (&Spanned<String>, &AxisText)| {
        let error = |message: &dyn Display| source.error(name.span(), message);
        let (_, default) = family.parameter(name.get_ref()).map_err(|missing| error(&missing))?;
        if let Some(value) = axis.values.first() {
            family = chosen(source, &family, name.get_ref(), value)?;
        }
        if axis.values.is_empty() {
            return Err(error(&"no values"));
        }
        let mut values: Vec<String> = Vec::new();
        for value in &axis.values {
            let Scalar(text) = value.get_ref();
            if values.contains(text) {
                return Err(source.error(value.span(), format!("{text} appears twice")));
            }
            values.push(text.clone());
        }
        Ok(Axis {
            parameter: name.get_ref().clone(),
            values,
            scale: axis.scale().map_err(|message| error(&message))?,
            default: Some(default),
        })
    };
    list.iter().map(axis).collect()
}

/// `family` with one value of an axis. If the value is a part, such as a playout policy, the next axis can be a
/// parameter of that part.
fn chosen(source: &Document, family: &Family, name: &str, value: &Spanned<Scalar>) -> Result<Family> {
    let Scalar(word) = value.get_ref();
    let spec = family.with([(name, word.as_str())]);
    spec.and_then(|spec| Family::new(&spec)).map_err(|error| source.error(value.span(), error))
}

/// Every setting of the grid, the last axis changing fastest. Values are checked one by one, so that an error points
/// at the invalid one.
fn grid(
    source: &Document,
    family: &Family,
    axes: &[Axis],
    grid: &Spanned<Table<AxisText>>,
) -> Result<Vec<Setting>> {
    let mut before = family.clone();
    for (axis, (_, text)) in axes.iter().zip(grid.get_ref()) {
        let with = |value| chosen(source, &before, &axis.parameter, value);
        let families = text.values.iter().map(with).collect::<Result<Vec<_>>>()?;
        for (place, value) in text.values.iter().enumerate() {
            let same = (0..place).find(|&other| families[other].canonical() == families[place].canonical());
            if let Some(same) = same {
                let [one, other] = [same, place].map(|place| &text.values[place].get_ref().0);
                return Err(source.error(value.span(), format!("{one} and {other} are the same")));
            }
        }
        before = families.into_iter().next().unwrap_or(before);
    }
    let mut settings = vec![Vec::new()];
    for axis in axes {
        settings = settings
            .iter()
            .flat_map(|values| {
                axis.values.iter().map(move |value| [values, std::slice::from_ref(value)].concat())
            })
            .collect();
    }
    let setting = |values: Vec<String>| {
        let names = axes.iter().map(|axis| axis.parameter.as_str());
        let spec = family.with(names.zip(values.iter().map(String::as_str)));
        // A value of the second axis has been tried with only one of the first.
        let made = spec.and_then(|spec| agents::make(&spec, 0).map(|_| spec));
        let error = |error| source.error(grid.span(), format!("{}: {error}", values.join(" with ")));
        Ok(Setting { spec: made.map_err(error)?, values })
    };
    settings.into_iter().map(setting).collect()
}

/// The fixed opponent; `None` if all settings play each other.
fn opponent(source: &Document, text: &SweepText) -> Result<Option<String>> {
    let each_other = text.each_other.as_ref().filter(|each_other| *each_other.get_ref());
    match (&text.opponent, each_other) {
        (Some(spec), None) => match EntrantSpec::parse(spec.get_ref()) {
            Ok(_) => Ok(Some(spec.get_ref().clone())),
            Err(error) => Err(source.error(spec.span(), format!("{error:#}"))),
        },
        (None, Some(_)) => Ok(None),
        (Some(spec), Some(_)) => {
            Err(source.error(spec.span(), "use either 'opponent' or 'each_other', not both"))
        }
        (None, None) => {
            Err(source
                .error(text.agent.span(), "'opponent' is missing; without one, set 'each_other = true'"))
        }
    }
}

/// The budgets: at least one, no two equal.
fn budgets(
    source: &Document,
    list: &Spanned<Vec<Spanned<BudgetText>>>,
    games: u64,
    everywhere: Option<u64>,
) -> Result<Vec<Budget>> {
    let mut budgets: Vec<Budget> = Vec::new();
    for text in list.get_ref() {
        let error = |message: &str| source.error(text.span(), message);
        let limit = text.get_ref().limit().map_err(error)?;
        let games = everywhere.or(text.get_ref().games).unwrap_or(games);
        if games == 0 {
            return Err(error("0 games: expected at least one pair"));
        }
        if budgets.iter().any(|budget| budget.limit == limit) {
            return Err(error("this budget appears twice"));
        }
        budgets.push(Budget { limit, pairs: games.div_ceil(2) });
    }
    if budgets.is_empty() {
        return Err(
            source.error(list.span(), "no budgets: expected at least one, such as { iterations = 1000 }")
        );
    }
    Ok(budgets)
}
