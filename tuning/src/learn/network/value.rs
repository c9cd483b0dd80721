//! A value network's opinions of boards.

use super::{NetworkView, Opinion, Shape};
use crate::play::samples::Sample;
use halma::evaluation::{Evaluation, Fitted, squash};
use halma::game::Game;
use halma::network::value::{
    BUCKETS, FEATURE_SCALE, HIDDEN, JUMP_FEATURES, NetworkEvaluation, ValueNetwork, bucket,
};
use halma::network::{FEATURES, NetworkError, NetworkFile};
use halma::rules::colour;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// A value network's opinion of a board, for the side to move.
#[derive(Debug, Serialize)]
pub struct ValueOpinion {
    /// The board's file.
    pub board: &'static str,
    /// The side to move.
    pub to_move: &'static str,
    /// The phase, from 0 at the end of the game to 7 at its start.
    pub phase: usize,
    /// The fitted evaluation's value, −1…+1.
    pub fitted: f32,
    /// The network's correction of the fitted score.
    pub correction: f32,
    /// The corrected value, −1…+1.
    pub value: f32,
}

impl NetworkView<ValueOpinion> {
    /// The view of a value network.
    ///
    /// # Errors
    /// The network's weights are out of range.
    pub fn of_value(
        name: String,
        file: NetworkFile<ValueNetwork>,
    ) -> Result<NetworkView<ValueOpinion>, NetworkError> {
        let NetworkFile { provenance, network } = file;
        let shape = Shape {
            features: FEATURES,
            jump_features: Some(JUMP_FEATURES),
            hidden_units: HIDDEN,
            phases: Some(BUCKETS),
        };
        let mut evaluation = NetworkEvaluation::new(network.clone())?;
        let opinion = |Sample { file, position, .. }| {
            let mover = position.to_move();
            let (fitted, correction) = (Fitted.score(&position, mover), evaluation.correction(&position));
            ValueOpinion {
                board: file,
                to_move: colour(mover),
                phase: bucket(&position),
                fitted: squash(fitted).get(),
                correction,
                value: squash(fitted + correction).get(),
            }
        };
        Ok(NetworkView::of(name, &provenance, shape, (&network.feature_weights, FEATURE_SCALE), opinion))
    }
}

impl Opinion for ValueOpinion {
    const KIND: Option<&'static str> = None;
    const HEADING: &'static str = "board        to move  phase  fitted  correction   value";
}

impl Display for ValueOpinion {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ValueOpinion { board, to_move, phase, fitted, correction, value } = self;
        write!(f, "{board:<13}{to_move:<7}  {phase:>5}  ")?;
        writeln!(f, "{fitted:>+6.3}  {correction:>+10.3}  {value:>+6.3}")
    }
}
