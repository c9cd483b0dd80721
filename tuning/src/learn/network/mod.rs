//! Human-readable views of networks: the provenance, the weight of a piece on each square, and the network's opinion of
//! the course's sample boards. [`picture`] draws the weights of each unit.

mod picture;
mod policy;
mod value;

pub use picture::picture;
pub use policy::{LikelyPlay, PolicyOpinion};
pub use value::ValueOpinion;

use crate::play::samples::{Sample, samples};
use halma::game::Player;
use halma::network::{FEATURES, feature};
use halma::rules::{BLACK, BOARD_SIZE, Square, WHITE};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// A network and its opinions of the sample boards.
#[derive(Debug, Serialize)]
pub struct NetworkView<O> {
    /// The file, or `built-in`.
    pub file: String,
    /// How the network was made.
    pub provenance: String,
    /// The sizes of the network.
    pub shape: Shape,
    /// The weight of a piece of the mover on each square, row by row from the top: the root mean square of the weights
    /// for the hidden units, where 1 takes a unit from 0 to its maximum. The mover travels from the top left to the
    /// bottom right.
    pub own: Vec<Vec<f64>>,
    /// The weight of a piece of the opponent on each square.
    pub opposing: Vec<Vec<f64>>,
    /// The network's opinions of the course's sample boards.
    pub boards: Vec<O>,
}

/// The sizes of a network.
#[derive(Debug, Serialize)]
pub struct Shape {
    /// Inputs for pieces, one for each side and square.
    pub features: usize,
    /// Inputs for jumps: how far each side can jump, where from and where to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jump_features: Option<usize>,
    /// Units of the hidden layer for each side's point of view.
    pub hidden_units: usize,
    /// Phases of the game, each with its own output weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phases: Option<usize>,
}

impl Display for Shape {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Shape { features, jump_features, hidden_units, phases } = self;
        write!(f, "{features} features of pieces, ")?;
        jump_features.map_or(Ok(()), |jumps| write!(f, "{jumps} of jumps, "))?;
        write!(f, "{hidden_units} hidden units")?;
        phases.map_or(Ok(()), |phases| write!(f, ", {phases} phases"))
    }
}

/// A network's opinion of a board. `Display` writes it as rows of a table.
pub trait Opinion: Display + Serialize {
    /// The kind of network, if the view should name it.
    const KIND: Option<&'static str>;
    /// The heading of the table.
    const HEADING: &'static str;
}

impl<O> NetworkView<O> {
    /// The view of the network in `file`. The integer `one` stands for 1 in `weights`.
    fn of<const HIDDEN: usize>(
        file: String,
        provenance: &str,
        shape: Shape,
        (weights, one): (&[[i16; HIDDEN]; FEATURES], i32),
        opinion: impl FnMut(Sample) -> O,
    ) -> NetworkView<O> {
        NetworkView {
            file,
            provenance: provenance.to_string(),
            shape,
            own: weights_by_square(weights, BLACK, one),
            opposing: weights_by_square(weights, WHITE, one),
            boards: samples().map(opinion).into(),
        }
    }
}

/// The root mean square of the weights for pieces of `side` on each square, from Black's point of view. `one` stands
/// for 1.
fn weights_by_square<const HIDDEN: usize>(
    rows: &[[i16; HIDDEN]; FEATURES],
    side: Player,
    one: i32,
) -> Vec<Vec<f64>> {
    let weight = |square: Square| {
        let row = &rows[feature(BLACK, side, square)];
        let squares: f64 = row.iter().map(|&weight| f64::from(weight).powi(2)).sum();
        (squares / HIDDEN as f64).sqrt() / f64::from(one)
    };
    (0..BOARD_SIZE).map(|y| (0..BOARD_SIZE).map(|x| weight(Square::new(x, y))).collect()).collect()
}

impl<O: Opinion> Display for NetworkView<O> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let NetworkView { file, provenance, shape, own, opposing, boards } = self;
        writeln!(f, "file         {file}")?;
        O::KIND.map_or(Ok(()), |kind| writeln!(f, "kind         {kind}"))?;
        let mut label = "provenance";
        for line in if provenance.is_empty() { "unknown" } else { provenance }.lines() {
            writeln!(f, "{label:<13}{}", printable(line))?;
            label = "";
        }
        writeln!(f, "shape        {shape}")?;
        let max = own.iter().chain(opposing).flatten().copied().fold(0.0, f64::max);
        writeln!(
            f,
            "\nWeight of a piece on each square (root mean square over the hidden units): 9 is {max:.3}"
        )?;
        writeln!(f, "of a unit's range. The mover travels from the top left to the bottom right.\n")?;
        writeln!(f, "{:<36}opposing pieces", "own pieces")?;
        for (own, opposing) in own.iter().zip(opposing) {
            writeln!(f, "{}     {}", digits(own, max), digits(opposing, max))?;
        }
        writeln!(f, "\n{}", O::HEADING)?;
        boards.iter().try_for_each(|opinion| write!(f, "{opinion}"))
    }
}

/// A row of a board: each weight as a digit, 9 for `max`; a dot for less than half a digit.
fn digits(row: &[f64], max: f64) -> String {
    let digit = |weight: &f64| match (9.0 * weight / max).round() {
        digit if digit >= 1.0 => format!("{digit}"),
        _ => ".".to_string(),
    };
    row.iter().map(digit).collect::<Vec<_>>().join(" ")
}

/// `line` with its control characters replaced, because a terminal would obey them.
fn printable(line: &str) -> String {
    line.replace(char::is_control, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use halma::network::value::{FEATURE_SCALE, HIDDEN, ValueNetwork};
    use halma::network::{Network, NetworkFile};

    #[test]
    fn weights_are_shown_on_their_squares() {
        let mut network = ValueNetwork::zeros();
        network.feature_weights[feature(BLACK, BLACK, Square::new(3, 0))] = [FEATURE_SCALE as i16; HIDDEN];
        network.feature_weights[feature(WHITE, BLACK, Square::new(15, 11))] = [-51; HIDDEN];
        let file = NetworkFile { provenance: "first\nsecond \u{1b}[31m".to_string(), network };
        let view = NetworkView::of_value("name".to_string(), file).expect("weights in range");
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
