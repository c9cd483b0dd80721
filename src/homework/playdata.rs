//! `playdata.txt`: what the agent keeps between its moves of one game.
//!
//! ```text
//! halma playdata 2
//! WHITE                       the side to move after our own play: the opponent
//! BBBBB...........            sixteen rows: the board after our own play
//! ⋮
//! boards 89abcdef01234567     hashes of our own boards of this game, the latest last
//! nodes 3
//! 1 12,14 10,12 512 -61200 .  depth, play, visits, mean value for Black in millionths, proof
//! 2 3,2 5,4 100 -60000 .      (. open, B or W won, = drawn); a node's descendants follow it
//! 1 12,15 10,13 77 -90000 W
//! check 0123456789abcdef      of all that stands above this line
//! ```
//!
//! Whatever else is found there, a file cut short or of another version, is an error that names
//! the line, and the agent plays on without. That the file is of another game shows only when the
//! board does not follow from it: then there is nothing in it to be used.

use crate::agent::Legacy;
use crate::game::{Game, Outcome};
use crate::halma::{BLACK, Play, Position, Rules, WHITE, colour, parse_board};
use crate::hashing::checksum;
use crate::mcts::Remembered;
use std::fmt::{self, Write};
use std::str::FromStr;

/// The most nodes that are written, whatever the time left allows.
pub const MAX_NODES: usize = 1_000_000;

/// The most boards that are written. A way round that takes longer is no going in circles.
const MAX_BOARDS: usize = 256;

/// What is written beside the nodes takes at most so many bytes.
pub const HEAD_BYTES: usize = 512 + 17 * MAX_BOARDS;

const TITLE: &str = "halma playdata 2";
const BOARD_ROWS: usize = 16;
/// Lines before the first node: title, side, board, boards, number of nodes.
const HEAD_LINES: usize = 4 + BOARD_ROWS;
/// Values are written in whole millionths: as fine as they are kept, and quick to read.
const UNIT: f32 = 1e6;

/// What is wrong with a `playdata.txt`, and on which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaydataError {
    /// The line of the fault, from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: PlaydataFault,
}

/// The ways in which a `playdata.txt` can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaydataFault {
    /// It is not text.
    NotText,
    /// It does not begin with the title of this version.
    Version,
    /// The text ends too early.
    CutShort,
    /// The line is not what should stand here.
    Line,
    /// The checksum is not that of the text.
    Checksum,
}

impl fmt::Display for PlaydataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.fault {
            PlaydataFault::NotText => "this is no text",
            PlaydataFault::Version => "this is not version 2 of the agent's own data",
            PlaydataFault::CutShort => "the text is cut short",
            PlaydataFault::Line => "this line is damaged",
            PlaydataFault::Checksum => "the checksum is wrong",
        };
        write!(f, "line {}: {what}", self.line)
    }
}

impl std::error::Error for PlaydataError {}

/// Writes `legacy` as text; at most its first [`MAX_NODES`] nodes.
pub fn playdata_text(legacy: &Legacy) -> String {
    let Legacy { before, nodes, boards } = legacy;
    let nodes = &nodes[..nodes.len().min(MAX_NODES)];
    let mut text = String::with_capacity(HEAD_BYTES + nodes.len() * 32);
    let side = colour(before.to_move());
    // Writing into a string can't fail.
    let _ = write!(text, "{TITLE}\n{side}\n{before}boards");
    for board in &boards[boards.len().saturating_sub(MAX_BOARDS)..] {
        let _ = write!(text, " {board:016x}");
    }
    let _ = writeln!(text, "\nnodes {}", nodes.len());
    for node in nodes {
        let Remembered { depth, play, visits, mean, proof } = *node;
        let mark = match proof {
            None => '.',
            Some(Outcome::Win(BLACK)) => 'B',
            Some(Outcome::Win(WHITE)) => 'W',
            Some(Outcome::Draw) => '=',
        };
        let _ = writeln!(text, "{depth} {play} {visits} {} {mark}", (mean * UNIT) as i32);
    }
    let check = checksum(text.as_bytes());
    let _ = writeln!(text, "check {check:016x}");
    text
}

/// Reads what [`playdata_text`] wrote.
///
/// # Errors
/// Anything else, with the line at fault.
pub fn parse_playdata(bytes: &[u8]) -> Result<Legacy, PlaydataError> {
    let fault = |line: usize, fault| PlaydataError { line, fault };
    let text = str::from_utf8(bytes).map_err(|_| fault(1, PlaydataFault::NotText))?;
    let mut lines = text.lines();
    if lines.next() != Some(TITLE) {
        return Err(fault(1, PlaydataFault::Version));
    }
    checked(text)?;
    let side = [BLACK, WHITE].into_iter().zip([colour(BLACK), colour(WHITE)]);
    let word = lines.next().unwrap_or_default();
    let (side, _) = side.into_iter().find(|&(_, name)| name == word).ok_or(fault(2, PlaydataFault::Line))?;
    let pieces = parse_board(lines.by_ref().take(BOARD_ROWS))
        .map_err(|board| fault(2 + board.place().0, PlaydataFault::Line))?;
    let before = Position::new(pieces, side, Rules::default());
    let boards = lines.next().and_then(parse_boards).ok_or(fault(HEAD_LINES - 1, PlaydataFault::Line))?;
    let count =
        lines.next().and_then(|line| line.strip_prefix("nodes ")).and_then(|count| count.parse().ok());
    let count: usize = count.ok_or(fault(HEAD_LINES, PlaydataFault::Line))?;
    let mut nodes = Vec::with_capacity(count.min(bytes.len() / 8));
    for line in HEAD_LINES + 1..=HEAD_LINES + count.min(bytes.len()) {
        let node = lines.next().and_then(parse_node);
        nodes.push(node.ok_or(fault(line, PlaydataFault::Line))?);
    }
    Ok(Legacy { before, nodes, boards })
}

/// Checks the last line against the text before it.
fn checked(text: &str) -> Result<(), PlaydataError> {
    let last = || text.lines().count();
    let cut_short = || PlaydataError { line: last(), fault: PlaydataFault::CutShort };
    let (start, _) = text.trim_end_matches('\n').rmatch_indices('\n').next().ok_or_else(cut_short)?;
    let (checked, line) = text.split_at(start + 1);
    let stated =
        line.strip_suffix('\n').and_then(|line| line.strip_prefix("check ")).ok_or_else(cut_short)?;
    if stated != format!("{:016x}", checksum(checked.as_bytes())) {
        return Err(PlaydataError { line: last(), fault: PlaydataFault::Checksum });
    }
    Ok(())
}

fn parse_boards(line: &str) -> Option<Vec<u64>> {
    let mut words = line.split(' ');
    words.next().filter(|&word| word == "boards")?;
    let digits =
        |word: &str| word.len() == 16 && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    words.map(|word| u64::from_str_radix(word, 16).ok().filter(|_| digits(word))).collect()
}

fn parse_node(line: &str) -> Option<Remembered<Play>> {
    let mut words = line.split(' ');
    let depth = words.next()?.parse().ok()?;
    let play = Play::new(words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let visits = words.next()?.parse().ok()?;
    let mean = i32::from_str(words.next()?).ok()? as f32 / UNIT;
    let proof = match words.next()? {
        "." => None,
        "B" => Some(Outcome::Win(BLACK)),
        "W" => Some(Outcome::Win(WHITE)),
        "=" => Some(Outcome::Draw),
        _ => return None,
    };
    words.next().is_none().then_some(Remembered { depth, play, visits, mean, proof })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::Memory;
    use proptest::prelude::*;

    fn legacy() -> Legacy {
        let mut before = Position::initial(BLACK, Rules::default());
        before.play("3,2 5,2".parse().expect("a play"));
        let node = |depth, play: &str, visits, mean, proof| {
            let play = play.parse().expect("a play");
            Remembered { depth, play, visits, mean, proof }
        };
        let nodes = vec![
            node(1, "12,13 10,13", 512, -0.25, None),
            node(2, "3,1 5,3", 100, 0.125, Some(Outcome::Win(BLACK))),
            node(1, "11,14 9,14", 7, 1.0, Some(Outcome::Draw)),
        ];
        Legacy { before, nodes, boards: vec![1, u64::MAX, 0x0123_4567_89ab_cdef] }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = playdata_text(&legacy());
        assert_eq!(parse_playdata(text.as_bytes()), Ok(legacy()), "{text}");
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_noticed() {
        let text = playdata_text(&legacy());
        for end in 0..text.len() {
            assert!(parse_playdata(&text.as_bytes()[..end]).is_err(), "cut at {end}");
            let mut changed = text.clone().into_bytes();
            changed[end] ^= 1;
            assert!(parse_playdata(&changed).is_err(), "changed at {end}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| parse_playdata(text.as_bytes()).expect_err("an error").to_string();
        assert_eq!(error(""), "line 1: this is not version 2 of the agent's own data");
        assert_eq!(error("halma playdata 1\n"), "line 1: this is not version 2 of the agent's own data");
        assert_eq!(error("halma playdata 2\nBLACK\n"), "line 2: the text is cut short");
        // A sound checksum over a damaged text.
        let damaged = |from: &str, to: &str| {
            let text = playdata_text(&legacy());
            let (body, _) = text.rsplit_once("check").expect("a last line");
            let body = body.replace(from, to);
            error(&sealed(&body))
        };
        assert_eq!(damaged("WHITE", "GREEN"), "line 2: this line is damaged");
        assert_eq!(damaged("WWWWW", "WWQWW"), "line 17: this line is damaged");
        assert_eq!(damaged("boards ", "board "), "line 19: this line is damaged");
        assert_eq!(damaged("89abcdef", "89abcdeg"), "line 19: this line is damaged");
        assert_eq!(damaged("nodes 3", "nodes x"), "line 20: this line is damaged");
        assert_eq!(damaged("nodes 3", "nodes 4"), "line 24: this line is damaged");
        assert_eq!(damaged("3,1 5,3", "3,1 5,16"), "line 22: this line is damaged");
    }
    /// The text with its checksum made good again.
    fn sealed(body: &str) -> String {
        format!("{body}check {:016x}\n", checksum(body.as_bytes()))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

        /// Damage that the checksum hides: no panic, and what is accepted can be written and used.
        #[test]
        fn no_sealed_damage_makes_the_reader_panic(
            edits in prop::collection::vec((0..3u8, any::<prop::sample::Index>(), "[ -~\n]{0,8}|\\PC"), 1..4),
        ) {
            let text = playdata_text(&legacy());
            let mut body: Vec<char> = text[..text.find("check").expect("a last line")].chars().collect();
            for (edit, at, put) in edits {
                // The title stays, or nothing else would be looked at.
                let at = TITLE.len() + 1 + at.index(body.len() - TITLE.len());
                let taken = if edit == 0 { 0 } else { usize::from(edit) * put.len() / 2 };
                body.splice(at..body.len().min(at + taken), put.chars().filter(|_| edit < 2));
            }
            let text = sealed(&body.into_iter().collect::<String>());
            match parse_playdata(text.as_bytes()) {
                Ok(legacy) => {
                    prop_assert!(parse_playdata(playdata_text(&legacy).as_bytes()).is_ok());
                    let memory = Memory { before: legacy.before, nodes: legacy.nodes };
                    let _ = memory.of(&Position::initial(WHITE, Rules::default()));
                }
                Err(error) => prop_assert!((2..=text.len() + HEAD_LINES).contains(&error.line), "{error}"),
            }
        }
    }
}
