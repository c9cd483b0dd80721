//! `tuning/sweep.sh`, on this machine and with a stand-in for `sbatch` that runs each job immediately.

use crate::support::{Folder, LAB};
use std::process::{Command, Output};

const SWEEP: &str = "agent = 'mcts(race=off)'\nopponent = 'greedy'\nbudgets = [{iterations = 10}]\n\
                     games = 8\nmax_plies = 300\n[grid]\nc = [0.5, 2]\n";

/// Stands in for `sbatch`: records its arguments, runs the script for each task, and prints a job id with the
/// name of the cluster.
const SBATCH: &str = r#"#!/bin/bash
echo "$@" >>"$NOTES"
script=$(mktemp -p .)
cat >"$script"
for argument; do
    [[ $argument = --array=1-* ]] && tasks=${argument#--array=1-}
done
for task in $(seq "${tasks:-1}"); do
    SLURM_ARRAY_TASK_ID=$task SLURMD_NODENAME=n1 bash "$script" >/dev/null 2>>"$NOTES" || exit 1
done
rm "$script"
echo "$((100 + $(grep -c ^--parsable "$NOTES")));cluster"
"#;

/// Stands in for `srun`: runs the command once for each task, all at the same time.
const SRUN: &str = r#"#!/bin/bash
while [[ $1 = --* ]]; do shift; done
pids=()
for task in $(seq 0 $((TASKS - 1))); do
    SLURM_PROCID=$task SLURMD_NODENAME=n$task "$@" & pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid" || exit 1; done
"#;

/// Runs the script in `folder`, which comes first in the search path for programs. A program `lab` there stands in for
/// the real one.
fn script(folder: &Folder, line: &str) -> Output {
    let lab = if folder.exists("lab") { folder.path("lab") } else { LAB.into() };
    let path = std::env::var("PATH").expect("there is a PATH");
    Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/sweep.sh"))
        .args(shell_words::split(line).expect("the quotes match"))
        .current_dir(folder.root())
        .env("LAB", lab)
        .env("PATH", format!("{}:{path}", folder.root().display()))
        .env("NOTES", folder.path("notes.txt"))
        .env("TASKS", "2")
        .output()
        .expect("the script starts")
}

/// Runs the script, which must succeed, and returns its standard output and its standard error.
#[track_caller]
fn succeeds(folder: &Folder, line: &str) -> (String, String) {
    let Output { status, stdout, stderr } = script(folder, line);
    let [text, notes] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
    assert!(status.success(), "{line}: {notes}");
    (text, notes)
}

#[track_caller]
fn assert_refused(folder: &Folder, line: &str, why: &str) {
    let output = script(folder, line);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}: {message}");
    assert!(message.contains(why), "{line}: {message}");
}

/// The run in `out`, without the shards and the logs that the script adds.
fn run(folder: &Folder, out: &str) -> Vec<(String, String)> {
    let own = |name: &String| !name.starts_with("shards/") && !name.starts_with("slurm");
    folder.timeless(out).into_iter().filter(|(name, _)| own(name)).collect()
}

#[test]
fn with_shards_without_or_as_jobs_the_result_is_the_same() {
    let folder = Folder::with("small one.toml", SWEEP);
    folder.succeeds("sweep 'small one.toml' --out whole --seed 4");
    let whole = run(&folder, "whole");
    let printed = |options: &str, out: &str| {
        let (text, _) = succeeds(&folder, &format!("{options} 'small one.toml' --seed 4"));
        assert_eq!(run(&folder, out), whole, "{options}");
        text
    };
    printed("", "runs/small one");
    printed("--shards 3 --out 'some shards'", "some shards");
    assert!(folder.exists("some shards/shards/2-of-3/games.jsonl"));
    printed("--shards 3 --out 'some shards'", "some shards");
    for out in ["runs/small one", "some shards"] {
        let why = format!("{out} holds a run but not its 2 shards in {out}/shards; use another --out\n");
        assert_refused(&folder, &format!("--shards 2 --out '{out}' 'small one.toml' --seed 4"), &why);
        assert!(!folder.exists(&format!("{out}/shards/1-of-2")));
    }

    folder.write_program("sbatch", SBATCH);
    let options = "--slurm --shards 2 --sbatch --partition=long --out 'the jobs'";
    assert_eq!(printed(options, "the jobs"), "array 101\nmerge 102\n");
    let notes = folder.read("notes.txt");
    let jobs: Vec<&str> = notes.lines().filter(|line| line.starts_with("--parsable")).collect();
    assert!(jobs.iter().all(|job| job.contains("--partition=long")), "{notes}");
    assert!(
        jobs[0].contains("--array=1-2 ")
            && jobs.iter().all(|job| job.contains("--requeue"))
            && jobs[1].contains("--dependency=afterok:101"),
        "{notes}"
    );
}

#[test]
fn warnings_of_the_shards_are_shown_once() {
    let line = "--shards 2 --out here match mcts 'mcts()' --iterations 1 --games 4 --max-plies 12";
    let (_, notes) = succeeds(&Folder::new(), line);
    assert_eq!(notes.matches("warning: 'mcts' and 'mcts()' are the same agent").count(), 1, "{notes}");
}

/// A match that is decided after 52 of at most 200 games.
const TESTED: &str = "match greedy random --iterations 1 --max-plies 900 --games 200 --sprt -20 20";

#[test]
fn a_sequential_test_in_shards_stops_after_the_round_that_decides_it() {
    let folder = Folder::new();
    let whole = folder.timeless_result(&format!("{TESTED} --out whole"));
    assert_eq!((&whole["sprt"]["verdict"], &whole["games"]), (&"h1".into(), &52.into()));
    let result = |out: &str| folder.timeless(out)["result.json"].clone();
    let line = format!("--shards 3 --round 20 --out 'here & now' {TESTED}");
    let (text, notes) = succeeds(&folder, &line);
    let rounds: Vec<&str> = notes.lines().map(|line| line.split(": ").next().expect("a line")).collect();
    assert_eq!(rounds, ["after 20 games", "after 40 games"], "{notes}");
    assert!(notes.contains("games: SPRT undecided"), "{notes}");
    assert_eq!(text.matches("SPRT").count(), 1, "{text}");
    assert_eq!(
        folder.lines_of_games("here & now/shards"),
        60,
        "the round that decides it is played to its end"
    );
    assert_eq!(result("here & now"), result("whole"), "the verdict is that of the games in order");
    // The same command changes nothing, and completes the run after a kill in the third round.
    assert_eq!(succeeds(&folder, &line), (text.clone(), String::new()));
    for name in ["run.json", "games.jsonl", "result.json"] {
        folder.remove(&format!("here & now/{name}"));
    }
    folder.keep_lines("here & now/shards/2-of-3/games.jsonl", 15);
    assert_eq!(succeeds(&folder, &line), (text, String::new()));
    assert_eq!((folder.lines_of_games("here & now/shards"), result("here & now")), (60, result("whole")));
    // Without a verdict, the whole match is played, by default in ten rounds.
    let open = "--shards 2 --out open match greedy greedy --iterations 1 --games=2e1 --sprt 0 9";
    let (text, notes) = succeeds(&folder, open);
    let rounds = notes.lines().filter(|line| line.starts_with("after ")).count();
    assert!(text.contains("undecided") && rounds == 4, "a round has a pair for each shard: {text}{notes}");

    folder.write_program("sbatch", SBATCH);
    let (ids, _) = succeeds(&folder, &format!("--slurm --shards 3 --round 70 --out jobs {TESTED}"));
    assert_eq!(ids, "array 101\nmerge 102\narray 103\nmerge 104\narray 105\nmerge 106\n");
    let notes = folder.read("notes.txt");
    let jobs: Vec<&str> = notes.lines().filter(|line| line.starts_with("--parsable")).collect();
    for (number, job) in (101..).zip(&jobs).skip(1) {
        let after = format!("--dependency=afterok:{} --kill-on-invalid-dep=yes", number - 1);
        assert!(job.contains(&after), "{job}");
    }
    assert_eq!((folder.lines_of_games("jobs/shards"), result("jobs")), (70, result("whole")));
    // The verdict of an earlier run does not count for a run with other arguments.
    let again = |options: &str| {
        let output = script(&folder, &format!("--slurm --shards 3 --round 70 --out jobs {TESTED} {options}"));
        (output.status.success(), folder.read("notes.txt").contains("jobs/shards/1-of-3 holds a run of"))
    };
    assert_eq!(again(""), (true, false));
    assert_eq!(again("--seed 9"), (false, true));
}

#[test]
fn the_shards_of_a_tuning_run_are_the_tasks_of_one_job() {
    let tune =
        "agent = 'mcts(race=off)'\nbudget = {iterations = 5}\niterations = 3\npairs = 2\n[parameters.c]\n";
    let folder = Folder::with("my tune.toml", tune);
    folder.succeeds("tune 'my tune.toml' --out whole");
    let (printed, _) = succeeds(&folder, "--shards 2 tune --steps 3 'my tune.toml' --json");
    assert_eq!(run(&folder, "runs/my tune"), run(&folder, "whole"));
    assert_eq!(printed, folder.read("runs/my tune/result.json"));
    // Another build goes on with the shards and merges them again.
    for part in ["", "shards/1-of-2/", "shards/2-of-2/"] {
        let name = format!("runs/my tune/{part}run.json");
        let mut header = folder.json(&name);
        header["engine"]["openings"] = "another build's".into();
        folder.write(&name, header.to_string());
    }
    succeeds(&folder, "--shards 2 tune --steps 3 'my tune.toml' --mixed-builds");
    assert_eq!(folder.json("runs/my tune/run.json")["mixed"].as_array().map(Vec::len), Some(1));
    for (name, text) in [("sbatch", SBATCH), ("srun", SRUN)] {
        folder.write_program(name, text);
    }
    let (ids, _) = succeeds(&folder, "--slurm --shards 2 --out 'the job' tune 'my tune.toml'");
    assert_eq!(ids, "job 101\n");
    assert!(folder.read("notes.txt").contains("--ntasks=2"));
    assert_eq!(run(&folder, "the job"), run(&folder, "whole"));
    // A shard that fails ends the others, which would otherwise wait for it. Both shards read the invalid file below,
    // and either may fail first.
    folder.write("blocked/shards/2-of-2/run.json", "{}");
    folder.write("blocked/shards/2-of-2/games.jsonl", "{}\n");
    let why = " failed: lab: blocked/shards/2-of-2/run.json is broken: ";
    assert_refused(&folder, "--shards 2 --out blocked tune 'my tune.toml'", why);
    folder.write_program(
        "lab",
        "#!/bin/sh\ncase \"$*\" in *2/2*) echo broken; exit 1;; esac\nexec sleep 100\n",
    );
    assert_refused(
        &folder,
        "--shards 2 --out other tune 'my tune.toml'",
        "shard 1 stopped because another shard failed\nshard 2 failed: broken\n",
    );
    // A shard of any other run is stopped only by somebody else.
    folder.write("lab", "#!/bin/sh\ncase \"$*\" in *2/2*) kill $$;; esac\n");
    assert_refused(&folder, "--shards 2 --out stopped match greedy random", "shard 2 was stopped\n");
}

#[test]
fn bad_arguments_are_refused() {
    let agents = "match greedy random --iterations 1 --games 4";
    for (line, why) in [
        ("", "tuning/sweep.sh [--slurm]"),
        ("nowhere.toml", "nowhere.toml: expected a file, or match, tournament, sweep, tune"),
        ("macth greedy random", "macth: expected a file, or match, tournament, sweep, tune"),
        ("--shards 0 match", "--shards 0"),
        ("--shards", "--shards needs a value"),
        ("--shard 2", "unknown option --shard"),
        ("--round", "--round needs a value"),
        (
            &format!("--shards 2 --round 10 {agents}"),
            "--round 10: only a match with --sprt in several shards",
        ),
        (
            &format!("--round 10 {agents} --sprt 0 5"),
            "--round 10: only a match with --sprt in several shards",
        ),
        (&format!("--shards 2 --round x {agents} --sprt 0 5"), "--round x: expected a number of games"),
        (
            &format!("--shards 2 --round 0 {agents} --sprt 0 5"),
            "--round 0: expected a number of games of at least 1",
        ),
        (
            &format!("--shards 2 --round 2 {agents} --sprt 0 5 --games 1e5"),
            "more than 500 rounds; use larger ones",
        ),
        (&format!("--shards 2 {agents} --sprt 0 5 --games many"), "--games many: expected a number"),
        ("--shards 2 tune nowhere.toml", " failed: lab: can't read nowhere.toml"),
        (&format!("--shards 2 {agents} --bad"), "shard 1 failed: error: unexpected argument '--bad' found"),
        (&format!("--shards 3 {agents}"), "shard 1 failed: lab: --shard 1/3: there are only 2"),
    ] {
        assert_refused(&Folder::new(), line, why);
    }
    if Command::new("sbatch").arg("--version").output().is_err() {
        assert_refused(&Folder::new(), &format!("--slurm {agents}"), "sbatch is not installed");
    }
}
