//! `tuning/generation.sh` with stand-ins for what takes long: what it keeps and drops, when it ends, and how it goes on.

use crate::support::{succeeds, text};
use halma::network::policy::PolicyNetwork;
use halma::network::value::Network;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// What stands for `lab`: notes its arguments, leaves a run's folder, and of a proof says what `verdicts` has in the line
/// of its generation. Networks are looked into by the real one.
const LAB: &str = r#"#!/bin/bash
[ "$1" != network ] || exec "$REAL" "$@"
echo "$@" >>lab.txt
while [ $# -gt 0 ]; do
    case $1 in
        --out) out=$2 ;;
        --seed) seed=$2 ;;
        --sprt) sprt=yes ;;
    esac
    shift
done
mkdir -p "$out"
echo {} >"$out/run.json"
if [ "${sprt:-}" ]; then printf 'Elo        +7 (-3 … +17)\n%s\n' "$(sed -n "${seed}p" verdicts)"; fi
"#;

/// What stands for `train`: fails where there is a file `broken`; else the new network is a copy of `network`.
const TRAIN: &str = r#"#!/bin/bash
echo "$@" >>train.txt
[ ! -f broken ] || exit 1
while [ $# -gt 0 ]; do
    if [ "$1" = --out ]; then cp network "$2"; fi
    shift
done
printf 'in integers\t0.5\nfitted\t0.7\t0.8\n'
"#;

const KEPT: &str = "SPRT       +20 Elo accepted, +0 rejected: log-likelihood ratio +2.95 of ±2.94";
const DROPPED: &str = "SPRT       +0 Elo accepted, +20 rejected: log-likelihood ratio −2.95 of ±2.94";
const OPEN: &str = "SPRT       undecided between +0 and +20 Elo: log-likelihood ratio +1.00 of ±2.94";

/// A folder with the stand-ins, and with what the proof of each generation is to say.
fn folder(verdicts: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, script) in [("lab", LAB), ("train", TRAIN)] {
        let path = folder.path().join(name);
        fs::write(&path, script).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    fs::write(folder.path().join("verdicts"), verdicts.join("\n") + "\n").unwrap();
    fs::write(folder.path().join("network"), "new").unwrap();
    folder
}

/// Runs the script there.
fn script(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/generation.sh"))
        .args(["--out", "g"])
        .args(arguments)
        .current_dir(folder)
        .env("LAB", folder.join("lab"))
        .env("TRAIN", folder.join("train"))
        .env("REAL", env!("CARGO_BIN_EXE_lab"))
        .output()
        .expect("the script starts")
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap_or_default()
}

/// The column `kept` of the table.
fn kept(folder: &TempDir) -> Vec<String> {
    let table = read(folder, "g/generations.tsv");
    table.lines().skip(1).map(|line| line.split('\t').next_back().unwrap().to_string()).collect()
}

#[test]
fn what_is_proved_is_kept_and_two_in_a_row_that_are_not_end_it() {
    let folder = folder(&[DROPPED, KEPT, OPEN, DROPPED, KEPT]);
    let output = script(folder.path(), &["--generations", "9"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(kept(&folder), ["no", "yes", "no", "no"]);
    let [first, second, third] = [1, 2, 3].map(|number| {
        let proof = format!("--seed {number} --out g/{number}/proof");
        read(&folder, "lab.txt").lines().find(|line| line.ends_with(&proof)).expect("a proof").to_string()
    });
    // The new ones against those before: the built-in ones until others are kept.
    assert!(
        first.contains(
            "match mcts(evaluation=network(file=g/1/new.network),prior=network(file=g/1/new.prior))"
        )
    );
    assert!(
        second.contains(" mcts(evaluation=network(file=built-in),prior=network(file=built-in)) "),
        "{second}"
    );
    assert!(third.contains(
        " mcts(evaluation=network(file=g/3/before.network),prior=network(file=g/3/before.prior)) "
    ));
    assert_eq!(read(&folder, "g/3/before.network"), "new");
    assert_eq!(read(&folder, "g/best.prior"), "new");
    // Each learns from all games until then.
    let trained = read(&folder, "train.txt");
    let last = trained.lines().last().expect("a training");
    assert!(
        last.starts_with("prior g/1/games g/2/games g/3/games g/4/games --from g/4/before.prior"),
        "{last}"
    );
}

#[test]
fn one_that_was_stopped_goes_on_where_it_was() {
    let folder = folder(&[KEPT, KEPT]);
    fs::write(folder.path().join("broken"), "").unwrap();
    assert!(!script(folder.path(), &[]).status.success());
    assert_eq!(read(&folder, "lab.txt").lines().count(), 1, "games, and no proof");
    assert!(kept(&folder).is_empty());
    fs::remove_file(folder.path().join("broken")).unwrap();
    for generations in ["1", "1", "2"] {
        assert!(script(folder.path(), &["--generations", generations]).status.success());
    }
    assert_eq!(kept(&folder), ["yes", "yes"]);
    assert_eq!(read(&folder, "lab.txt").lines().count(), 4, "games and a proof of each, once");
}

#[test]
fn what_the_lab_says_of_a_proof_is_understood() {
    let match_of = ["match", "mcts(playout=static)", "random", "--iterations", "20", "--games", "200"];
    let said = succeeds(&[&match_of[..], &["--sprt", "0", "20", "--seed", "1"]].concat());
    let verdict = said.lines().find(|line| line.starts_with("SPRT")).expect(&said);
    assert!(verdict.contains("+20 Elo accepted"), "{verdict}");
    let folder = folder(&[verdict]);
    assert!(script(folder.path(), &[]).status.success());
    assert_eq!(kept(&folder), ["yes"]);
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_played() {
    let folder = folder(&[KEPT]);
    let (network, prior) = (folder.path().join("own.network"), folder.path().join("own.prior"));
    let mut bytes = Network::built_in().to_bytes();
    bytes[1000] ^= 1;
    fs::write(&network, bytes).unwrap();
    fs::write(&prior, PolicyNetwork::built_in().to_bytes()).unwrap();
    for (arguments, why) in [
        (&["--games", "3"][..], "--games 3: expected an even number"),
        (&["--games", "2"], "--games 2: expected an even number"),
        (&["--elo", "20,0"], "--elo 20,0: expected two numbers, the smaller one first"),
        (&["--elo", ".,."], "--elo .,.: expected two numbers"),
        (&["--cpu", "0.00"], "--cpu 0.00: expected seconds"),
        (&["--out", "NETWORKS"], "--out NETWORKS: "),
        (&["--out", "a b"], "specs can't name files"),
        (&["--agent", "mcts()"], "it says neither NETWORK nor PRIOR"),
        (&["--from", text(&network)], "a damaged network"),
        (&["--from", text(&prior)], "a network of another kind"),
        (&["--from-prior", "none"], "can't be read"),
        (&["--often"], "there is no option --often"),
    ] {
        let output = script(folder.path(), arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(why), "{arguments:?}: {message}");
    }
    assert_eq!(read(&folder, "lab.txt"), "");
    assert!(!folder.path().join("g").exists());
    // Jobs of a cluster that nobody waited for have left no games yet.
    fs::write(folder.path().join("lab"), "#!/bin/bash\n").unwrap();
    let output = script(folder.path(), &[]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("there are no games in g/1/games"));
}
