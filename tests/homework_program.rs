//! The program `homework` from outside, in a folder of its own: what it answers, what it refuses, and how
//! much time it takes on a clock that advances with each reading.

use crate::support::homework::{cornered, forced, input, legal_play, play_of};
use crate::support::inputs::{VALID, broken, with_line};
use crate::support::program::{Folder, HOMEWORK, Run};
use crate::support::samples::{self, Sample, star_and_circle};
use halma::game::Game;
use halma::homework::input::{MAX_BYTES, parse_input};
use halma::homework::{Options, answer};
use halma::support::clock::{Clock, FakeClock};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

/// Checks that `run` in `folder` refused its input at `place` and left all as it was.
fn assert_refused(folder: &Folder, run: &Run, place: (usize, usize), before: &[(&str, &[u8])]) {
    let told = format!("homework: input.txt: line {}, column {}: ", place.0, place.1);
    let input = folder.read("input.txt").map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert_eq!(run.code, Some(2), "{run:?}\n{input:?}");
    assert!(run.stderr.starts_with(&told), "{told}: {run:?}\n{input:?}");
    assert_eq!((run.stderr.lines().count(), run.stdout.as_str()), (1, ""), "{run:?}");
    let mut names = vec!["input.txt"];
    for (name, contents) in before {
        names.push(name);
        assert_eq!(folder.read(name).as_deref(), Some(*contents), "{name}\n{input:?}");
    }
    assert_eq!(folder.names(), names);
}

/// The seconds that a move in `folder` takes when each reading of the clock takes `tick`.
fn seconds_of_move(folder: &Folder, tick: f64) -> f64 {
    let clock = FakeClock::ticking(tick);
    assert_eq!(answer(folder.path(), &Options::default(), &clock).expect("an answer"), [""; 0]);
    legal_play(folder);
    clock.seconds()
}

/// `text` with its third line, the time left, replaced.
fn with_seconds(text: &str, seconds: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines[2] = seconds;
    lines.join("\n")
}

#[test]
fn the_samples_are_answered_whatever_their_line_ends() {
    for number in Sample::NUMBERS {
        let sample = Sample::read(number);
        // The first two are won in one and need no time; the others would take all they have.
        let text = samples::text(number, "input");
        let text = if number > 2 { with_seconds(&text, "0.1") } else { text };
        for (eol, end) in [("\n", ""), ("\n", "\n"), ("\r\n", ""), ("\r\n", "\r\n"), (" \n", "\n\n")] {
            let folder = Folder::with_input(text.trim_end().replace('\n', eol) + end);
            let play = play_of(&folder, &folder.homework(), "");
            let winning = sample.position.winning_play(&[play]).is_some();
            assert_eq!(winning, number <= 2, "sample {number}: {play}");
        }
    }
}

#[test]
fn arguments_are_named_and_ignored_and_help_is_given() {
    let folder = Folder::with_input(forced("SINGLE"));
    let help = folder.run(Command::new(HOMEWORK).arg("--help"));
    assert!(help.code == Some(0) && help.stdout.contains("it takes no arguments"), "{help:?}");
    assert_eq!(folder.names(), ["input.txt"]);
    let run = folder.run(Command::new(HOMEWORK).arg("other.txt"));
    play_of(&folder, &run, "homework: it takes no arguments, and ignores 'other.txt'\n");
}

#[test]
fn star_and_circle_is_answered_to_the_byte() {
    let examples = star_and_circle("examples");
    let cases = star_and_circle("cases");
    assert_eq!((examples.len(), cases.len()), (5, 120));
    for (input, output) in examples.iter().chain(cases.iter().step_by(8)) {
        for (eol, end) in [("\n", ""), ("\n", "\n"), ("\r\n", ""), ("\r\n", "\r\n")] {
            let folder = Folder::with_input(input.replace('\n', eol) + end);
            let run = folder.homework();
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{input}");
            assert_eq!(folder.text("output.txt"), *output, "{input}");
            assert_eq!(folder.names(), ["input.txt", "output.txt"]);
        }
    }
}

#[test]
fn a_broken_input_is_refused_where_it_is_broken_and_nothing_is_touched() {
    let broken = broken();
    assert!(broken.len() >= 60);
    for (text, line, column, _) in broken {
        // To the program this is the other homework, in which the second line is wrong.
        let place = if text.starts_with("Star\n") { (2, 1) } else { (line, column) };
        let folder = Folder::with_input(&text);
        assert_refused(&folder, &folder.homework(), place, &[]);
        let old: [(&str, &[u8]); 2] = [("output.txt", b"E 0,0 \xff no newline"), ("playdata.txt", b"x")];
        old.iter().for_each(|(name, contents)| folder.write(name, contents));
        assert_refused(&folder, &folder.homework(), place, &old);
    }
}

#[test]
fn bytes_that_are_no_text_are_refused_where_they_are() {
    for (offset, place) in [(0, (1, 1)), (4, (1, 5)), (13, (3, 1)), (19 + 17 + 5, (5, 6))] {
        let mut bytes = VALID.as_bytes().to_vec();
        bytes[offset] = 0xff;
        let folder = Folder::with_input(bytes);
        assert_refused(&folder, &folder.homework(), place, &[]);
    }
    let folder = Folder::with_input(vec![b'S'; 40_000_000]);
    assert_refused(&folder, &folder.homework(), (1, 2), &[]);
}

#[test]
fn a_broken_problem_of_star_and_circle_is_refused_where_it_is_broken() {
    let (example, _) = &star_and_circle("examples")[0];
    let with = |number: usize, text: &str| {
        let mut lines: Vec<&str> = example.lines().collect();
        lines[number - 1] = text;
        lines.join("\n")
    };
    for (text, place) in [
        (with(1, "Star Circle"), (1, 5)),
        (with(1, "star"), (1, 1)),
        ("Star".to_owned(), (2, 1)),
        (with(2, "ALPHA-BETA"), (2, 1)),
        (with(3, "11"), (3, 1)),
        (with(4, "0,0,0,0,0,0,0"), (4, 14)),
        (with(5, "0,0,0,X1,0,0,0,0"), (5, 7)),
        (with(6, "0,0,S2,0,0,0,0,0"), (6, 6)),
        (with(12, "10,20,30,40,50,60,70,80,90"), (12, 25)),
        (with(12, ""), (12, 1)),
        (format!("{example}\nmore"), (13, 1)),
        (format!("{example}{}x", "\n".repeat(100)), (112, 1)),
    ] {
        for eol in ["\n", "\r\n"] {
            let folder = Folder::with_input(text.replace('\n', eol));
            assert_refused(&folder, &folder.homework(), place, &[]);
            folder.write("output.txt", "old");
            assert_refused(&folder, &folder.homework(), place, &[("output.txt", b"old")]);
        }
    }
}

#[test]
fn star_and_circle_with_too_long_an_input_is_refused() {
    let (example, _) = &star_and_circle("examples")[0];
    let folder = Folder::with_input(format!("{example}{}x", "\n".repeat(100_000)));
    let line = 12 + MAX_BYTES - example.len();
    assert_refused(&folder, &folder.homework(), (line, 1), &[]);
}

#[test]
fn without_a_readable_input_nothing_is_written() {
    let folder = Folder::new();
    let refused = |kind: &str| {
        for old in [None, Some(b"old".as_slice())] {
            old.iter().for_each(|old| folder.write("output.txt", old));
            let run = folder.homework();
            assert_eq!(run.code, Some(2), "{kind}: {run:?}");
            assert!(run.stderr.contains("can't read input.txt: "), "{kind}: {run:?}");
            assert_eq!(folder.read("output.txt").as_deref(), old, "{kind}");
        }
        fs::remove_file(folder.file("output.txt")).expect("the old output");
    };
    refused("absent");
    fs::create_dir(folder.file("input.txt")).expect("a folder");
    refused("a folder");
    fs::remove_dir(folder.file("input.txt")).expect("that folder");
    // Not even the superuser can read this.
    symlink("input.txt", folder.file("input.txt")).expect("a link to itself");
    refused("a link to itself");
}

#[test]
fn what_cannot_be_written_is_an_error_and_nothing_is_lost() {
    for text in [with_line(3, "0.1"), star_and_circle("examples")[0].0.clone()] {
        let folder = Folder::with_input(&text);
        fs::create_dir(folder.file("output.txt")).expect("a folder in the way");
        folder.write("output.txt/kept", "kept");
        let run = folder.homework();
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains("can't write output.txt: "), "{run:?}");
        assert_eq!(folder.names(), ["input.txt", "output.txt"]);
        assert_eq!(folder.text("output.txt/kept"), "kept");

        let folder = Folder::with_input(&text);
        folder.write("output.txt", "old");
        let run = folder.homework_with_room_for(0);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains("can't write output.txt: "), "{run:?}");
        assert_eq!(folder.text("output.txt"), "old");
        assert_eq!(folder.names(), ["input.txt", "output.txt"]);
    }
}

#[test]
fn a_position_without_a_play_is_an_error() {
    // Every neighbour is taken, and so is the square beyond each.
    let folder = Folder::with_input(cornered("SINGLE", ["BWW", "WW.", "W.W"]));
    let run = folder.homework();
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("no legal play"), "{run:?}");
    assert_eq!(folder.names(), ["input.txt"]);
}

#[test]
fn with_hardly_any_time_left_the_answer_comes_at_once() {
    for mode in ["SINGLE", "GAME"] {
        for number in Sample::NUMBERS {
            let position = Sample::read(number).position;
            for seconds in [0.01, 0.001] {
                let folder = Folder::with_input(input(mode, seconds, &position));
                let used = seconds_of_move(&folder, 1e-5);
                assert!(used < 5e-4, "{used} of {seconds} s on sample {number}");
            }
        }
    }
}

#[test]
fn a_single_move_uses_most_of_its_time_and_never_more() {
    let position = Sample::read(3).position;
    for seconds in [0.011, 0.015, 0.02, 0.05, 0.1, 0.3, 2.0] {
        let folder = Folder::with_input(input("SINGLE", seconds, &position));
        let used = seconds_of_move(&folder, 5e-5);
        assert!(used < seconds && (seconds < 0.1 || used > 0.8 * seconds), "{used} of {seconds} s");
    }
}

#[test]
fn a_single_move_stays_within_its_memory() {
    let folder = Folder::with_input(input("SINGLE", 2.0, &Sample::read(3).position));
    let run = folder.homework();
    play_of(&folder, &run, "");
    assert!(run.peak_bytes < (12 << 30) / 10, "{run:?}");
}

#[test]
fn a_forced_move_takes_hardly_any_time() {
    let alone = parse_input(forced("SINGLE").as_bytes()).expect("a proper input");
    assert_eq!(alone.position.count_plays(), 1);
    for text in [forced("SINGLE"), forced("GAME"), with_line(3, "300"), samples::text(2, "input")] {
        let used = seconds_of_move(&Folder::with_input(&text), 1e-5);
        assert!(used < 5e-4, "{used} s:\n{text}");
    }
}
