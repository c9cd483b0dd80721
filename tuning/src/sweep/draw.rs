//! The plots of a sweep.

mod curves;
mod heat;

use super::result::SweepResult;
use anyhow::Result;

/// The plots of `outcome`, as names of files and SVG texts: `score.svg` always; `heat.svg` if both
/// parameters are numbers; `matrix.svg` if all play each other.
///
/// # Errors
/// One can't be drawn.
pub fn draw(outcome: &SweepResult) -> Result<Vec<(&'static str, String)>> {
    let mut plots = vec![("score.svg", curves::draw(outcome)?)];
    let axes = &outcome.sweep.axes;
    if axes.len() == 2 && axes.iter().all(|axis| axis.numbers().is_some()) {
        plots.push(("heat.svg", heat::grid(outcome)?));
    }
    if outcome.sweep.opponent.is_none() {
        plots.push(("matrix.svg", heat::matrix(outcome)?));
    }
    Ok(plots)
}
