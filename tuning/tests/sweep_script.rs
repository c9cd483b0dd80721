//! `tuning/sweep.sh`, here and with a stand-in for `sbatch` that runs each job at once.

use crate::support::{succeeds, text, timeless};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const SWEEP: &str = "agent = 'mcts(playout=static)'\nopponent = 'greedy'\nbudgets = [{iterations = 10}]\n\
                     games = 8\nmax_plies = 300\n[grid]\nc = [0.5, 2]\n";

/// What stands for `sbatch`: notes its arguments, runs the script for each task, prints a job id.
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

/// Runs the script in `folder`.
fn script(folder: &Path, path: &str, arguments: &[&str]) -> Output {
    Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/sweep.sh"))
        .args(arguments)
        .current_dir(folder)
        .env("LAB", env!("CARGO_BIN_EXE_lab"))
        .env("PATH", path)
        .env("NOTES", folder.join("notes.txt"))
        .output()
        .expect("the script starts")
}

fn path() -> String {
    std::env::var("PATH").expect("there is a PATH")
}

/// The run in `folder` without its shards, the folders of which only the script makes.
fn run(folder: &Path) -> Vec<(String, String)> {
    let own = |name: &String| !name.starts_with("shards/") && !name.starts_with("slurm");
    timeless(folder).into_iter().filter(|(name, _)| own(name)).collect()
}

#[test]
fn here_in_shards_or_not_or_as_jobs_the_result_is_the_same() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("small one.toml"), SWEEP).unwrap();
    let whole = folder.join("whole");
    succeeds(&["sweep", text(&folder.join("small one.toml")), "--out", text(&whole), "--seed", "4"]);

    let check = |path: &str, options: &[&str], out: &str| {
        let arguments = [options, &["small one.toml", "--seed", "4"]].concat();
        let output = script(folder, path, &arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(run(&folder.join(out)), run(&whole), "{options:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    check(&path(), &[], "runs/small one");
    check(&path(), &["--shards", "3", "--out", "some shards"], "some shards");
    assert!(folder.join("some shards/shards/2-of-3/games.jsonl").exists());
    check(&path(), &["--shards", "3", "--out", "some shards"], "some shards");
    for out in ["runs/small one", "some shards"] {
        let refused =
            script(folder, &path(), &["--shards", "2", "--out", out, "small one.toml", "--seed", "4"]);
        let told = format!(
            "sweep.sh: {out} holds a run, but not in {out}/shards its 2 shards; give another --out\n"
        );
        assert_eq!((refused.status.code(), String::from_utf8_lossy(&refused.stderr)), (Some(2), told.into()));
        assert!(!folder.join(out).join("shards/1-of-2").exists());
    }

    let bin = folder.join("bin");
    fs::create_dir(&bin).unwrap();
    fs::write(bin.join("sbatch"), SBATCH).unwrap();
    fs::set_permissions(bin.join("sbatch"), fs::Permissions::from_mode(0o755)).unwrap();
    let with_sbatch = format!("{}:{}", text(&bin), path());
    let options = ["--slurm", "--shards", "2", "--sbatch", "--partition=long", "--out", "the jobs"];
    assert_eq!(check(&with_sbatch, &options, "the jobs"), "array 101\nmerge 102\n");
    let notes = fs::read_to_string(folder.join("notes.txt")).unwrap();
    let lines: Vec<&str> = notes.lines().filter(|line| line.starts_with("--parsable")).collect();
    assert!(lines[0].contains("--array=1-2 --requeue") && lines[0].contains("--partition=long"), "{notes}");
    assert!(
        lines[1].contains("--dependency=afterok:101") && lines[1].contains("--partition=long"),
        "{notes}"
    );
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = TempDir::new().unwrap();
    let refused = |path: &str, arguments: &[&str], why: &str| {
        let output = script(folder.path(), path, arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(why), "{arguments:?}: {message}");
    };
    let path = path();
    refused(&path, &[], "tuning/sweep.sh [--slurm]");
    refused(&path, &["nowhere.toml"], "there is no file nowhere.toml");
    refused(&path, &["--shards", "0", "match"], "--shards 0");
    refused(&path, &["--shards"], "--shards needs a value");
    refused(&path, &["--shard", "2"], "there is no option --shard");
    let agents = ["match", "greedy", "random", "--iterations", "1", "--games", "4"];
    refused(
        &path,
        &[&["--shards", "3"][..], &agents].concat(),
        "shard 1 failed: lab: --shard 1/3: there are only 2",
    );
    if Command::new("sbatch").arg("--version").output().is_err() {
        refused(&path, &[&["--slurm"][..], &agents].concat(), "there is no sbatch here");
    }
}
