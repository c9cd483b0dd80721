//! Scores as coloured squares: over two parameters, or of all agents against each other.

use super::super::axis::Axis;
use super::super::plan::Budget;
use super::super::result::SweepResult;
use crate::figures::plot::{
    Area, Drawing, Figure, INK, PlotAxis, frame, letters, middle, picture, plain, shade,
};
use anyhow::{Result, anyhow};
use plotters::prelude::*;

/// A square's sides, in pixels.
const SQUARE: (usize, usize) = (62, 40);
/// The line of a panel's title, in pixels.
const TITLE_LINE: usize = 28;
/// Panels stand beside each other up to this width, in pixels.
const MOST_WIDTH: usize = 1500;

/// A panel of squares: names of columns and rows, and the scores that are known.
struct HeatPanel {
    title: String,
    columns: Vec<String>,
    rows: Vec<String>,
    scores: Vec<(usize, usize, f64)>,
    /// The square of the defaults, if there is one.
    default: Option<(usize, usize)>,
}

/// Panels, and how they are read.
struct Heat<'a> {
    subtitle: String,
    /// The names of the axes.
    axes: (&'a str, &'a str),
    panels: Vec<HeatPanel>,
}

/// The scores over two parameters, a panel for each budget.
pub(super) fn grid(outcome: &SweepResult) -> Result<String> {
    grid_of(outcome)?.picture(&outcome.sweep.title)
}

/// The scores over two parameters as figures.
pub(super) fn grid_figures(outcome: &SweepResult) -> Result<Vec<Figure>> {
    grid_of(outcome)?.figures()
}

/// The scores of the rows' agents against the columns', a panel for each budget.
pub(super) fn matrix(outcome: &SweepResult) -> Result<String> {
    matrix_of(outcome).picture(&outcome.sweep.title)
}

/// The scores of the rows' agents against the columns' as figures.
pub(super) fn matrix_figures(outcome: &SweepResult) -> Result<Vec<Figure>> {
    matrix_of(outcome).figures()
}

/// The panels of [`grid`].
fn grid_of(outcome: &SweepResult) -> Result<Heat<'_>> {
    let sweep = &outcome.sweep;
    let [x, y] = &sweep.axes[..] else { return Err(anyhow!("a grid of squares has two parameters")) };
    let place = |axis: &Axis| axis.values.iter().position(|value| axis.default.as_ref() == Some(value));
    let default = place(x).zip(place(y));
    let squares = |(budget, limit): (usize, &Budget)| {
        let rows = outcome.rows.iter().filter(|row| row.budget == budget);
        let scores = rows.filter_map(|row| {
            let values = &sweep.settings[row.setting].values;
            let column = x.values.iter().position(|value| values.first() == Some(value))?;
            let line = y.values.iter().position(|value| values.get(1) == Some(value))?;
            Some((column, line, row.score))
        });
        let scores = scores.collect();
        let title = limit.limit.label();
        HeatPanel { title, columns: x.values.clone(), rows: y.values.clone(), scores, default }
    };
    let panels: Vec<HeatPanel> = sweep.budgets.iter().enumerate().map(squares).collect();
    let opponent = sweep.opponent.as_deref().unwrap_or("each other");
    let framed = if default.is_some() { ", framed: default" } else { "" };
    let subtitle = format!("score in % against {opponent}, both at the same budget; blue is better{framed}");
    Ok(Heat { subtitle, axes: (&x.parameter, &y.parameter), panels })
}

/// The panels of [`matrix`].
fn matrix_of(outcome: &SweepResult) -> Heat<'_> {
    let sweep = &outcome.sweep;
    let values = |setting: usize| {
        let values = &sweep.settings[setting].values;
        if values.is_empty() { sweep.name(setting) } else { values.join(" ") }
    };
    let names: Vec<String> = (0..sweep.settings.len()).map(values).collect();
    let numbers: Vec<String> = (1..=names.len()).map(|number| number.to_string()).collect();
    let names = (1..).zip(names).map(|(number, name)| format!("{name} · {number}"));
    // The first at the top.
    let names: Vec<String> = names.collect::<Vec<_>>().into_iter().rev().collect();
    let line = |setting: usize| sweep.settings.len() - 1 - setting;
    let squares = |(budget, limit): (usize, &Budget)| {
        let pairings = outcome.pairings.iter().filter(|pairing| pairing.budget == budget);
        let both =
            pairings.flat_map(|one| [(one.b, line(one.a), one.score), (one.a, line(one.b), 1.0 - one.score)]);
        let title = limit.limit.label();
        HeatPanel {
            title,
            columns: numbers.clone(),
            rows: names.clone(),
            scores: both.collect(),
            default: None,
        }
    };
    let panels: Vec<HeatPanel> = sweep.budgets.iter().enumerate().map(squares).collect();
    let subtitle = "score in % of the row's agent against the column's; blue is better".to_string();
    Heat { subtitle, axes: ("", ""), panels }
}

/// How many letters the longest of `names` has.
fn longest(names: &[String]) -> usize {
    names.iter().map(|name| name.chars().count()).max().unwrap_or(0)
}

impl HeatPanel {
    /// The room for the names of its lines, in pixels: letters of 14 pixels are some 8 wide.
    fn beside(&self) -> usize {
        longest(&self.rows) * 8 + 40
    }

    /// Its width and height in pixels, without its title's line.
    fn size(&self) -> (usize, usize) {
        let square = SQUARE.0.max(longest(&self.columns) * 8 + 10);
        (self.beside() + square * self.columns.len() + 24, 56 + SQUARE.1 * self.rows.len())
    }
}

impl Heat<'_> {
    /// All panels beside each other.
    fn picture(&self, title: &str) -> Result<String> {
        let Some(first) = self.panels.first() else { return Err(anyhow!("there is nothing to draw")) };
        let (width, height) = first.size();
        let panel = (width, height + TITLE_LINE);
        let columns = (MOST_WIDTH / panel.0).clamp(1, self.panels.len());
        let size = ((panel.0 * columns).max(640) + 32, panel.1 * self.panels.len().div_ceil(columns) + 90);
        picture((size.0 as u32, size.1 as u32), title, &self.subtitle, |area| {
            for (number, squares) in self.panels.iter().enumerate() {
                let corner = ((number % columns * panel.0) as i32, (number / columns * panel.1) as i32);
                let part = area.clone().shrink(corner, (panel.0 as i32, panel.1 as i32));
                let part = part.titled(&squares.title, letters(17, INK)).map_err(cant_draw)?;
                draw_squares(&part, squares, self.axes).map_err(cant_draw)?;
            }
            Ok(())
        })
    }

    /// Each panel as a figure of its own.
    fn figures(&self) -> Result<Vec<Figure>> {
        let figure = |squares: &HeatPanel| {
            let (width, height) = squares.size();
            let size = ((width as u32).max(Figure::WIDTH), height as u32);
            let svg = plain(size, |area| draw_squares(area, squares, self.axes).map_err(cant_draw))?;
            let one = |&(column, line, score): &(usize, usize, f64)| {
                let (column, line) = (&squares.columns[column], &squares.rows[line]);
                format!("{line}, {column}: {:.0} %", 100.0 * score)
            };
            let told = squares.scores.iter().map(one).collect::<Vec<_>>().join("; ");
            let about = format!("The {}.", self.subtitle);
            Ok(Figure { title: squares.title.clone(), about, told, width: size.0, svg })
        };
        self.panels.iter().map(figure).collect()
    }
}

fn cant_draw(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("can't draw the squares: {error}")
}

fn draw_squares(area: &Area<'_>, squares: &HeatPanel, names: (&str, &str)) -> Drawing {
    let (x, y) = (PlotAxis::even(squares.columns.clone()), PlotAxis::even(squares.rows.clone()));
    let mut chart = ChartBuilder::on(area)
        .margin_right(12)
        .x_label_area_size(46)
        .y_label_area_size(squares.beside() as u32)
        .build_cartesian_2d(x, y)?;
    frame(&mut chart, names, TRANSPARENT)?;
    for &(column, row, score) in &squares.scores {
        let (x, y) = (column as f64, row as f64);
        let corners = [(x - 0.49, y - 0.48), (x + 0.49, y + 0.48)];
        chart.draw_series([Rectangle::new(corners, shade(score).filled())])?;
        let strong = (score - 0.5).abs() > 0.38;
        let style = middle(letters(14, if strong { WHITE } else { INK }));
        let text = format!("{:.0}", 100.0 * score);
        chart.draw_series([EmptyElement::at((x, y)) + Text::new(text, (0, 0), style)])?;
    }
    if let Some((x, y)) = squares.default.map(|(column, row)| (column as f64, row as f64)) {
        let corners = [(x - 0.49, y - 0.48), (x + 0.49, y + 0.48)];
        chart.draw_series([Rectangle::new(corners, INK.stroke_width(2))])?;
    }
    Ok(())
}
