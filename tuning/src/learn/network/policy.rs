//! A policy network's opinions of boards: the likeliest plays.

use super::{NetworkView, Opinion, Shape};
use crate::play::samples::Sample;
use crate::play::text;
use halma::game::Game;
use halma::network::policy::{HIDDEN, HIDDEN_SCALE, NetworkPrior, PLAY_SCALE, POINT_BITS, PolicyNetwork};
use halma::network::{FEATURES, NetworkError, NetworkFile};
use halma::prior::{Fitted, Prior};
use halma::rules::{Play, Position, colour};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// The number of plays shown for a board.
const SHOWN: usize = 3;

/// One point of the network's scores, in nats.
const POINT: f64 = (1 << POINT_BITS) as f64 / (HIDDEN_SCALE * PLAY_SCALE) as f64;

/// One point of the fitted prior's scores, in nats.
const FITTED_POINT: f64 = 0.3;

/// A policy network's opinion of a board.
#[derive(Debug, Serialize)]
pub struct PolicyOpinion {
    /// The board's file.
    pub board: &'static str,
    /// The side to move.
    pub to_move: &'static str,
    /// The number of legal plays.
    pub legal: usize,
    /// The likeliest plays, with the trained probabilities.
    pub likeliest: Vec<LikelyPlay>,
}

/// A play and its probability.
#[derive(Debug, Serialize)]
pub struct LikelyPlay {
    /// The play.
    #[serde(with = "text")]
    pub play: Play,
    /// Its probability according to the network.
    pub network: f64,
    /// Its probability according to the fitted prior.
    pub fitted: f64,
}

impl NetworkView<PolicyOpinion> {
    /// The view of a policy network.
    ///
    /// # Errors
    /// The network's weights are out of range.
    pub fn of_policy(
        name: String,
        file: NetworkFile<PolicyNetwork>,
    ) -> Result<NetworkView<PolicyOpinion>, NetworkError> {
        let NetworkFile { provenance, network } = file;
        let shape = Shape { features: FEATURES, jump_features: None, hidden_units: HIDDEN, phases: None };
        // Only scores are used, so the base does not matter.
        let mut prior = NetworkPrior::new(network.clone(), 2.0)?;
        let opinion = |Sample { file, position, .. }| opinion(&mut prior, file, &position);
        Ok(NetworkView::of(name, &provenance, shape, (&network.feature_weights, HIDDEN_SCALE), opinion))
    }
}

fn opinion(prior: &mut NetworkPrior, board: &'static str, position: &Position) -> PolicyOpinion {
    let mut plays = Vec::new();
    position.legal_plays(&mut plays);
    let network = probabilities(prior, POINT, position, &plays);
    let fitted = probabilities(&mut Fitted::default(), FITTED_POINT, position, &plays);
    let mut likeliest: Vec<LikelyPlay> = plays
        .iter()
        .zip(network.iter().zip(&fitted))
        .map(|(&play, (&network, &fitted))| LikelyPlay { play, network, fitted })
        .collect();
    likeliest.sort_by(|one, other| other.network.total_cmp(&one.network));
    likeliest.truncate(SHOWN);
    PolicyOpinion { board, to_move: colour(position.to_move()), legal: plays.len(), likeliest }
}

/// The softmax of the scores of `plays`. A point of score is `point` nats.
fn probabilities(
    prior: &mut dyn Prior<Position>,
    point: f64,
    position: &Position,
    plays: &[Play],
) -> Vec<f64> {
    let mut scores = Vec::new();
    prior.scores(position, plays, &mut scores);
    // Subtracting the largest score keeps the exponentials from overflowing.
    let max = scores.iter().copied().max().unwrap_or(0);
    let power = |&score: &i8| (point * (f64::from(score) - f64::from(max))).exp();
    let sum: f64 = scores.iter().map(power).sum();
    scores.iter().map(|score| power(score) / sum).collect()
}

impl Opinion for PolicyOpinion {
    const KIND: Option<&'static str> = Some("a prior: how likely each play is to be the best, before search");
    const HEADING: &'static str = "board        to move  plays  likeliest      network  fitted";
}

impl Display for PolicyOpinion {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (mut board, mut to_move, mut legal) = (self.board, self.to_move, self.legal.to_string());
        for LikelyPlay { play, network, fitted } in &self.likeliest {
            let (play, network, fitted) = (play.to_string(), 100.0 * network, 100.0 * fitted);
            write!(f, "{board:<13}{to_move:<7}  {legal:>5}  {play:<13}  ")?;
            writeln!(f, "{network:>5.1} %  {fitted:>4.1} %")?;
            (board, to_move, legal) = ("", "", String::new());
        }
        Ok(())
    }
}
