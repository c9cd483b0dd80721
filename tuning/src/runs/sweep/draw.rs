//! The plots of a sweep.

mod curves;
mod heat;
mod list;

use super::result::{SweepResult, SweepRow};
use crate::figures::plot::{Plot, PlotAxis};

/// The plots of `outcome` and the names of their files: `score.svg` always, `heat.svg` if there are two parameters
/// and both are numbers, `matrix.svg` if the settings play each other.
pub fn plots(outcome: &SweepResult) -> Vec<(&'static str, Plot)> {
    let sweep = &outcome.sweep;
    // If there is no parameter to draw a curve over, the settings are listed.
    let has_curve = sweep.axes.iter().any(|axis| axis.values.len() > 1 && axis.numbers().is_some());
    let score = if has_curve { curves::plot(outcome) } else { list::plot(outcome) };
    let mut plots = vec![("score.svg", score)];
    if let [x, y] = &sweep.axes[..]
        && x.numbers().is_some()
        && y.numbers().is_some()
    {
        plots.push(("heat.svg", heat::grid(outcome, [x, y])));
    }
    if sweep.opponent.is_none() {
        plots.push(("matrix.svg", heat::matrix(outcome)));
    }
    plots
}

/// A plot of scores at each budget, still without panels. `panel` and `figure` are the sizes of a panel in a picture
/// and in a page.
fn scores(outcome: &SweepResult, panel: (u32, u32), figure: (u32, u32)) -> Plot {
    let sweep = &outcome.sweep;
    let opponent = sweep.opponent.as_deref().unwrap_or("each other");
    let curve = |budget: usize| {
        let games = outcome.rows.iter().find(|row| row.budget == budget).map_or(0, |row| row.games);
        format!("{}, {games} games per point", sweep.budgets[budget].limit.label())
    };
    Plot {
        title: sweep.title.clone(),
        subtitle: format!("Score against {opponent} at the same budget; bars: 95 % intervals."),
        curves: (0..sweep.budgets.len()).map(curve).collect(),
        panel,
        figure,
        columns: 1,
        panels: Vec::new(),
    }
}

/// The scores of `rows` in words.
fn description(outcome: &SweepResult, rows: &[&SweepRow]) -> String {
    let sweep = &outcome.sweep;
    let describe = |row: &&SweepRow| {
        let (name, limit) = (sweep.name(row.setting), sweep.budgets[row.budget].limit.label());
        let [score, from, to] =
            [row.score, row.score_interval.from, row.score_interval.to].map(|share| 100.0 * share);
        format!("{name} with {limit}: {score:.1} %, {from:.1} to {to:.1} %")
    };
    rows.iter().map(describe).collect::<Vec<_>>().join("; ")
}

/// An axis in per cent of the points: it covers all intervals and a score of ½.
fn percents(outcome: &SweepResult) -> PlotAxis {
    let ends = outcome.rows.iter().flat_map(|row| [row.score_interval.from, row.score_interval.to]);
    let (least, most) = ends.fold((0.45f64, 0.55f64), |(least, most), end| (least.min(end), most.max(end)));
    let (from, to) = ((least - 0.02).max(-0.02), (most + 0.02).min(1.02));
    let step = if to - from > 0.45 { 10 } else { 5 };
    let ticks = (0..=100).step_by(step).map(|percent| (f64::from(percent) / 100.0, format!("{percent} %")));
    PlotAxis::linear(from, to, ticks.filter(|tick| from <= tick.0 && tick.0 <= to).collect())
}
