//! The plot of a tuning run: each parameter over the iterations.

use super::file::Tune;
use super::result::{Iteration, Tuned};
use crate::figures::plot::{Chart, Figure, Layer, Panel, Plot, PlotAxis, QUIET, curve_colour};

/// The maximum number of iterations listed in a panel's description.
const MAX_DESCRIBED: usize = 12;

/// A panel for each parameter: its values, and the band of values tried.
pub fn plot(tune: &Tune, tuned: &Tuned) -> Plot {
    let (games, limit) = (2 * tune.pairs, tune.budget.label());
    let panel = |number: usize| {
        let (name, start, end) = (&tuned.parameters[number], tuned.start[number], tuned.values[number]);
        let step = tuned.steps.len().div_ceil(MAX_DESCRIBED).max(1);
        let some = tuned.steps.iter().step_by(step);
        let some = some.map(|step| format!("{:.4} after {}", step.values[number], step.iteration));
        let description = format!(
            "{name} from {start} to {end} in {} iterations: {}",
            tuned.steps.len(),
            some.collect::<Vec<_>>().join(", ")
        );
        Panel { title: format!("{name}: {start} → {end}"), description, chart: chart(tuned, number) }
    };
    Plot {
        title: tune.title.clone(),
        subtitle: format!(
            "{}, {games} games per iteration, {limit}; dashed: start; band: values tried",
            tune.agent
        ),
        curves: Vec::new(),
        panel: (820, 210),
        figure: (Figure::WIDTH, 240),
        columns: 1,
        panels: (0..tune.parameters.len()).map(panel).collect(),
    }
}

fn chart(tuned: &Tuned, number: usize) -> Chart {
    let (steps, start) = (&tuned.steps, tuned.start[number]);
    let iterations = steps.len().max(1) as f64;
    let tried = |step: &Iteration| {
        let (one, other) = (step.opposites.plus[number], step.opposites.minus[number]);
        (one.min(other), one.max(other))
    };
    let at = |step: &Iteration, value: f64| (step.iteration as f64, value);
    let line = steps.iter().map(|step| at(step, step.values[number]));
    let line: Vec<_> = [(0.0, start)].into_iter().chain(line).collect();
    let above = steps.iter().map(|step| at(step, tried(step).1));
    let below = steps.iter().rev().map(|step| at(step, tried(step).0));
    let band: Vec<_> = above.chain(below).collect();
    let all = line.iter().chain(&band).map(|point| point.1);
    let (low, high) = all.fold((start, start), |(low, high), value| (low.min(value), high.max(value)));
    let colour = curve_colour(number);
    let layers = vec![
        Layer::Band(band, colour),
        Layer::Dashes(vec![(0.0, start), (iterations, start)], QUIET),
        Layer::Line(line, colour),
    ];
    let y = PlotAxis::round(low, high, 5).widened(0.06);
    Chart::new(PlotAxis::round(0.0, iterations, 8), y, ("iteration", &tuned.parameters[number]), layers)
}
