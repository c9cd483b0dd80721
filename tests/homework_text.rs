//! The files of the homework as text: what is accepted, where each fault is found, and that no
//! bytes whatever make a reader panic or dawdle.

use halma::budget::{Machine, Mode};
use halma::clock::{Clock, ThreadClock};
use halma::game::Game;
use halma::halma::{BLACK, Play, Position, Rules, WHITE, chain};
use halma::homework::calibration::{self, calibration_text, parse_calibration};
use halma::homework::input::{self, Input, Kind, kind, parse_input};
use halma::homework::legality::check;
use halma::homework::output::{self, output_text, parse_output};
use proptest::prelude::*;

/// White, in the top-left corner, has one way to win: 4,3 to 3,2.
const VALID: &str = "\
SINGLE
WHITE
100.0
WWWWW...........
WWWWW...........
WWW.............
WWW.W...........
WW..............
................
................
................
................
................
................
..........B...BB
.............BBB
.............BBB
...........BBBBB
...........BBBBB
";

/// The valid file with its line `number` (from 1) replaced.
fn with_line(number: usize, text: &str) -> String {
    let mut lines: Vec<&str> = VALID.lines().collect();
    lines[number - 1] = text;
    lines.join("\n") + "\n"
}

/// The valid file without its line `number` (from 1).
fn without_line(number: usize) -> String {
    let lines = VALID.lines().enumerate().filter(|(at, _)| at + 1 != number);
    lines.map(|(_, line)| format!("{line}\n")).collect()
}

/// The first `lines` lines of the valid file.
fn cut_after(lines: usize) -> String {
    VALID.split_inclusive('\n').take(lines).collect()
}

/// Broken files: the text, the line and the column of the fault, and a part of the message.
fn broken() -> Vec<(String, usize, usize, &'static str)> {
    const NUMBER: &str = "are written like 300, 6.6 or 1e-3";
    const SQUARE: &str = "a square is 'B', 'W' or '.'";
    let board = |row: usize, text: &str| with_line(row + 3, text);
    vec![
        // The first line.
        (String::new(), 1, 1, "the file ends here; expected SINGLE or GAME"),
        ("\n".into(), 1, 1, "found \"\"; expected SINGLE or GAME"),
        ("S".into(), 1, 2, "found \"S\"; expected SINGLE or GAME"),
        (with_line(1, ""), 1, 1, "expected SINGLE or GAME"),
        (with_line(1, "single"), 1, 1, "found \"single\"; expected SINGLE or GAME"),
        (with_line(1, "Game"), 1, 2, "found \"Game\""),
        (with_line(1, "SINGEL"), 1, 5, "found \"SINGEL\""),
        (with_line(1, "SINGLES"), 1, 7, "found \"SINGLES\""),
        (with_line(1, "GAM"), 1, 4, "found \"GAM\""),
        (with_line(1, " SINGLE"), 1, 1, "found \" SINGLE\""),
        (with_line(1, "SINGLE WHITE"), 1, 7, "found \"SINGLE WHITE\""),
        (with_line(1, "Star"), 1, 2, "expected SINGLE or GAME"),
        (with_line(1, "\u{feff}SINGLE"), 1, 1, "expected SINGLE or GAME"),
        (with_line(1, "SING\0LE"), 1, 5, "\\0"),
        (format!("\n{VALID}"), 1, 1, "found \"\"; expected SINGLE or GAME"),
        (without_line(1), 1, 1, "found \"WHITE\"; expected SINGLE or GAME"),
        ("GAME GAME GAME GAME GAME GAME".into(), 1, 5, "found \"GAME GAME GAME GAME …\""),
        // The side.
        (cut_after(1), 2, 1, "the file ends here; expected BLACK or WHITE"),
        ("GAME".into(), 2, 1, "the file ends here; expected BLACK or WHITE"),
        (with_line(2, ""), 2, 1, "found \"\"; expected BLACK or WHITE"),
        (with_line(2, "white"), 2, 1, "found \"white\""),
        (with_line(2, "WHIT"), 2, 5, "found \"WHIT\""),
        (with_line(2, "BLUE"), 2, 3, "found \"BLUE\""),
        (with_line(2, "W"), 2, 2, "found \"W\""),
        (with_line(2, "\tWHITE"), 2, 1, "found \"\\tWHITE\""),
        (without_line(2), 2, 1, "found \"100.0\"; expected BLACK or WHITE"),
        // The time left.
        (cut_after(2), 3, 1, "the file ends here; the CPU seconds left"),
        (with_line(3, ""), 3, 1, "the number is cut short"),
        (with_line(3, "   "), 3, 1, "the number is cut short"),
        (with_line(3, "."), 3, 2, "the number is cut short"),
        (with_line(3, "1e"), 3, 3, "the number is cut short"),
        (with_line(3, "1e-"), 3, 4, "the number is cut short"),
        (with_line(3, "x"), 3, 1, NUMBER),
        (with_line(3, " 10"), 3, 1, "found ' '"),
        (with_line(3, "-5"), 3, 1, "found '-'"),
        (with_line(3, "+5"), 3, 1, "found '+'"),
        (with_line(3, "nan"), 3, 1, "found 'n'"),
        (with_line(3, "NaN"), 3, 1, NUMBER),
        (with_line(3, "inf"), 3, 1, "found 'i'"),
        (with_line(3, "infinity"), 3, 1, NUMBER),
        (with_line(3, "0x10"), 3, 2, "found 'x'"),
        (with_line(3, "1_000"), 3, 2, "found '_'"),
        (with_line(3, "1,5"), 3, 2, "found ','"),
        (with_line(3, "1.2.3"), 3, 4, "found '.'"),
        (with_line(3, "100.0s"), 3, 6, "found 's'"),
        (with_line(3, "100.0 s"), 3, 6, "found ' '"),
        (with_line(3, "1e+-3"), 3, 4, "found '-'"),
        (with_line(3, "1e3.5"), 3, 4, "found '.'"),
        (with_line(3, "12½"), 3, 3, "found '½'"),
        (with_line(3, "0"), 3, 1, "must be more than 0"),
        (with_line(3, "0.000"), 3, 1, "must be more than 0"),
        (with_line(3, "0e5"), 3, 1, "must be more than 0"),
        (with_line(3, "1e-400"), 3, 1, "must be more than 0"),
        (with_line(3, "1e400"), 3, 1, "must be a finite number"),
        (without_line(3), 3, 1, "found 'W'"),
        // The board.
        (cut_after(3), 4, 1, "the board ends after 0 rows; it must have 16"),
        (cut_after(10), 11, 1, "the board ends after 7 rows"),
        (cut_after(18), 19, 1, "the board ends after 15 rows"),
        (without_line(9), 19, 1, "the board ends after 15 rows"),
        (board(1, ""), 4, 1, "has 0 characters; it must have 16"),
        (board(1, "WWWWW.........."), 4, 16, "has 15 characters"),
        (board(16, "...........BBBB"), 19, 16, "has 15 characters"),
        (board(2, "WWWWW............"), 5, 17, "has 17 characters"),
        (board(3, " WWW............"), 6, 1, "found ' '"),
        (board(6, "........ ......."), 9, 9, SQUARE),
        (board(7, "...............x"), 10, 16, "found 'x'"),
        (board(8, "0..............."), 11, 1, "found '0'"),
        (board(9, "..b............."), 12, 3, "found 'b'"),
        (board(10, "w..............."), 13, 1, "found 'w'"),
        (board(10, ". . . . . . . . . . . . . . . ."), 13, 2, "found ' '"),
        (board(11, "......é........."), 14, 7, "found 'é'"),
        (board(11, "......\u{301}........."), 14, 7, SQUARE),
        (board(5, "WW..W..........."), 8, 5, "WHITE has more than 19 pieces"),
        (board(16, "..........BBBBBB"), 19, 16, "BLACK has more than 19 pieces"),
        (VALID.replace('W', ".").replacen(".HITE", "WHITE", 1), 4, 1, "WHITE is to move but has no piece"),
        (VALID.replace('B', ".").replace("WHITE", "BLACK"), 4, 1, "BLACK is to move but has no piece"),
        // After the board.
        (format!("{VALID}................\n"), 20, 1, "found '.' after the board"),
        (format!("{VALID}\n \n\t x\n"), 22, 3, "found 'x' after the board"),
        (format!("{VALID}\u{1a}"), 20, 1, "after the board; nothing may follow"),
        (format!("{VALID}{VALID}"), 20, 1, "found 'S' after the board"),
        // Line ends that are none.
        (VALID.replace('\n', "\r"), 1, 7, "expected SINGLE or GAME"),
        (VALID.replace('\n', " "), 1, 7, "expected SINGLE or GAME"),
        (VALID.replacen("100.0", "100\r.0", 1), 3, 4, "found '\\r'"),
        // Too long.
        (VALID.to_owned() + &"\n".repeat(70_000), 65_265, 1, "the file goes on here"),
        (VALID.to_owned() + &" ".repeat(70_000), 20, 65_246, "the file goes on here"),
    ]
}

#[test]
fn every_fault_is_found_where_it_is() {
    let broken = broken();
    assert!(broken.len() >= 60);
    for (text, line, column, message) in broken {
        let error = parse_input(text.as_bytes()).expect_err(&text);
        assert_eq!((error.line, error.column), (line, column), "{error}\n{text:?}");
        let told = error.to_string();
        assert!(told.starts_with(&format!("line {line}, column {column}: ")), "{told}");
        assert!(told.contains(message), "{told}\n{text:?}");
    }
}

#[test]
fn bytes_that_are_not_text_are_found_where_they_are() {
    let at = |offset: usize| {
        let mut bytes = VALID.as_bytes().to_vec();
        bytes[offset] = 0xff;
        let error = parse_input(&bytes).expect_err("not text");
        (error.line, error.column)
    };
    assert_eq!(at(0), (1, 1));
    assert_eq!(at(4), (1, 5));
    assert_eq!(at(13), (3, 1));
    assert_eq!(at(19 + 17 + 5), (5, 6));
}

#[test]
fn what_may_vary_is_accepted() {
    let expected = parse_input(VALID.as_bytes()).expect("a valid file");
    let variants = [
        VALID.trim_end().to_owned(),
        VALID.replace('\n', "\r\n"),
        VALID.replace('\n', "\r\n").trim_end().to_owned() + "\r",
        VALID.replace('\n', " \n"),
        VALID.replace('\n', "\t \r\n"),
        format!("{VALID}\n\n \n\t\r\n"),
        format!("{VALID}\n   "),
        VALID.replacen("100.0", "100", 1),
        VALID.replacen("100.0", "1e2", 1),
        VALID.replacen("100.0", "0100.", 1),
        VALID.replacen("100.0", "1.0E+2", 1),
    ];
    for text in variants {
        assert_eq!(parse_input(text.as_bytes()).as_ref(), Ok(&expected), "{text:?}");
    }
    assert_eq!(expected.mode, Mode::Single);
    assert_eq!(expected.position.to_move(), WHITE);
    assert_eq!(expected.position.rules(), Rules::Addendum);
    let win = expected.position.winning_play(&["4,3 3,2".parse().expect("a play")]);
    assert!(win.is_some());
}

#[test]
fn seconds_are_read_to_the_last_digit() {
    for (text, expected) in [
        ("6.6", 6.6),
        ("300", 300.0),
        ("0.01", 0.01),
        ("1e-3", 1e-3),
        (".5", 0.5),
        ("5.", 5.0),
        ("1E300", 1e300),
        ("0.0000000000000000000000000001", 1e-28),
    ] {
        let input = parse_input(with_line(3, text).as_bytes()).expect(text);
        assert_eq!(input.seconds, expected);
    }
}

#[test]
fn fewer_pieces_are_accepted_and_none_of_the_opponent() {
    let alone: String = VALID.replace('B', ".");
    let input = parse_input(alone.as_bytes()).expect("nobody is in the way");
    assert!(input.position.pieces(BLACK).is_empty());
    let few = "GAME\nBLACK\n1\n".to_owned() + "B...............\n" + &"................\n".repeat(15);
    let input = parse_input(few.as_bytes()).expect("one piece is enough");
    assert_eq!((input.mode, input.position.pieces(BLACK).count()), (Mode::Game, 1));
}

#[test]
fn the_first_line_tells_the_homework() {
    for (text, expected) in [
        ("SINGLE", Kind::Halma),
        ("GAME\r\nwhatever", Kind::Halma),
        ("Star \nMINIMAX", Kind::StarAndCircle),
        ("Circle", Kind::StarAndCircle),
    ] {
        assert_eq!(kind(text.as_bytes()), Ok(expected));
    }
    for (text, column) in [("", 1), ("STAR", 2), ("Stern", 3), ("Circles", 7), ("\nGAME", 1)] {
        let error = kind(text.as_bytes()).expect_err(text);
        assert_eq!((error.line, error.column), (1, column), "{error}");
        for name in ["SINGLE", "GAME", "Star", "Circle"] {
            assert!(error.to_string().contains(name), "{error}");
        }
    }
}

/// A midgame with chains of jumps, Black to move.
fn midgame() -> Position {
    let mut position = Position::initial(BLACK, Rules::Addendum);
    let mut plays = Vec::new();
    for _ in 0..50 {
        position.plays(&mut plays);
        let best = plays.iter().max_by_key(|&&play| position.progress(play)).expect("a play");
        position.play(*best);
    }
    position
}

#[test]
fn every_legal_play_is_written_read_and_found_legal() {
    let mut position = Position::initial(BLACK, Rules::Addendum);
    let (mut plays, mut hops) = (Vec::new(), 0);
    for _ in 0..120 {
        position.plays(&mut plays);
        for &play in &plays {
            let text = output_text(&position, play).expect("a legal play can be written");
            assert!(text.ends_with('\n') && !text.contains('\r'));
            let turn = parse_output(text.as_bytes()).expect(&text);
            assert_eq!(turn.to_string(), text);
            assert_eq!(turn.squares(), chain(&position, play).expect("a chain").as_slice());
            assert_eq!(turn.jumps(), play.is_jump());
            assert_eq!(check(&position, &turn), Ok(play), "{text}");
            assert_eq!(parse_output(text.trim_end().as_bytes()), Ok(turn), "the last LF may be missing");
            hops = hops.max(text.lines().count());
        }
        let best = plays.iter().max_by_key(|&&play| position.progress(play)).expect("a play");
        position.play(*best);
        if position.outcome().is_some() {
            break;
        }
    }
    assert!(hops > 5, "long chains were among them");
}

#[test]
fn a_play_that_its_piece_cannot_make_is_not_written() {
    let play = |text: &str| text.parse::<Play>().expect("a play");
    assert_eq!(output_text(&midgame(), play("0,15 2,15")), None);
    assert_eq!(output_text(&Position::initial(BLACK, Rules::Addendum), play("0,0 1,1")), None);
}

/// Gives `bytes` to every reader. What is accepted must come out as it went in.
fn read_everywhere(bytes: &[u8]) {
    let _ = kind(bytes);
    match parse_input(bytes) {
        Ok(input) => {
            assert!(input.seconds > 0.0 && input.seconds.is_finite());
            assert_eq!(parse_input(input.to_string().as_bytes()), Ok(input));
        }
        Err(error) => {
            let newlines = bytes.iter().filter(|&&byte| byte == b'\n').count();
            assert!((1..=newlines + 2).contains(&error.line), "{error}");
            assert!((1..=bytes.len() + 1).contains(&error.column), "{error}");
            assert!(error.to_string().len() < 300, "{error}");
        }
    }
    if let Ok(turn) = parse_output(bytes) {
        assert_eq!(turn.to_string().trim_end().as_bytes(), bytes.trim_ascii_end());
        let _ = check(&midgame(), &turn);
    }
    if let Ok(machine) = parse_calibration(bytes) {
        assert_eq!(parse_calibration(calibration_text(&machine).as_bytes()), Ok(machine));
    }
}

/// Valid files with some bytes replaced, put in or taken out.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let calibration = calibration_text(&Machine::default());
    let valid = [VALID, "E 4,3 3,2\n", "J 9,9 11,9\nJ 11,9 11,11\nJ 11,11 13,13\n", &calibration]
        .map(|text| text.as_bytes().to_vec());
    let byte = prop_oneof![any::<u8>(), prop::sample::select(b"BW.\n\r 019,EJe-+".to_vec())];
    let edits = prop::collection::vec((0..3u8, any::<prop::sample::Index>(), byte), 0..6);
    (prop::sample::select(valid.to_vec()), edits).prop_map(|(mut bytes, edits)| {
        for (edit, at, byte) in edits {
            let at = at.index(bytes.len() + 1);
            match edit {
                0 => bytes.insert(at, byte),
                1 => drop(bytes.drain(at..bytes.len().min(at + 1 + usize::from(byte) % 8))),
                _ => bytes.iter_mut().skip(at).take(1).for_each(|old| *old = byte),
            }
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        read_everywhere(&bytes);
    }

    #[test]
    fn no_damage_makes_a_reader_panic(bytes in mutated()) {
        read_everywhere(&bytes);
    }

    #[test]
    fn an_input_is_read_as_it_was_written(seconds in 1e-9..1e9f64, single: bool, plays in 0..60usize) {
        let mut position = Position::initial(if single { BLACK } else { WHITE }, Rules::default());
        let mut list = Vec::new();
        for number in 0..plays {
            position.plays(&mut list);
            position.play(list[number * 7 % list.len()]);
        }
        let mode = if single { Mode::Single } else { Mode::Game };
        let input = Input { mode, seconds, position };
        prop_assert_eq!(parse_input(input.to_string().as_bytes()), Ok(input));
    }
}

#[test]
fn long_garbage_is_read_in_no_time() {
    let limit = input::MAX_BYTES.max(output::MAX_BYTES).max(calibration::MAX_BYTES);
    let start = ThreadClock.seconds();
    for head in ["", "GAME\nBLACK\n", VALID, "E 1,2 ", "J 1,2 1,4\n"] {
        for filler in ["B", ".", "\n", " ", "9", "\u{301}", "\u{3000}", "GAME\n", "J 1,2 1,4\nJ 1,4 1,2\n"] {
            for length in [limit, 20 * limit] {
                read_everywhere((head.to_owned() + &filler.repeat(length / filler.len())).as_bytes());
            }
        }
        read_everywhere(&[head.as_bytes(), &vec![0xff; limit]].concat());
    }
    let taken = ThreadClock.seconds() - start;
    assert!(taken < 2.0, "{taken} s for a hundred files");
}
