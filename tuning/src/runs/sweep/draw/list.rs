//! Scores of settings without a numeric order: their specs one below another, best first.

use super::super::result::{SweepResult, SweepRow};
use crate::figures::plot::{BORDER, Chart, Figure, INK, Layer, Panel, Plot, PlotAxis, curve_colour};

/// The height of a setting in pixels: its spec, and its scores below it.
const LINE: u32 = 46;
/// The share of that height that the spec takes.
const SPEC: f64 = 0.45;

/// The plot of `outcome`, its settings ordered by their scores at the first budget.
pub(super) fn plot(outcome: &SweepResult) -> Plot {
    let sweep = &outcome.sweep;
    let mut order: Vec<&SweepRow> = outcome.rows.iter().filter(|row| row.budget == 0).collect();
    order.sort_by(|one, other| other.score.total_cmp(&one.score));
    let budgets = sweep.budgets.len();
    let top = order.len() as f64;
    let x = super::percents(outcome);
    let mut layers = vec![Layer::Line(vec![(0.5, 0.0), (0.5, top)], BORDER)];
    let mut markers = vec![Vec::new(); budgets];
    for (place, setting) in order.iter().enumerate() {
        let above = top - place as f64;
        layers.push(Layer::Beside((x.start(), above), sweep.settings[setting.setting].spec.clone(), INK));
        for row in outcome.rows.iter().filter(|row| row.setting == setting.setting) {
            let y = above - SPEC - (1.0 - SPEC) * (row.budget as f64 + 0.5) / budgets as f64;
            let interval = [(row.score_interval.from, y), (row.score_interval.to, y)];
            layers.push(Layer::Intervals(vec![interval], curve_colour(row.budget)));
            markers[row.budget].push((row.score, y));
        }
    }
    layers.extend(markers.into_iter().enumerate().map(|(budget, points)| Layer::Markers(points, budget)));
    let y = PlotAxis::linear(0.0, top, Vec::new());
    let chart = Chart { label_width: 0, ..Chart::new(x, y, ("score", ""), layers) };
    let rows: Vec<&SweepRow> = outcome.rows.iter().collect();
    let panel = Panel { title: String::new(), description: super::description(outcome, &rows), chart };
    let height = LINE * order.len() as u32 + 60;
    Plot { panels: vec![panel], ..super::scores(outcome, (760, height), (2 * Figure::WIDTH, height)) }
}
