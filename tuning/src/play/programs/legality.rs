//! Checks whether a well-formed turn is legal.
//!
//! The camp rules depend only on the two ends of a play, so [`Position::is_legal`] checks them. This file
//! checks each hop square by square, independently of the bitboards that generate plays.

use super::turn::Turn;
use halma::game::Game;
use halma::rules::{Play, Position, Square};

/// Checks each hop of `turn` in `position`, and then the play as a whole under the rules of `position`.
///
/// # Errors
/// The first impossible hop, counted from 1 like the lines of the file, or the rule that the play breaks.
pub fn check(position: &Position, turn: &Turn) -> Result<Play, String> {
    let play = turn.play();
    if position.at(play.from) != Some(position.to_move()) {
        return Err(format!("the side to move has no piece on {}", play.from));
    }
    for (number, hop) in turn.squares().windows(2).enumerate() {
        check_hop(position, turn, number + 1, hop[0], hop[1])?;
    }
    if play.from == play.to {
        return Err(format!("the piece ends on {}, where it started", play.to));
    }
    if position.is_legal(play) { Ok(play) } else { Err(format!("the camp rules forbid {play} here")) }
}

/// Checks one hop. The turn's origin counts as empty, because the piece has left it.
fn check_hop(position: &Position, turn: &Turn, hop: usize, from: Square, to: Square) -> Result<(), String> {
    let dx = to.x().abs_diff(from.x());
    let dy = to.y().abs_diff(from.y());
    let reach = if turn.jumps() { 2 } else { 1 };
    let fits = |distance: u8| distance == 0 || distance == reach;
    if from == to || !fits(dx) || !fits(dy) {
        return Err(if turn.jumps() {
            format!("hop {hop} is not a jump of two squares, straight or diagonally")
        } else {
            "the step does not end on a square beside its origin".to_string()
        });
    }
    let empty = |square| square == turn.squares()[0] || position.at(square).is_none();
    let over = Square::new((from.x() + to.x()) / 2, (from.y() + to.y()) / 2);
    if turn.jumps() && empty(over) {
        return Err(format!("hop {hop} jumps over {over}, which is empty"));
    }
    if empty(to) { Ok(()) } else { Err(format!("hop {hop} ends on {to}, which is occupied")) }
}

#[cfg(test)]
mod tests {
    use super::super::turn::parse_output;
    use super::*;
    use halma::rules::{BLACK, Rules};

    #[test]
    fn illegal_turns_are_refused_with_the_reason() {
        let board = |black: &[(u8, u8)], white: &[(u8, u8)]| {
            let set = |squares: &[(u8, u8)]| squares.iter().map(|&(x, y)| Square::new(x, y)).collect();
            Position::new([set(black), set(white)], BLACK, Rules::Addendum)
        };
        let position = board(&[(6, 6), (12, 14), (9, 9)], &[(7, 6), (9, 6), (11, 6), (12, 13), (7, 7)]);
        let turn = |text: &str| parse_output(text.as_bytes()).expect(text);
        for (text, play) in [
            ("E 6,6 6,7", "6,6 6,7"),
            ("J 6,6 8,6\nJ 8,6 10,6", "6,6 10,6"),
            ("J 6,6 8,6\nJ 8,6 6,6\nJ 6,6 8,8", "6,6 8,8"),
        ] {
            assert_eq!(check(&position, &turn(text)), Ok(play.parse().expect(play)), "{text}");
        }
        for (text, reason) in [
            ("E 0,0 0,1", "the side to move has no piece on 0,0"),
            ("E 7,6 8,5", "the side to move has no piece on 7,6"),
            ("E 6,6 7,7", "hop 1 ends on 7,7, which is occupied"),
            ("E 6,6 8,6", "the step does not end on a square beside its origin"),
            ("E 6,6 6,6", "the step does not end on a square beside its origin"),
            ("J 6,6 6,7", "hop 1 is not a jump"),
            ("J 6,6 6,6", "hop 1 is not a jump"),
            ("J 6,6 8,7", "hop 1 is not a jump"),
            ("J 6,6 10,6", "hop 1 is not a jump"),
            ("J 6,6 6,8", "hop 1 jumps over 6,7, which is empty"),
            ("J 6,6 8,6\nJ 8,6 8,8", "hop 2 jumps over 8,7, which is empty"),
            ("J 6,6 8,6\nJ 8,6 6,6", "the piece ends on 6,6, where it started"),
            ("J 12,14 12,12", "the camp rules forbid 12,14 12,12 here"),
            ("E 12,14 11,13", "the camp rules forbid 12,14 11,13 here"),
        ] {
            let error = check(&position, &turn(text)).expect_err(text);
            assert!(error.starts_with(reason), "{text}: {error}");
        }
    }
}
