//! A network shown to people: where it comes from, what its squares weigh, and what it thinks of the sample
//! boards. [`picture`] draws what its pieces weigh, unit by unit. A network of priors is shown by [`PriorView`].

mod picture;
mod prior;

pub use picture::picture;
pub use prior::PriorView;

use crate::play::samples::samples;
use halma::evaluation::{Evaluation, Fitted, squash};
use halma::game::{Game, Player};
use halma::network::value::{
    BUCKETS, FEATURE_SCALE, FEATURES, HIDDEN, JUMP_FEATURES, Network, NetworkError, NetworkEvaluation,
    UnitRow, bucket, feature,
};
use halma::rules::{BLACK, BOARD_SIZE, Position, Square, WHITE, colour};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// What there is to say about a network.
#[derive(Debug, Serialize)]
pub struct NetworkView {
    /// The file, or `built-in`.
    pub file: String,
    /// How it was made.
    pub provenance: String,
    /// How many inputs, hidden units and phases it has.
    pub shape: Shape,
    /// What a piece of the mover weighs on each square, row by row from the top: the root mean square of its
    /// weights, where 1 takes a hidden unit from nothing to its most. The mover travels from the top left to the
    /// bottom right.
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
    /// Further inputs: how far, from where and to where each side could jump.
    pub jump_features: usize,
    /// Units of the hidden layer, for each point of view.
    pub hidden_units: usize,
    /// Phases of the game with output weights of their own.
    pub phases: usize,
}

/// What a network thinks of a board, all for the side to move.
#[derive(Debug, Serialize)]
pub struct Opinion {
    /// The board's file.
    pub board: &'static str,
    /// Who is to move.
    pub to_move: &'static str,
    /// The phase, from 0 at the end of the game to 7 at its start.
    pub phase: usize,
    /// The fitted evaluation's value, −1…+1.
    pub fitted: f32,
    /// What the network adds to the fitted score.
    pub correction: f32,
    /// The value with it, −1…+1.
    pub value: f32,
}

impl NetworkView {
    /// What there is to say about `network`, which is in `file`.
    ///
    /// # Errors
    /// The network can't be used.
    pub fn new(file: String, network: &Network) -> Result<NetworkView, NetworkError> {
        let mut evaluation = NetworkEvaluation::new(network)?;
        let boards = samples().map(|sample| opinion(&mut evaluation, sample.file, &sample.position));
        Ok(NetworkView {
            file,
            provenance: network.provenance.clone(),
            shape: Shape {
                features: FEATURES,
                jump_features: JUMP_FEATURES,
                hidden_units: HIDDEN,
                phases: BUCKETS,
            },
            own: weights_of_squares(&network.feature_weights, BLACK, FEATURE_SCALE),
            opposing: weights_of_squares(&network.feature_weights, WHITE, FEATURE_SCALE),
            boards: boards.into(),
        })
    }
}

fn opinion(evaluation: &mut NetworkEvaluation, board: &'static str, position: &Position) -> Opinion {
    let mover = position.to_move();
    let (fitted, correction) = (Fitted.score(position, mover), evaluation.correction(position));
    Opinion {
        board,
        to_move: colour(mover),
        phase: bucket(position),
        fitted: squash(fitted).get(),
        correction,
        value: squash(fitted + correction).get(),
    }
}

/// What pieces of `side` weigh in Black's view, by the rows of their features, where `one` stands for 1.
fn weights_of_squares<const UNITS: usize>(rows: &[UnitRow<UNITS>], side: Player, one: i32) -> Vec<Vec<f64>> {
    let weight = |square: Square| {
        let row = &rows[feature(BLACK, side, square)];
        let squares: f64 = row.iter().map(|&weight| f64::from(weight).powi(2)).sum();
        (squares / UNITS as f64).sqrt() / f64::from(one)
    };
    (0..BOARD_SIZE).map(|y| (0..BOARD_SIZE).map(|x| weight(Square::new(x, y))).collect()).collect()
}

impl Display for NetworkView {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let NetworkView { file, provenance, shape, own, opposing, boards } = self;
        writeln!(f, "file         {file}")?;
        let mut label = "provenance";
        for line in if provenance.is_empty() { "not told" } else { provenance }.lines() {
            writeln!(f, "{label:<13}{}", printable(line))?;
            label = "";
        }
        let Shape { features, jump_features, hidden_units, phases } = shape;
        writeln!(f, "shape        {features} features of pieces, {jump_features} of jumps")?;
        writeln!(f, "             {hidden_units} hidden units, {phases} phases")?;
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
        writeln!(f, "\nboard        to move  phase  fitted  correction   value")?;
        for Opinion { board, to_move, phase, fitted, correction, value } in boards {
            writeln!(
                f,
                "{board:<13}{to_move:<7}  {phase:>5}  {fitted:>+6.3}  {correction:>+10.3}  {value:>+6.3}"
            )?;
        }
        Ok(())
    }
}

/// A row of a board: each weight as a digit, 9 for `most`, with a dot for less than half a digit.
fn digits(row: &[f64], most: f64) -> String {
    let digit = |weight: &f64| match (9.0 * weight / most).round() {
        digit if digit >= 1.0 => format!("{digit}"),
        _ => ".".to_string(),
    };
    row.iter().map(digit).collect::<Vec<_>>().join(" ")
}

/// `line` without what would make a terminal do things.
fn printable(line: &str) -> String {
    line.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_shown_where_their_squares_are() {
        let mut network = Network::built_in();
        network.feature_weights.iter_mut().for_each(|row| row.fill(0));
        network.feature_weights[feature(BLACK, BLACK, Square::new(3, 0))].fill(FEATURE_SCALE as i16);
        network.feature_weights[feature(WHITE, BLACK, Square::new(15, 11))].fill(-51);
        network.provenance = "first\nsecond \u{1b}[31m".to_string();
        let view = NetworkView::new("name".to_string(), &network).expect("its weights are in bounds");
        assert_eq!((view.own[0][3], view.opposing[4][0]), (1.0, 0.2));
        let text = view.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1..3], ["provenance   first", "             second \u{fffd}[31m"]);
        let empty = ". . . . . . . . . . . . . . . .";
        let first = lines.iter().position(|line| line.starts_with("own pieces")).expect("the maps") + 1;
        assert_eq!(lines[first], format!(". . . 9{}     {empty}", &empty[7..]));
        assert_eq!(lines[first + 4], format!("{empty}     2{}", &empty[1..]));
        assert_eq!(lines[first + 1], format!("{empty}     {empty}"));
    }
}
