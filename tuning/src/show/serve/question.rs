//! Positions as the page asks about them: where a game began, and its plays; and what the rules say there.

use crate::figures::drawing::hops;
use crate::play::rules_name::RulesName;
use anyhow::{Context, Result, bail, ensure};
use halma::agent::time::Mode;
use halma::game::{Game, Outcome, Player};
use halma::homework::input::{Input, parse_input};
use halma::rules::{
    BLACK, BOARD_SIZE, PIECES, Play, Position, Square, WHITE, camp, chain, colour, goal, letter, parse_board,
};
use serde::{Deserialize, Serialize};

/// The most plies of a game that is looked at.
const MOST_PLIES: usize = 10_000;

/// A side, as files name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Side {
    /// The side that starts in the top-left corner.
    Black,
    /// The other one.
    White,
}

impl From<Side> for Player {
    fn from(side: Side) -> Player {
        if side == Side::Black { BLACK } else { WHITE }
    }
}

impl From<Player> for Side {
    fn from(player: Player) -> Side {
        if player == BLACK { Side::Black } else { Side::White }
    }
}

/// A position: a beginning, and the plays made since.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    rules: RulesName,
    /// Who moves first.
    first: Side,
    /// The board at the beginning, as in input.txt; the start of the game if there is none.
    rows: Option<Vec<String>>,
    /// The plays, `x,y x,y` each.
    plays: Vec<String>,
}

/// A game so far: the positions it went through, and the plays between them.
pub(super) struct GameSoFar {
    /// One more than there are plays; the last one is that asked about.
    pub positions: Vec<Position>,
    /// The plays.
    pub plays: Vec<Play>,
}

impl GameSoFar {
    /// The position asked about.
    pub fn position(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }
}

impl Question {
    /// The rules that it is asked under.
    pub fn rules(&self) -> RulesName {
        self.rules
    }

    /// The game that led to the position.
    ///
    /// # Errors
    /// The board is none, the side to move has no piece, or a play is not legal.
    pub fn game(&self) -> Result<GameSoFar> {
        ensure!(self.plays.len() <= MOST_PLIES, "a game may have {MOST_PLIES} plies here at most");
        let mut position = self.beginning()?;
        let (mut positions, mut plays) = (vec![position], Vec::new());
        for (number, text) in (1..).zip(&self.plays) {
            let play: Play = text.parse().with_context(|| format!("play {number}"))?;
            position.try_play(play).with_context(|| format!("play {number}"))?;
            positions.push(position);
            plays.push(play);
        }
        Ok(GameSoFar { positions, plays })
    }

    fn beginning(&self) -> Result<Position> {
        let (first, rules) = (self.first.into(), self.rules.into());
        let Some(rows) = &self.rows else { return Ok(Position::initial(first, rules)) };
        ensure!(rows.len() == usize::from(BOARD_SIZE), "a board has {BOARD_SIZE} rows, not {}", rows.len());
        let pieces = parse_board(rows.iter().map(String::as_str)).context("the board")?;
        if pieces[first.index()].is_empty() {
            bail!("{} is to move but has no piece on the board", colour(first));
        }
        Ok(Position::new(pieces, first, rules))
    }
}

/// What the rules say about a position.
#[derive(Serialize)]
pub(super) struct Ruling {
    to_move: Side,
    /// The board, as in input.txt.
    rows: Vec<String>,
    /// The plays so far, each with all squares that its piece touches.
    plays: Vec<String>,
    /// The legal plays, in the same form; none if the game is over.
    legal: Vec<String>,
    /// How the game has ended, if it has.
    end: Option<End>,
    /// What the camp rules demand, if they leave only some plays.
    duty: Option<&'static str>,
    /// The position as an input.txt.
    input: String,
}

/// How a game has ended.
#[derive(Serialize)]
struct End {
    winner: Side,
    why: String,
}

impl Ruling {
    /// The answer about the position that `game` has come to.
    pub fn new(game: &GameSoFar) -> Ruling {
        let position = game.position();
        let side = position.to_move();
        let mut legal = Vec::new();
        let end = match position.outcome() {
            Some(Outcome::Win(winner)) => Some(won(position, winner)),
            _ => {
                position.legal_plays(&mut legal);
                legal.is_empty().then(|| stuck(side))
            }
        };
        let input = Input { mode: Mode::Single, seconds: 1.0, position: *position };
        Ruling {
            to_move: side.into(),
            rows: position.rows().lines().map(str::to_string).collect(),
            plays: game.positions.iter().zip(&game.plays).filter_map(|(at, &play)| hops(at, play)).collect(),
            duty: if end.is_some() { None } else { Duty::of(position, &legal).map(Duty::text) },
            legal: legal.into_iter().filter_map(|play| hops(position, play)).collect(),
            end,
            input: input.to_string(),
        }
    }
}

fn won(position: &Position, winner: Player) -> End {
    let own = position.tally(winner).in_goal();
    let others = PIECES - own;
    let among = match others {
        0 => format!("all {PIECES} squares of the goal hold pieces of {}", name(winner)),
        _ => format!(
            "no square of the goal is empty: {own} pieces of {} stand there, and {others} of the opponent, \
                      who has not left",
            name(winner)
        ),
    };
    End { winner: winner.into(), why: format!("{} has won: {among}.", name(winner)) }
}

fn stuck(side: Player) -> End {
    let why = format!("{} has no legal play, as all its pieces are blocked, and loses.", name(side));
    End { winner: side.opponent().into(), why }
}

fn name(side: Player) -> &'static str {
    if side == BLACK { "Black" } else { "White" }
}

/// What the camp rules of the addendum leave the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Duty {
    Leave,
    MoveAway,
}

impl Duty {
    /// The duty that shows in the `legal` plays of `position`: they all leave the camp, or stay inside.
    fn of(position: &Position, legal: &[Play]) -> Option<Duty> {
        let home = camp(position.to_move());
        let all = |from_in: bool, to_in: bool| {
            let fits = |play: &Play| home.contains(play.from) == from_in && home.contains(play.to) == to_in;
            !legal.is_empty() && legal.iter().all(fits)
        };
        let holds = position.rules() == RulesName::Addendum.into();
        match (holds && all(true, false), holds && all(true, true)) {
            (true, _) => Some(Duty::Leave),
            (_, true) => Some(Duty::MoveAway),
            _ => None,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Duty::Leave => {
                "You must leave your camp first: as long as a piece can move out of it, no other play is legal."
            }
            Duty::MoveAway => {
                "No piece can move out of your camp now, so a piece in it must move away from its corner: not nearer \
                 in either direction."
            }
        }
    }
}

/// A play that the page wonders about; without `to`, a piece that can't move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wondering {
    position: Question,
    from: String,
    to: Option<String>,
}

/// Why it is not legal.
#[derive(Serialize)]
pub(super) struct Why {
    why: String,
}

impl Wondering {
    /// Why what it asks about is not legal.
    ///
    /// # Errors
    /// The position or a square is none.
    pub fn answer(&self) -> Result<Why> {
        let game = self.position.game()?;
        let square = |text: &str| text.parse::<Square>().with_context(|| format!("the square '{text}'"));
        let to = self.to.as_deref().map(square).transpose()?;
        Ok(Why { why: why_not(game.position(), square(&self.from)?, to) })
    }
}

/// Why the piece on `from` may not go to `to`, or nowhere at all.
fn why_not(position: &Position, from: Square, to: Option<Square>) -> String {
    let side = position.to_move();
    let mut legal = Vec::new();
    position.legal_plays(&mut legal);
    if position.outcome().is_some() {
        return "The game is over.".to_string();
    }
    match position.at(from) {
        None => return format!("There is no piece on {from}."),
        Some(owner) if owner != side => {
            return format!("The piece on {from} is {}'s, and {} is to move.", name(owner), name(side));
        }
        Some(_) => {}
    }
    let reaches = |to: Square| chain(position, Play::new(from, to)).is_some();
    let Some(to) = to else {
        return match Square::all().any(reaches) {
            false => format!("The piece on {from} is blocked: there is no step and no jump for it."),
            true => forbidden(position, from, None, &legal),
        };
    };
    if let Some(owner) = position.at(to) {
        return format!("There is a {} piece on {to}.", letter_word(owner));
    }
    if legal.contains(&Play::new(from, to)) {
        return format!("{from} {to} is legal.");
    }
    if !reaches(to) {
        return format!(
            "No way from {from} to {to}: a play is one step to a neighbouring square, or a chain of jumps, each over \
             one piece to the empty square behind it."
        );
    }
    forbidden(position, from, Some(to), &legal)
}

/// Which camp rule forbids the piece on `from` to go to `to`, which it could reach.
fn forbidden(position: &Position, from: Square, to: Option<Square>, legal: &[Play]) -> String {
    let side = position.to_move();
    if goal(side).contains(from) && !to.is_some_and(|to| goal(side).contains(to)) {
        return "A piece that has reached its goal stays there.".to_string();
    }
    match Duty::of(position, legal) {
        Some(duty) => duty.text().to_string(),
        None => "A piece may not move back into its own camp.".to_string(),
    }
}

fn letter_word(side: Player) -> &'static str {
    if letter(side) == 'B' { "black" } else { "white" }
}

/// The text of an input.txt.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InputText {
    text: String,
}

/// The position that it has.
#[derive(Serialize)]
pub(super) struct Beginning {
    first: Side,
    rows: Vec<String>,
    /// The seconds that it says are left.
    seconds: f64,
    /// Whether these are for the rest of a game.
    game: bool,
}

impl InputText {
    /// The position.
    ///
    /// # Errors
    /// What is wrong, and in which line and column.
    pub fn read(&self) -> Result<Beginning> {
        let Input { mode, seconds, position } = parse_input(self.text.as_bytes()).context("input.txt")?;
        Ok(Beginning {
            first: position.to_move().into(),
            rows: position.rows().lines().map(str::to_string).collect(),
            seconds,
            game: mode == Mode::Game,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halma::rules::Rules;

    fn why(position: &Position, play: &str) -> String {
        let play: Play = play.parse().expect("a play");
        why_not(position, play.from, Some(play.to))
    }

    #[test]
    fn each_reason_that_forbids_a_play_is_told() {
        let start = Position::initial(BLACK, Rules::Addendum);
        assert!(why(&start, "7,7 8,8").contains("no piece"));
        assert!(why(&start, "15,15 14,14").contains("White's, and Black"));
        assert!(why(&start, "0,0 1,0").contains("black piece on 1,0"));
        assert!(why(&start, "4,1 9,9").contains("No way"));
        assert!(why_not(&start, Square::new(0, 0), None).contains("blocked"));
        let mut out = start;
        for play in ["2,0 4,2", "13,15 11,13"] {
            out.play(play.parse().expect("a play"));
        }
        assert!(why(&out, "4,2 5,2").contains("leave your camp first"));
        let board = |black: &[(u8, u8)]| {
            let set = |squares: &[(u8, u8)]| squares.iter().map(|&(x, y)| Square::new(x, y)).collect();
            Position::new([set(black), set(&[(9, 0)])], BLACK, Rules::Addendum)
        };
        assert!(why(&board(&[(5, 0)]), "5,0 4,0").contains("back into its own camp"));
        assert!(why(&board(&[(15, 15), (5, 5)]), "15,15 0,0").contains("No way"));
        assert!(why(&board(&[(14, 11), (5, 5)]), "14,11 13,10").contains("stays there"));
    }

    #[test]
    fn the_duty_to_move_away_is_told() {
        // Black's corner piece can only jump inside the camp or step; all its ways out are blocked.
        let set = |squares: &[(u8, u8)]| squares.iter().map(|&(x, y)| Square::new(x, y)).collect();
        let position = Position::new([set(&[(1, 1), (9, 9)]), set(&[(15, 0)])], BLACK, Rules::Addendum);
        let mut legal = Vec::new();
        position.legal_plays(&mut legal);
        assert_eq!(Duty::of(&position, &legal), Some(Duty::MoveAway), "{legal:?}");
        assert!(why(&position, "1,1 0,0").contains("away from its corner"));
    }
}
