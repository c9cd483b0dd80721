//! The files of `homework` beside its input, from outside: `playdata.txt` and
//! `calibration.txt`, and the program `calibrate`.

use crate::support::homework::{forced, input, legal_play, play_of, start};
use crate::support::inputs::{VALID, with_line};
use crate::support::program::{CALIBRATE, Folder};
use halma::agent::SavedGame;
use halma::agent::time::Machine;
use halma::game::Game;
use halma::homework::calibration::{calibration_text, parse_calibration};
use halma::homework::playdata::{parse_playdata, playdata_text};
use halma::homework::{Options, answer, calibrate};
use halma::rules::{Play, Position};
use halma::search::mcts::SavedNode;
use halma::search::race::board_key;
use halma::support::clock::{Clock, FakeClock};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

/// A game's second own move: its `input.txt`, and the `playdata.txt` of the first one.
fn second_move(seconds: f64) -> (String, String) {
    let folder = Folder::with_input(input("GAME", 20.0, &start()));
    play_of(&folder, &folder.homework(), "");
    let playdata = folder.text("playdata.txt");
    let save = parse_playdata(playdata.as_bytes()).expect("what was just written");
    assert!(save.nodes.len() > 100, "{} nodes", save.nodes.len());
    let mut position = save.before;
    position.play(save.nodes[0].play);
    (input("GAME", seconds, &position), playdata)
}

#[test]
fn a_single_move_leaves_no_playdata_and_a_move_of_a_game_does() {
    let folder = Folder::with_input(input("SINGLE", 0.05, &start()));
    play_of(&folder, &folder.homework(), "");
    assert_eq!(folder.names(), ["input.txt", "output.txt"]);
    let (next, playdata) = second_move(5.0);
    let folder = Folder::with_input(next);
    folder.write("playdata.txt", &playdata);
    play_of(&folder, &folder.homework(), "");
    assert_eq!(folder.names(), ["input.txt", "output.txt", "playdata.txt"]);
    assert_ne!(folder.text("playdata.txt"), playdata);
}

#[test]
fn useless_playdata_is_reported_and_a_legal_move_made() {
    let (next, playdata) = second_move(5.0);
    let bytes = playdata.as_bytes();
    let mut useless: Vec<Vec<u8>> = [
        "".into(),
        "\n".into(),
        "garbage".into(),
        "\0".repeat(1000),
        playdata.replacen("playdata 2", "playdata 1", 1),
        playdata.replacen("playdata 2", "playdata 20", 1),
        playdata.replacen("WHITE", "BLACK", 1),
        playdata.replace('\n', "\r\n"),
        playdata.replacen("nodes ", "nodes 9", 1),
        format!("{playdata}\n"),
        format!("{playdata}{playdata}"),
        format!("\u{feff}{playdata}"),
        next.clone(),
        calibration_text(&Machine::default()),
    ]
    .map(String::into_bytes)
    .to_vec();
    for cut in [1, 15, 16, 17, 25, 100, 299, 320, bytes.len() / 2, bytes.len() - 2, bytes.len() - 1] {
        useless.push(bytes[..cut].to_vec());
    }
    for changed in [0, 20, 150, bytes.len() / 3, bytes.len() - 3] {
        let mut damaged = bytes.to_vec();
        damaged[changed] ^= 0x41;
        useless.push(damaged);
    }
    // Of another game: Black plays on from elsewhere, and from the other side of the board.
    let mut elsewhere = start();
    elsewhere.play("4,1 5,2".parse().expect("a play"));
    let nodes = vec![node(1, "11,14 10,13"), node(2, "3,1 5,3")];
    let other = SavedGame { before: elsewhere, nodes, boards: Vec::new() };
    useless.push(playdata_text(&other).into_bytes());
    useless.push(playdata_text(&SavedGame { before: start(), ..other }).into_bytes());
    for playdata in useless {
        let folder = Folder::with_input(&next);
        folder.write("playdata.txt", &playdata);
        let run = folder.homework();
        let about = String::from_utf8_lossy(&playdata[..playdata.len().min(400)]).into_owned();
        assert!(run.stderr.starts_with("homework: playdata.txt is ignored: "), "{run:?}\n{about}");
        play_of(&folder, &run, "\n");
        parse_playdata(&folder.read("playdata.txt").expect("a new one")).expect("a proper one");
        // A single move has no use for it and leaves it alone.
        folder.write("input.txt", with_line(3, "0.02"));
        folder.write("playdata.txt", &playdata);
        play_of(&folder, &folder.homework(), "");
        assert_eq!(folder.read("playdata.txt"), Some(playdata));
    }
}

#[test]
fn outdated_playdata_is_replaced() {
    // One play is legal: there is no search, and nothing to save but the boards.
    let folder = Folder::with_input(forced("GAME"));
    folder.write("playdata.txt", second_move(5.0).1);
    play_of(&folder, &folder.homework(), "");
    let save = parse_playdata(folder.text("playdata.txt").as_bytes()).expect("what was just written");
    assert_eq!((save.nodes.len(), save.boards.len()), (0, 2));
}

#[test]
fn the_boards_of_a_game_are_kept_from_move_to_move() {
    let mut position = start();
    let folder = Folder::with_input("");
    for moves in 1..=4 {
        folder.write("input.txt", input("GAME", 2.0, &position));
        play_of(&folder, &folder.homework(), "");
        let save = parse_playdata(folder.text("playdata.txt").as_bytes()).expect("what was just written");
        assert_eq!(save.boards.len(), moves + 1);
        assert_eq!(save.boards.last(), Some(&board_key(&save.before, position.to_move())));
        position = save.before;
        let mut replies = Vec::new();
        position.legal_plays(&mut replies);
        position.play(replies[0]);
    }
}

/// A saved node.
fn node(depth: u32, play: &str) -> SavedNode<Play> {
    SavedNode { depth, play: play.parse().expect("a play"), visits: 10, mean: 0.0, proof: None }
}

/// A sound `playdata.txt` of some 9 MB, of the move before `position`.
fn large_playdata() -> (Position, String) {
    let mut before = start();
    before.play("4,1 5,2".parse().expect("a play"));
    let mut nodes = vec![node(1, "11,14 10,13"); 300_000];
    nodes.iter_mut().skip(1).step_by(2).for_each(|reply| *reply = node(2, "3,1 5,3"));
    let text = playdata_text(&SavedGame { before, nodes, boards: Vec::new() });
    before.play("11,14 10,13".parse().expect("a play"));
    (before, text)
}

#[test]
fn playdata_too_large_for_the_time_is_not_read() {
    const NOT_WORTH: &str = " bytes are not worth reading now";
    let (position, sound) = large_playdata();
    let fill = |text: &str| format!("halma playdata 2\n{}", text.repeat(40_000_000 / text.len()));
    for huge in [sound, fill("B"), fill("\n"), fill("1 12,14 10,12 512 -61200 .\n")] {
        let folder = Folder::new();
        // With the shortest time the file is not even opened.
        for (seconds, note) in [(0.02, ""), (0.1, ""), (1.0, NOT_WORTH), (5.0, NOT_WORTH)] {
            folder.write("input.txt", input("GAME", seconds, &position));
            folder.write("playdata.txt", &huge);
            let run = folder.homework();
            play_of(&folder, &run, note);
        }
    }
}

#[test]
fn playdata_that_cannot_be_written_is_reported_and_the_move_stands() {
    let (next, playdata) = second_move(5.0);
    let folder = Folder::with_input(&next);
    fs::create_dir(folder.file("playdata.txt")).expect("a folder in the way");
    let run = folder.homework();
    play_of(&folder, &run, "homework: playdata.txt is ignored: can't read playdata.txt: ");
    assert!(run.stderr.contains("can't write playdata.txt: "), "{run:?}");
    assert_eq!(folder.names(), ["input.txt", "output.txt", "playdata.txt"]);
    // A link to itself, which no one can read: it is replaced as a broken file would be.
    let folder = Folder::with_input(&next);
    symlink("playdata.txt", folder.file("playdata.txt")).expect("a link to itself");
    play_of(&folder, &folder.homework(), "homework: playdata.txt is ignored: can't read playdata.txt: ");
    // A disk with room for output.txt and no more.
    let folder = Folder::with_input(&next);
    folder.write("playdata.txt", &playdata);
    let run = folder.homework_with_room_for(1);
    play_of(&folder, &run, "homework: can't write playdata.txt: ");
    assert_eq!(folder.names(), ["input.txt", "output.txt", "playdata.txt"]);
    assert_eq!(folder.text("playdata.txt"), playdata);
}

#[test]
fn a_useless_calibration_is_reported_and_a_legal_move_made() {
    let text = calibration_text(&Machine::default());
    let mut useless: Vec<Vec<u8>> = [
        "".into(),
        "garbage\n".into(),
        "\u{0}".repeat(300),
        text.replacen("calibration 1", "calibration 2", 1),
        text.replacen("iterations_per_second 300000", "iterations_per_second 1e300", 1),
        text.replacen("iterations_per_second 300000", "iterations_per_second nan", 1),
        text.replacen("startup_seconds 0.0015", "startup_seconds -1", 1),
        text.replacen("startup", "setup", 1),
        format!("{text}{text}"),
        format!("{text}\n"),
        " ".repeat(40_000_000),
        text.repeat(200_000),
        VALID.to_owned(),
    ]
    .map(String::into_bytes)
    .to_vec();
    for cut in [1, 10, 20, 40, 60, text.len() / 2, text.len() - 30] {
        useless.push(text.as_bytes()[..cut].to_vec());
    }
    useless.push(b"halma-calibration 1\nstartup_seconds \xff\n".to_vec());
    for calibration in useless {
        for mode in ["SINGLE", "GAME"] {
            let folder = Folder::with_input(input(mode, 0.05, &start()));
            folder.write("calibration.txt", &calibration);
            let run = folder.homework();
            play_of(&folder, &run, "homework: calibration.txt is ignored: ");
            assert_eq!(folder.read("calibration.txt").as_ref(), Some(&calibration));
        }
    }
    let folder = Folder::with_input(input("GAME", 0.05, &start()));
    fs::create_dir(folder.file("calibration.txt")).expect("a folder in the way");
    play_of(&folder, &folder.homework(), "homework: calibration.txt is ignored: ");
}

#[test]
fn a_calibration_of_another_machine_never_makes_a_move_too_long() {
    let (position, large) = large_playdata();
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
        parse_calibration(text.as_bytes()).expect("figures that some machine may have");
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
    // And the agent takes it.
    folder.write("input.txt", input("GAME", 1.0, &start()));
    play_of(&folder, &folder.homework(), "");
}

#[test]
fn calibrate_takes_no_arguments() {
    let folder = Folder::new();
    let help = folder.run(Command::new(CALIBRATE).arg("--help"));
    assert!(help.code == Some(0) && help.stdout.contains("it takes no arguments"), "{help:?}");
    let wrong = folder.run(Command::new(CALIBRATE).arg("now"));
    assert_eq!(
        (wrong.code, wrong.stderr.as_str()),
        (Some(2), "calibrate: it takes no arguments, but was given 'now'\n")
    );
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn a_calibration_that_cannot_be_written_is_an_error() {
    let folder = Folder::new();
    fs::create_dir(folder.file("calibration.txt")).expect("a folder in the way");
    let run = folder.run(&mut Command::new(CALIBRATE));
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("calibration.txt"), "{run:?}");
    assert_eq!(folder.names(), ["calibration.txt"]);
    let clock = FakeClock::ticking(0.1);
    assert!(calibrate(folder.path(), &clock).is_err());
    assert!(clock.reads() < 10, "{} looks at the clock before it is noticed", clock.reads());
}
