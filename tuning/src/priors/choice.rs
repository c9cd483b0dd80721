//! A choice among plays, as the regression needs it.

use halma::prior::Features;
use halma::rules::{Play, Position};

/// The features of all plays of a position, and which play was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The number of its pair of games in its run.
    pub pair: u64,
    /// The features of all plays, play by play.
    features: Vec<u16>,
    /// How many features each play has: the first is always of one table, the second of another …
    per_play: usize,
    /// The number of the chosen play.
    best: usize,
}

impl Choice {
    /// The choice of number `best` among `plays`, each of which is its list of features.
    ///
    /// # Panics
    /// `best` is not the number of one of the plays, or one has more features than another.
    pub fn new<F: AsRef<[u16]>>(pair: u64, plays: &[F], best: usize) -> Choice {
        let per_play = plays[best].as_ref().len();
        assert!(plays.iter().all(|play| play.as_ref().len() == per_play), "plays differ in kind");
        let features = plays.iter().flat_map(|play| play.as_ref().iter().copied()).collect();
        Choice { pair, features, per_play, best }
    }

    /// The choice of number `best` among the plays `plays` of `position`.
    ///
    /// # Panics
    /// `best` is not the number of one of the plays.
    pub fn of_plays(pair: u64, position: &Position, plays: &[Play], best: usize) -> Choice {
        let features = Features::new(position);
        let of_play = |&play: &Play| features.of(play).map(|feature| feature as u16);
        Choice::new(pair, &plays.iter().map(of_play).collect::<Vec<_>>(), best)
    }

    /// The features of each play in turn.
    pub fn plays(&self) -> impl Iterator<Item = impl Iterator<Item = usize>> {
        self.features.chunks_exact(self.per_play).map(|play| play.iter().copied().map(usize::from))
    }

    /// The features of the chosen play.
    pub fn chosen(&self) -> impl Iterator<Item = usize> {
        let begin = self.best * self.per_play;
        self.features[begin..begin + self.per_play].iter().copied().map(usize::from)
    }

    /// The number of the chosen play.
    pub fn best(&self) -> usize {
        self.best
    }
}

/// The probabilities of `scores`, in nats: `P ∝ e^score`.
pub fn softmax(mut scores: Vec<f64>) -> Vec<f64> {
    // Subtracting the greatest keeps the powers from overflowing.
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    scores.iter_mut().for_each(|score| *score = (*score - most).exp());
    let sum: f64 = scores.iter().sum();
    scores.iter_mut().for_each(|power| *power /= sum);
    scores
}
