//! Games as text, in the files that the page opens and in its links.
//!
//! The format is Portable Game Notation, as `lab export` writes it: tags, plays such as `c1-e3`, and a result. The tags
//! `Rules`, `First` and `Board` describe a start other than the usual one. Variations stand in parentheses after the
//! play they replace, and a comment that begins with a number, `{+0.35}`, is the value for Black after the play. A play
//! may also be two squares, `2,0 4,2`, and an input.txt is a game without plays.

use super::position::PositionRequest;
use super::ruling::why_not;
use crate::figures::drawing::chain_text;
use crate::play::text;
use crate::show::analysis::rows;
use anyhow::{Context, Result, anyhow, bail, ensure};
use halma::agent::time::Mode;
use halma::game::Game as _;
use halma::homework::input::{Input, parse_input};
use halma::rules::{BOARD_SIZE, Play, Position, Rules, Square, colour};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The maximum number of plays of a game, including its variations.
const MAX_PLAYS: usize = 10_000;

/// A page's request to read a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameRequest {
    text: String,
    /// The rules if the text does not name any.
    #[serde(with = "text")]
    rules: Rules,
    /// The number of the game in the text, from 0.
    #[serde(default)]
    game: usize,
}

/// A game with its variations.
#[derive(Serialize)]
pub(super) struct GameTree {
    #[serde(with = "text")]
    rules: Rules,
    /// The side that moves first.
    first: &'static str,
    /// The board that the text says the game begins with; `None` for the usual initial position.
    rows: Option<Vec<String>>,
    /// The mode and the seconds of an input.txt.
    time: Option<Time>,
    /// The players, the first mover first, if the text names both.
    names: Option<Vec<String>>,
    /// The plays, in the order of the text.
    nodes: Vec<Node>,
    /// The number of games in the text.
    games: usize,
}

#[derive(Serialize)]
struct Time {
    mode: &'static str,
    seconds: f64,
}

/// A play, and the position after it.
#[derive(Serialize)]
struct Node {
    /// The index of the node before it; `None` if it is a first play.
    parent: Option<usize>,
    /// The squares that the piece touches.
    chain: String,
    /// The value for Black, −1…+1.
    value: Option<f32>,
}

impl GameRequest {
    /// # Errors
    /// The text is malformed or cut short, or a play is not legal; the message says where.
    pub fn read(&self) -> Result<GameTree> {
        let text = self.text.trim_start_matches('\u{feff}');
        if text.starts_with("SINGLE") || text.starts_with("GAME") {
            return self.read_input(text);
        }
        let mut reader = Reader { rest: text, line: 1, column: 1 };
        // Every game but the first begins with its Event tag.
        let events = text.match_indices("\n[Event ").map(|(at, _)| at + 1);
        let mut starts: Vec<usize> = std::iter::once(0).chain(events).collect();
        if starts.get(1).is_some_and(|&second| text[..second].trim().is_empty()) {
            starts.remove(0);
        }
        let games = starts.len();
        let start = *starts.get(self.game).with_context(|| {
            format!("there is no game {}: the text has {games}", self.game.saturating_add(1))
        })?;
        reader.take(start);
        let (beginning, names) = self.read_tags(&mut reader)?;
        let mut game = GameReader {
            start: beginning.beginning()?,
            positions: Vec::new(),
            nodes: Vec::new(),
            at: None,
            lines: Vec::new(),
        };
        let has_end = game.read(&mut reader)?;
        ensure!(
            has_end || !text[start..].trim_start().starts_with('['),
            "{reader}: the game has no result such as 1-0 or *: the text is cut short"
        );
        Ok(GameTree {
            rules: beginning.rules,
            first: colour(game.start.to_move()),
            rows: beginning.rows.is_some().then(|| rows(&game.start)),
            time: None,
            names,
            nodes: game.nodes,
            games,
        })
    }

    fn read_input(&self, text: &str) -> Result<GameTree> {
        let Input { mode, seconds, position } = parse_input(text.as_bytes()).context("input.txt")?;
        let mode = if mode == Mode::Game { "GAME" } else { "SINGLE" };
        Ok(GameTree {
            rules: self.rules,
            first: colour(position.to_move()),
            rows: Some(rows(&position)),
            time: Some(Time { mode, seconds }),
            names: None,
            nodes: Vec::new(),
            games: 1,
        })
    }

    /// Reads the tags, and returns the beginning of the game and the names of its players.
    fn read_tags(&self, reader: &mut Reader) -> Result<(PositionRequest, Option<Vec<String>>)> {
        let mut names = [None, None];
        let mut beginning = PositionRequest::start(self.rules);
        loop {
            reader.skip_space();
            let place = reader.to_string();
            if !reader.rest.starts_with('[') {
                return Ok((beginning, names.into_iter().collect()));
            }
            let tag = reader.take_until(|c| c == '\n').trim_end();
            let inner = tag.strip_prefix('[').and_then(|tag| tag.strip_suffix("\"]"));
            let Some((name, value)) = inner.and_then(|tag| tag.split_once(" \"")) else {
                bail!("{place}: expected a tag such as [Rules \"addendum\"], found {tag:?}");
            };
            match name {
                "Rules" => {
                    let fault = |error| anyhow!("{place}: the rules: {error}, found {value:?}");
                    beginning.rules = value.parse().map_err(fault)?;
                }
                "White" | "Black" if value != "?" => {
                    names[usize::from(name == "Black")] = Some(unescaped(value));
                }
                "First" => beginning.first = value.to_string(),
                "Board" => beginning.rows = Some(value.split('/').map(unpacked).collect()),
                _ => {}
            }
        }
    }
}

/// The value of a tag without the backslashes before `"` and `\`.
fn unescaped(value: &str) -> String {
    let mut text = String::new();
    let mut rest = value.chars().peekable();
    while let Some(c) = rest.next() {
        let escaped = rest.next_if(|&next| c == '\\' && matches!(next, '"' | '\\'));
        text.push(escaped.unwrap_or(c));
    }
    text
}

/// A row of a board in which numbers stand for empty squares: `BBBBB11`.
fn unpacked(row: &str) -> String {
    let mut squares = String::new();
    let mut rest = row;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        match rest[..digits].parse::<usize>() {
            Ok(empty) => squares.extend(std::iter::repeat_n('.', empty.min(usize::from(BOARD_SIZE) + 1))),
            Err(_) => squares.push(letter),
        }
        rest = &rest[digits.max(letter.len_utf8())..];
    }
    squares
}

/// The unread text, and its line and column for error messages.
struct Reader<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl fmt::Display for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl<'a> Reader<'a> {
    /// Takes the next `length` bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        for c in taken.chars() {
            (self.line, self.column) =
                if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        self.rest = rest;
        taken
    }

    /// Takes everything before the first character that `ends` it.
    fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        self.take(self.rest.find(ends).unwrap_or(self.rest.len()))
    }

    fn skip_space(&mut self) {
        self.take_until(|c| !c.is_whitespace());
        while self.rest.starts_with(';') {
            self.take_until(|c| c == '\n');
            self.take_until(|c| !c.is_whitespace());
        }
    }

    /// Takes the next word, comment or parenthesis; empty at the end of the text. The caller skips white space first.
    fn word(&mut self) -> Result<&'a str> {
        match self.rest.chars().next() {
            Some('(' | ')' | '}') => Ok(self.take(1)),
            Some('{') => {
                let end = self.rest.find('}').with_context(|| format!("{self}: the comment has no '}}'"))?;
                Ok(self.take(end + 1))
            }
            _ => Ok(self.take_until(|c| c.is_whitespace() || "(){};".contains(c))),
        }
    }
}

/// The plays read so far.
struct GameReader {
    start: Position,
    /// The position after each play.
    positions: Vec<Position>,
    nodes: Vec<Node>,
    /// The index of the last play; `None` before the first.
    at: Option<usize>,
    /// For each variation that is still open: the index of the last play before it, and the location where it begins.
    lines: Vec<(Option<usize>, String)>,
}

impl GameReader {
    /// Reads plays up to the result or the end of the text. Returns whether there is a result.
    fn read(&mut self, reader: &mut Reader) -> Result<bool> {
        // The first of the two squares of a play, and its location in the text.
        let mut from: Option<(Square, String)> = None;
        loop {
            reader.skip_space();
            let place = reader.to_string();
            let word = reader.word()?;
            // A move number may touch the play: "1.c1-e3".
            let play = word.trim_start_matches(|c: char| c.is_ascii_digit());
            let play = if play.starts_with('.') { play.trim_start_matches('.') } else { word };
            let play = play.trim_end_matches(['!', '?']);
            if let Some((from, place)) = from.take() {
                let to = play.parse().map_err(|_| unknown(&place, format!("{from} {word}").trim_end()))?;
                self.play(Play::new(from, to), &place)?;
                continue;
            }
            match word {
                "" | "*" | "1-0" | "0-1" | "1/2-1/2" => {
                    if let Some((_, place)) = self.lines.pop() {
                        bail!("{place}: the variation has no ')'");
                    }
                    return Ok(!word.is_empty());
                }
                "(" => {
                    let at =
                        self.at.with_context(|| format!("{place}: expected a play before the variation"))?;
                    self.lines.push((self.at, place));
                    self.at = self.nodes[at].parent;
                }
                ")" => {
                    let line = self.lines.pop();
                    (self.at, _) =
                        line.with_context(|| format!("{place}: no variation begins before this ')'"))?;
                }
                _ if word.starts_with('{') => self.comment(word),
                _ if word.starts_with('$') || play.is_empty() => {}
                _ => match (algebraic(play), play.parse::<Square>()) {
                    (Some(play), _) => self.play(play, &place)?,
                    (_, Ok(square)) => from = Some((square, place)),
                    _ => return Err(unknown(&place, word)),
                },
            }
        }
    }

    fn play(&mut self, play: Play, place: &str) -> Result<()> {
        ensure!(
            self.nodes.len() < MAX_PLAYS,
            "{place}: the game has more than {MAX_PLAYS} plays, the maximum here"
        );
        let before = self.at.map_or(self.start, |at| self.positions[at]);
        let mut position = before;
        if position.try_play(play).is_err() {
            let why = match position.outcome() {
                Some(_) => "The game is over.".to_string(),
                None => why_not(&position, play.from, Some(play.to)),
            };
            bail!("{place}: the play {play} is not legal. {why}");
        }
        let chain = chain_text(&before, play).unwrap_or_default();
        self.nodes.push(Node { parent: self.at, chain, value: None });
        self.positions.push(position);
        self.at = Some(self.nodes.len() - 1);
        Ok(())
    }

    /// Takes the value from a comment, if there is one.
    fn comment(&mut self, text: &str) {
        let number = text.trim_matches(['{', '}']).split_whitespace().next();
        let value =
            number.and_then(|number| number.parse().ok()).filter(|value| (-1.0..=1.0).contains(value));
        if let Some(at) = self.at {
            self.nodes[at].value = value.or(self.nodes[at].value);
        }
    }
}

/// A play in the notation of `lab export`: `c1-e3`.
fn algebraic(text: &str) -> Option<Play> {
    let square = |text: &str| {
        let file = text.bytes().next().filter(|file| (b'a'..b'a' + BOARD_SIZE).contains(file))?;
        let rank: u8 = text[1..].parse().ok().filter(|rank| (1..=BOARD_SIZE).contains(rank))?;
        Some(Square::new(file - b'a', rank - 1))
    };
    let (from, to) = text.split_once('-')?;
    Some(Play::new(square(from)?, square(to)?))
}

fn unknown(place: &str, found: &str) -> anyhow::Error {
    anyhow!("{place}: expected a play such as c1-e3 or 2,0 4,2, found {found:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<GameTree> {
        read_game(text, 0)
    }

    fn read_game(text: &str, game: usize) -> Result<GameTree> {
        GameRequest { text: text.to_string(), rules: Rules::Addendum, game }.read()
    }

    #[test]
    fn each_game_of_a_file_can_be_read() {
        let file = "\n[Event \"a\"]\n[White \"mcts\"]\n[Black \"you\"]\n\n1. c1-e3 *\n\n[Event \"b\"]\n\nc1-e3 Nf3 *\n";
        let first = read_game(file, 0).expect("a game");
        assert_eq!((first.games, first.nodes.len()), (2, 1));
        assert_eq!(first.names, Some(vec!["mcts".to_string(), "you".to_string()]));
        for (game, message) in
            [(1, "line 10, column 7: expected a play"), (2, "there is no game 3: the text has 2")]
        {
            let error = format!("{:#}", read_game(file, game).err().expect("broken"));
            assert!(error.contains(message), "{error}");
        }
        assert_eq!(read("c1-e3 *\n[Event \"b\"]\n\n*").expect("a game").games, 2);
    }

    #[test]
    fn games_are_read_with_their_side_lines_and_values() {
        let plays = |text: &str| {
            let nodes = read(text).expect(text).nodes.into_iter();
            nodes.map(|node| (node.parent, node.chain, node.value)).collect::<Vec<_>>()
        };
        let play = |parent, chain: &str, value| (parent, chain.to_string(), value);
        let line = [play(None, "2,0 4,2", Some(0.25)), play(Some(0), "13,15 11,13", None)];
        for text in [
            "1. c1-e3 {+0.25} n16-l14 *",
            "2,0 4,2 {+0.25 by mcts} 13,15 11,13",
            "[Event \"halma\"]\n[Rules \"original\"]\n\n1.c1-e3! $1 {0.25}\n; a remark (\n1...n16-l14?? 1/2-1/2\n",
            "\u{feff}[First \"BLACK\"]\r\n\r\n1. c1-e3 {0.25} 1... n16-l14\r\n* [Event \"another\"] broken",
        ] {
            assert_eq!(plays(text), line, "{text}");
        }
        let side_lines = "c1-e3 (d1-f1 n16-l14 (p12-n12) ) (e1-f1) n16-l14 *";
        let parents: Vec<_> = plays(side_lines).into_iter().map(|(parent, ..)| parent).collect();
        assert_eq!(parents, [None, None, Some(1), Some(1), None, Some(0)]);
        let board = "[First \"WHITE\"]\n[Board \"B15/16/16/16/16/16/16/16/16/16/16/16/16/16/16/15W\"]\n\n*";
        let game = read(board).expect("a board");
        assert_eq!((game.first, game.rows.expect("a board")[15].as_str()), ("WHITE", "...............W"));
        assert_eq!(
            read("SINGLE\nBLACK\n1").err().map(|error| format!("{error:#}").contains("input.txt")),
            Some(true)
        );
    }

    #[test]
    fn a_broken_text_is_refused_with_the_place_of_the_fault() {
        for (text, message) in [
            ("c1-e3 Nf3", "line 1, column 7: expected a play such as c1-e3 or 2,0 4,2, found \"Nf3\""),
            (
                "c1-e3\n  n16-l1",
                "line 2, column 3: the play 13,15 11,0 is not legal. 13,15 11,0 is not possible",
            ),
            (
                "2,0 4,2 13,15 11,",
                "line 1, column 9: expected a play such as c1-e3 or 2,0 4,2, found \"13,15 11,\"",
            ),
            ("2,0 4,2 13,15", "line 1, column 9: expected a play such as c1-e3 or 2,0 4,2, found \"13,15\""),
            ("c1-e3 {+0.25", "line 1, column 7: the comment has no '}'"),
            ("c1-e3 (d1-f1 *", "line 1, column 7: the variation has no ')'"),
            ("(d1-f1)", "line 1, column 1: expected a play before the variation"),
            ("c1-e3 )", "line 1, column 7: no variation begins before this ')'"),
            ("[Event \"halma\"]\n\nc1-e3\n", "line 4, column 1: the game has no result such as 1-0 or *"),
            ("[Event \"halma]\n\n*", "line 1, column 1: expected a tag such as [Rules \"addendum\"]"),
            (
                "[Rules \"house\"]\n*",
                "line 1, column 1: the rules: expected addendum or original, found \"house\"",
            ),
            ("[First \"RED\"]\n*", "first: expected BLACK or WHITE"),
            ("[Board \"B15/16\"]\n*", "a board has 16 rows, not 2"),
            ("é–é", "line 1, column 1: expected a play"),
            ("a0-é1", "line 1, column 1: expected a play"),
            ("Star\nMINIMAX", "line 1, column 1: expected a play"),
        ] {
            let error = format!("{:#}", read(text).err().expect(text));
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
