//! The plot of a tuning run: each parameter over the iterations.

use super::file::Tune;
use super::result::{Iteration, Tuned};
use super::spsa::TunedParameter;
use crate::figures::plot::{
    Area, COLOURS, Drawing, FAINT, Figure, INK, PlotAxis, QUIET, frame, letters, picture, plain, round_ticks,
};
use anyhow::{Result, anyhow};
use plotters::prelude::*;

/// The size of a panel, in pixels.
const PANEL: (usize, usize) = (820, 210);
/// The height of a figure in a page.
const FIGURE_HEIGHT: u32 = 240;
/// The most values told in words.
const TOLD: usize = 12;

/// Draws a panel for each parameter, as SVG: its values, and the band of values tried.
///
/// # Errors
/// It can't be drawn.
pub fn draw(tune: &Tune, tuned: &Tuned) -> Result<String> {
    let panels = tune.parameters.len();
    let size = (PANEL.0 as u32 + 32, (PANEL.1 * panels + 90) as u32);
    let subtitle = format!(
        "{}, {} games an iteration, {}; dashed: start, band: values tried",
        tune.agent,
        2 * tune.pairs,
        tune.budget.label()
    );
    picture(size, &tune.title, &subtitle, |area| {
        for (number, (area, parameter)) in
            area.split_evenly((panels, 1)).iter().zip(&tune.parameters).enumerate()
        {
            let cant_draw = |error| anyhow!("can't draw a panel: {error}");
            let change = format!("{}: {} → {}", parameter.name, parameter.start, tuned.values[number]);
            let area = area.titled(&change, letters(17, INK)).map_err(cant_draw)?;
            draw_panel(&area, tuned, number, parameter, number + 1 == panels).map_err(cant_draw)?;
        }
        Ok(())
    })
}

/// The same panels for a page, each by itself.
///
/// # Errors
/// One can't be drawn.
pub fn figures(tune: &Tune, tuned: &Tuned) -> Result<Vec<Figure>> {
    let figure = |(number, parameter): (usize, &TunedParameter)| {
        let svg = plain((Figure::WIDTH, FIGURE_HEIGHT), |area| {
            draw_panel(area, tuned, number, parameter, true)
                .map_err(|error| anyhow!("can't draw a panel: {error}"))
        })?;
        let (name, start, end) = (&parameter.name, parameter.start, tuned.values[number]);
        let every = tuned.steps.len().div_ceil(TOLD).max(1);
        let some = tuned.steps.iter().step_by(every);
        let some = some.map(|step| format!("{:.4} after {}", step.values[number], step.iteration));
        Ok(Figure {
            title: format!("{name}: {start} → {end}"),
            about: "By iteration; dashed: where it began, band: the values tried.".to_string(),
            told: format!(
                "{name} from {start} to {end} in {} iterations: {}",
                tuned.steps.len(),
                some.collect::<Vec<_>>().join(", ")
            ),
            width: Figure::WIDTH,
            svg,
        })
    };
    tune.parameters.iter().enumerate().map(figure).collect()
}

fn draw_panel(
    area: &Area<'_>,
    tuned: &Tuned,
    number: usize,
    parameter: &TunedParameter,
    last: bool,
) -> Drawing {
    let steps = &tuned.steps;
    let iterations = steps.len().max(1) as f64;
    let tried = |step: &Iteration| (step.trial.plus[number], step.trial.minus[number]);
    let ends = steps.iter().flat_map(|step| [tried(step).0, tried(step).1, step.values[number]]);
    let (least, most) =
        ends.fold((parameter.start, parameter.start), |(least, most), end| (least.min(end), most.max(end)));
    let x = PlotAxis::linear(0.0, iterations, round_ticks(0.0, iterations, 8));
    let y = PlotAxis::linear(least, most, round_ticks(least, most, 5)).widened(0.06);
    let colour = COLOURS[number % COLOURS.len()];
    let mut chart = ChartBuilder::on(area)
        .margin_right(16)
        .x_label_area_size(if last { 46 } else { 26 })
        .y_label_area_size(66)
        .build_cartesian_2d(x, y)?;
    frame(&mut chart, (if last { "iteration" } else { "" }, &parameter.name), FAINT)?;
    let place = |step: &Iteration| step.iteration as f64;
    let above = steps.iter().map(|step| (place(step), tried(step).0.max(tried(step).1)));
    let below = steps.iter().rev().map(|step| (place(step), tried(step).0.min(tried(step).1)));
    chart.draw_series([Polygon::new(above.chain(below).collect::<Vec<_>>(), colour.mix(0.13))])?;
    let start = [(0.0, parameter.start), (iterations, parameter.start)];
    chart.draw_series(DashedLineSeries::new(start, 5, 4, QUIET.stroke_width(1)))?;
    let values = steps.iter().map(|step| (place(step), step.values[number]));
    let line = [(0.0, parameter.start)].into_iter().chain(values);
    chart.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
    Ok(())
}
