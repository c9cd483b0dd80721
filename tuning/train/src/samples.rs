//! Positions of recorded games, with what searches found them to be worth.

use crate::provenance::Counts;
use anyhow::{Result, ensure};
use halma::evaluation::network::{Network, NetworkError, NetworkEvaluation, bucket};
use halma::evaluation::{Evaluation, Fitted, squash};
use halma::game::{Game, Player};
use halma::rules::{BLACK, Bitboard, PIECES, Position, Rules, Square};
use halma_lab::fit::games::{Drawn, each};
use halma_lab::matches::NotedPlay;
use serde::Serialize;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// One pair of games in this many is kept apart, to test on.
pub const KEPT_APART: u64 = 20;

/// A game's last decisions, this many, are left out: a win at once needs no evaluation.
pub const LAST: usize = 2;

/// A value this close to ±1 is a proof.
pub const PROVED: f32 = 0.999;

/// What samples are made of.
#[derive(clap::Args, Clone, Copy, Debug, Serialize)]
pub struct Choice {
    /// How much a position counts that a search looked into but did not go to, for one of the game; runs hold the
    /// value that the search found it to have. 0 leaves them out.
    #[arg(long, default_value_t = 0.3, value_name = "WEIGHT", value_parser = share)]
    pub sidelines: f32,
    /// How much of a target is the result of the game, 0…1; the rest is the search's value.
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    pub results: f32,
}

fn share(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_string()),
    }
}

/// A position and what it is worth, both seen by the player to move. The board is turned so that it travels as
/// Black does.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The numbers of the squares with the mover's pieces, then of those with the opponent's.
    pub squares: [[u8; PIECES as usize]; 2],
    /// The phase of the game: which output of the network speaks.
    pub bucket: u8,
    /// The fitted score, which the network adds to.
    pub score: f32,
    /// What the network should learn, −1…+1.
    pub target: f32,
    /// How much it counts.
    pub weight: f32,
}

/// Samples to train on, and those of games kept apart to test on.
#[derive(Debug, Default)]
pub struct Samples {
    /// To train on.
    pub train: Vec<Sample>,
    /// To test on: no sidelines, and values of searches alone, so that errors can be compared whatever the
    /// [`Choice`].
    pub test: Vec<Sample>,
}

impl Samples {
    /// The samples of the decided games in `folders` and below.
    ///
    /// Left out are positions that the race player decided, whose values are no tree search's; forced plays; agents
    /// that do not search; openings, in which nobody decided; proofs; and the last two decisions of a game.
    ///
    /// # Errors
    /// A folder without a run, or a broken one; or too few games to train on and to test.
    pub fn load(folders: &[PathBuf], choice: Choice) -> Result<Samples> {
        let mut samples = Samples::default();
        each(folders, |drawn| samples.add(drawn, choice))?;
        let Samples { train, test } = &samples;
        ensure!(
            !train.is_empty() && !test.is_empty(),
            "too few searched positions: {} to train on and {} to test, from one pair of games in {KEPT_APART}; \
             play more games, of agents that search",
            train.len(),
            test.len()
        );
        Ok(samples)
    }

    fn add(&mut self, drawn: &Drawn<'_>, choice: Choice) {
        let Drawn { record, decision, position, .. } = *drawn;
        let (value, candidates) = (record.values[decision], &record.candidates[decision]);
        let raced = record.work(decision).boards > 0;
        if raced || candidates.len() < 2 || value.abs() > PROVED || decision + LAST >= record.plays.len() {
            return;
        }
        if drawn.pair.is_multiple_of(KEPT_APART) {
            self.test.push(Sample::of(&position, value, 1.0));
            return;
        }
        let result = if record.winner == Some(record.decider(decision)) { 1.0 } else { -1.0 };
        self.train.push(Sample::of(&position, value + choice.results * (result - value), 1.0));
        if choice.sidelines == 0.0 {
            return;
        }
        for &NotedPlay(play, _, value) in candidates {
            let mut after = position;
            after.play(play);
            if play != record.plays[decision] && value.abs() <= PROVED && after.outcome().is_none() {
                self.train.push(Sample::of(&after, -value, choice.sidelines));
            }
        }
    }

    /// How many there are.
    pub fn counts(&self) -> Counts {
        let keys: HashSet<u64> = self.train.iter().map(|sample| sample.position().key()).collect();
        Counts { train: self.train.len(), distinct: keys.len(), test: self.test.len() }
    }

    /// A number that other samples do not have.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for Sample { squares, bucket, score, target, weight } in self.train.iter().chain(&self.test) {
            (squares, bucket, [score, target, weight].map(|number| number.to_bits())).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// The mean squared error of the fitted evaluation on the samples to test on.
    pub fn error_of_fitted(&self) -> f64 {
        self.error(|sample| squash(sample.score).get())
    }

    /// The mean squared error of `network` there, computed as in play.
    ///
    /// # Errors
    /// The engine refuses the network.
    pub fn error_of(&self, network: &Network) -> Result<f64, NetworkError> {
        let mut evaluation = NetworkEvaluation::new(network)?;
        Ok(self.error(|sample| squash(evaluation.score(&sample.position(), BLACK)).get()))
    }

    fn error(&self, mut value: impl FnMut(&Sample) -> f32) -> f64 {
        let sum: f64 = self.test.iter().map(|sample| f64::from(value(sample) - sample.target).powi(2)).sum();
        sum / self.test.len() as f64
    }
}

impl Sample {
    /// The position seen by its player to move.
    fn of(position: &Position, target: f32, weight: f32) -> Sample {
        let mover = position.to_move();
        let squares = squares(position);
        let score = Fitted.score(position, mover);
        Sample { squares, bucket: bucket(position) as u8, score, target, weight }
    }

    /// The position, turned so that Black is to move.
    fn position(&self) -> Position {
        position(&self.squares)
    }
}

/// The numbers of the squares with the mover's pieces, then of those with the opponent's, on the board turned so that
/// the mover travels as Black does.
pub fn squares(position: &Position) -> [[u8; PIECES as usize]; 2] {
    let mover = position.to_move();
    [mover, mover.opponent()].map(|side| {
        let mut numbers = [0; PIECES as usize];
        for (number, square) in numbers.iter_mut().zip(position.pieces(side)) {
            *number = if mover == BLACK { square.number() } else { square.half_turn().number() };
        }
        numbers
    })
}

/// The position with pieces on these [`squares`], Black to move.
pub fn position(squares: &[[u8; PIECES as usize]; 2]) -> Position {
    let pieces = squares.map(|numbers| {
        numbers.iter().fold(Bitboard::EMPTY, |board, &number| board.with(Square::from_number(number)))
    });
    let mut by_player = [Bitboard::EMPTY; 2];
    by_player[BLACK.index()] = pieces[0];
    by_player[Player::opponent(BLACK).index()] = pieces[1];
    Position::new(by_player, BLACK, Rules::Addendum)
}
