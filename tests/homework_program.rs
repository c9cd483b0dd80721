//! The program `homework`: its answers, and its time on a clock that advances with each reading.

use crate::support::homework::{answered, forced, input, legal_play};
use crate::support::inputs::{replace_line, with_line};
use crate::support::program::{CALIBRATE, Folder, HOMEWORK};
use crate::support::samples::{self, Sample, star_and_circle};
use halma::game::Game;
use halma::homework::input::parse_input;
use halma::homework::{Options, answer};
use halma::support::clock::{Clock, FakeClock};

/// The seconds that a move in `folder` takes when each reading of the clock takes `tick`.
fn seconds_of_move(folder: &Folder, tick: f64) -> f64 {
    let clock = FakeClock::ticking(tick);
    assert_eq!(answer(folder.path(), &Options::default(), &clock).expect("an answer"), [""; 0]);
    legal_play(folder);
    clock.seconds()
}

#[test]
fn the_samples_are_answered_with_all_line_ends() {
    for number in Sample::NUMBERS {
        let sample = Sample::read(number);
        // The first two samples are won in one play and take no time; the others would use up all their time.
        let text = samples::text(number, "input");
        let text = if number > 2 { replace_line(&text, 3, "0.03") } else { text };
        for (eol, end) in [("\n", ""), ("\n", "\n"), ("\r\n", ""), ("\r\n", "\r\n"), (" \n", "\n\n")] {
            let folder = Folder::with_input(text.trim_end().replace('\n', eol) + end);
            let play = answered(&folder, &folder.homework(), "");
            let winning = sample.position.winning_play(&[play]).is_some();
            assert_eq!(winning, number <= 2, "sample {number}: {play}");
        }
    }
}

#[test]
fn star_and_circle_is_answered_to_the_byte() {
    let examples = star_and_circle("examples");
    let cases = star_and_circle("cases");
    assert_eq!((examples.len(), cases.len()), (5, 120));
    for (input, output) in examples.iter().chain(cases.iter().step_by(8)) {
        for (start, eol, end) in
            [("", "\n", ""), ("", "\n", "\n"), ("", "\r\n", ""), ("\u{feff}", "\r\n", "\r\n")]
        {
            let folder = Folder::with_input(start.to_string() + &input.replace('\n', eol) + end);
            let run = folder.homework();
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{input}");
            assert_eq!(folder.text("output.txt"), *output, "{input}");
            assert_eq!(folder.names(), ["input.txt", "output.txt"]);
        }
    }
}

#[test]
fn a_minimax_search_that_takes_too_long_is_answered_in_time() {
    let [circles, empty, stars] = ["C1", "0", "S1"].map(|square| format!("{}\n", [square; 8].join(",")));
    let board = [circles.repeat(3), empty.repeat(2), stars.repeat(3)].concat();
    let answered = |algorithm| {
        let problem = format!("Star\n{algorithm}\n10\n{board}10,20,30,40,50,60,70,80\n");
        let folder = Folder::with_input(problem);
        let clock = FakeClock::ticking(1.0);
        let notes = answer(folder.path(), &Options::default(), &clock).expect("an answer");
        assert!(clock.seconds() < 130.0);
        (folder.text("output.txt").lines().map(str::to_owned).collect::<Vec<_>>(), notes)
    };
    let (right, notes) = answered("ALPHABETA");
    assert_eq!((right.len(), notes.len()), (4, 0));
    let (stopped, notes) = answered("MINIMAX");
    assert_eq!(stopped[..3], right[..3]);
    assert!(stopped[3].parse::<u64>().is_ok_and(|nodes| nodes > 100), "{stopped:?}");
    assert!(
        notes.len() == 1 && notes[0].starts_with("the minimax search was stopped after two minutes: "),
        "{notes:?}"
    );
}

#[test]
fn help_is_printed_and_other_arguments_are_ignored() {
    for program in [HOMEWORK, CALIBRATE] {
        let folder = Folder::with_input(forced("SINGLE"));
        let help = folder.run_after("set -- --help", program);
        assert!(help.code == Some(0) && help.stdout.contains("it takes no arguments"), "{help:?}");
        assert_eq!(folder.names(), ["input.txt"]);
    }
    let folder = Folder::with_input(forced("SINGLE"));
    let run = folder.run_after("set -- other.txt", HOMEWORK);
    answered(&folder, &run, "homework: ignoring 'other.txt': homework takes no arguments\n");
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
    for (seconds, tick) in
        [(0.011, 5e-5), (0.015, 5e-5), (0.02, 5e-5), (0.05, 5e-5), (0.1, 5e-5), (0.3, 5e-5), (2.0, 4e-4)]
    {
        let folder = Folder::with_input(input("SINGLE", seconds, &position));
        let used = seconds_of_move(&folder, tick);
        assert!(used < seconds && (seconds < 0.1 || used > 0.8 * seconds), "{used} of {seconds} s");
    }
}

#[test]
fn a_forced_move_takes_hardly_any_time() {
    let alone = parse_input(forced("SINGLE").as_bytes()).expect("a valid input");
    assert_eq!(alone.position.count_plays(), 1);
    for text in [forced("SINGLE"), forced("GAME"), with_line(3, "300"), samples::text(2, "input")] {
        let used = seconds_of_move(&Folder::with_input(&text), 1e-5);
        assert!(used < 5e-4, "{used} s:\n{text}");
    }
}
