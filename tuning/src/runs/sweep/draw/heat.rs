//! Scores as coloured squares: over two parameters, or of all settings against each other.

use super::super::axis::Axis;
use super::super::plan::Budget;
use super::super::result::SweepResult;
use crate::figures::plot::{Chart, Figure, INK, Layer, Panel, Plot, PlotAxis, shade};
use plotters::style::WHITE;

/// The width and height of a square, in pixels.
const SQUARE: (usize, usize) = (62, 40);
/// The width of a 14-pixel letter.
const LETTER: usize = 8;
/// Panels stand side by side up to this width, in pixels.
const MAX_WIDTH: usize = 1500;

/// A score, and the column and row of its square.
type Score = (usize, usize, f64);

/// The names of the columns and rows of all panels.
struct Grid<'a> {
    axes: (&'a str, &'a str),
    columns: Vec<String>,
    rows: Vec<String>,
    /// The column and row of the default setting, if it is in the grid.
    default: Option<(usize, usize)>,
}

/// The scores over the parameters `x` and `y`, a panel for each budget.
pub(super) fn grid(outcome: &SweepResult, [x, y]: [&Axis; 2]) -> Plot {
    let sweep = &outcome.sweep;
    let place = |axis: &Axis| axis.values.iter().position(|value| axis.default.as_ref() == Some(value));
    let grid = Grid {
        axes: (&x.parameter, &y.parameter),
        columns: x.values.clone(),
        rows: y.values.clone(),
        default: place(x).zip(place(y)),
    };
    let scores = |budget: usize| {
        let rows = outcome.rows.iter().filter(|row| row.budget == budget);
        let scores = rows.filter_map(|row| {
            let values = &sweep.settings[row.setting].values;
            let column = x.values.iter().position(|value| values.first() == Some(value))?;
            let line = y.values.iter().position(|value| values.get(1) == Some(value))?;
            Some((column, line, row.score))
        });
        scores.collect()
    };
    let opponent = sweep.opponent.as_deref().unwrap_or("each other");
    let framed = if grid.default.is_some() { "; framed: default" } else { "" };
    let subtitle = format!("Score in % against {opponent} at the same budget; blue is better{framed}.");
    grid.plot(outcome, subtitle, scores)
}

/// The scores of the rows' settings against the columns', a panel for each budget.
pub(super) fn matrix(outcome: &SweepResult) -> Plot {
    let sweep = &outcome.sweep;
    let count = sweep.settings.len();
    let name = |setting: usize| {
        let values = &sweep.settings[setting].values;
        let name = if values.is_empty() { sweep.name(setting) } else { values.join(" ") };
        format!("{name} · {}", setting + 1)
    };
    let grid = Grid {
        axes: ("", ""),
        columns: (1..=count).map(|number| number.to_string()).collect(),
        // The axis points upwards, and the first setting belongs at the top.
        rows: (0..count).rev().map(name).collect(),
        default: None,
    };
    let line = |setting: usize| count - 1 - setting;
    let scores = |budget: usize| {
        let pairings = outcome.pairings.iter().filter(|pairing| pairing.budget == budget);
        let both =
            pairings.flat_map(|one| [(one.b, line(one.a), one.score), (one.a, line(one.b), 1.0 - one.score)]);
        both.collect()
    };
    let subtitle = "Score of the row's setting against the column's, in %; blue is better.".to_string();
    grid.plot(outcome, subtitle, scores)
}

/// The length of the longest of `names`, in letters.
fn longest(names: &[String]) -> usize {
    names.iter().map(|name| name.chars().count()).max().unwrap_or(0)
}

impl Grid<'_> {
    fn plot(&self, outcome: &SweepResult, subtitle: String, scores: impl Fn(usize) -> Vec<Score>) -> Plot {
        let square = SQUARE.0.max(longest(&self.columns) * LETTER + 10);
        let width = self.label_width() + square * self.columns.len() + 24;
        let height = 56 + SQUARE.1 * self.rows.len();
        let panel = |(number, budget): (usize, &Budget)| {
            let scores = scores(number);
            let score = |&(column, row, score): &Score| {
                format!("{}, {}: {:.0} %", self.rows[row], self.columns[column], 100.0 * score)
            };
            Panel {
                title: budget.limit.label(),
                description: scores.iter().map(score).collect::<Vec<_>>().join("; "),
                chart: self.chart(&scores),
            }
        };
        Plot {
            title: outcome.sweep.title.clone(),
            subtitle,
            curves: Vec::new(),
            panel: (width as u32, height as u32),
            figure: ((width as u32).max(Figure::WIDTH), height as u32),
            columns: MAX_WIDTH / width,
            panels: outcome.sweep.budgets.iter().enumerate().map(panel).collect(),
        }
    }

    /// The width left for the names of the rows, in pixels.
    fn label_width(&self) -> usize {
        longest(&self.rows) * LETTER + 40
    }

    fn chart(&self, scores: &[Score]) -> Chart {
        let square = |column: usize, row: usize| {
            let (x, y) = (column as f64, row as f64);
            [x - 0.49, x + 0.49, y - 0.48, y + 0.48]
        };
        let layers = scores.iter().flat_map(|&(column, row, score)| {
            let colour = if (score - 0.5).abs() > 0.38 { WHITE } else { INK };
            let text = format!("{:.0}", 100.0 * score);
            [
                Layer::Bar(square(column, row), shade(score)),
                Layer::Centred((column as f64, row as f64), text, colour),
            ]
        });
        let frame = self.default.map(|(column, row)| Layer::Frame(square(column, row)));
        let (x, y) = (PlotAxis::even(self.columns.clone()), PlotAxis::even(self.rows.clone()));
        let chart = Chart::new(x, y, self.axes, layers.chain(frame).collect());
        Chart { grid: false, label_width: self.label_width() as u32, ..chart }
    }
}
