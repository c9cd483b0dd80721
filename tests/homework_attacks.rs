//! Hostile and unlucky surroundings in which `homework` must still write a legal play, with a note about each file that
//! it could not use. The surroundings in which it must refuse are in `homework_refusals.rs`.

use crate::support::homework::{answered, input, legal_play, playdata, saved_node};
use crate::support::positions::finished;
use crate::support::program::{Folder, HOMEWORK};
use halma::agent::SavedGame;
use halma::agent::time::Machine;
use halma::homework::calibration::calibration_text;
use halma::homework::playdata::playdata_text;
use halma::homework::{Options, answer};
use halma::rules::{Bitboard, Position, Rules, colour};
use halma::support::clock::{Clock, FakeClock};
use std::fs::{self, File};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A folder with an `input.txt` for the start of a game.
fn at_start(mode: &str, seconds: f64) -> Folder {
    Folder::with_input(input(mode, seconds, &Position::default()))
}

/// Asserts that `homework`, run in `folder` after the shell command `setup`, writes a legal play, prints each of
/// `notes` on standard error, and leaves no files except its input, its output and `left`.
fn assert_survived(folder: &Folder, setup: &str, notes: &[&str], left: &[&str]) {
    let run = folder.run_after(setup, HOMEWORK);
    answered(folder, &run, notes.first().unwrap_or(&""));
    assert!(notes.iter().all(|note| run.stderr.contains(note)), "{notes:?}: {run:?}");
    let mut names = [left, &["input.txt", "output.txt"]].concat();
    names.sort_unstable();
    assert_eq!(folder.names(), names, "{run:?}");
}

#[test]
fn a_finished_game_is_answered_while_there_is_a_play() {
    let boards = finished().into_iter().filter(|(position, _)| position.rules() == Rules::Addendum);
    for (position, winner) in boards.filter(|(position, _)| position.count_plays() > 0) {
        let note = format!("homework: {} has already filled its goal, so the game is over; ", colour(winner));
        for mode in ["SINGLE", "GAME"] {
            for seconds in [0.01, 1.0] {
                assert_survived(&Folder::with_input(input(mode, seconds, &position)), "", &[&note], &[]);
            }
        }
    }
}

#[test]
fn files_that_are_not_regular_are_not_read() {
    const PLAYDATA: &str = "homework: playdata.txt is ignored: can't read playdata.txt: ";
    const CALIBRATION: &str = "homework: calibration.txt is ignored: can't read calibration.txt: ";
    const NOT_REGULAR: &str = ": not a regular file\n";
    type Prepare = fn(&Folder);
    let attacks: [(Prepare, [&str; 2], &[&str]); 7] = [
        (|folder| folder.make_pipe("playdata.txt"), [PLAYDATA, NOT_REGULAR], &[]),
        (|folder| folder.make_pipe("calibration.txt"), [CALIBRATION, NOT_REGULAR], &["calibration.txt"]),
        (|folder| folder.link("/dev/zero", "playdata.txt"), [PLAYDATA, NOT_REGULAR], &[]),
        (
            |folder| folder.link("/dev/zero", "calibration.txt"),
            [CALIBRATION, NOT_REGULAR],
            &["calibration.txt"],
        ),
        (|folder| folder.make_directory("playdata.txt"), [PLAYDATA, "can't write playdata.txt: "], &[]),
        (|folder| folder.make_directory("calibration.txt"), [CALIBRATION, ""], &["calibration.txt"]),
        // A link to itself is replaced like a damaged file.
        (|folder| folder.link("playdata.txt", "playdata.txt"), [PLAYDATA, ""], &[]),
    ];
    for (prepare, notes, left) in attacks {
        let folder = at_start("GAME", 5.0);
        prepare(&folder);
        let left = [left, &["playdata.txt"]].concat();
        assert_survived(&folder, "exec timeout -s KILL 30 \"$0\"", &notes, &left);
    }
}

#[test]
fn little_memory_is_enough_for_a_play() {
    // The memory limits range from barely enough to start the program up to what a search would use.
    for (kibibytes, seconds) in [(7_500, 0.12), (8_000, 0.2), (12_000, 0.3), (30_000, 0.8), (60_000, 1.6)] {
        // One move takes only a part of a game's time.
        for (mode, seconds) in [("SINGLE", seconds), ("GAME", 20.0 * seconds)] {
            let folder = at_start(mode, seconds);
            let run = folder.run_after(&format!("ulimit -v {kibibytes}"), HOMEWORK);
            answered(&folder, &run, "");
        }
    }
}

#[test]
fn playdata_that_does_not_fit_on_the_disk_is_reported() {
    const NOTES: &[&str] = &["homework: can't write playdata.txt: "];
    // One block, the limit here, holds output.txt but not playdata.txt.
    assert_survived(&at_start("GAME", 20.0), "ulimit -c 0; ulimit -f 1", NOTES, &[]);
    // An old playdata.txt stays.
    let (position, old) = playdata(300);
    let folder = Folder::with_input(input("GAME", 5.0, &position));
    folder.write("playdata.txt", &old);
    assert_survived(&folder, "trap '' XFSZ; ulimit -f 1", NOTES, &["playdata.txt"]);
    assert_eq!(folder.text("playdata.txt"), old);
}

#[test]
fn a_link_under_a_guessed_name_is_not_followed() {
    let folder = at_start("SINGLE", 0.005);
    folder.write("victim", "precious");
    let setup = "for call in 0 1 2; do ln -s victim .output.txt.$$-$call.tmp; done";
    answered(&folder, &folder.run_after(setup, HOMEWORK), "");
    assert_eq!(folder.text("victim"), "precious");
    let output = fs::symlink_metadata(folder.file("output.txt")).expect("an output");
    assert!(output.is_file());
}

#[test]
fn temporary_files_of_killed_processes_are_removed_and_no_others() {
    let folder = at_start("GAME", 1.0);
    let stale = [".output.txt.0123456789abcdef.tmp", ".playdata.txt.fedcba9876543210.tmp"];
    let foreign = [".output.txt.mine.tmp", ".output.txt.0123456789abcdef", "output.txt.0123456789abcdef.tmp"];
    [&stale[..], &foreign].concat().iter().for_each(|name| folder.write(name, "half a fi"));
    assert_survived(&folder, "", &[], &[&foreign[..], &["playdata.txt"]].concat());
    // A file that another process is still writing stays.
    let folder = at_start("SINGLE", 0.005);
    folder.write(stale[0], "half a fi");
    let file = File::options().write(true).open(folder.file(stale[0])).expect("the file just written");
    rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive).expect("an unlocked file");
    assert_survived(&folder, "", &[], &stale[..1]);
}

/// A clock that panics at its `last` reading, as if the process were killed.
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
fn killing_a_long_search_leaves_a_legal_play() {
    for mode in ["SINGLE", "GAME"] {
        let folder = at_start(mode, 100.0);
        folder.write("output.txt", "from the move before");
        let clock = LastReading { clock: FakeClock::ticking(1e-3), last: 50 };
        let killed = catch_unwind(AssertUnwindSafe(|| answer(folder.path(), &Options::default(), &clock)));
        assert!(killed.is_err(), "the search ends within 50 readings of the clock");
        legal_play(&folder);
        assert_eq!(folder.names(), ["input.txt", "output.txt"]);
    }
    // Here the system kills the program.
    let folder = at_start("SINGLE", 100.0);
    let run = folder.run_after("ulimit -c 0; ulimit -t 1", HOMEWORK);
    assert_eq!(run.code, None, "{run:?}");
    legal_play(&folder);
}

/// Runs [`answer`] in `folder` on a stopped clock and returns its note, which must be the only one.
fn note(folder: &Folder) -> String {
    let options = Options { iterations: Some(100), ..Options::default() };
    let mut notes = answer(folder.path(), &options, &FakeClock::new()).expect("an answer");
    assert_eq!(notes.len(), 1, "{notes:?}");
    notes.remove(0)
}

#[test]
fn a_calibration_does_not_make_large_playdata_worth_reading() {
    let machine = Machine { playdata_node_seconds: 1e-8, ..Machine::default() };
    let (position, text) = playdata(300_000);
    let folder = Folder::with_input(input("GAME", 20.0, &position));
    folder.write("calibration.txt", calibration_text(&machine));
    // If all of it were read, the end would be refused.
    folder.write("playdata.txt", text + "?");
    answered(&folder, &folder.homework(), "");
    // Even with unlimited time, a sparse file that is larger than any that `homework` writes is not read whole.
    let folder = Folder::with_input(input("GAME", 1e6, &position));
    folder.write("calibration.txt", calibration_text(&machine));
    folder.write("playdata.txt", "halma playdata 3\n");
    let file = File::options().write(true).open(folder.file("playdata.txt")).expect("the file just written");
    file.set_len(2_000_000_000).expect("a sparse file");
    let note = note(&folder);
    assert!(note.starts_with("playdata.txt is ignored: line 2, column 1: "), "{note}");
}

#[test]
fn playdata_with_more_nodes_or_boards_than_are_ever_written_is_damaged() {
    for (nodes, boards) in [(SavedGame::MAX_NODES + 1, 0), (0, SavedGame::MAX_BOARDS + 1)] {
        let nodes = vec![saved_node(1, "0,0 1,1"); nodes];
        let save = SavedGame { before: Position::default(), nodes, boards: vec![Bitboard::EMPTY; boards] };
        let folder = Folder::with_input(input("GAME", 100.0, &playdata(1).0));
        folder.write("playdata.txt", playdata_text(&save));
        let note = note(&folder);
        assert!(note.ends_with("this line is damaged"), "{note}");
    }
}
