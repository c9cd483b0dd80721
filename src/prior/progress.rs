//! The simplest prior for Halma: the further forward a play goes, the likelier it is.

use super::Prior;
use crate::rules::{Play, Position};
use crate::support::parameters::{Named, number};
use crate::support::spec::SpecError;

crate::parameters! {
    /// The parameters of [`Progress`].
    pub struct ProgressParameters;
    base: f32 = 1.25, number(1.0, 10.0, 0.05),
        "factor by which one more row or column forward makes a play likelier";
}

/// Scores each play by its progress towards the goal's corner, in columns plus rows.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    parameters: ProgressParameters,
}

impl Named for Progress {
    const NAME: &'static str = "progress";
    const ABOUT: &'static str = "the further forward a play goes, the likelier it is";
    type Parameters = ProgressParameters;
    type Context = ();

    fn build(parameters: ProgressParameters, (): ()) -> Result<Progress, SpecError> {
        Ok(Progress { parameters })
    }
}

impl Prior<Position> for Progress {
    fn scores(&mut self, position: &Position, plays: &[Play], scores: &mut Vec<i8>) {
        scores.clear();
        scores.extend(plays.iter().map(|&play| position.progress(play) as i8));
    }

    fn base(&self) -> f32 {
        self.parameters.base
    }
}
