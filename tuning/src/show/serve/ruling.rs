//! What the rules say about a position: the legal plays, the end of a game, the duty to leave the camp, and why a play
//! is not legal.

use super::position::{GameLine, PositionRequest};
use crate::figures::drawing::chain_text;
use crate::show::analysis::rows;
use anyhow::{Context, Result};
use halma::agent::time::Mode;
use halma::game::{Game, Player};
use halma::homework::input::Input;
use halma::rules::{Duty, PIECES, Play, Position, Square, chain, colour, colour_name, goal};
use serde::{Deserialize, Serialize};

/// The rules applied to a position.
#[derive(Serialize)]
pub(super) struct Ruling {
    to_move: &'static str,
    /// The board, as in input.txt.
    rows: Vec<String>,
    /// All plays of the game, each as the squares that its piece touches.
    plays: Vec<String>,
    /// The legal plays in the same form; none if the game is over.
    legal: Vec<String>,
    pub end: Option<End>,
    /// The camp rule that restricts the legal plays.
    duty: Option<String>,
    /// The position as an input.txt.
    input: String,
}

/// How a game ended.
#[derive(Serialize)]
pub(super) struct End {
    winner: &'static str,
    why: String,
}

impl Ruling {
    /// The ruling on the current position of `line`.
    pub fn of(line: &GameLine) -> Ruling {
        let position = line.position();
        let side = position.to_move();
        let end = match line.winner() {
            Some(winner) => Some(won(position, winner)),
            None if position.count_plays() == 0 => {
                Some(End { winner: colour(side.opponent()), why: blocked_text(side) })
            }
            None => None,
        };
        let mut legal = Vec::new();
        if end.is_none() {
            position.legal_plays(&mut legal);
        }
        let made = line.positions.iter().zip(&line.plays);
        Ruling {
            to_move: colour(side),
            rows: rows(position),
            plays: made.filter_map(|(before, &play)| chain_text(before, play)).collect(),
            legal: legal.into_iter().filter_map(|play| chain_text(position, play)).collect(),
            duty: if end.is_some() { None } else { duty_text(position) },
            end,
            input: input_text(position),
        }
    }
}

fn won(position: &Position, winner: Player) -> End {
    let name = colour_name(winner);
    let own = position.tally(winner).in_goal();
    let why = match PIECES - own {
        0 => format!("{name}'s {PIECES} pieces fill the goal."),
        _ => format!("{name}'s goal is full: of the {PIECES} pieces there, {own} are its own."),
    };
    End { winner: colour(winner), why }
}

/// How the game ends for a `side` without a legal play.
pub(crate) fn blocked_text(side: Player) -> String {
    format!("{} has no legal play, since all its pieces are blocked, and loses.", colour_name(side))
}

/// The `position` as an input.txt that asks for a single play.
pub(crate) fn input_text(position: &Position) -> String {
    Input { mode: Mode::Single, seconds: 1.0, position: *position }.to_string()
}

/// The rule in force in `position`, if it restricts the plays in a way that players need to know.
fn duty_text(position: &Position) -> Option<String> {
    let side = colour_name(position.to_move());
    match position.duty()? {
        Duty::LeaveCamp => Some(format!(
            "{side} must leave its camp first: while a piece can move out of it, no other play is legal."
        )),
        Duty::MoveAway => Some(format!(
            "None of {side}'s pieces can leave the camp now, so a piece in the camp must move away from its corner, \
             without moving back in either direction."
        )),
        Duty::StayOut | Duty::Original => None,
    }
}

/// A question about a play that is not legal; without `to`, about a piece that can't move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WhyRequest {
    position: PositionRequest,
    from: String,
    to: Option<String>,
}

/// Why a play is not legal.
#[derive(Serialize)]
pub(super) struct WhyNot {
    why: String,
}

impl WhyRequest {
    /// # Errors
    /// The position or a square is malformed.
    pub fn answer(&self) -> Result<WhyNot> {
        let line = self.position.replay()?;
        let square = |text: &str| text.parse::<Square>().with_context(|| format!("square '{text}'"));
        let to = self.to.as_deref().map(square).transpose()?;
        let from = square(&self.from)?;
        Ok(WhyNot {
            why: match line.winner() {
                Some(_) => "The game is over.".to_string(),
                None => why_not(line.position(), from, to),
            },
        })
    }
}

/// Why the piece on `from` may not go to `to`, or why it can't move.
pub(crate) fn why_not(position: &Position, from: Square, to: Option<Square>) -> String {
    let side = position.to_move();
    match position.at(from) {
        None => return format!("There is no piece on {from}."),
        Some(owner) if owner != side => {
            let [owner, side] = [owner, side].map(colour_name);
            return format!("The piece on {from} is {owner}'s, and {side} is to move.");
        }
        Some(_) => {}
    }
    let reaches = |to: Square| chain(position, Play::new(from, to)).is_some();
    let Some(to) = to else {
        return match Square::all().any(reaches) {
            false => format!("The piece on {from} is blocked: it has no step and no jump."),
            true => forbidden(position, from, None),
        };
    };
    if let Some(owner) = position.at(to) {
        return format!("A {} piece stands on {to}.", colour_name(owner).to_lowercase());
    }
    if position.is_legal(Play::new(from, to)) {
        return format!("{from} {to} is legal.");
    }
    if !reaches(to) {
        return format!(
            "{from} {to} is not possible: a play is one step to a neighbouring square, or a chain of jumps, each over \
             one piece to the empty square behind it."
        );
    }
    forbidden(position, from, Some(to))
}

/// The camp rule by which the piece on `from` may not go to `to`, although it could reach it.
fn forbidden(position: &Position, from: Square, to: Option<Square>) -> String {
    let goal = goal(position.to_move());
    if goal.contains(from) && !to.is_some_and(|to| goal.contains(to)) {
        return "A piece that has reached its goal stays there.".to_string();
    }
    duty_text(position).unwrap_or_else(|| "A piece may not move back into its own camp.".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use halma::rules::{BLACK, Rules};

    fn why(position: &Position, play: &str) -> String {
        let play: Play = play.parse().expect("a play");
        why_not(position, play.from, Some(play.to))
    }

    fn black_to_move(black: &[(u8, u8)], white: (u8, u8)) -> Position {
        let set = |squares: &[(u8, u8)]| squares.iter().map(|&(x, y)| Square::new(x, y)).collect();
        Position::new([set(black), set(&[white])], BLACK, Rules::Addendum)
    }

    #[test]
    fn each_reason_against_a_play_is_given() {
        let start = Position::initial(BLACK, Rules::Addendum);
        let mut out = start;
        for play in ["2,0 4,2", "13,15 11,13"] {
            out.play(play.parse().expect("a play"));
        }
        let black = |squares| black_to_move(squares, (9, 0));
        let cases = [
            (start, "7,7 8,8", "no piece"),
            (start, "15,15 14,14", "White's, and Black"),
            (start, "0,0 1,0", "black piece stands on 1,0"),
            (start, "4,1 9,9", "not possible"),
            (out, "4,2 5,2", "leave its camp first"),
            (black(&[(5, 0)]), "5,0 4,0", "back into its own camp"),
            (black(&[(15, 15), (5, 5)]), "15,15 0,0", "not possible"),
            (black(&[(14, 11), (5, 5)]), "14,11 13,10", "stays there"),
            (black_to_move(&[(1, 1), (9, 9)], (15, 0)), "1,1 0,0", "away from its corner"),
        ];
        for (position, play, reason) in cases {
            assert!(why(&position, play).contains(reason), "{play}: {}", why(&position, play));
        }
        assert!(why_not(&start, Square::new(0, 0), None).contains("blocked"));
    }
}
