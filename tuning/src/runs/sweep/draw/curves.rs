//! Scores against a parameter: a panel for each value of the other one, a curve for each budget.

use super::super::axis::{Axis, AxisScale};
use super::super::plan::{Budget, Sweep};
use super::super::result::{Row, SweepResult};
use crate::figures::plot::{
    Area, BORDER, COLOURS, Drawing, FAINT, Figure, INK, Marker, PlotAxis, QUIET, frame, legend, letters,
    picture, plain,
};
use crate::stats::score_of_elo;
use anyhow::{Result, anyhow};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Panels beside each other.
const COLUMNS: usize = 3;
/// The size of a panel, in pixels.
const PANEL: (usize, usize) = (470, 400);
/// The least width of a picture, for its title.
const LEAST_WIDTH: usize = 720;
/// The height of a figure in a page, without its legend, and of a line of that.
const FIGURE_HEIGHT: u32 = 290;
const LEGEND_LINE: u32 = 26;
/// The Elo differences that the axis on the right may show, the more important first.
const ELO_TICKS: [i32; 19] =
    [0, -100, 100, -200, 200, -400, 400, -50, 50, -300, 300, -150, 150, -20, 20, -800, 800, -600, 600];

/// Draws all panels.
pub(super) fn draw(outcome: &SweepResult) -> Result<String> {
    let sweep = &outcome.sweep;
    let (x, panels) = panels(sweep);
    let columns = panels.len().min(COLUMNS);
    let rows = panels.len().div_ceil(COLUMNS);
    let size = ((columns * PANEL.0).max(LEAST_WIDTH) + 32, rows * PANEL.1 + 120);
    let scores = scores(outcome);
    picture((size.0 as u32, size.1 as u32), &sweep.title, &subtitle(sweep), |area| {
        let budgets = sweep.budgets.iter().enumerate();
        let names: Vec<String> = budgets.map(|budget| curve_name(budget, outcome)).collect();
        let below = legend(area, &names)?;
        for (area, panel) in below.split_evenly((rows, columns)).iter().zip(&panels) {
            draw_panel(area, outcome, x, panel, &scores)
                .map_err(|error| anyhow!("can't draw a panel: {error}"))?;
        }
        Ok(())
    })
}

/// Each panel as a figure of its own.
pub(super) fn figures(outcome: &SweepResult) -> Result<Vec<Figure>> {
    let sweep = &outcome.sweep;
    let (x, panels) = panels(sweep);
    let scores = scores(outcome);
    let names: Vec<String> =
        sweep.budgets.iter().enumerate().map(|budget| curve_name(budget, outcome)).collect();
    let height = FIGURE_HEIGHT + LEGEND_LINE * names.len() as u32;
    let figure = |panel: Panel| {
        // The page writes the title, and each figure stands alone.
        let alone = Panel { title: None, ends: (true, true), ..panel.clone() };
        let svg = plain((Figure::WIDTH, height), |area| {
            let below = legend(area, &names)?;
            draw_panel(&below, outcome, x, &alone, &scores)
                .map_err(|error| anyhow!("can't draw a panel: {error}"))
        })?;
        let title = panel.title.clone().unwrap_or_else(|| format!("Score by {}", sweep.axes[x].parameter));
        let about = format!("Score {}.", subtitle(sweep));
        Ok(Figure { title, about, told: told(outcome, &panel), width: Figure::WIDTH, svg })
    };
    panels.into_iter().map(figure).collect()
}

/// The scores of a panel in words.
fn told(outcome: &SweepResult, panel: &Panel) -> String {
    let sweep = &outcome.sweep;
    let here = outcome.rows.iter().filter(|row| panel.has(&sweep.settings[row.setting].values));
    let one = |row: &Row| {
        let percent = |share: f64| 100.0 * share;
        format!(
            "{} with {}: {:.1} %, {:.1} to {:.1} %",
            sweep.name(row.setting),
            sweep.budgets[row.budget].limit.label(),
            percent(row.score),
            percent(row.score_interval.from),
            percent(row.score_interval.to)
        )
    };
    here.map(one).collect::<Vec<_>>().join("; ")
}

/// The opponent of all scores, and the meaning of the bars.
fn subtitle(sweep: &Sweep) -> String {
    let opponent = sweep.opponent.as_deref().unwrap_or("each other");
    format!("against {opponent}, both at the same budget; bars: 95 % intervals")
}

/// A budget in words, and how many games each of its points stands for.
fn curve_name((number, budget): (usize, &Budget), outcome: &SweepResult) -> String {
    let games = outcome.rows.iter().find(|row| row.budget == number).map_or(0, |row| row.games);
    format!("{}, {games} games a point", budget.limit.label())
}

/// A panel: its title, and its settings' value on the other axis.
#[derive(Clone)]
struct Panel {
    title: Option<String>,
    other: Option<(usize, String)>,
    /// Whether it is the first and the last of its line, where axes are named.
    ends: (bool, bool),
}

impl Panel {
    /// Whether a setting with these values is in it. One that is not of the grid is in all panels.
    fn has(&self, values: &[String]) -> bool {
        let fits = |(other, value): &(usize, String)| values.get(*other).is_none_or(|its| its == value);
        self.other.as_ref().is_none_or(fits)
    }
}

/// The axis from left to right (the only one with numbers, or else the first), and a panel for each value
/// of the other one.
fn panels(sweep: &Sweep) -> (usize, Vec<Panel>) {
    let [first, second] = &sweep.axes[..] else {
        return (0, vec![Panel { title: None, other: None, ends: (true, true) }]);
    };
    let x = usize::from(first.numbers().is_none() && second.numbers().is_some());
    let other = &sweep.axes[1 - x];
    let panel = |(number, value): (usize, &String)| {
        let default = if other.default.as_ref() == Some(value) { " (default)" } else { "" };
        let title = Some(format!("{} = {value}{default}", other.parameter));
        let ends =
            (number % COLUMNS == 0, number % COLUMNS == COLUMNS - 1 || number == other.values.len() - 1);
        Panel { title, other: Some((1 - x, value.clone())), ends }
    };
    (x, other.values.iter().enumerate().map(panel).collect())
}

/// The axis from left to right, and where each value is on it.
fn horizontal(axis: &Axis) -> (PlotAxis, Vec<f64>) {
    let places: Vec<f64> = match axis.numbers() {
        Some(numbers) if axis.scale != AxisScale::Even => numbers,
        _ => (0..axis.values.len()).map(|place| place as f64).collect(),
    };
    let least = places.iter().copied().fold(f64::INFINITY, f64::min);
    let most = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let ticks = places.iter().copied().zip(axis.values.iter().cloned());
    let plot_axis = match axis.scale {
        AxisScale::Linear => PlotAxis::linear(least, most, Vec::new()),
        AxisScale::Log => PlotAxis::log(least, most, Vec::new()),
        AxisScale::Even => return (PlotAxis::even(axis.values.clone()), places),
    };
    // Labels that would touch each other are left out.
    let mut last = f64::NEG_INFINITY;
    let apart = |(place, label): &(f64, String)| {
        let share = plot_axis.share(*place);
        let room = 0.018 * (label.chars().count() + 1) as f64;
        let fits = share - last >= room.max(0.05);
        if fits {
            last = share;
        }
        fits
    };
    let ticks: Vec<(f64, String)> = ticks.filter(apart).collect();
    let plot_axis = match axis.scale {
        AxisScale::Log => PlotAxis::log(least, most, ticks),
        _ => PlotAxis::linear(least, most, ticks),
    };
    (plot_axis.widened(0.06), places)
}

/// The axis of scores, from a little below the lowest bar to a little above the highest, with even
/// scores in it; and the same as Elo differences.
fn scores(outcome: &SweepResult) -> (PlotAxis, PlotAxis) {
    let ends = outcome.rows.iter().flat_map(|row| [row.score_interval.from, row.score_interval.to]);
    let (least, most) = ends.fold((0.45f64, 0.55f64), |(least, most), end| (least.min(end), most.max(end)));
    let (from, to) = ((least - 0.02).max(-0.02), (most + 0.02).min(1.02));
    let step = if to - from > 0.45 { 10 } else { 5 };
    let percents =
        (0..=100).step_by(step).map(|percent| (f64::from(percent) / 100.0, format!("{percent} %")));
    let inside = |tick: &(f64, String)| from <= tick.0 && tick.0 <= to;
    let percents = percents.filter(inside).collect();
    let mut elos: Vec<(f64, String)> = Vec::new();
    for elo in ELO_TICKS {
        let score = score_of_elo(f64::from(elo));
        let room = 0.055 * (to - from);
        let near = elos.iter().any(|(tick, _)| (tick - score).abs() < room);
        if from <= score && score <= to && !near {
            elos.push((score, if elo == 0 { "0".to_string() } else { format!("{elo:+}") }));
        }
    }
    (PlotAxis::linear(from, to, percents), PlotAxis::linear(from, to, elos))
}

fn draw_panel(
    area: &Area<'_>,
    outcome: &SweepResult,
    x: usize,
    panel: &Panel,
    y: &(PlotAxis, PlotAxis),
) -> Drawing {
    let axis = &outcome.sweep.axes[x];
    let (horizontal, places) = horizontal(axis);
    let mut builder = ChartBuilder::on(area);
    builder.margin_left(4).margin_right(4).margin_bottom(8);
    if let Some(title) = &panel.title {
        builder.caption(title, letters(17, INK));
    }
    let mut chart = builder
        .x_label_area_size(48)
        .y_label_area_size(66)
        .right_y_label_area_size(70)
        .build_cartesian_2d(horizontal.clone(), y.0.clone())?
        .set_secondary_coord(horizontal.clone(), y.1.clone());
    let log = if axis.scale == AxisScale::Log { " (log scale)" } else { "" };
    let names = (format!("{}{log}", axis.parameter), if panel.ends.0 { "score" } else { "" });
    frame(&mut chart, (&names.0, names.1), FAINT)?;
    chart
        .configure_secondary_axes()
        .axis_style(BORDER)
        .y_desc(if panel.ends.1 { "Elo difference" } else { "" })
        .label_style(letters(14, INK))
        .axis_desc_style(letters(15, INK))
        .draw()?;
    let (left, right) = (horizontal.range().start, horizontal.range().end);
    chart.draw_series([PathElement::new(vec![(left, 0.5), (right, 0.5)], BORDER.stroke_width(2))])?;
    mark_default(&mut chart, axis, &places, &y.0)?;
    let budgets = outcome.sweep.budgets.len();
    for budget in 0..budgets {
        let colour = COLOURS[budget % COLOURS.len()];
        let here = outcome.rows.iter().filter(|row| row.budget == budget);
        let points: Vec<(f64, &Row)> = here
            .clone()
            .filter_map(|row| {
                let values = &outcome.sweep.settings[row.setting].values;
                let place = axis.values.iter().position(|value| values.get(x) == Some(value))?;
                // Bars at the same value stand beside each other.
                let beside = 0.012 * (budget as f64 - (budgets as f64 - 1.0) / 2.0);
                panel.has(values).then(|| (horizontal.shifted(places[place], beside), row))
            })
            .collect();
        for row in here.filter(|row| outcome.sweep.settings[row.setting].values.is_empty()) {
            draw_reference(&mut chart, outcome, row, (left, right), colour)?;
        }
        chart.draw_series(LineSeries::new(
            points.iter().map(|(x, row)| (*x, row.score)),
            colour.mix(0.55).stroke_width(2),
        ))?;
        for (x, row) in &points {
            let bar = row.score_interval;
            let style = colour.stroke_width(2);
            chart.draw_series([PathElement::new(vec![(*x, bar.from), (*x, bar.to)], style)])?;
            let cap = |end| EmptyElement::at((*x, end)) + PathElement::new(vec![(-4, 0), (4, 0)], style);
            chart.draw_series([cap(bar.from), cap(bar.to)])?;
        }
        let places = points.iter().map(|(x, row)| (*x, row.score));
        match Marker::of(budget).corners() {
            None => drop(chart.draw_series(places.map(|place| Circle::new(place, 5, colour.filled())))?),
            Some(corners) => {
                let mark = |place| EmptyElement::at(place) + Polygon::new(corners.clone(), colour.filled());
                chart.draw_series(places.map(mark))?;
            }
        }
    }
    Ok(())
}

type Chart<'a, 'b> = plotters::chart::DualCoordChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<PlotAxis, PlotAxis>,
    Cartesian2d<PlotAxis, PlotAxis>,
>;

/// A dashed line at the parameter's default, if that is on the axis.
fn mark_default(chart: &mut Chart<'_, '_>, axis: &Axis, places: &[f64], y: &PlotAxis) -> Drawing {
    let Some(default) = &axis.default else { return Ok(()) };
    let number = default.parse().ok().filter(|_| axis.scale != AxisScale::Even);
    let place = axis.values.iter().position(|value| value == default).map(|place| places[place]);
    let (least, most) =
        (places.iter().copied().fold(f64::INFINITY, f64::min), places.iter().copied().fold(0.0, f64::max));
    let Some(at) = place.or(number.filter(|number| (least..=most).contains(number))) else { return Ok(()) };
    let (bottom, top) = (y.range().start, y.range().end);
    let line = [(at, bottom), (at, top)];
    chart.draw_series(DashedLineSeries::new(line, 5, 4, QUIET.stroke_width(1)))?;
    let style = letters(14, QUIET).pos(Pos::new(HPos::Left, VPos::Top));
    chart.draw_series([
        EmptyElement::at((at, top)) + Text::new(format!("default {default}"), (5, 4), style)
    ])?;
    Ok(())
}

/// A dashed line at the score of an agent that is not of the grid, and its name.
fn draw_reference(
    chart: &mut Chart<'_, '_>,
    outcome: &SweepResult,
    row: &Row,
    (left, right): (f64, f64),
    colour: RGBColor,
) -> Drawing {
    chart.draw_series(DashedLineSeries::new(
        [(left, row.score), (right, row.score)],
        7,
        5,
        colour.stroke_width(2),
    ))?;
    let name = outcome.sweep.name(row.setting);
    let style = letters(14, colour).pos(Pos::new(HPos::Right, VPos::Bottom));
    chart.draw_series([EmptyElement::at((right, row.score)) + Text::new(name, (-4, -4), style)])?;
    Ok(())
}
