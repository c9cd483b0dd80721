//! A sweep as a list of matches.

use super::axis::Axis;
use crate::play::matches::{Settings, Terms};
use crate::play::time_control::TimeControl;
use crate::runs::Match;
use serde::{Deserialize, Serialize};

/// Everything that the games of a sweep depend on, and its title.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// The title of its table and plots.
    pub title: String,
    /// The parameters of the grid: one or two.
    pub axes: Vec<Axis>,
    /// The agents: those of the grid, the last axis changing fastest, then the others.
    pub settings: Vec<Setting>,
    /// The spec of their common opponent; if `None`, they play each other.
    pub opponent: Option<String>,
    /// The limits, each with its number of games.
    pub budgets: Vec<Budget>,
    /// The terms of all matches. All share one seed and so the same openings, whose bias cancels when settings are
    /// compared.
    #[serde(flatten)]
    pub terms: Terms,
}

/// One agent of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// Its value on each axis; empty if it is not part of the grid.
    pub values: Vec<String>,
    /// Its spec.
    pub spec: String,
}

/// A limit, and the number of games of each match with it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// The limit of both agents.
    pub limit: TimeControl,
    /// Pairs of games in each match.
    pub pairs: u64,
}

/// The agents of one match, and its budget.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The index of its budget in [`Sweep::budgets`].
    pub budget: usize,
    /// The index of the first agent in [`Sweep::settings`].
    pub a: usize,
    /// The index of the second agent; `None` for the common opponent.
    pub b: Option<usize>,
}

impl Sweep {
    /// The matches, budget by budget.
    pub fn cells(&self) -> Vec<Cell> {
        let settings = self.settings.len();
        let pairings: Vec<(usize, Option<usize>)> = match self.opponent {
            Some(_) => (0..settings).map(|a| (a, None)).collect(),
            None => (0..settings).flat_map(|a| (a + 1..settings).map(move |b| (a, Some(b)))).collect(),
        };
        let all = |budget| pairings.iter().map(move |&(a, b)| Cell { budget, a, b });
        (0..self.budgets.len()).flat_map(all).collect()
    }

    /// The match of a cell.
    pub fn one_match(&self, &Cell { budget, a, b }: &Cell) -> Match {
        let Budget { limit, pairs } = self.budgets[budget];
        let spec = |setting: usize| self.settings[setting].spec.as_str();
        let opponent = b.map(spec).or(self.opponent.as_deref()).unwrap_or_default();
        let settings = Settings::new([spec(a), opponent], pairs, limit, self.terms.clone());
        let names = [Some(self.name(a)), b.map(|b| self.name(b))];
        let names: Vec<String> = names.into_iter().flatten().collect();
        Match { name: format!("{}: {}", limit.name(), names.join(" against ")), settings }
    }

    /// The name of a setting: `select=puct, c=2`, or the whole spec if it is not part of the grid.
    pub fn name(&self, setting: usize) -> String {
        let Setting { values, spec } = &self.settings[setting];
        if values.is_empty() {
            return spec.clone();
        }
        let parts = self.axes.iter().zip(values).map(|(axis, value)| format!("{}={value}", axis.parameter));
        parts.collect::<Vec<String>>().join(", ")
    }
}
