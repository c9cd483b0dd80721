//! A network of priors shown to people: where it comes from, what its squares weigh, and which plays it likes on the
//! sample boards.

use super::{digits, printable, weights_of_squares};
use crate::play::samples::samples;
use crate::play::text;
use halma::game::Game;
use halma::network::policy::{HIDDEN, HIDDEN_SCALE, NetworkPrior, PLAY_SCALE, POINT_BITS, PolicyNetwork};
use halma::network::{FEATURES, NetworkError};
use halma::prior::{Fitted, Prior};
use halma::rules::{BLACK, Play, Position, WHITE, colour};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// How many plays of a board are shown.
const SHOWN: usize = 3;

/// What there is to say about a network of priors.
#[derive(Debug, Serialize)]
pub struct PriorView {
    /// The file.
    pub file: String,
    /// How it was made.
    pub provenance: String,
    /// How many inputs and hidden units it has.
    pub shape: Shape,
    /// What a piece of the mover weighs on each square, row by row from the top, as for a network of evaluations.
    pub own: Vec<Vec<f64>>,
    /// The same for a piece of the opponent.
    pub opposing: Vec<Vec<f64>>,
    /// What it thinks of the course's sample boards.
    pub boards: Vec<Opinion>,
}

/// The sizes of a network.
#[derive(Debug, Serialize)]
pub struct Shape {
    /// Inputs: own and opposing pieces on each square.
    pub features: usize,
    /// Units of the hidden layer.
    pub hidden_units: usize,
}

/// What a network thinks of a board.
#[derive(Debug, Serialize)]
pub struct Opinion {
    /// The board's file.
    pub board: &'static str,
    /// Who is to move.
    pub to_move: &'static str,
    /// How many legal plays there are.
    pub legal: usize,
    /// The likeliest plays, with their probabilities as they were trained.
    pub likeliest: Vec<LikelyPlay>,
}

/// A play and how likely it is.
#[derive(Debug, Serialize)]
pub struct LikelyPlay {
    /// The play.
    #[serde(with = "text")]
    pub play: Play,
    /// Its probability by the network.
    pub network: f64,
    /// Its probability by the fitted prior, as it was fitted.
    pub fitted: f64,
}

impl PriorView {
    /// What there is to say about `network`, which is in `file`.
    ///
    /// # Errors
    /// The network can't be used.
    pub fn new(file: String, network: &PolicyNetwork) -> Result<PriorView, NetworkError> {
        // Its scores are asked for, not the probabilities that a search makes of them: any base will do.
        let mut prior = NetworkPrior::new(network, 2.0)?;
        let boards = samples().map(|sample| opinion(&mut prior, sample.file, &sample.position));
        let weights = |side| weights_of_squares(&network.feature_weights, side, HIDDEN_SCALE);
        Ok(PriorView {
            file,
            provenance: network.provenance.clone(),
            shape: Shape { features: FEATURES, hidden_units: HIDDEN },
            own: weights(BLACK),
            opposing: weights(WHITE),
            boards: boards.into(),
        })
    }
}

fn opinion(prior: &mut NetworkPrior, board: &'static str, position: &Position) -> Opinion {
    /// A point of the network's scores, in nats.
    const POINT: f64 = (1 << POINT_BITS) as f64 / (HIDDEN_SCALE * PLAY_SCALE) as f64;
    /// One of the fitted prior's.
    const FITTED_POINT: f64 = 0.3;
    let mut plays = Vec::new();
    position.legal_plays(&mut plays);
    let chances = |prior: &mut dyn Prior<Position>, point: f64| {
        let mut scores = Vec::new();
        prior.scores(position, &plays, &mut scores);
        softmax(scores.into_iter().map(|score| f64::from(score) * point).collect())
    };
    let network = chances(prior, POINT);
    let fitted = chances(&mut Fitted::default(), FITTED_POINT);
    let mut order: Vec<usize> = (0..plays.len()).collect();
    order.sort_by(|&one, &other| network[other].total_cmp(&network[one]));
    let likely =
        |&place: &usize| LikelyPlay { play: plays[place], network: network[place], fitted: fitted[place] };
    Opinion {
        board,
        to_move: colour(position.to_move()),
        legal: plays.len(),
        likeliest: order.iter().take(SHOWN).map(likely).collect(),
    }
}

impl Display for PriorView {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let PriorView { file, provenance, shape, own, opposing, boards } = self;
        writeln!(
            f,
            "file         {file}\nkind         a prior: how likely plays are the best, before search"
        )?;
        let mut label = "provenance";
        for line in if provenance.is_empty() { "not told" } else { provenance }.lines() {
            writeln!(f, "{label:<13}{}", printable(line))?;
            label = "";
        }
        let Shape { features, hidden_units } = shape;
        writeln!(f, "shape        {features} features, {hidden_units} hidden units")?;
        let most = own.iter().chain(opposing).flatten().copied().fold(0.0, f64::max);
        writeln!(
            f,
            "\nWhat a piece weighs: the root mean square of its square's weights; 9 is {most:.3} of"
        )?;
        writeln!(f, "what fills a hidden unit. The mover travels from the top left to the bottom right.\n")?;
        writeln!(f, "{:<36}opposing pieces", "own pieces")?;
        for (own, opposing) in own.iter().zip(opposing) {
            writeln!(f, "{}     {}", digits(own, most), digits(opposing, most))?;
        }
        writeln!(f, "\nboard        to move  plays  likeliest      network  fitted")?;
        for Opinion { board, to_move, legal, likeliest } in boards {
            let (mut board, mut to_move, mut legal) = (*board, *to_move, legal.to_string());
            for LikelyPlay { play, network, fitted } in likeliest {
                let [network, fitted] = [network, fitted].map(|chance| 100.0 * chance);
                writeln!(
                    f,
                    "{board:<13}{to_move:<7}  {legal:>5}  {:<13}  {network:>5.1} %  {fitted:>4.1} %",
                    play.to_string()
                )?;
                (board, to_move, legal) = ("", "", String::new());
            }
        }
        Ok(())
    }
}

/// The probabilities of `scores`, in nats: `P ∝ e^score`.
fn softmax(mut scores: Vec<f64>) -> Vec<f64> {
    // Subtracting the greatest keeps the powers from overflowing.
    let greatest = scores.iter().copied().fold(f64::MIN, f64::max);
    scores.iter_mut().for_each(|score| *score = (*score - greatest).exp());
    let sum: f64 = scores.iter().sum();
    scores.iter_mut().for_each(|power| *power /= sum);
    scores
}
