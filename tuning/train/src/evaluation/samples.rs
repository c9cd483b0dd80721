//! Positions of recorded games, with what searches found them to be worth.

use crate::samples::{PROVED, Sample, Samples, Squares, position, squares};
use crate::trainee::{Mean, Measures};
use anyhow::Result;
use halma::evaluation::network::{Network, NetworkError, NetworkEvaluation, bucket};
use halma::evaluation::{Evaluation, Fitted, squash};
use halma::game::Game;
use halma::rules::{BLACK, Position};
use halma_lab::fit::games::Drawn;
use halma_lab::matches::NotedPlay;
use serde::Serialize;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;

/// What samples are made of.
#[derive(clap::Args, Clone, Copy, Debug, Serialize)]
pub struct Choice {
    /// How much a position counts that a search looked into but did not go to, for one of the game; runs hold the
    /// value that the search found it to have. 0 leaves them out.
    #[arg(long, default_value_t = 0.3, value_name = "WEIGHT", value_parser = share)]
    sidelines: f32,
    /// How much of a target is the result of the game, 0…1; the rest is the search's value.
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    results: f32,
}

fn share(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_string()),
    }
}

/// A position and what it is worth to the player to move.
#[derive(Clone, Copy, Debug)]
pub struct ValueSample {
    /// Where the pieces stand.
    pub squares: Squares,
    /// The phase of the game: which output of the network speaks.
    pub bucket: u8,
    /// The fitted score, which the network adds to.
    pub score: f32,
    /// What the network should learn, −1…+1.
    pub target: f32,
    /// How much it counts.
    pub weight: f32,
}

impl ValueSample {
    /// The position seen by its player to move.
    fn of(position: &Position, target: f32, weight: f32) -> ValueSample {
        let score = Fitted.score(position, position.to_move());
        ValueSample { squares: squares(position), bucket: bucket(position) as u8, score, target, weight }
    }
}

impl Hash for ValueSample {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let ValueSample { squares, bucket, score, target, weight } = self;
        (squares, bucket, [score, target, weight].map(|number| number.to_bits())).hash(hasher);
    }
}

impl Sample for ValueSample {
    fn squares(&self) -> &Squares {
        &self.squares
    }

    fn weight(&self) -> f32 {
        self.weight
    }
}

/// The samples of the decided games in `runs` and below, without forced plays.
///
/// Those to test on are without sidelines, and of values of searches alone: so errors can be compared whatever the
/// [`Choice`].
///
/// # Errors
/// Those of [`Samples::load`].
pub fn load(runs: &[PathBuf], choice: &Choice) -> Result<Samples<ValueSample>> {
    Samples::load(runs, |drawn, to_test, samples| {
        let Drawn { record, decision, position, .. } = *drawn;
        let (value, candidates) = (record.values[decision], &record.candidates[decision]);
        if candidates.len() < 2 {
            return;
        }
        if to_test {
            samples.push(ValueSample::of(&position, value, 1.0));
            return;
        }
        let result = if record.winner == Some(record.decider(decision)) { 1.0 } else { -1.0 };
        samples.push(ValueSample::of(&position, value + choice.results * (result - value), 1.0));
        if choice.sidelines == 0.0 {
            return;
        }
        for &NotedPlay(play, _, value) in candidates {
            let mut after = position;
            after.play(play);
            if play != record.plays[decision] && value.abs() <= PROVED && after.outcome().is_none() {
                samples.push(ValueSample::of(&after, -value, choice.sidelines));
            }
        }
    })
}

/// The mean squared error of the fitted evaluation.
pub fn error_of_fitted(samples: &[ValueSample]) -> Measures {
    error(samples, |sample| squash(sample.score).get())
}

/// The mean squared error of `network`, computed as in play.
///
/// # Errors
/// The engine refuses the network.
pub fn error_of(network: &Network, samples: &[ValueSample]) -> Result<Measures, NetworkError> {
    let mut evaluation = NetworkEvaluation::new(network)?;
    Ok(error(samples, |sample| squash(evaluation.score(&position(&sample.squares), BLACK)).get()))
}

fn error(samples: &[ValueSample], mut value: impl FnMut(&ValueSample) -> f32) -> Measures {
    let mut mean = Mean::default();
    for sample in samples {
        mean.add([f64::from(value(sample) - sample.target).powi(2), 0.0], 1.0);
    }
    mean.get()
}
