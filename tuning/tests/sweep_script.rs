//! `tuning/sweep.sh`, on this machine and with a stand-in for `sbatch` that runs each job at once.

use crate::support::programs::allow;
use crate::support::{Folder, LAB};
use std::process::{Command, Output};

const SWEEP: &str = "agent = 'mcts(playout=static)'\nopponent = 'greedy'\nbudgets = [{iterations = 10}]\n\
                     games = 8\nmax_plies = 300\n[grid]\nc = [0.5, 2]\n";

/// Stands in for `sbatch`: notes its arguments, runs the script for each task, and prints a job id.
const SBATCH: &str = r#"#!/bin/bash
echo "$@" >>"$NOTES"
script=$(mktemp)
cat >"$script"
for argument; do
    [[ $argument = --array=1-* ]] && tasks=${argument#--array=1-}
done
for task in $(seq "${tasks:-1}"); do
    SLURM_ARRAY_TASK_ID=$task SLURMD_NODENAME=n1 bash "$script" >/dev/null 2>>"$NOTES" || exit 1
done
rm "$script"
echo "$((100 + $(grep -c ^--parsable "$NOTES")))"
"#;

/// Runs the script in `folder`, which comes first in the search path for programs.
fn script(folder: &Folder, line: &str) -> Output {
    let path = std::env::var("PATH").expect("there is a PATH");
    Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/sweep.sh"))
        .args(shell_words::split(line).expect("the quotes match"))
        .current_dir(folder.root())
        .env("LAB", LAB)
        .env("PATH", format!("{}:{path}", folder.root().display()))
        .env("NOTES", folder.path("notes.txt"))
        .output()
        .expect("the script starts")
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
        let output = script(&folder, &format!("{options} 'small one.toml' --seed 4"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(run(&folder, out), whole, "{options}");
        String::from_utf8(output.stdout).expect("text")
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

    folder.write("sbatch", SBATCH);
    allow(&folder.path("sbatch"), 0o755);
    let options = "--slurm --shards 2 --sbatch --partition=long --out 'the jobs'";
    assert_eq!(printed(options, "the jobs"), "array 101\nmerge 102\n");
    let notes = folder.read("notes.txt");
    let jobs: Vec<&str> = notes.lines().filter(|line| line.starts_with("--parsable")).collect();
    assert!(jobs.iter().all(|job| job.contains("--partition=long")), "{notes}");
    assert!(
        jobs[0].contains("--array=1-2 --requeue") && jobs[1].contains("--dependency=afterok:101"),
        "{notes}"
    );
}

#[test]
fn bad_arguments_are_refused() {
    let agents = "match greedy random --iterations 1 --games 4";
    for (line, why) in [
        ("", "tuning/sweep.sh [--slurm]"),
        ("nowhere.toml", "no such file: nowhere.toml"),
        ("--shards 0 match", "--shards 0"),
        ("--shards", "--shards needs a value"),
        ("--shard 2", "unknown option --shard"),
        (&format!("--shards 3 {agents}"), "shard 1 failed: lab: --shard 1/3: there are only 2"),
    ] {
        assert_refused(&Folder::new(), line, why);
    }
    if Command::new("sbatch").arg("--version").output().is_err() {
        assert_refused(&Folder::new(), &format!("--slurm {agents}"), "sbatch is not installed");
    }
}
