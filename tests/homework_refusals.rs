//! Inputs and surroundings that `homework` and `calibrate` refuse, each with a message and without changing the folder.

use crate::support::homework::{answered, assert_refused, input, legal_play};
use crate::support::inputs::{VALID, broken, replace_line, with_line};
use crate::support::positions::{NO_PLAY, cornered};
use crate::support::program::{CALIBRATE, Folder, HOMEWORK};
use crate::support::samples::star_and_circle;
use halma::homework::input::MAX_BYTES;
use halma::homework::{Options, answer, calibrate};
use halma::rules::{BLACK, Position, Rules, WHITE, goal};
use halma::support::clock::FakeClock;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

/// Asserts that this `input.txt` is refused with an error that starts with `error`, both in an empty folder and next to
/// files of an earlier move.
fn assert_input_refused(text: impl AsRef<[u8]>, error: &str) {
    let folder = Folder::with_input(text);
    assert_refused(&folder, "", HOMEWORK, error);
    folder.write("output.txt", b"E 0,0 \xff no newline");
    folder.write("playdata.txt", "x");
    assert_refused(&folder, "", HOMEWORK, error);
}

/// The start of the message about a fault at this line and column.
fn at((line, column): (usize, usize)) -> String {
    format!("homework: input.txt: line {line}, column {column}: ")
}

#[test]
fn broken_inputs_are_refused_with_the_place_of_the_fault() {
    for (text, line, column, _) in broken() {
        // `Star` is the first line of the other homework, so the fault is then in the second line.
        let place = if text.starts_with("Star\n") { (2, 1) } else { (line, column) };
        assert_input_refused(&text, &at(place));
    }
    for (offset, place) in [(0, (1, 1)), (4, (1, 5)), (13, (3, 1)), (19 + 17 + 5, (5, 6))] {
        let mut bytes = VALID.as_bytes().to_vec();
        bytes[offset] = 0xff;
        assert_input_refused(bytes, &at(place));
    }
    assert_input_refused(vec![b'S'; 40_000_000], &at((1, 2)));
}

#[test]
fn broken_problems_of_star_and_circle_are_refused_with_the_place_of_the_fault() {
    let (example, _) = &star_and_circle("examples")[0];
    let with = |number, text| replace_line(example, number, text).trim_end().to_owned();
    // The parser's own tests have further cases.
    for (text, place) in [
        (with(1, "Star Circle"), (1, 5)),
        (with(1, "star"), (1, 1)),
        ("Star".to_owned(), (2, 1)),
        (with(12, "10,20,30,40,50,60,70,80,90"), (12, 25)),
    ] {
        for eol in ["\n", "\r\n"] {
            assert_input_refused(text.replace('\n', eol), &at(place));
        }
    }
    let long = format!("{example}{}x", "\n".repeat(100_000));
    assert_input_refused(long, &at((12 + MAX_BYTES - example.len(), 1)));
}

#[test]
fn positions_without_a_play_are_refused() {
    // White has made the last play.
    let filled = Position::new([goal(BLACK), goal(WHITE)], BLACK, Rules::default());
    for (position, error) in [
        // Every neighbour is taken, and so is the square beyond each.
        (cornered(NO_PLAY), "homework: there is no legal play"),
        (
            filled,
            "homework: there is no legal play: WHITE has already filled its goal, so the game is over\n",
        ),
    ] {
        assert_input_refused(input("SINGLE", 1.0, &position), error);
    }
}

#[test]
fn unusable_surroundings_are_refused() {
    type Prepare = fn(&Folder);
    const MAY_HANG: &str = "exec timeout -s KILL 30 \"$0\"";
    const FULL_DISK: &str = "trap '' XFSZ; ulimit -f 0";
    const NO_FILES: &str = "ulimit -c 0; ulimit -f 0";
    let halma: Prepare = |folder| folder.write("input.txt", with_line(3, "0.1"));
    let star_circle: Prepare = |folder| folder.write("input.txt", &star_and_circle("examples")[0].0);
    let blocked: Prepare = |folder| folder.make_directory("output.txt");
    let unreadable = "homework: can't read input.txt: ";
    let no_file = "homework: can't read input.txt: not a regular file\n";
    let unwritable = "homework: can't write output.txt: ";
    let cases: [(&str, &[Prepare], &str, &str, &str); 13] = [
        ("no input", &[], "", HOMEWORK, unreadable),
        ("a directory", &[|folder| folder.make_directory("input.txt")], "", HOMEWORK, unreadable),
        // Not even the superuser can read this.
        ("a link to itself", &[|folder| folder.link("input.txt", "input.txt")], "", HOMEWORK, unreadable),
        ("a pipe", &[|folder| folder.make_pipe("input.txt")], MAY_HANG, HOMEWORK, no_file),
        ("a device", &[|folder| folder.link("/dev/zero", "input.txt")], MAY_HANG, HOMEWORK, no_file),
        ("a directory in the way", &[halma, blocked], "", HOMEWORK, unwritable),
        ("a directory in the way", &[star_circle, blocked], "", HOMEWORK, unwritable),
        ("a full disk", &[halma], FULL_DISK, HOMEWORK, unwritable),
        ("a full disk", &[star_circle], FULL_DISK, HOMEWORK, unwritable),
        ("a limit on file sizes", &[halma], NO_FILES, HOMEWORK, unwritable),
        ("a limit on file sizes", &[], NO_FILES, CALIBRATE, "calibrate: can't write calibration.txt: "),
        (
            "a directory in the way",
            &[|folder| folder.make_directory("calibration.txt")],
            "",
            CALIBRATE,
            "calibrate: can't write calibration.txt: ",
        ),
        (
            "an argument",
            &[],
            "set -- now",
            CALIBRATE,
            "calibrate: unexpected argument 'now': calibrate takes none\n",
        ),
    ];
    for (case, prepare, setup, program, error) in cases {
        println!("{case}");
        let folder = Folder::new();
        prepare.iter().for_each(|prepare| prepare(&folder));
        assert_refused(&folder, setup, program, error);
        // An old output.txt is kept, and so is a file in a directory of that name.
        let old = if folder.file("output.txt").is_dir() { "output.txt/kept" } else { "output.txt" };
        folder.write(old, "old");
        assert_refused(&folder, setup, program, error);
        assert_eq!(folder.text(old), "old");
    }
}

#[test]
fn an_unwritable_folder_is_noticed_before_any_work() {
    let clock = FakeClock::ticking(1e-3);
    let folder = Folder::with_input(input("SINGLE", 100.0, &Position::default()));
    folder.make_directory("output.txt");
    folder.write("output.txt/kept", "kept");
    let error = answer(folder.path(), &Options::default(), &clock).expect_err("no room for the output");
    assert!(error.to_string().starts_with("can't write "), "{error}");
    let folder = Folder::new();
    folder.make_directory("calibration.txt");
    assert!(calibrate(folder.path(), &clock).is_err());
    assert!(clock.reads() < 20, "{} readings of the clock", clock.reads());
}

#[test]
fn an_error_that_nobody_can_read_stays_an_error() {
    let broken = Folder::with_input("garbage");
    assert_eq!(codes_without_stderr(&broken, HOMEWORK), [Some(2); 2]);
    let blocked = Folder::new();
    blocked.make_directory("calibration.txt");
    assert_eq!(codes_without_stderr(&blocked, CALIBRATE), [Some(2); 2]);
    // A note that can't be written, here about an unusable `calibration.txt`, does not become an error.
    let noted = Folder::with_input(input("GAME", 1.0, &Position::default()));
    noted.write("calibration.txt", "garbage");
    assert_eq!(codes_without_stderr(&noted, HOMEWORK), [Some(0); 2]);
    legal_play(&noted);
}

/// The exit statuses of `program` in `folder` when its standard error goes to a full disk, and to a pipe without a
/// reader.
fn codes_without_stderr(folder: &Folder, program: &str) -> [Option<i32>; 2] {
    let full = File::options().write(true).open("/dev/full").expect("/dev/full exists");
    let (reader, closed) = std::io::pipe().expect("a pipe");
    drop(reader);
    [Stdio::from(full), Stdio::from(closed)].map(|stderr| {
        let mut command = Command::new(program);
        let command = command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(stderr).status().expect("it starts").code()
    })
}

/// Shell commands that take away the superuser's right to write everywhere before `homework` runs; `None` if they fail.
fn drop_privilege(folder: &Folder) -> Option<&'static str> {
    if !rustix::process::geteuid().is_root() {
        return Some("");
    }
    const DROP: &str = "exec setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-all sh -c 'exec \"$0\"' \"$0\"";
    (folder.run_after(DROP, "true").code == Some(0)).then_some(DROP)
}

#[test]
fn a_writable_output_in_a_read_only_folder_is_used_and_a_read_only_one_is_refused() {
    let folder = Folder::with_input(input("SINGLE", 0.3, &Position::default()));
    folder.write("output.txt", "an old output that is longer than any new one; ".repeat(100));
    let Some(setup) = drop_privilege(&folder) else {
        return println!("skipped: the superuser may write everywhere, and setpriv cannot take that away");
    };
    let permit = |file: &str, mode| {
        fs::set_permissions(folder.file(file), Permissions::from_mode(mode)).expect("a file of this test");
    };
    permit("", 0o555);
    let run = folder.run_after(setup, HOMEWORK);
    permit("output.txt", 0o444);
    answered(&folder, &run, "");
    assert_refused(&folder, setup, HOMEWORK, "homework: can't write output.txt: ");
    permit("", 0o755);
}
