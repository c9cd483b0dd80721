//! The optional files of `homework`, `playdata.txt` and `calibration.txt`, and the program `calibrate`.

use crate::support::homework::{answered, forced, input, legal_play, playdata, saved_node};
use crate::support::inputs::{VALID, with_line};
use crate::support::plays::{after, legal_plays};
use crate::support::program::{CALIBRATE, Folder};
use halma::agent::SavedGame;
use halma::agent::time::Machine;
use halma::game::Game;
use halma::homework::calibration::{calibration_text, parse_calibration};
use halma::homework::playdata::{parse_playdata, playdata_text};
use halma::homework::{Options, answer};
use halma::rules::Position;
use halma::support::clock::{Clock, FakeClock};
use std::process::Command;

/// The playdata that a move has just written in `folder`.
fn written(folder: &Folder) -> SavedGame {
    parse_playdata(folder.text("playdata.txt").as_bytes()).expect("valid playdata")
}

/// The `input.txt` of a player's second move in a game, and the `playdata.txt` that the first move left.
fn second_move(seconds: f64) -> (String, String) {
    let folder = Folder::with_input(input("GAME", 20.0, &Position::default()));
    answered(&folder, &folder.homework(), "");
    let save = written(&folder);
    assert!(save.nodes.len() > 100, "{} nodes", save.nodes.len());
    let position = after(&save.before, &[save.nodes[0].play]);
    (input("GAME", seconds, &position), folder.text("playdata.txt"))
}

#[test]
fn a_single_move_leaves_no_playdata_and_a_move_of_a_game_does() {
    let folder = Folder::with_input(input("SINGLE", 0.05, &Position::default()));
    answered(&folder, &folder.homework(), "");
    assert_eq!(folder.names(), ["input.txt", "output.txt"]);
    let (next, playdata) = second_move(2.0);
    let folder = Folder::with_input(next);
    folder.write("playdata.txt", &playdata);
    answered(&folder, &folder.homework(), "");
    assert_eq!(folder.names(), ["input.txt", "output.txt", "playdata.txt"]);
    assert_ne!(folder.text("playdata.txt"), playdata);
}

#[test]
fn damaged_playdata_is_reported_and_a_legal_play_made() {
    let (position, playdata) = playdata(100);
    let next = input("GAME", 2.0, &position);
    // The parser's own tests have further cases.
    let mut damaged: Vec<Vec<u8>> = [
        "\n".into(),
        "garbage".into(),
        "\0".repeat(1000),
        playdata.replacen("playdata 3", "playdata 30", 1),
        playdata.replace('\n', "\r\n"),
        format!("{playdata}\n"),
        format!("{playdata}{playdata}"),
        format!("\u{feff}{playdata}"),
        next.clone(),
        calibration_text(&Machine::default()),
    ]
    .map(String::into_bytes)
    .to_vec();
    // Playdata from another game, and for the other side.
    let elsewhere = after(&Position::default(), &["2,2 4,2".parse().expect("a play")]);
    let nodes = vec![saved_node(1, "11,14 10,13"), saved_node(2, "3,1 5,3")];
    let other = SavedGame { before: elsewhere, nodes, boards: Vec::new() };
    damaged.push(playdata_text(&other).into_bytes());
    damaged.push(playdata_text(&SavedGame { before: Position::default(), ..other }).into_bytes());
    for playdata in damaged {
        let folder = Folder::with_input(&next);
        folder.write("playdata.txt", &playdata);
        let run = folder.homework();
        let about = String::from_utf8_lossy(&playdata[..playdata.len().min(400)]).into_owned();
        assert!(run.stderr.starts_with("homework: playdata.txt is ignored: "), "{run:?}\n{about}");
        answered(&folder, &run, "\n");
        written(&folder);
        // A single move neither uses nor changes playdata.txt.
        folder.write("input.txt", with_line(3, "0.02"));
        folder.write("playdata.txt", &playdata);
        answered(&folder, &folder.homework(), "");
        assert_eq!(folder.read("playdata.txt"), Some(playdata));
    }
}

#[test]
fn outdated_playdata_is_replaced() {
    // Only one play is legal, so nothing is searched and only the boards are saved.
    let folder = Folder::with_input(forced("GAME"));
    folder.write("playdata.txt", second_move(2.0).1);
    answered(&folder, &folder.homework(), "it is not from the previous move of this game\n");
    let save = written(&folder);
    assert_eq!((save.nodes.len(), save.boards.len()), (0, 2));
}

#[test]
fn the_boards_of_a_game_are_kept_from_move_to_move() {
    // With little time left the moves are not searched, but their boards count too.
    for seconds in [2.0, 0.01] {
        let mut position = Position::default();
        let folder = Folder::with_input("");
        for moves in 1..=4 {
            folder.write("input.txt", input("GAME", seconds, &position));
            answered(&folder, &folder.homework(), "");
            let save = written(&folder);
            assert_eq!(save.boards.len(), moves + 1);
            assert_eq!(save.boards.last(), Some(&save.before.pieces(position.to_move())));
            position = after(&save.before, &legal_plays(&save.before)[..1]);
        }
    }
}

#[test]
fn of_playdata_too_large_for_the_time_left_only_the_boards_are_read() {
    const DAMAGED: &str = "playdata.txt is ignored: line 2, column 1: ";
    let (position, sound) = playdata(300_000);
    let boards = parse_playdata(sound.as_bytes()).expect("valid playdata").boards.len();
    let fill = |text: &str| format!("halma playdata 3\n{}", text.repeat(40_000_000 / text.len()));
    // If all of it were read, the end would be refused.
    let sound = sound + "?";
    let hostile = ["B", "\n", "1 12,14 10,12 512 -61200 .\n"].map(|text| (fill(text), DAMAGED, 2));
    for (huge, note, boards) in [(sound, "", boards + 1)].into_iter().chain(hostile) {
        let folder = Folder::new();
        for seconds in [0.02, 0.1, 1.0, 5.0] {
            folder.write("input.txt", input("GAME", seconds, &position));
            folder.write("playdata.txt", &huge);
            answered(&folder, &folder.homework(), note);
            assert_eq!(written(&folder).boards.len(), boards);
        }
    }
}

#[test]
fn a_damaged_calibration_is_reported_and_a_legal_play_made() {
    let text = calibration_text(&Machine::default());
    // The parser's own tests have further cases.
    let mut damaged: Vec<Vec<u8>> = [
        "".into(),
        "garbage\n".into(),
        "\u{0}".repeat(300),
        text[..text.len() / 2].to_owned(),
        format!("{text}{text}"),
        format!("{text}\n"),
        " ".repeat(40_000_000),
        text.repeat(200_000),
        VALID.to_owned(),
    ]
    .map(String::into_bytes)
    .to_vec();
    damaged.push(b"halma-calibration 1\nstartup_seconds \xff\n".to_vec());
    for calibration in damaged {
        for mode in ["SINGLE", "GAME"] {
            let folder = Folder::with_input(input(mode, 0.03, &Position::default()));
            folder.write("calibration.txt", &calibration);
            let run = folder.homework();
            answered(&folder, &run, "homework: calibration.txt is ignored: ");
            assert_eq!(folder.read("calibration.txt").as_ref(), Some(&calibration));
        }
    }
}

#[test]
fn a_calibration_of_another_machine_never_makes_a_move_too_long() {
    let (position, large) = playdata(300_000);
    let either =
        |choice: usize, bit: usize, low: f64, high: f64| if choice >> bit & 1 == 0 { low } else { high };
    for choice in 0..16 {
        let machine = Machine {
            startup_seconds: either(choice, 0, 1e-6, 1.0),
            clock_read_seconds: either(choice, 1, 1e-10, 1e-3),
            iterations_per_second: either(choice, 2, 100.0, 1e9),
            playdata_node_seconds: either(choice, 3, 1e-8, 1e-3),
        };
        let text = calibration_text(&machine);
        parse_calibration(text.as_bytes()).expect("a plausible machine");
        for (mode, seconds) in
            [("SINGLE", 0.02), ("SINGLE", 0.1), ("GAME", 0.02), ("GAME", 0.1), ("GAME", 1.0)]
        {
            let folder = Folder::with_input(input(mode, seconds, &position));
            folder.write("calibration.txt", &text);
            folder.write("playdata.txt", &large);
            let clock = FakeClock::ticking(2e-4);
            answer(folder.path(), &Options::default(), &clock).expect("an answer");
            legal_play(&folder);
            assert!(clock.seconds() < seconds, "{mode} {seconds}: {} s\n{text}", clock.seconds());
        }
    }
}

#[test]
fn calibrate_measures_this_machine() {
    let folder = Folder::new();
    let run = folder.run(&mut Command::new(CALIBRATE));
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    assert_eq!(folder.names(), ["calibration.txt"]);
    let machine = parse_calibration(folder.text("calibration.txt").as_bytes()).expect("a calibration");
    assert!(machine.iterations_per_second > 1e4, "{machine:?}");
    assert!(machine.startup_seconds < 0.05 && machine.clock_read_seconds < 1e-4, "{machine:?}");
    // The agent accepts the file.
    folder.write("input.txt", input("GAME", 1.0, &Position::default()));
    answered(&folder, &folder.homework(), "");
}
