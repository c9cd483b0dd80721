//! The plots of a sweep.

mod curves;
mod heat;

use super::result::SweepResult;
use crate::figures::plot::Figure;
use anyhow::Result;

/// The plots of `outcome`, as names of files and SVG texts: `score.svg` always; `heat.svg` if both
/// parameters are numbers; `matrix.svg` if all play each other.
///
/// # Errors
/// One can't be drawn.
pub fn draw(outcome: &SweepResult) -> Result<Vec<(&'static str, String)>> {
    let mut plots = vec![("score.svg", curves::draw(outcome)?)];
    if has_grid(outcome) {
        plots.push(("heat.svg", heat::grid(outcome)?));
    }
    if outcome.sweep.opponent.is_none() {
        plots.push(("matrix.svg", heat::matrix(outcome)?));
    }
    Ok(plots)
}

/// The same plots for a page, each panel by itself.
///
/// # Errors
/// One can't be drawn.
pub fn figures(outcome: &SweepResult) -> Result<Vec<Figure>> {
    let mut figures = curves::figures(outcome)?;
    if has_grid(outcome) {
        figures.extend(heat::grid_figures(outcome)?);
    }
    if outcome.sweep.opponent.is_none() {
        figures.extend(heat::matrix_figures(outcome)?);
    }
    Ok(figures)
}

/// Whether there are two parameters, and both are numbers.
fn has_grid(outcome: &SweepResult) -> bool {
    let axes = &outcome.sweep.axes;
    axes.len() == 2 && axes.iter().all(|axis| axis.numbers().is_some())
}
