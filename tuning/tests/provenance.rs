//! Where results come from: the headers of runs, results and reports say it.

use crate::support::{lines_of_games, succeeds, text};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

#[path = "../build.rs"]
#[allow(dead_code, reason = "its main function belongs to cargo")]
mod build;

const MATCH: [&str; 7] = ["match", "greedy", "random", "--iterations", "1", "--max-plies", "60"];

/// The arguments of a match of so many games into `out`.
fn run<'a>(games: &'a str, out: &'a Path) -> Vec<&'a str> {
    [&MATCH[..], &["--games", games, "--jobs", "1", "--out", text(out)]].concat()
}

fn read(path: PathBuf) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn sessions(folder: &Path) -> Vec<Value> {
    read(folder.join("run.json"))["sessions"].as_array().unwrap().clone()
}

/// Leaves the first `games` games, as if the run had been killed then.
fn leave(folder: &Path, games: usize) {
    let path = folder.join("games.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.split_inclusive('\n').take(games).collect::<String>()).unwrap();
}

#[test]
fn header_result_and_report_say_by_which_build_and_where_it_was_played() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("a run");
    let printed = succeeds(&[&run("4", &out)[..], &["--json"]].concat());
    let header = read(out.join("run.json"));
    let [session] = &header["sessions"].as_array().unwrap()[..] else { panic!("{header}") };
    let command = session["command"].as_str().unwrap();
    let path = format!("'{}'", text(&out));
    assert!(command.contains("match greedy random") && command.contains(&path), "{command}");
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    assert_eq!(session["host"], host.trim());
    assert_eq!(session["version"], env!("CARGO_PKG_VERSION"));
    assert!(session["commit"].as_str().is_some_and(|commit| !commit.is_empty()), "{session}");
    assert_eq!(session["games_before"], 0);
    let cores = std::thread::available_parallelism().unwrap().get();
    assert_eq!(session["cores"].as_u64(), Some(cores as u64));
    assert!(session["load"].as_f64().is_some_and(|load| load >= 0.0), "{session}");
    let cpu = session["cpu"].as_str().unwrap();
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap();
    assert!(if cpuinfo.contains("model name") { cpuinfo.contains(cpu) } else { cpu == "unknown" }, "{cpu}");
    let began = session["began"].as_str().unwrap();
    assert!(began.starts_with(header["began"].as_str().unwrap()) && began.len() == 20, "{began}");

    let provenance = json!({ "engine": header["engine"], "sessions": header["sessions"] });
    let result: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(result["provenance"], provenance);
    assert_eq!(read(out.join("result.json")), result);
    assert!(printed.ends_with("  }\n}\n"), "it is indented like the rest: {printed}");

    succeeds(&["report", text(&out)]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    for part in [host.trim(), began, "--max-plies 60", "commit "] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn a_result_without_a_folder_says_it_too() {
    let result = succeeds(&[&MATCH[..], &["--games", "2", "--json"]].concat());
    let result: Value = serde_json::from_str(&result).unwrap();
    assert!(result["provenance"]["sessions"][0]["command"].as_str().unwrap().contains("--games 2"));
    assert!(result["provenance"]["engine"]["agents"]["greedy"].is_string());
    assert_eq!(result["games"], 2, "{result}");
}

/// The same program on the same machine goes on; then the games are taken to another machine.
#[test]
fn who_goes_on_elsewhere_is_noted() {
    let folder = TempDir::new().unwrap();
    let out = folder.path();
    succeeds(&run("6", out));
    let first = sessions(out);
    leave(out, 5);
    succeeds(&run("6", out));
    assert_eq!(sessions(out), first, "nothing new");
    let mut header = read(out.join("run.json"));
    header["sessions"][0]["host"] = "elsewhere".into();
    fs::write(out.join("run.json"), header.to_string()).unwrap();
    succeeds(&run("6", out));
    assert_eq!(sessions(out).len(), 1, "who plays nothing is not noted");
    leave(out, 3);
    succeeds(&run("6", out));
    let [one, two] = &sessions(out)[..] else { panic!("{:?}", sessions(out)) };
    assert_eq!((&one["host"], &two["host"]), (&"elsewhere".into(), &first[0]["host"]));
    assert_eq!((&one["games_before"], &two["games_before"]), (&0.into(), &3.into()));
    assert_eq!(read(out.join("result.json"))["provenance"]["sessions"][1], *two);
    // Headers of older builds say nothing.
    header.as_object_mut().unwrap().remove("sessions");
    fs::write(out.join("run.json"), header.to_string()).unwrap();
    leave(out, 4);
    succeeds(&run("6", out));
    assert_eq!(sessions(out)[0]["games_before"], 4);
}

#[test]
fn extensions_and_shards_are_noted() {
    let folder = TempDir::new().unwrap();
    let [one, two, merged] = ["one", "two", "merged"].map(|name| folder.path().join(name));
    let shard = |games, out: &Path, shard| succeeds(&[&run(games, out)[..], &["--shard", shard]].concat());
    shard("4", &one, "1/2");
    shard("4", &two, "2/2");
    let merge = || succeeds(&["merge", text(&merged), text(&one), text(&two)]);
    merge();
    let parts = |folders: [&Path; 2]| folders.map(sessions).concat();
    let commands = |sessions: &[Value]| -> Vec<Value> {
        sessions.iter().map(|session| session["command"].clone()).collect()
    };
    assert_eq!(commands(&sessions(&merged)), commands(&parts([&one, &two])));
    shard("8", &one, "1/2");
    let [first, second] = &sessions(&one)[..] else { panic!("{:?}", sessions(&one)) };
    assert!(first["command"].as_str().unwrap().contains("--games 4"));
    assert!(second["command"].as_str().unwrap().contains("--games 8"));
    assert_eq!(second["games_before"], 2);
    shard("8", &two, "2/2");
    merge();
    assert_eq!((sessions(&merged).len(), lines_of_games(&merged)), (4, 8));
    let all = sessions(&merged);
    merge();
    assert_eq!(sessions(&merged), all, "merging twice is merging once");
}

#[test]
fn the_commit_is_that_of_the_sources() {
    let folder = TempDir::new().unwrap();
    let package = folder.path().join("tuning");
    fs::create_dir_all(package.join("src")).unwrap();
    for name in ["Cargo.toml", "src/lib.rs"] {
        fs::write(package.join(name), "# a file\n").unwrap();
    }
    assert_eq!(build::commit_of(&package), "unknown", "there is no repository");
    let git = |arguments: &[&str]| {
        let who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
        let output = Command::new("git").args(who).args(arguments).current_dir(folder.path()).output();
        let output = output.expect("there is git");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_string()
    };
    git(&["init", "-q"]);
    assert_eq!(build::commit_of(&package), "unknown", "the repository is another's");
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    let commit = git(&["rev-parse", "--short=12", "HEAD"]);
    assert_eq!(build::commit_of(&package), commit);
    fs::write(folder.path().join("notes.txt"), "no source").unwrap();
    assert_eq!(build::commit_of(&package), commit, "only sources count");
    fs::write(package.join("src/new.rs"), "// new\n").unwrap();
    assert_eq!(build::commit_of(&package), format!("{commit}+changes"));
}
