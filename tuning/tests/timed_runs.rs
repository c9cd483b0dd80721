//! Runs with limits in seconds: warnings about the machine, limits scaled to its speed, and games kept on their own
//! cores.

use crate::support::{Folder, list, number, string};
use serde_json::Value;
use std::process::Command;

const MATCH: &str = "match greedy random --max-plies 20 --games 4 --jobs 1";

/// A folder with a program that only writes the output of `command` to standard error, and so loses its first game.
fn with_program(command: &str) -> Folder {
    let folder = Folder::new();
    folder.write_program("says", &format!("#!/bin/sh\n{command} >&2\nexit 1\n"));
    folder
}

/// The last word that the program of [`with_program`] wrote in each game of the run.
fn said(folder: &Folder, run: &str) -> Vec<String> {
    // `it crashed: exit status 1 (WORDS)`
    let said = |game: Value| {
        let word = string(&game["fault"]).rsplit(['(', ' ']).next().expect("a word");
        word.trim_end_matches(')').to_string()
    };
    folder.games(run).into_iter().map(said).collect()
}

#[test]
fn limits_in_seconds_are_scaled_to_the_speed_of_the_machine() {
    let folder = with_program("sed -n 3p input.txt");
    let measured = folder.succeeds("bench --speed --jobs 1 --seconds 0.05");
    let [name, speed, unit] = measured.trim_end().split('\t').collect::<Vec<_>>()[..] else {
        panic!("{measured}")
    };
    assert_eq!((name, unit), ("speed", "iterations/s"));
    folder
        .write("fast node.txt", format!("destination-sets\t1\tpositions/s\n{measured}checksum\t0\tfnv-1a\n"));
    let line = "match 'program(./says)' greedy --cpu 0.5 --games 2 --jobs 1 --out run";
    let result =
        folder.succeeds(&format!("{line} --scale-time 'fast node.txt' --note 'as fast as the other'"));
    let header = folder.json("run/run.json");
    let scale = &header["sessions"][0]["time_scale"];
    assert_eq!(number(&header["scale_time"]), speed.parse::<f64>().expect("a number"));
    let factor = number(&scale["factor"]);
    assert!((factor - number(&header["scale_time"]) / number(&scale["speed"])).abs() < 1e-9, "{scale}");
    for seconds in said(&folder, "run") {
        assert!((seconds.parse::<f64>().expect("seconds") - 0.5 * factor).abs() < 1e-9, "{seconds} {factor}");
    }
    assert_eq!(
        folder.json("run/result.json")["limit"]["cpu"],
        0.5,
        "the limit itself is that of all machines"
    );
    // The factor is printed with two significant digits. It is below 10, because no machine is ten times as fast as it
    // was a moment ago.
    let digits = if factor < 1.0 { 2 } else { 1 };
    let lines =
        format!("\ntimes      × {factor:.digits$} by --scale-time\nnote       as fast as the other\n");
    assert!(result.ends_with(&lines), "{result}");
    folder.succeeds("report run");
    assert!(folder.read("run/report.html").contains(&format!("iterations/s, times × {factor:.digits$}")));
    // All shards and extensions of a run share one reference.
    folder.refused(line, &format!("'scale-time' was {speed} and is now nothing"));
    let table = "tournament greedy random --max-plies 20 --games 2 --cpu 0.01 --scale-time 2e5";
    let printed = folder.succeeds(table);
    assert!(printed.contains("\ntimes      × "), "{printed}");
    let shard = |reference: &str, index: &str| {
        let line = format!("{MATCH} --cpu 0.01 --scale-time {reference} --shard {index}/2 --out");
        folder.succeeds(&format!("{line} {index}"));
    };
    shard("2e5", "1");
    shard("3e5", "2");
    folder.refused("merge merged 1 2", "'scale-time' is 200000 in 1 and 300000 in 2");
    std::fs::remove_dir_all(folder.path("2")).expect("a folder");
    shard("2e5", "2");
    folder.succeeds("merge merged 1 2");
    let merged = folder.json("merged/run.json");
    assert_eq!(merged["scale_time"], 2e5);
    assert!(list(&merged["sessions"]).iter().all(|session| session["time_scale"]["factor"].is_number()));
}

#[test]
fn a_wrong_reference_is_refused() {
    let folder = Folder::with("empty.txt", "speed of light\n");
    let unknown =
        "expected a speed in iterations/s, such as 350000, or a file with the output of 'lab bench'";
    folder.refuses(
        MATCH,
        &[
            ("--cpu 0.01 --scale-time nowhere.txt", "can't read nowhere.txt: No such file"),
            ("--cpu 0.01 --scale-time nowhere.txt", unknown),
            ("--cpu 0.01 --scale-time empty.txt", unknown),
            ("--cpu 0.01 --scale-time 0", unknown),
            ("--cpu 0.01 --scale-time -1", unknown),
            ("--cpu 0.01 --scale-time inf", unknown),
            ("--iterations 1 --scale-time 1e5", "--scale-time: there is no limit in seconds"),
            ("--cpu 0.01 --scale-time 1 --out run", "expected a factor from 0.05 to 20"),
        ],
    );
    assert!(!folder.exists("run"));
}

#[test]
fn a_warning_is_an_error_if_the_user_wants_that() {
    let folder = Folder::new();
    let strict = |line: &str| {
        let output = folder.output(&format!("{line} --strict"));
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (status, message) = strict("match greedy greedy --iterations 1 --games 2 --max-plies 20 --out run");
    assert_eq!(status, Some(3), "{message}");
    assert!(message.contains("warning: 'greedy' plays against itself"), "{message}");
    assert!(
        message.ends_with(
            "lab: --strict: stopped because of a warning; without --strict, the command would go on\n"
        ),
        "{message}"
    );
    assert!(!folder.exists("run"), "nothing was played");
    assert_eq!(strict("match greedy random --iterations 1 --games 2 --max-plies 20").0, Some(0));
    // Whatever else this machine is doing, 999 games at a time are too many.
    let crowded = "match greedy random --cpu 0.01 --games 2 --max-plies 20 --jobs 999";
    let notes = folder.notes(crowded);
    assert!(notes.contains("warning: 999 games at a time share "), "{notes}");
    assert_eq!(strict(crowded).0, Some(3));
    for bench in ["bench", "bench --speed"] {
        assert_eq!(strict(&format!("{bench} --seconds 0.01 --jobs 999")).0, Some(3));
    }
    // A shard of a sequential test gives no warning.
    let tested =
        "match greedy random --iterations 1 --games 4 --max-plies 20 --sprt 0 5 --shard 1/2 --out part";
    assert_eq!(strict(tested).0, Some(0));
}

#[test]
fn games_are_kept_on_cores_of_their_own() {
    let folder = with_program("grep Cpus_allowed_list /proc/self/status");
    let line = "match 'program(./says)' greedy --cpu 0.5 --games 4";
    let cores = |options: &str, out: &str| {
        folder.succeeds(&format!("{line} {options} --out {out}"));
        said(&folder, out)
    };
    let one = cores("--jobs 1 --pin", "run");
    assert!(one.iter().all(|core| core.parse::<usize>().is_ok() && *core == one[0]), "{one:?}");
    assert_eq!(cores("--jobs 1 --pin --shard 1/2", "1"), one[..2]);
    let allowed = std::thread::available_parallelism().map_or(1, usize::from);
    if allowed > 1 {
        assert_ne!(cores("--jobs 1 --pin --shard 2/2", "2"), one[..2], "the next shard takes the next core");
    }
    let mut narrow = Command::new("taskset");
    narrow.args(["-c", &one[0], crate::support::LAB]).args([
        "match",
        "greedy",
        "random",
        "--iterations",
        "1",
    ]);
    let refused = narrow.args(["--games", "4", "--jobs", "2", "--pin"]).output().expect("there is taskset");
    let message = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{message}");
    assert!(
        message.contains("--pin: 2 games at a time need as many cores, but this process may use only 1"),
        "{message}"
    );
}
