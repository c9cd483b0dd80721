//! The homework's files as text: accepted variants, the line and column in errors, and readers that, given any bytes,
//! neither panic nor take long.

use crate::support::homework::{judge, read_output};
use crate::support::inputs::{VALID, broken, with_line};
use crate::support::plays::{legal_plays, wander};
use crate::support::positions::{midgame, play_game, position, random_source};
use crate::support::samples::star_and_circle;
use halma::agent::SavedGame;
use halma::agent::time::{Machine, Mode};
use halma::game::Game;
use halma::homework::calibration::{self, calibration_text, parse_calibration};
use halma::homework::input::{self, Homework, Input, parse_homework, parse_input};
use halma::homework::output::output_text;
use halma::homework::playdata::{parse_playdata, playdata_text};
use halma::homework::star_circle::Problem;
use halma::rules::{BLACK, Bitboard, Play, Position, Rules, WHITE, chain};
use halma::search::mcts::SavedNode;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

#[test]
fn errors_name_the_place_of_the_fault() {
    for (text, line, column, message) in broken() {
        let error = parse_input(text.as_bytes()).expect_err(&text);
        assert_eq!((error.line, error.column), (line, column), "{error}\n{text:?}");
        let error = error.to_string();
        assert!(error.starts_with(&format!("line {line}, column {column}: ")), "{error}");
        assert!(error.contains(message), "{error}\n{text:?}");
    }
}

#[test]
fn line_ends_blanks_and_the_format_of_the_time_may_vary() {
    let expected = parse_input(VALID.as_bytes()).expect("a valid file");
    let variants = [
        VALID.trim_end().to_owned(),
        VALID.replace('\n', "\r\n"),
        format!("\u{feff}{VALID}"),
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
fn missing_pieces_are_accepted() {
    let alone: String = VALID.replace('B', ".");
    let input = parse_input(alone.as_bytes()).expect("a valid input");
    assert!(input.position.pieces(BLACK).is_empty());
    let few = "GAME\nBLACK\n1\n".to_owned() + "B...............\n" + &"................\n".repeat(15);
    let input = parse_input(few.as_bytes()).expect("a valid input");
    assert_eq!((input.mode, input.position.pieces(BLACK).count()), (Mode::Game, 1));
}

#[test]
fn the_first_line_names_the_homework() {
    for (text, expected) in [
        ("SINGLE", "expected BLACK or WHITE"),
        ("GAME\r\nwhatever", "expected BLACK or WHITE"),
        ("Star \nMINIMAX", "the depth limit"),
        ("Circle", "the algorithm"),
    ] {
        let error = parse_homework(text.as_bytes()).expect_err(text).to_string();
        assert!(error.contains(expected), "{error}");
    }
    for (text, column) in [("", 1), ("STAR", 2), ("Stern", 3), ("Circles", 7), ("\nGAME", 1)] {
        let error = parse_homework(text.as_bytes()).expect_err(text);
        assert_eq!((error.line, error.column), (1, column), "{error}");
        for name in ["SINGLE", "GAME", "Star", "Circle"] {
            assert!(error.to_string().contains(name), "{error}");
        }
    }
}

#[test]
fn every_legal_play_is_written_and_judged_legal() {
    let mut hops = 0;
    let start = Position::default();
    play_game(start, 120, 0.0, &mut random_source(1), &mut |position, _| {
        for play in legal_plays(position) {
            let text = output_text(position, play).expect("a legal play can be written");
            assert_eq!(judge(position, &text), Ok(play), "{text}");
            let (jumps, squares) = read_output(&text).expect(&text);
            let chain = chain(position, play).expect("a chain");
            assert_eq!(squares, chain.iter().map(|square| (square.x(), square.y())).collect::<Vec<_>>());
            assert_eq!(jumps, play.is_jump());
            hops = hops.max(text.lines().count());
        }
    });
    assert!(hops > 5, "the longest chain has only {hops} hops");
}

/// Other tests trust this judge.
#[test]
fn the_judge_of_these_tests_accepts_only_legal_output() {
    let position = position(BLACK, Rules::Addendum, "6,6 12,14 9,9", "7,6 9,6 11,6 12,13 7,7");
    for text in ["E 6,6 6,7\n", "J 6,6 8,6\nJ 8,6 10,6\n", "J 6,6 8,6\nJ 8,6 6,6\nJ 6,6 8,8\n"] {
        assert!(judge(&position, text).is_ok(), "{text}");
    }
    for text in [
        "",
        "\n",
        "E 6,6 6,7",
        "E 6,6 6,7\n\n",
        "E 6,6 6,7 \n",
        "E 06,6 6,7\n",
        "E 6,6 6,7\r\n",
        "e 6,6 6,7\n",
        "E 6,6 6,7\nE 6,7 6,8\n",
        "J 6,6 6,7\n",
        "E 6,6 8,6\n",
        "E 0,0 0,1\n",
        "E 7,6 8,5\n",
        "E 6,6 7,7\n",
        "J 6,6 8,7\n",
        "J 6,6 10,6\n",
        "J 6,6 6,8\n",
        "J 6,6 8,6\nJ 8,6 8,8\n",
        "J 6,6 8,6\nJ 6,6 8,8\n",
        "J 6,6 8,6\nE 8,6 8,7\n",
        "J 6,6 8,6\nJ 8,6 6,6\n",
        "J 12,14 12,12\n",
        "E 12,14 11,13\n",
    ] {
        assert!(judge(&position, text).is_err(), "{text}");
    }
}

#[test]
fn an_impossible_play_is_not_written() {
    let play = |text: &str| text.parse::<Play>().expect("a play");
    assert_eq!(output_text(&midgame(), play("0,15 2,15")), None);
    assert_eq!(output_text(&Position::default(), play("0,0 1,1")), None);
}

/// Gives `bytes` to every reader. Accepted files must be written back unchanged.
fn read_everywhere(bytes: &[u8]) {
    let _ = parse_homework(bytes);
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
    match Problem::parse(&String::from_utf8_lossy(bytes)) {
        Ok(problem) => {
            match parse_homework(bytes) {
                Ok(homework) => assert_eq!(homework, Homework::StarAndCircle(problem)),
                Err(_) => assert!(bytes.len() > input::MAX_BYTES),
            }
            Problem { depth: problem.depth.min(3), ..problem }.answer();
        }
        Err(error) => {
            assert!((1..=bytes.len() + 12).contains(&error.line), "{error}");
            assert!((1..=bytes.len() + 1).contains(&error.column), "{error}");
            assert!(error.to_string().len() < 300, "{error}");
        }
    }
    match parse_playdata(bytes) {
        Ok(save) => assert_eq!(playdata_text(&save).as_bytes(), bytes),
        Err(error) => {
            assert!((1..=bytes.len() + 20).contains(&error.line), "{error}");
            assert!(error.to_string().len() < 300, "{error}");
        }
    }
    if let Ok(machine) = parse_calibration(bytes) {
        assert_eq!(parse_calibration(calibration_text(&machine).as_bytes()), Ok(machine));
    }
}

/// A valid file of each kind.
fn valid() -> [String; 4] {
    let play = "12,13 10,13".parse().expect("a play");
    let node = |depth, visits, mean| SavedNode { depth, play, visits, mean, proof: None };
    let nodes = vec![node(1, 100, -0.5), node(2, 60, 0.25), node(1, 7, 1.0)];
    let save = SavedGame { before: midgame(), nodes, boards: vec![Bitboard::EMPTY, midgame().pieces(BLACK)] };
    [
        VALID.to_owned(),
        calibration_text(&Machine::default()),
        playdata_text(&save),
        star_and_circle("examples")[0].0.clone(),
    ]
}

/// A copy of `bytes` with up to five edits.
fn mutated(bytes: &[u8], rng: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    // Bytes that are likely to get past the first check.
    const LETTERS: &[u8] = b"0123456789BW.,EJSCe-+\r\n \xc3\xa9\xff\x00";
    let mut bytes = bytes.to_vec();
    for _ in 0..rng.random_range(1..6) {
        let at = rng.random_range(0..=bytes.len());
        let letter = *LETTERS.choose(rng).expect("a letter");
        match rng.random_range(0..3) {
            0 => bytes.insert(at, letter),
            1 => drop(bytes.drain(at..bytes.len().min(at + rng.random_range(1..9)))),
            _ => bytes.iter_mut().skip(at).take(1).for_each(|old| *old = letter),
        }
    }
    bytes
}

#[test]
fn no_bytes_make_a_reader_panic() {
    let mut rng = random_source(1);
    for _ in 0..4000 {
        let bytes: Vec<u8> = (0..rng.random_range(0..600)).map(|_| rng.random()).collect();
        read_everywhere(&bytes);
    }
}

#[test]
fn no_damage_makes_a_reader_panic() {
    let accepts: [fn(&[u8]) -> bool; 4] = [
        |bytes| parse_input(bytes).is_ok(),
        |bytes| parse_calibration(bytes).is_ok(),
        |bytes| parse_playdata(bytes).is_ok(),
        |bytes| Problem::parse(&String::from_utf8_lossy(bytes)).is_ok(),
    ];
    let mut rng = random_source(2);
    // How often each file is damaged, and how many of the results its reader must accept at least.
    let rounds = [(2000, 5), (2000, 5), (2000, 1), (20_000, 200)];
    for ((valid, accepts), (rounds, least)) in valid().into_iter().zip(accepts).zip(rounds) {
        let mut accepted = 0;
        for _ in 0..rounds {
            let bytes = mutated(valid.as_bytes(), &mut rng);
            read_everywhere(&bytes);
            accepted += usize::from(accepts(&bytes));
        }
        assert!((least..rounds / 2).contains(&accepted), "{accepted} accepted of {rounds}:\n{valid}");
    }
}

#[test]
fn a_written_input_parses_back() {
    let mut rng = random_source(3);
    for plays in 0..60 {
        for (mode, first) in [(Mode::Single, BLACK), (Mode::Game, WHITE)] {
            let position = wander(Position::initial(first, Rules::default()), plays, &mut rng);
            let seconds = 10f64.powf(rng.random_range(-9.0..9.0));
            let input = Input { mode, seconds, position };
            assert_eq!(parse_input(input.to_string().as_bytes()), Ok(input));
        }
    }
}

/// A reader whose time is not linear in the length would take minutes for these.
#[test]
fn long_garbage_is_read_in_linear_time() {
    let limit = input::MAX_BYTES.max(calibration::MAX_BYTES);
    let [_, _, playdata, star] = valid();
    let (playdata_start, _) = playdata.split_at(playdata.len() / 2);
    for head in ["", "GAME\nBLACK\n", VALID, "E 1,2 ", "J 1,2 1,4\n", playdata_start, &playdata, &star] {
        for filler in [
            "B",
            ".",
            "\n",
            " ",
            "9",
            "\u{301}",
            "\u{3000}",
            "GAME\n",
            "1 1,2 1,4 5 0 .\n",
            "J 1,2 1,4\nJ 1,4 1,2\n",
        ] {
            for length in [limit, 20 * limit] {
                read_everywhere((head.to_owned() + &filler.repeat(length / filler.len())).as_bytes());
            }
        }
        read_everywhere(&[head.as_bytes(), &vec![0xff; limit]].concat());
    }
}
