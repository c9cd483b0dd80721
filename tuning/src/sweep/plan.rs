//! A sweep as a list of matches.

use super::axis::Axis;
use crate::experiment::budget_name;
use crate::matches::{RulesName, Settings, TimeControl};
use crate::openings::Openings;
use serde::{Deserialize, Serialize};

/// Names of folders are cut to so many characters; their numbers tell them apart.
const MOST_NAME: usize = 120;

/// Everything that a sweep's games depend on, and what its plots are called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// What it is about, in a few words.
    pub title: String,
    /// The parameters of the grid: one or two.
    pub axes: Vec<Axis>,
    /// The agents: those of the grid, the last axis changing fastest, then others.
    pub settings: Vec<Setting>,
    /// The spec string of whom each of them plays; if there is none, they play each other.
    pub opponent: Option<String>,
    /// What agents may use, and how many games are played with it.
    pub budgets: Vec<Budget>,
    /// The number from which all that is random follows. It is the same for all matches, and so
    /// are their openings: what an opening is worth cancels when settings are compared.
    pub seed: u64,
    /// Where games begin.
    pub openings: Openings,
    /// A game of so many plies is a draw.
    pub max_plies: u32,
    /// The rules of the games.
    pub rules: RulesName,
}

/// One agent of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// Its value on each axis; none, if it is not of the grid.
    pub values: Vec<String>,
    /// Its spec string.
    pub spec: String,
}

/// A limit, and how many pairs of games each match has with it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// What agents may use.
    pub limit: TimeControl,
    /// Pairs of games of each match.
    pub pairs: u64,
}

/// One match of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The budget, by its place in [`Sweep::budgets`].
    pub budget: usize,
    /// The first agent, by its place in [`Sweep::settings`].
    pub a: usize,
    /// The second agent, if it is not the fixed opponent.
    pub b: Option<usize>,
    /// What it is made of.
    pub settings: Settings,
    /// Its folder's name.
    pub name: String,
    /// What it is called in messages.
    pub label: String,
}

impl Sweep {
    /// The matches, budget by budget. Each is one that `lab match` would play alike.
    pub fn matches(&self) -> Vec<Match> {
        let pairings: Vec<(usize, Option<usize>)> = match self.opponent {
            Some(_) => (0..self.settings.len()).map(|a| (a, None)).collect(),
            None => (0..self.settings.len())
                .flat_map(|a| (a + 1..self.settings.len()).map(move |b| (a, Some(b))))
                .collect(),
        };
        let budgets = 0..self.budgets.len();
        let all = budgets.flat_map(|budget| pairings.iter().map(move |&(a, b)| (budget, a, b)));
        let digits = (self.budgets.len() * pairings.len()).to_string().len();
        let numbered = (1..).zip(all);
        numbered.map(|(number, (budget, a, b))| self.one_match(budget, a, b, number, digits)).collect()
    }

    fn one_match(&self, budget: usize, a: usize, b: Option<usize>, number: usize, digits: usize) -> Match {
        let Budget { limit, pairs } = self.budgets[budget];
        let opponent = b.map(|b| self.settings[b].spec.clone()).or(self.opponent.clone());
        let settings = Settings {
            a: self.settings[a].spec.clone(),
            b: opponent.unwrap_or_default(),
            pairs,
            limit,
            seed: self.seed,
            openings: self.openings.clone(),
            sprt: None,
            max_plies: self.max_plies,
            rules: self.rules,
        };
        let names = [Some(self.name(a)), b.map(|b| self.name(b))];
        let names: Vec<String> = names.into_iter().flatten().collect();
        let budget_name = budget_name(limit);
        let plain = format!("{number:0digits$}-{budget_name},{}", names.join("-v-"));
        let name = plain.chars().filter_map(plain_character).take(MOST_NAME).collect();
        let label = format!("{budget_name}: {}", names.join(" against "));
        Match { budget, a, b, settings, name, label }
    }

    /// What tells a setting from the others: `select=puct, c=2`, or the whole spec string of one
    /// that is not of the grid.
    pub fn name(&self, setting: usize) -> String {
        let Setting { values, spec } = &self.settings[setting];
        if values.is_empty() {
            return spec.clone();
        }
        let parts = self.axes.iter().zip(values).map(|(axis, value)| format!("{}={value}", axis.parameter));
        parts.collect::<Vec<String>>().join(", ")
    }
}

/// A character as folders' names have it; spaces are left out.
fn plain_character(character: char) -> Option<char> {
    match character {
        ' ' => None,
        '=' | ',' | '.' | '-' | '+' => Some(character),
        _ if character.is_ascii_alphanumeric() => Some(character),
        _ => Some('_'),
    }
}
