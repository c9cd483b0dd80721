//! The programs `homework` and `calibrate` from outside, each in a folder of its own: what they
//! answer, what they refuse, what they put up with, and what they use.

use halma::budget::Machine;
use halma::game::Game;
use halma::halma::{BLACK, Play, Position, Rules};
use halma::homework::calibration::{calibration_text, parse_calibration};
use halma::homework::input::{MAX_BYTES, parse_input};
use halma::homework::legality::check;
use halma::homework::output::parse_output;
use halma::homework::playdata::{parse_playdata, playdata_text};
use halma::mcts::{Memory, Remembered};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use support::inputs::{VALID, broken, with_line};
use support::program::{CALIBRATE, Folder, Run};
use support::samples::{self, Sample, star_and_circle};

mod support;

/// The start of a game, Black to move.
fn start() -> Position {
    Position::initial(BLACK, Rules::default())
}

/// The `input.txt` for `position`.
fn input(mode: &str, seconds: f64, position: &Position) -> String {
    let side = halma::halma::colour(position.to_move());
    format!("{mode}\n{side}\n{seconds}\n{position}")
}

/// What `output.txt` says, which must be written as it should be and legal.
fn legal_play(folder: &Folder) -> Play {
    let position =
        parse_input(&folder.read("input.txt").expect("an input")).expect("a proper input").position;
    let text = folder.text("output.txt");
    assert!(text.ends_with('\n'), "{text:?}");
    let turn = parse_output(text.as_bytes()).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    assert_eq!(turn.to_string(), text);
    check(&position, &turn).unwrap_or_else(|error| panic!("{error}:\n{position}{text}"))
}

/// The play that `run` in `folder` answered with, when all went well but for the notes of which
/// `note` is a part; none must be made if it is empty.
fn play_of(folder: &Folder, run: &Run, note: &str) -> Play {
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.is_empty(), "{run:?}");
    assert!(run.stderr.contains(note) && run.stderr.is_empty() == note.is_empty(), "{note:?}: {run:?}");
    legal_play(folder)
}

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

/// The middle of nine CPU times of `homework` in `folder`.
fn usual_cpu_seconds(folder: &Folder) -> f64 {
    let mut times: Vec<f64> = (0..9).map(|_| folder.homework().cpu_seconds).collect();
    times.sort_by(f64::total_cmp);
    times[4]
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
        // To the program this is the other homework, of which the second line is no part.
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

/// An `input.txt` with 300 s left, Black to move and the top-left corner filled so.
fn cornered(mode: &str, corner: [&str; 3]) -> String {
    let mut rows = vec![".".repeat(16); 16];
    rows.iter_mut().zip(corner).for_each(|(row, squares)| row.replace_range(..3, squares));
    format!("{mode}\nBLACK\n300\n{}\n", rows.join("\n"))
}

/// An `input.txt` in which Black has one play, from the corner along the diagonal.
fn forced(mode: &str) -> String {
    cornered(mode, ["BWW", "W..", "W.."])
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

/// A game's second own move: its `input.txt`, and the `playdata.txt` of the first one.
fn second_move(seconds: f64) -> (String, String) {
    let folder = Folder::with_input(input("GAME", 20.0, &start()));
    play_of(&folder, &folder.homework(), "");
    let playdata = folder.text("playdata.txt");
    let memory = parse_playdata(playdata.as_bytes()).expect("what was just written");
    assert!(memory.nodes.len() > 100, "{} nodes", memory.nodes.len());
    let mut position = memory.before;
    position.play(memory.nodes[0].play);
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
fn a_playdata_of_no_use_is_named_and_a_legal_move_made() {
    let (next, playdata) = second_move(5.0);
    let bytes = playdata.as_bytes();
    let mut useless: Vec<Vec<u8>> = [
        "".into(),
        "\n".into(),
        "garbage".into(),
        "\0".repeat(1000),
        playdata.replacen("playdata 1", "playdata 2", 1),
        playdata.replacen("playdata 1", "playdata 10", 1),
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
    let other = Memory { before: elsewhere, nodes: vec![node(1, "11,14 10,13"), node(2, "3,1 5,3")] };
    useless.push(playdata_text(&other).into_bytes());
    useless.push(playdata_text(&Memory { before: start(), ..other }).into_bytes());
    for playdata in useless {
        let folder = Folder::with_input(&next);
        folder.write("playdata.txt", &playdata);
        let run = folder.homework();
        let about = String::from_utf8_lossy(&playdata[..playdata.len().min(400)]).into_owned();
        assert!(run.stderr.starts_with("homework: playdata.txt is ignored: "), "{run:?}\n{about}");
        play_of(&folder, &run, "\n");
        assert!(run.cpu_seconds < 0.5, "{run:?}");
        parse_playdata(&folder.read("playdata.txt").expect("a new one")).expect("a proper one");
        // A single move has no use for it and leaves it alone.
        folder.write("input.txt", with_line(3, "0.02"));
        folder.write("playdata.txt", &playdata);
        play_of(&folder, &folder.homework(), "");
        assert_eq!(folder.read("playdata.txt"), Some(playdata));
    }
}

#[test]
fn a_playdata_out_of_date_is_not_left_behind() {
    // One play is legal: there is no search, and nothing to remember.
    let folder = Folder::with_input(forced("GAME"));
    folder.write("playdata.txt", second_move(5.0).1);
    play_of(&folder, &folder.homework(), "");
    assert_eq!(folder.names(), ["input.txt", "output.txt"]);
}

/// A node of a memory.
fn node(depth: u32, play: &str) -> Remembered<Play> {
    Remembered { depth, play: play.parse().expect("a play"), visits: 10, mean: 0.0, proof: None }
}

/// A sound `playdata.txt` of some 9 MB, of the move before `position`.
fn large_playdata() -> (Position, String) {
    let mut before = start();
    before.play("4,1 5,2".parse().expect("a play"));
    let mut nodes = vec![node(1, "11,14 10,13"); 300_000];
    nodes.iter_mut().skip(1).step_by(2).for_each(|reply| *reply = node(2, "3,1 5,3"));
    let text = playdata_text(&Memory { before, nodes });
    before.play("11,14 10,13".parse().expect("a play"));
    (before, text)
}

#[test]
fn a_huge_playdata_costs_no_more_time_than_there_is() {
    let (position, sound) = large_playdata();
    let fill = |text: &str| format!("halma playdata 1\n{}", text.repeat(40_000_000 / text.len()));
    for huge in [sound, fill("B"), fill("\n"), fill("1 12,14 10,12 512 -61200 .\n")] {
        let folder = Folder::new();
        for seconds in [0.02, 0.05, 0.1, 1.0, 5.0] {
            folder.write("input.txt", input("GAME", seconds, &position));
            folder.write("playdata.txt", &huge);
            let run = folder.homework();
            assert_eq!(run.code, Some(0), "{run:?}");
            legal_play(&folder);
            assert!(run.cpu_seconds < seconds.min(0.5), "{seconds}: {run:?}");
        }
    }
}

#[test]
fn a_playdata_that_cannot_be_written_is_named_and_the_move_stands() {
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
fn a_calibration_of_no_use_is_named_and_a_legal_move_made() {
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
            assert!(run.cpu_seconds < 0.05, "{run:?}");
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
            let run = folder.homework();
            assert_eq!(run.code, Some(0), "{run:?}");
            legal_play(&folder);
            assert!(run.cpu_seconds < seconds, "{mode} {seconds}: {run:?}\n{text}");
        }
    }
}

#[test]
fn calibrate_measures_this_machine_in_about_two_seconds() {
    let folder = Folder::new();
    let run = folder.run(&mut Command::new(CALIBRATE));
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    assert!((1.0..3.0).contains(&run.cpu_seconds), "{run:?}");
    assert_eq!(folder.names(), ["calibration.txt"]);
    let machine = parse_calibration(folder.text("calibration.txt").as_bytes()).expect("a calibration");
    assert!(machine.iterations_per_second > 1e4, "{machine:?}");
    assert!(machine.startup_seconds < 0.05 && machine.clock_read_seconds < 1e-4, "{machine:?}");
    // And the agent takes it.
    folder.write("input.txt", input("GAME", 1.0, &start()));
    play_of(&folder, &folder.homework(), "");
}

#[test]
fn a_calibration_that_cannot_be_written_is_an_error() {
    let folder = Folder::new();
    fs::create_dir(folder.file("calibration.txt")).expect("a folder in the way");
    let run = folder.run(&mut Command::new(CALIBRATE));
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("calibration.txt"), "{run:?}");
    assert!(run.cpu_seconds < 0.5, "it is noticed before anything is measured: {run:?}");
    assert_eq!(folder.names(), ["calibration.txt"]);
}

#[test]
fn with_hardly_any_time_left_the_answer_comes_at_once() {
    for mode in ["SINGLE", "GAME"] {
        for number in Sample::NUMBERS {
            let position = Sample::read(number).position;
            for (seconds, most) in [(0.01, 0.01), (0.001, 0.003)] {
                let folder = Folder::with_input(input(mode, seconds, &position));
                let used = usual_cpu_seconds(&folder);
                legal_play(&folder);
                assert!(used < most, "{used} of {seconds} s on sample {number}");
            }
        }
    }
}

#[test]
fn a_short_single_move_stays_within_its_time() {
    let position = Sample::read(3).position;
    for seconds in [0.011, 0.015, 0.02, 0.05, 0.1, 0.3] {
        let folder = Folder::with_input(input("SINGLE", seconds, &position));
        let used = usual_cpu_seconds(&folder);
        legal_play(&folder);
        assert!(used < seconds, "{used} of {seconds} s");
    }
}

#[test]
fn a_single_move_uses_most_of_its_time_and_not_too_much_memory() {
    let folder = Folder::with_input(input("SINGLE", 2.0, &Sample::read(3).position));
    let run = folder.homework();
    play_of(&folder, &run, "");
    assert!((1.6..2.0).contains(&run.cpu_seconds), "{run:?}");
    assert!(run.peak_bytes < (12 << 30) / 10, "{run:?}");
}

#[test]
fn where_there_is_nothing_to_think_about_hardly_any_time_is_used() {
    let alone = parse_input(forced("SINGLE").as_bytes()).expect("a proper input");
    assert_eq!(alone.position.count_plays(), 1);
    for text in [forced("SINGLE"), forced("GAME"), with_line(3, "300"), samples::text(2, "input")] {
        let folder = Folder::with_input(&text);
        let used = usual_cpu_seconds(&folder);
        legal_play(&folder);
        assert!(used < 0.01, "{used} s:\n{text}");
    }
}
