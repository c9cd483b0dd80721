//! Headers, results and reports name the build, the machine and the command that played the games.

use crate::support::{Folder, list, number, string};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;
use tempfile::TempDir;

#[path = "../build.rs"]
#[allow(dead_code, reason = "its main function belongs to cargo")]
mod build;

const MATCH: &str = "match greedy random --iterations 1 --max-plies 60 --jobs 1";

/// A folder with a match of six games, and the command that continues it.
fn six_games() -> (Folder, String) {
    let six = format!("{MATCH} --games 6");
    (Folder::played(&six), format!("{six} --out run"))
}

fn sessions(folder: &Folder, run: &str) -> Vec<Value> {
    list(&folder.json(&format!("{run}/run.json"))["sessions"]).to_vec()
}

#[test]
fn header_result_and_report_name_build_machine_and_command() {
    let folder = Folder::new();
    let printed = folder.succeeds(&format!("{MATCH} --games 4 --out 'a run' --json"));
    let header = folder.json("a run/run.json");
    let [session] = list(&header["sessions"]) else { panic!("{header}") };
    let command = string(&session["command"]);
    assert!(command.contains("match greedy random") && command.contains("'a run'"), "{command}");
    let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("Linux");
    assert_eq!((&session["host"], &session["games_before"]), (&host.trim().into(), &0.into()));
    assert_eq!(session["version"], env!("CARGO_PKG_VERSION"));
    assert!(!string(&session["commit"]).is_empty(), "{session}");
    let cores = std::thread::available_parallelism().expect("Linux").get();
    assert_eq!(session["cores"], cores);
    assert!(number(&session["load"]) >= 0.0, "{session}");
    let cpu = string(&session["cpu"]);
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").expect("Linux");
    assert!(if cpuinfo.contains("model name") { cpuinfo.contains(cpu) } else { cpu == "unknown" }, "{cpu}");
    let began = string(&session["began"]);
    assert!(began.starts_with(string(&header["began"])) && began.len() == 20, "{began}");

    let provenance = json!({ "engine": header["engine"], "sessions": header["sessions"] });
    let result: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(result["provenance"], provenance);
    assert_eq!(folder.json("a run/result.json"), result);
    assert!(printed.ends_with("  }\n}\n"), "it is indented like the rest: {printed}");

    folder.succeeds("report 'a run'");
    let page = folder.read("a run/report.html");
    for part in [host.trim(), began, "--max-plies 60", "commit "] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn a_result_without_a_folder_names_them_too() {
    let result = Folder::new().result(&format!("{MATCH} --games 2"));
    assert!(string(&result["provenance"]["sessions"][0]["command"]).contains("--games 2"));
    assert!(result["provenance"]["engine"]["agents"]["greedy"].is_string());
    assert_eq!(result["games"], 2, "{result}");
}

/// The run continues first on its own machine, and then on another one.
#[test]
fn a_run_that_continues_elsewhere_notes_it() {
    let (folder, run) = six_games();
    let first = sessions(&folder, "run");
    folder.keep_lines("run/games.jsonl", 5);
    folder.succeeds(&run);
    assert_eq!(sessions(&folder, "run"), first, "nothing new");
    let mut header = folder.json("run/run.json");
    header["sessions"][0]["host"] = "elsewhere".into();
    folder.write("run/run.json", header.to_string());
    folder.succeeds(&run);
    assert_eq!(sessions(&folder, "run").len(), 1, "a session that plays nothing is not noted");
    folder.keep_lines("run/games.jsonl", 3);
    folder.succeeds(&run);
    let [one, two] = &sessions(&folder, "run")[..] else { panic!("{:?}", sessions(&folder, "run")) };
    assert_eq!((&one["host"], &two["host"]), (&"elsewhere".into(), &first[0]["host"]));
    assert_eq!((&one["games_before"], &two["games_before"]), (&0.into(), &3.into()));
    assert_eq!(folder.json("run/result.json")["provenance"]["sessions"][1], *two);
    // Older builds wrote headers without sessions.
    header.as_object_mut().expect("an object").remove("sessions");
    folder.write("run/run.json", header.to_string());
    folder.keep_lines("run/games.jsonl", 4);
    folder.succeeds(&run);
    assert_eq!(sessions(&folder, "run")[0]["games_before"], 4);
}

#[test]
fn extensions_and_shards_are_noted() {
    let folder = Folder::new();
    let shards = |games| {
        for (out, shard) in [("one", "1/2"), ("two", "2/2")] {
            folder.succeeds(&format!("{MATCH} --games {games} --out {out} --shard {shard}"));
        }
        folder.succeeds("merge merged one two");
    };
    shards(4);
    let commands = |runs: &[&str]| -> Vec<Value> {
        let sessions = runs.iter().flat_map(|run| sessions(&folder, run));
        sessions.map(|session| session["command"].clone()).collect()
    };
    assert_eq!(commands(&["merged"]), commands(&["one", "two"]));
    shards(8);
    let [first, second] = &sessions(&folder, "one")[..] else { panic!("two sessions") };
    assert!(string(&first["command"]).contains("--games 4"));
    assert!(string(&second["command"]).contains("--games 8"));
    assert_eq!(second["games_before"], 2);
    let all = sessions(&folder, "merged");
    assert_eq!((all.len(), folder.lines_of_games("merged")), (4, 8));
    folder.succeeds("merge merged one two");
    assert_eq!(sessions(&folder, "merged"), all, "merging twice is merging once");
}

/// A merged run has the notes of all its shards, and reports and exports show them.
#[test]
fn notes_are_kept_with_the_run() {
    let folder = Folder::new();
    let line = format!("{MATCH} --games 4 --out");
    let notes = |run: &str| folder.json(&format!("{run}/run.json"))["notes"].clone();
    folder.succeeds(&format!("{line} whole"));
    assert_eq!(notes("whole"), Value::Null);
    folder.succeeds(&format!("{line} 1 --shard 1/2 --note ' <b>after</b> \"E238\" '"));
    folder.succeeds(&format!("{line} 2 --shard 2/2 --note 'slow node'"));
    folder.succeeds(&format!("{line} 1 --shard 1/2 --note 'slow node'"));
    folder.succeeds(&format!("{line} 1 --shard 1/2"));
    let all = json!(["<b>after</b> \"E238\"", "slow node"]);
    assert_eq!((notes("1"), notes("2")), (all.clone(), json!(["slow node"])));
    folder.succeeds("merge merged 1 2");
    assert_eq!(notes("merged"), all);
    folder.succeeds(&format!("{line} merged --note third"));
    assert_eq!(notes("merged"), json!([all[0], all[1], "third"]), "the run has ended, but can be annotated");
    assert_eq!(folder.json("merged/result.json")["provenance"]["notes"], notes("merged"));
    folder.succeeds("report merged");
    let page = folder.read("merged/report.html");
    for note in ["note <b>&#60;b&#62;after&#60;/b&#62; &#34;E238&#34;</b>", "note <b>third</b>"] {
        assert!(page.contains(note), "{note}");
    }
    let pgn = folder.succeeds("export merged");
    let tag = r#"[Note "<b>after</b> \"E238\"; slow node; third"]"#;
    assert_eq!(pgn.matches(tag).count(), 4, "{pgn}");
    assert!(!folder.succeeds("export whole").contains("[Note"));
    folder.succeeds("export merged --format csv --out csv");
    assert!(
        folder.read("csv/games.csv").lines().nth(1).is_some_and(|row| row.ends_with("; slow node; third\""))
    );
    folder.refuses(
        &format!("{line} whole"),
        &[
            ("--note ''", "expected some text"),
            ("--note '  '", "expected some text"),
            ("--note 'one\ntwo'", "expected one line of text without control characters"),
            ("--note '\u{1b}[2J'", "expected one line of text without control characters"),
            ("--note", "a value is required"),
        ],
    );
    assert_eq!(notes("whole"), Value::Null);
}

/// Each game names the machine that played it, so a report can compare the machines.
#[test]
fn a_report_shows_elo_by_machine() {
    let folder = Folder::played(&format!("{MATCH} --games 12"));
    let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("Linux");
    let here = format!("\"host\":\"{}\"", host.trim());
    let games = folder.read("run/games.jsonl");
    assert_eq!(games.matches(&here).count(), 12, "{games}");
    let rows = || {
        folder.succeeds("report run");
        let page = folder.read("run/report.html");
        let rows = page.lines().filter_map(|line| line.strip_prefix("<div><dt>Elo on "));
        rows.map(|row| row.replace("</dt><dd>", " ").replace("</dd></div>", "")).collect::<Vec<_>>()
    };
    assert_eq!(rows(), [""; 0], "there is one machine");
    // The first five games were played on another machine, so the third pair was played on both.
    let game = |(number, line): (usize, &str)| {
        if number < 5 { line.replace(&here, r#""host":"<n1>""#) } else { line.to_string() }
    };
    let lines: Vec<String> = games.lines().enumerate().map(game).collect();
    folder.write("run/games.jsonl", lines.join("\n") + "\n");
    let rows = rows();
    let starts = [
        "&#60;n1&#62;, 95 % ".to_string(),
        format!("{}, 95 % ", host.trim()),
        "several machines, 95 % ".to_string(),
    ];
    for (start, pairs) in starts.iter().zip([", 2 pairs", ", 3 pairs", ", 1 pair"]) {
        assert!(rows.iter().any(|row| row.starts_with(start) && row.ends_with(pairs)), "{start} {rows:?}");
    }
    assert_eq!(rows.len(), 3);
}

#[test]
fn the_commit_is_that_of_the_sources() {
    let folder = TempDir::new().expect("a temporary folder");
    let package = folder.path().join("tuning");
    fs::create_dir_all(package.join("src")).expect("a new folder");
    let write = |path, contents| fs::write(path, contents).expect("a new file");
    for name in ["Cargo.toml", "src/lib.rs"] {
        write(package.join(name), "# a file\n");
    }
    assert_eq!(build::commit_of(&package), "unknown", "there is no repository");
    let git = |line: &str| {
        let who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
        let mut git = Command::new("git");
        let output =
            git.args(who).args(line.split(' ')).current_dir(folder.path()).output().expect("there is git");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text").trim().to_string()
    };
    git("init -q");
    assert_eq!(build::commit_of(&package), "unknown", "the repository is another's");
    git("add .");
    git("commit -q -m first");
    let commit = git("rev-parse --short=12 HEAD");
    assert_eq!(build::commit_of(&package), commit);
    write(folder.path().join("notes.txt"), "no source");
    assert_eq!(build::commit_of(&package), commit, "only sources count");
    write(package.join("src/new.rs"), "// new\n");
    assert_eq!(build::commit_of(&package), format!("{commit}+changes"));
}
