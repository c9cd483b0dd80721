//! Checks whether a well-formed turn is legal.
//!
//! The camp rules depend only on the two ends of a play, so [`Position::is_legal`] checks them. This file checks each hop
//! square by square, independently of the bitboards that generate plays.

use super::turn::Turn;
use halma::game::Game;
use halma::rules::{Play, Position, Square};
use std::fmt;

/// Why a well-formed [`Turn`] is illegal. Hops count from 1, as lines do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalTurn {
    /// The side to move has no piece where the turn starts.
    NoOwnPiece(Square),
    /// A hop ends on an occupied square.
    Taken {
        /// The number of the hop.
        hop: usize,
        /// The occupied square.
        to: Square,
    },
    /// A step does not end on a square beside its origin.
    NotAStep,
    /// A jump does not go two squares straight or diagonally.
    NotAJump {
        /// The number of the hop.
        hop: usize,
    },
    /// A jump goes over an empty square.
    NothingJumped {
        /// The number of the hop.
        hop: usize,
        /// The empty square.
        over: Square,
    },
    /// The piece ends where it started.
    NoChange,
    /// Each hop is possible, but the camp rules forbid the play.
    CampRules(Play),
}

impl fmt::Display for IllegalTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalTurn::NoOwnPiece(from) => write!(f, "the side to move has no piece on {from}"),
            IllegalTurn::Taken { hop, to } => write!(f, "hop {hop} ends on {to}, which is taken"),
            IllegalTurn::NotAStep => f.write_str("the step does not end on a square beside its origin"),
            IllegalTurn::NotAJump { hop } => {
                write!(f, "hop {hop} is not a jump of two squares, straight or diagonally")
            }
            IllegalTurn::NothingJumped { hop, over } => {
                write!(f, "hop {hop} jumps over {over}, which is empty")
            }
            IllegalTurn::NoChange => f.write_str("the piece ends where it started"),
            IllegalTurn::CampRules(play) => write!(f, "the camp rules forbid {play} here"),
        }
    }
}

impl std::error::Error for IllegalTurn {}

/// Checks each hop of `turn` in `position`, and then the play as a whole by the rules of `position`.
///
/// # Errors
/// The first impossible hop, or the rule that the play breaks.
pub fn check(position: &Position, turn: &Turn) -> Result<Play, IllegalTurn> {
    let play = turn.play();
    if position.at(play.from) != Some(position.to_move()) {
        return Err(IllegalTurn::NoOwnPiece(play.from));
    }
    for (number, hop) in turn.squares().windows(2).enumerate() {
        check_hop(position, turn, number + 1, hop[0], hop[1])?;
    }
    if play.from == play.to {
        return Err(IllegalTurn::NoChange);
    }
    if position.is_legal(play) { Ok(play) } else { Err(IllegalTurn::CampRules(play)) }
}

/// Checks one hop. The turn's origin counts as empty, because the piece has left it.
fn check_hop(
    position: &Position,
    turn: &Turn,
    hop: usize,
    from: Square,
    to: Square,
) -> Result<(), IllegalTurn> {
    let dx = to.x().abs_diff(from.x());
    let dy = to.y().abs_diff(from.y());
    let reach = if turn.jumps() { 2 } else { 1 };
    let fits = |distance: u8| distance == 0 || distance == reach;
    if from == to || !fits(dx) || !fits(dy) {
        return Err(if turn.jumps() { IllegalTurn::NotAJump { hop } } else { IllegalTurn::NotAStep });
    }
    let empty = |square| square == turn.squares()[0] || position.at(square).is_none();
    let over = Square::new((from.x() + to.x()) / 2, (from.y() + to.y()) / 2);
    if turn.jumps() && empty(over) {
        return Err(IllegalTurn::NothingJumped { hop, over });
    }
    if empty(to) { Ok(()) } else { Err(IllegalTurn::Taken { hop, to }) }
}

#[cfg(test)]
mod tests {
    use super::super::turn::parse_output;
    use super::*;
    use halma::rules::{BLACK, Rules};

    #[test]
    fn illegal_turns_are_refused_with_the_reason() {
        let square = |x, y| Square::new(x, y);
        let board = |black: &[(u8, u8)], white: &[(u8, u8)]| {
            let set = |squares: &[(u8, u8)]| squares.iter().map(|&(x, y)| square(x, y)).collect();
            Position::new([set(black), set(white)], BLACK, Rules::Addendum)
        };
        let position = board(&[(6, 6), (12, 14), (9, 9)], &[(7, 6), (9, 6), (11, 6), (12, 13), (7, 7)]);
        for (text, expected) in [
            ("E 6,6 6,7", Ok("6,6 6,7".parse().expect("a play"))),
            ("J 6,6 8,6\nJ 8,6 10,6", Ok("6,6 10,6".parse().expect("a play"))),
            ("J 6,6 8,6\nJ 8,6 6,6\nJ 6,6 8,8", Ok("6,6 8,8".parse().expect("a play"))),
            ("E 0,0 0,1", Err(IllegalTurn::NoOwnPiece(square(0, 0)))),
            ("E 7,6 8,5", Err(IllegalTurn::NoOwnPiece(square(7, 6)))),
            ("E 6,6 7,7", Err(IllegalTurn::Taken { hop: 1, to: square(7, 7) })),
            ("E 6,6 8,6", Err(IllegalTurn::NotAStep)),
            ("E 6,6 6,6", Err(IllegalTurn::NotAStep)),
            ("J 6,6 6,7", Err(IllegalTurn::NotAJump { hop: 1 })),
            ("J 6,6 6,6", Err(IllegalTurn::NotAJump { hop: 1 })),
            ("J 6,6 8,7", Err(IllegalTurn::NotAJump { hop: 1 })),
            ("J 6,6 10,6", Err(IllegalTurn::NotAJump { hop: 1 })),
            ("J 6,6 6,8", Err(IllegalTurn::NothingJumped { hop: 1, over: square(6, 7) })),
            ("J 6,6 8,6\nJ 8,6 8,8", Err(IllegalTurn::NothingJumped { hop: 2, over: square(8, 7) })),
            ("J 6,6 8,6\nJ 8,6 6,6", Err(IllegalTurn::NoChange)),
            ("J 12,14 12,12", Err(IllegalTurn::CampRules("12,14 12,12".parse().expect("a play")))),
            ("E 12,14 11,13", Err(IllegalTurn::CampRules("12,14 11,13".parse().expect("a play")))),
        ] {
            let turn = parse_output(text.as_bytes()).expect(text);
            assert_eq!(check(&position, &turn), expected, "{text}");
        }
    }
}
