//! The plots of a sweep.

mod curves;
mod heat;

use super::result::SweepResult;
use crate::figures::plot::Plot;

/// The plots of `outcome` and the names of their files: `score.svg` always, `heat.svg` if there are two parameters
/// and both are numbers, `matrix.svg` if the settings play each other.
pub fn plots(outcome: &SweepResult) -> Vec<(&'static str, Plot)> {
    let sweep = &outcome.sweep;
    let mut plots = vec![("score.svg", curves::plot(outcome))];
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
