//! Scores against a parameter: a panel for each value of the other parameter, a curve for each budget.

use super::super::axis::{Axis, AxisScale};
use super::super::result::{SweepResult, SweepRow};
use crate::figures::plot::{BORDER, Chart, Figure, Layer, Panel, Plot, PlotAxis, Point, QUIET, curve_colour};
use crate::stats::score_of_elo;

/// The Elo differences that the right axis may show, most important first.
const ELO_TICKS: [i32; 19] =
    [0, -100, 100, -200, 200, -400, 400, -50, 50, -300, 300, -150, 150, -20, 20, -800, 800, -600, 600];

/// The plot of `outcome`.
pub(super) fn plot(outcome: &SweepResult) -> Plot {
    Plot { columns: 3, panels: panels(outcome), ..super::scores(outcome, (470, 372), (Figure::WIDTH, 290)) }
}

/// A panel for each value of the other parameter. The horizontal axis shows the first parameter, unless the second is
/// numeric, and the first is not or has only one value.
fn panels(outcome: &SweepResult) -> Vec<Panel> {
    let sweep = &outcome.sweep;
    let [first, second] = &sweep.axes[..] else {
        return vec![panel(outcome, 0, String::new(), |_| true)];
    };
    let x = usize::from(second.numbers().is_some() && (first.numbers().is_none() || first.values.len() == 1));
    let other = &sweep.axes[1 - x];
    let of_value = |value: &String| {
        let default = if other.default.as_ref() == Some(value) { " (default)" } else { "" };
        let title = format!("{} = {value}{default}", other.parameter);
        // A setting outside the grid appears in all panels.
        panel(outcome, x, title, |values| values.get(1 - x).is_none_or(|its| its == value))
    };
    other.values.iter().map(of_value).collect()
}

/// The panel of the settings whose values satisfy `fits`, with parameter number `x` on the horizontal axis.
fn panel(outcome: &SweepResult, x: usize, title: String, fits: impl Fn(&[String]) -> bool) -> Panel {
    let sweep = &outcome.sweep;
    let rows: Vec<&SweepRow> =
        outcome.rows.iter().filter(|row| fits(&sweep.settings[row.setting].values)).collect();
    let description = super::description(outcome, &rows);
    Panel { title, description, chart: chart(outcome, x, &rows) }
}

fn chart(outcome: &SweepResult, x: usize, rows: &[&SweepRow]) -> Chart {
    let sweep = &outcome.sweep;
    let axis = &sweep.axes[x];
    let (horizontal, places) = horizontal(axis);
    let (percents, elos) = scores(outcome);
    let (left, right) = (horizontal.start(), horizontal.end());
    let mut layers = vec![Layer::Line(vec![(left, 0.5), (right, 0.5)], BORDER)];
    layers.extend(mark_default(axis, &places, &percents).into_iter().flatten());
    for budget in 0..sweep.budgets.len() {
        // Intervals at the same value are drawn side by side.
        let beside = 0.012 * (budget as f64 - (sweep.budgets.len() as f64 - 1.0) / 2.0);
        let place = |row: &SweepRow| {
            let value = sweep.settings[row.setting].values.get(x)?;
            let place = axis.values.iter().position(|one| one == value)?;
            Some(horizontal.shifted(places[place], beside))
        };
        let here = rows.iter().filter(|row| row.budget == budget);
        let mut points: Vec<(f64, &SweepRow)> =
            here.clone().filter_map(|row| Some((place(row)?, *row))).collect();
        points.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let colour = curve_colour(budget);
        for row in here.filter(|row| sweep.settings[row.setting].values.is_empty()) {
            layers.push(Layer::Dashes(vec![(left, row.score), (right, row.score)], colour));
            layers.push(Layer::Before((right, row.score), sweep.name(row.setting), colour));
        }
        let scores: Vec<Point> = points.iter().map(|(x, row)| (*x, row.score)).collect();
        let interval =
            |&(x, row): &(f64, &SweepRow)| [(x, row.score_interval.from), (x, row.score_interval.to)];
        layers.push(Layer::Line(scores.clone(), colour));
        layers.push(Layer::Intervals(points.iter().map(interval).collect(), colour));
        layers.push(Layer::Markers(scores, budget));
    }
    let log = if axis.scale == AxisScale::Log { " (log scale)" } else { "" };
    let name = format!("{}{log}", axis.parameter);
    let chart = Chart::new(horizontal, percents, (&name, "score"), layers);
    Chart { right: Some((elos, "Elo difference")), ..chart }
}

/// A dashed line at the parameter's default, if that is on the axis.
fn mark_default(axis: &Axis, places: &[f64], y: &PlotAxis) -> Option<[Layer; 2]> {
    let default = axis.default.as_ref()?;
    let number = default.parse().ok().filter(|_| axis.scale != AxisScale::Even);
    let place = axis.values.iter().position(|value| value == default).map(|place| places[place]);
    let (low, high) = ends(places);
    let at = place.or(number.filter(|number| (low..=high).contains(number)))?;
    Some([
        Layer::Dashes(vec![(at, y.start()), (at, y.end())], QUIET),
        Layer::Beside((at, y.end()), format!("default {default}"), QUIET),
    ])
}

/// The least and the greatest of `numbers`.
fn ends(numbers: &[f64]) -> (f64, f64) {
    let far = (f64::INFINITY, f64::NEG_INFINITY);
    numbers.iter().fold(far, |(low, high), &number| (low.min(number), high.max(number)))
}

/// The horizontal axis, and the position of each value on it.
fn horizontal(axis: &Axis) -> (PlotAxis, Vec<f64>) {
    let places: Vec<f64> = match axis.numbers() {
        Some(numbers) if axis.scale != AxisScale::Even => numbers,
        _ => (0..axis.values.len()).map(|place| place as f64).collect(),
    };
    let (least, most) = ends(&places);
    let mut ticks: Vec<(f64, String)> = places.iter().copied().zip(axis.values.iter().cloned()).collect();
    ticks.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let plot_axis = match axis.scale {
        AxisScale::Linear => PlotAxis::linear(least, most, Vec::new()),
        AxisScale::Log => PlotAxis::log(least, most, Vec::new()),
        AxisScale::Even => return (PlotAxis::even(axis.values.clone()), places),
    };
    // A label that would touch the previous one is left out.
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
    ticks.retain(apart);
    let plot_axis = match axis.scale {
        AxisScale::Log => PlotAxis::log(least, most, ticks),
        _ => PlotAxis::linear(least, most, ticks),
    };
    (plot_axis.widened(0.06), places)
}

/// The vertical axis in per cent of the points and in Elo.
fn scores(outcome: &SweepResult) -> (PlotAxis, PlotAxis) {
    let percents = super::percents(outcome);
    let (from, to) = (percents.start(), percents.end());
    let mut elos: Vec<(f64, String)> = Vec::new();
    for elo in ELO_TICKS {
        let score = score_of_elo(f64::from(elo));
        let room = 0.055 * (to - from);
        let near = elos.iter().any(|(tick, _)| (tick - score).abs() < room);
        if from <= score && score <= to && !near {
            elos.push((score, if elo == 0 { "0".to_string() } else { format!("{elo:+}").replace('-', "−") }));
        }
    }
    (percents, PlotAxis::linear(from, to, elos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ticks_of_an_axis_do_not_depend_on_the_order_of_its_values() {
        for scale in [AxisScale::Linear, AxisScale::Log] {
            let axis = |values: [&str; 3]| {
                let values = values.map(str::to_string).to_vec();
                horizontal(&Axis { parameter: "c".to_string(), values, scale, default: None })
            };
            let ((rising, _), (falling, places)) = (axis(["0.5", "1", "2"]), axis(["2", "1", "0.5"]));
            assert_eq!(rising, falling);
            assert_eq!(places, [2.0, 1.0, 0.5]);
        }
    }
}
