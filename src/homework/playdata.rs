//! `playdata.txt`: the tree and the history that the agent keeps between the moves of a game.
//!
//! ```text
//! halma playdata 3
//! WHITE                       the side to move after the agent's play: the opponent
//! BBBBB...........            sixteen rows: the board after the agent's play
//! ⋮
//! boards 7000…0 7100…0        the agent's pieces at the start and after each of its plays, latest last: 64
//!                             hexadecimal digits each, sixteen for each parity class
//! nodes 3
//! 1 12,14 10,12 512 -61200 .  depth, play, visits, mean value for Black in millionths, proof
//! 2 3,2 5,4 100 -60000 .      (. open, B or W won, = drawn); descendants follow their node
//! 1 12,15 10,13 77 -90000 W
//! check 0123456789abcdef      checksum of all lines above
//! ```
//!
//! Any deviation is an error, for example truncation, another version, or too many nodes or boards; the agent then plays
//! without the file. A valid file may belong to another game: then the current board does not follow from the board in the
//! file, and the file is ignored.

use crate::agent::SavedGame;
use crate::game::Outcome;
use crate::rules::{BLACK, Bitboard, Play, WHITE, parse_position};
use crate::search::mcts::SavedNode;
use crate::support::hashing::checksum;
use crate::support::text::TextError;
use std::fmt::Write;
use std::str::{FromStr, Lines};

/// The maximum size of `playdata.txt`, in bytes. A node's line has at most 45.
pub(super) const MAX_BYTES: usize = HEAD_BYTES + 45 * SavedGame::MAX_NODES;

/// The maximum size of everything except the nodes, in bytes.
pub(super) const HEAD_BYTES: usize = 512 + (BOARD_DIGITS + 1) * SavedGame::MAX_BOARDS;

/// The hexadecimal digits of a board.
const BOARD_DIGITS: usize = 64;

/// A size in bytes that few nodes' lines exceed.
pub(super) const NODE_BYTES: usize = 32;

/// The first line: the format and its version.
const TITLE: &str = "halma playdata 3";
/// The lines before the first node: title, side, sixteen rows, boards, number of nodes.
const HEAD_LINES: usize = 4 + 16;

/// Values are written as multiples of a millionth.
const MILLIONTHS: f32 = 1e6;

/// Writes a `playdata.txt`.
pub fn playdata_text(save: &SavedGame) -> String {
    let SavedGame { before, nodes, boards } = save;
    let mut text = String::with_capacity(HEAD_BYTES + nodes.len() * NODE_BYTES);
    // Writing into a string can't fail.
    let _ = write!(text, "{TITLE}\n{before}boards");
    for board in boards {
        let [a, b, c, d] = [0, 1, 2, 3].map(|class| board.class_word(class));
        let _ = write!(text, " {a:016x}{b:016x}{c:016x}{d:016x}");
    }
    let _ = writeln!(text, "\nnodes {}", nodes.len());
    for node in nodes {
        let SavedNode { depth, play, visits, mean, proof } = *node;
        let mark = match proof {
            None => '.',
            Some(Outcome::Win(BLACK)) => 'B',
            Some(Outcome::Win(WHITE)) => 'W',
            Some(Outcome::Draw) => '=',
        };
        let _ = writeln!(text, "{depth} {play} {visits} {} {mark}", (mean * MILLIONTHS).round() as i32);
    }
    let check = checksum(text.as_bytes());
    let _ = writeln!(text, "check {check:016x}");
    text
}

/// Reads the output of [`playdata_text`].
///
/// # Errors
/// The first error in reading order, except that a wrong checksum comes before all errors other than a wrong title.
pub fn parse_playdata(bytes: &[u8]) -> Result<SavedGame, TextError> {
    let text = str::from_utf8(bytes).map_err(|_| TextError::new(1, 1, "expected UTF-8 text"))?;
    let mut lines = lines_after_title(text)?;
    checked(text)?;
    let mut game = parse_head(&mut lines)?;
    let count = lines.next().and_then(|line| line.strip_prefix("nodes ")?.parse().ok());
    let count: usize =
        count.filter(|&count| count <= SavedGame::MAX_NODES).ok_or_else(damaged(HEAD_LINES))?;
    game.nodes.reserve(count.min(bytes.len() / 8));
    for line in HEAD_LINES + 1..=HEAD_LINES + count {
        let node = lines.next().and_then(parse_node);
        game.nodes.push(node.ok_or_else(damaged(line))?);
    }
    lines.next().filter(|line| line.starts_with("check ")).ok_or_else(damaged(HEAD_LINES + count + 1))?;
    Ok(game)
}

/// Reads the start of a [`playdata_text`] that is too long for a move: everything before the nodes. The checksum is at
/// the end, so a damaged board may be accepted.
///
/// # Errors
/// The first error in reading order.
pub fn parse_start(bytes: &[u8]) -> Result<SavedGame, TextError> {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD_BYTES)]);
    parse_head(&mut lines_after_title(&text)?)
}

fn lines_after_title(text: &str) -> Result<Lines<'_>, TextError> {
    let mut lines = text.lines();
    match lines.next() {
        Some(TITLE) => Ok(lines),
        _ => Err(TextError::new(1, 1, format!("expected {TITLE:?}"))),
    }
}

/// Reads the position and the boards, from the second line on.
fn parse_head(lines: &mut Lines) -> Result<SavedGame, TextError> {
    let before = parse_position(lines).map_err(|error| error.within(2, 1))?;
    let boards = lines.next().and_then(parse_boards).filter(|boards| boards.len() <= SavedGame::MAX_BOARDS);
    let boards = boards.ok_or_else(damaged(HEAD_LINES - 1))?;
    Ok(SavedGame { before, nodes: Vec::new(), boards })
}

fn damaged(line: usize) -> impl Fn() -> TextError {
    move || TextError::new(line, 1, "this line is damaged")
}

/// Checks the checksum in the last line.
fn checked(text: &str) -> Result<(), TextError> {
    let fault = |message| TextError::new(text.lines().count(), 1, message);
    let truncated = || fault("the file is truncated");
    let (start, _) = text.trim_end_matches('\n').rmatch_indices('\n').next().ok_or_else(truncated)?;
    let (checked, line) = text.split_at(start + 1);
    let stated =
        line.strip_suffix('\n').and_then(|line| line.strip_prefix("check ")).ok_or_else(truncated)?;
    if stated != format!("{:016x}", checksum(checked.as_bytes())) {
        return Err(fault("the checksum is wrong"));
    }
    Ok(())
}

fn parse_boards(line: &str) -> Option<Vec<Bitboard>> {
    let mut words = line.split(' ');
    words.next().filter(|&word| word == "boards")?;
    words.map(parse_hex_board).collect()
}

fn parse_hex_board(digits: &str) -> Option<Bitboard> {
    let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if digits.len() != BOARD_DIGITS || !digits.bytes().all(is_digit) {
        return None;
    }
    (0..4).try_fold(Bitboard::EMPTY, |board, class| {
        let word = u64::from_str_radix(&digits[16 * class..][..16], 16).ok()?;
        Some(board | Bitboard::of_class(class, word))
    })
}

fn parse_node(line: &str) -> Option<SavedNode<Play>> {
    let mut words = line.split(' ');
    let depth = words.next()?.parse().ok()?;
    let play = Play::new(words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let visits = words.next()?.parse().ok()?;
    let mean = i32::from_str(words.next()?).ok()? as f32 / MILLIONTHS;
    let proof = match words.next()? {
        "." => None,
        "B" => Some(Outcome::Win(BLACK)),
        "W" => Some(Outcome::Win(WHITE)),
        "=" => Some(Outcome::Draw),
        _ => return None,
    };
    words.next().is_none().then_some(SavedNode { depth, play, visits, mean, proof })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rules::{Position, Rules};
    use crate::search::mcts::SavedTree;
    use crate::support::random::Random;

    fn save() -> SavedGame {
        let mut before = Position::initial(BLACK, Rules::default());
        before.play("3,2 5,2".parse().expect("a play"));
        let node = |depth, play: &str, visits, mean, proof| {
            let play = play.parse().expect("a play");
            SavedNode { depth, play, visits, mean, proof }
        };
        let nodes = vec![
            node(1, "12,13 10,13", 512, -0.25, None),
            node(2, "3,1 5,3", 100, 0.125, Some(Outcome::Win(BLACK))),
            node(1, "11,14 9,14", 7, 1.0, Some(Outcome::Draw)),
        ];
        let marked = Bitboard::of_class(2, 0x0123_4567_89ab_cdef);
        SavedGame { before, nodes, boards: vec![before.pieces(BLACK), !Bitboard::EMPTY, marked] }
    }

    #[test]
    fn written_playdata_reads_back() {
        let text = playdata_text(&save());
        assert_eq!(parse_playdata(text.as_bytes()), Ok(save()), "{text}");
    }

    #[test]
    fn every_truncation_and_every_changed_byte_is_detected() {
        let text = playdata_text(&save());
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
        assert_eq!(error(""), "line 1, column 1: expected \"halma playdata 3\"");
        assert_eq!(error("halma playdata 1\n"), "line 1, column 1: expected \"halma playdata 3\"");
        assert_eq!(error("halma playdata 3\nBLACK\n"), "line 2, column 1: the file is truncated");
        // The checksum matches the damaged text.
        let damaged = |from: &str, to: &str| {
            let text = playdata_text(&save());
            let (body, _) = text.rsplit_once("check").expect("a last line");
            let body = body.replace(from, to);
            error(&sealed(&body))
        };
        assert_eq!(damaged("WHITE", "GREEN"), "line 2, column 1: expected the side to move, BLACK or WHITE");
        let bad_square = damaged("WWWWW", "WWQWW");
        assert!(
            bad_square.starts_with("line 17, column 14: expected 'B', 'W' or '.' on the board, found 'Q'"),
            "{bad_square}"
        );
        assert_eq!(damaged("boards ", "board "), "line 19, column 1: this line is damaged");
        assert_eq!(damaged("89abcdef", "89abcdeg"), "line 19, column 1: this line is damaged");
        assert_eq!(damaged("nodes 3", "nodes x"), "line 20, column 1: this line is damaged");
        assert_eq!(damaged("nodes 3", "nodes 4"), "line 24, column 1: this line is damaged");
        assert_eq!(damaged("nodes 3", "nodes 2"), "line 23, column 1: this line is damaged");
        assert_eq!(damaged("3,1 5,3", "3,1 5,16"), "line 22, column 1: this line is damaged");
    }

    /// Appends the matching checksum.
    fn sealed(body: &str) -> String {
        format!("{body}check {:016x}\n", checksum(body.as_bytes()))
    }

    /// Damaged data with a matching checksum never cause a panic, and accepted data can be written and used.
    #[test]
    fn no_damage_with_a_matching_checksum_panics() {
        let text = playdata_text(&save());
        let valid: Vec<char> = text[..text.find("check").expect("a last line")].chars().collect();
        let letters: Vec<char> = "0123456789,. -BWxn\né".chars().collect();
        let (mut random, mut accepted) = (Random::new(1), 0);
        for _ in 0..4000 {
            let mut body = valid.clone();
            for _ in 0..1 + random.below(3) {
                // The parser stops at a wrong title, so edits spare it.
                let at = TITLE.len() + 1 + random.below(body.len() - TITLE.len());
                let end = body.len().min(at + random.below(9));
                let put: Vec<char> =
                    (0..random.below(9)).map(|_| letters[random.below(letters.len())]).collect();
                body.splice(at..end, put);
            }
            let text = sealed(&body.into_iter().collect::<String>());
            match parse_playdata(text.as_bytes()) {
                Ok(save) => {
                    assert!(parse_playdata(playdata_text(&save).as_bytes()).is_ok(), "{text}");
                    let tree = SavedTree { before: save.before, nodes: save.nodes };
                    let _ = tree.below(&Position::initial(WHITE, Rules::default()));
                    accepted += 1;
                }
                Err(error) => assert!((2..=text.len() + HEAD_LINES).contains(&error.line), "{error}\n{text}"),
            }
        }
        assert!(accepted > 20, "{accepted}");
    }
}
