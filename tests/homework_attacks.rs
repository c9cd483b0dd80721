//! What hostile or unlucky surroundings do to `homework` and `calibrate`: one test for each attack. Whatever happens,
//! there is a legal play in `output.txt`, or an error that says what is wrong.

use crate::support::homework::{input, legal_play, play_of, start};
use crate::support::program::{CALIBRATE, Folder, HOMEWORK, Run};
use halma::agent::SavedGame;
use halma::agent::time::Machine;
use halma::game::Game;
use halma::homework::calibration::calibration_text;
use halma::homework::playdata::playdata_text;
use halma::homework::{Options, answer};
use halma::rules::{BLACK, Position, Rules, WHITE, goal};
use halma::search::mcts::SavedNode;
use halma::support::clock::{Clock, FakeClock};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Command, Stdio};

/// A folder with an `input.txt` for the start of a game.
fn at_start(mode: &str, seconds: f64) -> Folder {
    Folder::with_input(input(mode, seconds, &start()))
}

/// Runs `homework` in `folder` in the process in which the shell has done `setup`.
fn homework_after(folder: &Folder, setup: &str) -> Run {
    folder.run(Command::new("sh").args(["-c", &format!("{setup}; exec \"$0\""), HOMEWORK]))
}

/// Runs `homework` in `folder`; if it hangs it is killed, and its status is no longer its own.
fn homework_that_may_hang(folder: &Folder) -> Run {
    folder.run(Command::new("timeout").args(["-s", "KILL", "30", HOMEWORK]))
}

fn make_fifo(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo starts");
    assert!(made.success());
}

/// The status of `program` in `folder` when nobody can read what it complains about: its standard error is on a
/// full disk, and a pipe without a reader.
fn codes_without_stderr(folder: &Folder, program: &str) -> [Option<i32>; 2] {
    let full = File::options().write(true).open("/dev/full").expect("there is /dev/full");
    let (reader, closed) = std::io::pipe().expect("a pipe");
    drop(reader);
    [Stdio::from(full), Stdio::from(closed)].map(|stderr| {
        let mut command = Command::new(program);
        let command = command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(stderr).status().expect("it starts").code()
    })
}

#[test]
fn a_pipe_instead_of_a_file_is_not_waited_for() {
    for name in ["playdata.txt", "calibration.txt"] {
        let folder = at_start("GAME", 5.0);
        make_fifo(&folder.file(name));
        let note = format!("homework: {name} is ignored: can't read {name}: it is no plain file\n");
        play_of(&folder, &homework_that_may_hang(&folder), &note);
    }
    let folder = Folder::new();
    make_fifo(&folder.file("input.txt"));
    let run = homework_that_may_hang(&folder);
    let told = "homework: can't read input.txt: it is no plain file\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(2), told), "{run:?}");
    assert_eq!(folder.names(), ["input.txt"]);
}

#[test]
fn a_device_instead_of_a_file_is_not_read() {
    for name in ["playdata.txt", "calibration.txt"] {
        let folder = at_start("GAME", 5.0);
        symlink("/dev/zero", folder.file(name)).expect("a link");
        play_of(&folder, &homework_that_may_hang(&folder), "it is no plain file\n");
    }
    let folder = Folder::new();
    symlink("/dev/zero", folder.file("input.txt")).expect("a link");
    let run = homework_that_may_hang(&folder);
    assert!(run.code == Some(2) && run.stderr.ends_with("it is no plain file\n"), "{run:?}");
}

#[test]
fn a_complaint_that_nobody_can_read_changes_nothing() {
    // A note about a useless file: the answer stands.
    let folder = at_start("GAME", 1.0);
    folder.write("calibration.txt", "garbage");
    assert_eq!(codes_without_stderr(&folder, HOMEWORK), [Some(0); 2]);
    legal_play(&folder);
    // An error stays an error.
    let folder = Folder::with_input("garbage");
    assert_eq!(codes_without_stderr(&folder, HOMEWORK), [Some(2); 2]);
    let folder = Folder::new();
    fs::create_dir(folder.file("calibration.txt")).expect("a folder in the way");
    assert_eq!(codes_without_stderr(&folder, CALIBRATE), [Some(2); 2]);
}

#[test]
fn with_little_memory_there_is_a_play() {
    // From little more than what the program needs to start at all, up to what a search would like to have.
    for (kibibytes, seconds) in [(7_500, 0.2), (8_000, 0.5), (12_000, 0.5), (30_000, 1.5), (60_000, 2.0)] {
        for mode in ["SINGLE", "GAME"] {
            // A move of a game takes less of its time.
            let folder = at_start(mode, if mode == "GAME" { 20.0 * seconds } else { seconds });
            play_of(&folder, &homework_after(&folder, &format!("ulimit -v {kibibytes}")), "");
        }
    }
}

/// A clock that stands for a process that is killed at its `last` reading.
struct LastReading {
    clock: FakeClock,
    last: u64,
}

impl Clock for LastReading {
    fn seconds(&self) -> f64 {
        assert!(self.clock.reads() < self.last, "killed");
        self.clock.seconds()
    }
}

#[test]
fn whoever_is_killed_in_a_long_search_leaves_a_legal_play() {
    for mode in ["SINGLE", "GAME"] {
        let folder = at_start(mode, 100.0);
        folder.write("output.txt", "of the move before");
        let clock = LastReading { clock: FakeClock::ticking(1e-3), last: 50 };
        let killed = catch_unwind(AssertUnwindSafe(|| answer(folder.path(), &Options::default(), &clock)));
        assert!(killed.is_err(), "50 readings of the clock are not the whole search");
        legal_play(&folder);
        assert_eq!(folder.names(), ["input.txt", "output.txt"]);
    }
    // The program itself, by a limit of the system's.
    let folder = at_start("SINGLE", 100.0);
    let run = homework_after(&folder, "ulimit -c 0; ulimit -t 1");
    assert_eq!(run.code, None, "{run:?}");
    legal_play(&folder);
}

/// A sound `playdata.txt` of `nodes` nodes, of the move before the position of the `input.txt`, and that with
/// `seconds` left in a game.
fn sealed(nodes: usize, seconds: f64) -> (String, String) {
    let mut position = start();
    position.play("4,1 5,2".parse().expect("a play"));
    let node = |depth, play: &str| SavedNode {
        depth,
        play: play.parse().expect("a play"),
        visits: 10,
        mean: 0.0,
        proof: None,
    };
    let mut all = vec![node(1, "11,14 10,13"); nodes];
    all.iter_mut().skip(1).step_by(2).for_each(|reply| *reply = node(2, "3,1 5,3"));
    let text = playdata_text(&SavedGame { before: position, nodes: all, boards: Vec::new() });
    position.play("11,14 10,13".parse().expect("a play"));
    (input("GAME", seconds, &position), text)
}

#[test]
fn a_calibration_does_not_make_playdata_worth_more_reading_than_writing() {
    let machine = Machine { playdata_node_seconds: 1e-8, ..Machine::default() };
    let (next, playdata) = sealed(300_000, 20.0);
    let folder = Folder::with_input(next);
    folder.write("calibration.txt", calibration_text(&machine));
    folder.write("playdata.txt", &playdata);
    play_of(&folder, &folder.homework(), " bytes are not worth reading now\n");
    // With all the time there is: a sparse file that is larger than any we write.
    let (next, _) = sealed(1, 1e6);
    let folder = Folder::with_input(next);
    folder.write("calibration.txt", calibration_text(&machine));
    folder.write("playdata.txt", "halma playdata 2\n");
    let file = File::options().write(true).open(folder.file("playdata.txt")).expect("just written");
    file.set_len(2_000_000_000).expect("a sparse file");
    let options = Options { iterations: Some(100), ..Options::default() };
    let notes = answer(folder.path(), &options, &FakeClock::new()).expect("an answer");
    assert!(notes.len() == 1 && notes[0].contains("bytes are not worth reading now"), "{notes:?}");
}

#[test]
fn playdata_with_more_than_is_ever_written_is_damaged() {
    let (next, _) = sealed(1, 100.0);
    let before = start();
    for (nodes, boards) in [(SavedGame::MOST_NODES + 1, 0), (0, SavedGame::MOST_BOARDS + 1)] {
        let node = SavedNode {
            depth: 1,
            play: "0,0 1,1".parse().expect("a play"),
            visits: 1,
            mean: 0.0,
            proof: None,
        };
        let save = SavedGame { before, nodes: vec![node; nodes], boards: vec![7; boards] };
        let folder = Folder::with_input(&next);
        folder.write("playdata.txt", playdata_text(&save));
        let options = Options { iterations: Some(100), ..Options::default() };
        let notes = answer(folder.path(), &options, &FakeClock::new()).expect("an answer");
        assert!(notes.len() == 1 && notes[0].ends_with("this line is damaged"), "{notes:?}");
    }
}

#[test]
fn a_link_under_a_guessed_name_is_not_written_through() {
    let folder = at_start("SINGLE", 0.005);
    folder.write("victim", "precious");
    let names = "for call in 0 1 2; do ln -s victim .output.txt.$$-$call.tmp; done";
    play_of(&folder, &homework_after(&folder, names), "");
    assert_eq!(folder.text("victim"), "precious");
    let output = fs::symlink_metadata(folder.file("output.txt")).expect("an output");
    assert!(output.is_file());
}

#[test]
fn what_a_killed_process_left_behind_is_cleaned_up() {
    let folder = at_start("GAME", 1.0);
    let left = [".output.txt.0123456789abcdef.tmp", ".playdata.txt.fedcba9876543210.tmp"];
    left.iter().for_each(|name| folder.write(name, "half a fi"));
    // These are none of ours.
    let foreign = [".output.txt.mine.tmp", ".output.txt.0123456789abcdef", "output.txt.0123456789abcdef.tmp"];
    foreign.iter().for_each(|name| folder.write(name, "kept"));
    play_of(&folder, &folder.homework(), "");
    let mut expected = [&foreign[..], &["input.txt", "output.txt", "playdata.txt"]].concat();
    expected.sort_unstable();
    assert_eq!(folder.names(), expected);
}

#[test]
fn what_another_process_is_writing_is_left_alone() {
    let folder = at_start("SINGLE", 0.005);
    let name = ".output.txt.0123456789abcdef.tmp";
    folder.write(name, "half a fi");
    let file = File::options().write(true).open(folder.file(name)).expect("just written");
    rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive).expect("nobody else has it");
    play_of(&folder, &folder.homework(), "");
    assert_eq!(folder.names(), [name, "input.txt", "output.txt"]);
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_no_signal() {
    let folder = at_start("SINGLE", 0.005);
    folder.write("output.txt", "old");
    let run = homework_after(&folder, "ulimit -c 0; ulimit -f 0");
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.starts_with("homework: can't write output.txt: "), "{run:?}");
    assert_eq!(
        (folder.names(), folder.text("output.txt").as_str()),
        (vec!["input.txt".into(), "output.txt".into()], "old")
    );
    // calibration.txt is shorter than a block; playdata.txt is not.
    let folder = at_start("GAME", 20.0);
    let run = homework_after(&folder, "ulimit -c 0; ulimit -f 1");
    play_of(&folder, &run, "homework: can't write playdata.txt: ");
    assert_eq!(folder.names(), ["input.txt", "output.txt"]);
    let folder = Folder::new();
    let run = folder.run(Command::new("sh").args(["-c", "ulimit -c 0; ulimit -f 0; exec \"$0\"", CALIBRATE]));
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.starts_with("calibrate: can't write calibration.txt: "), "{run:?}");
    assert!(folder.names().is_empty());
}

#[test]
fn a_folder_that_cannot_be_written_is_noticed_before_the_search() {
    let folder = at_start("SINGLE", 100.0);
    fs::create_dir(folder.file("output.txt")).expect("a folder in the way");
    folder.write("output.txt/kept", "kept");
    let clock = FakeClock::ticking(1e-3);
    let error = answer(folder.path(), &Options::default(), &clock).expect_err("no room for the output");
    assert!(error.to_string().starts_with("can't write "), "{error}");
    assert!(clock.reads() < 10, "{} looks at the clock before it is noticed", clock.reads());
}

/// `homework` in `folder` without a superuser's right to write where nobody may; `None` if that can't be arranged.
fn homework_without_privilege(folder: &Folder) -> Option<Run> {
    if !rustix::process::geteuid().is_root() {
        return Some(folder.homework());
    }
    let rights = ["--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"];
    let run = folder.run(Command::new("setpriv").args(rights).args(["sh", "-c", "exec \"$0\"", HOMEWORK]));
    (!run.stderr.starts_with("setpriv:")).then_some(run)
}

#[test]
fn an_output_that_may_be_written_is_used_in_a_folder_that_may_not() {
    let folder = at_start("SINGLE", 0.3);
    folder.write("output.txt", "an old output that is longer than any new one; ".repeat(100));
    let writable =
        |mode| fs::set_permissions(folder.path(), Permissions::from_mode(mode)).expect("our folder");
    writable(0o555);
    let Some(run) = homework_without_privilege(&folder) else {
        writable(0o755);
        return println!("skipped: the superuser may write everywhere, and setpriv can't take that from it");
    };
    writable(0o755);
    play_of(&folder, &run, "");
    // And where the output may not be written either, that is said.
    fs::set_permissions(folder.file("output.txt"), Permissions::from_mode(0o444)).expect("our file");
    let old = folder.text("output.txt");
    writable(0o555);
    let run = homework_without_privilege(&folder);
    writable(0o755);
    let run = run.expect("as before");
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.starts_with("homework: can't write output.txt: "), "{run:?}");
    assert_eq!(folder.text("output.txt"), old);
}

#[test]
fn whoever_has_filled_its_goal_is_told_so() {
    let position = Position::new([goal(BLACK), goal(WHITE)], BLACK, Rules::default());
    let folder = Folder::with_input(input("SINGLE", 1.0, &position));
    let run = folder.homework();
    let told = "homework: there is no legal play: BLACK has already filled its goal, so the game is over\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(2), told), "{run:?}");
    assert_eq!(folder.names(), ["input.txt"]);
}

#[test]
fn a_minimax_search_that_takes_too_long_has_an_answer_in_time() {
    let [circles, empty, stars] = ["C1", "0", "S1"].map(|square| format!("{}\n", [square; 8].join(",")));
    let board = [circles.repeat(3), empty.repeat(2), stars.repeat(3)].concat();
    let problem = |algorithm| format!("Star\n{algorithm}\n10\n{board}10,20,30,40,50,60,70,80\n");
    let answered = |algorithm, seconds_of_reading| {
        let folder = Folder::with_input(problem(algorithm));
        let clock = FakeClock::ticking(seconds_of_reading);
        let notes = answer(folder.path(), &Options::default(), &clock).expect("an answer");
        assert!(clock.seconds() < 130.0);
        (folder.text("output.txt").lines().map(str::to_owned).collect::<Vec<_>>(), notes)
    };
    let (right, notes) = answered("ALPHABETA", 1.0);
    assert_eq!((right.len(), notes.len()), (4, 0));
    let (stopped, notes) = answered("MINIMAX", 1.0);
    assert_eq!(stopped[..3], right[..3]);
    assert!(stopped[3].parse::<u64>().is_ok_and(|nodes| nodes > 100), "{stopped:?}");
    assert!(notes.len() == 1 && notes[0].starts_with("the minimax search was stopped: "), "{notes:?}");
}
