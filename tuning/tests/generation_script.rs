//! `tuning/generation.sh` with stand-ins for the slow programs: which networks it keeps, when it ends, and how it
//! resumes.

use crate::support::{Folder, LAB};
use halma::network::Network;
use halma::network::policy::PolicyNetwork;
use halma::network::value::ValueNetwork;
use std::process::{Command, Output};

/// Stands in for `lab`: records its arguments and makes a run's folder. For a proof (a match with `--sprt`), its result
/// is line N of the file `verdicts`, where N is the generation's number. `lab network` still runs the real program.
const FALSE_LAB: &str = r#"#!/bin/bash
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
if [ "${sprt:-}" ]; then
    echo 'Elo        +7 (-3 … +17)'
    sed -n "${seed}p" verdicts >"$out/result.json"
fi
"#;

/// Stands in for `train`: fails if there is a file `broken`; otherwise it writes a copy of `network` as the new
/// network.
const FALSE_TRAIN: &str = r#"#!/bin/bash
echo "$@" >>train.txt
[ ! -f broken ] || exit 1
while [ $# -gt 0 ]; do
    if [ "$1" = --out ]; then cp network "$2"; fi
    shift
done
printf 'in integers\t0.5\nfitted\t0.7\t0.8\n'
"#;

const KEPT: &str = r#"    "verdict": "h1""#;
const DROPPED: &str = r#"    "verdict": "h0""#;
const OPEN: &str = r#"    "verdict": "undecided""#;

/// A folder with the stand-ins and the verdicts of the generations.
fn folder(verdicts: &[&str]) -> Folder {
    let folder = Folder::with("verdicts", verdicts.join("\n") + "\n");
    folder.write("network", "new");
    for (name, script) in [("lab", FALSE_LAB), ("train", FALSE_TRAIN)] {
        folder.write_program(name, script);
    }
    folder
}

/// Runs the script in `folder`.
fn script(folder: &Folder, line: &str) -> Output {
    Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/generation.sh"))
        .args(["--out", "g"])
        .args(shell_words::split(line).expect("the quotes match"))
        .current_dir(folder.root())
        .env("LAB", folder.path("lab"))
        .env("TRAIN", folder.path("train"))
        .env("REAL", LAB)
        .output()
        .expect("the script starts")
}

/// The table's column `kept`; empty before the first proof.
fn kept(folder: &Folder) -> Vec<String> {
    let name = "g/generations.tsv";
    let table = if folder.exists(name) { folder.read(name) } else { String::new() };
    table.lines().skip(1).map(|line| line.split('\t').next_back().expect("a column").to_string()).collect()
}

#[test]
fn proven_networks_are_kept_and_two_failures_in_a_row_end_it() {
    let folder = folder(&[DROPPED, KEPT, OPEN, DROPPED, KEPT]);
    let output = script(&folder, "--generations 9");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(kept(&folder), ["no", "yes", "no", "no"]);
    let calls = folder.read("lab.txt");
    // New networks play the last networks kept; the first new networks play the built-in ones.
    for (number, part) in [
        (1, "match mcts(evaluation=network(file=g/1/new.network),prior=network(file=g/1/new.prior))"),
        (2, " mcts(evaluation=network(file=built-in),prior=network(file=built-in)) "),
        (3, " mcts(evaluation=network(file=g/3/before.network),prior=network(file=g/3/before.prior)) "),
    ] {
        let proof = format!("--seed {number} --out g/{number}/proof");
        let proof = calls.lines().find(|line| line.ends_with(&proof)).expect("a proof");
        assert!(proof.contains(part), "{proof}");
    }
    assert_eq!(
        (folder.read("g/3/before.network"), folder.read("g/best.prior")),
        ("new".into(), "new".into())
    );
    // Each generation learns from all games so far.
    let trained = folder.read("train.txt");
    let last = trained.lines().last().expect("a training run");
    let all = "prior g/1/games g/2/games g/3/games g/4/games --from g/4/before.prior";
    assert!(last.starts_with(all), "{last}");
}

#[test]
fn a_league_adds_games_against_each_rival_by_both_rule_sets() {
    let folder = folder(&[KEPT, KEPT]);
    let line = "--generations 2 --iterations 50 --league 4 --odds 3 --rival greedy --rival 'uct(c=0.1)'";
    for _ in 0..2 {
        assert!(script(&folder, line).status.success());
    }
    let calls = folder.read("lab.txt");
    // Each of the two generations plays its games and a proof. The leagues add four and six runs: the second one has
    // one more rival, the networks that the first generation started from.
    assert_eq!(calls.lines().count(), 4 + 4 + 6, "{calls}");
    let rivals =
        ["greedy", "uct(c=0.1)", "mcts(evaluation=network(file=built-in),prior=network(file=built-in))"];
    let mut folders = Vec::new();
    for (at, rival) in (1..).zip(rivals) {
        for rules in ["addendum", "original"] {
            let name = format!("g/2/league/{at}-{}-{rules}", rival.split('(').next().expect("a name"));
            let call = calls.lines().find(|call| call.contains(&name)).expect(&name);
            let part = format!(" {rival} --iterations 50,150 --games 4 --rules {rules} ");
            assert!(call.contains(&part), "{call}");
            folders.push(name);
        }
    }
    let trained = folder.read("train.txt");
    let last = trained.lines().last().expect("a training run");
    assert!(last.contains(&format!(" g/2/games {} --from ", folders.join(" "))), "{last}");
    assert!(last.contains("g/1/games g/1/league/1-greedy-addendum "), "{last}");
    // The networks do not learn from games against rivals that the command no longer names.
    for (options, league) in [
        ("--league 4 --rival greedy", "g/1/league/1-greedy-addendum g/1/league/1-greedy-original "),
        ("", ""),
    ] {
        for name in ["g/generations.tsv", "g/2/prior.txt"] {
            folder.remove(name);
        }
        assert!(script(&folder, &format!("--generations 2 --iterations 50 {options}")).status.success());
        let trained = folder.read("train.txt");
        let last = trained.lines().last().expect("a training run");
        assert!(last.contains(&format!(" g/1/games {league}g/2/games ")), "{last}");
    }
}

#[test]
fn a_stopped_script_goes_on() {
    let folder = folder(&[KEPT, KEPT]);
    folder.write("broken", "");
    assert!(!script(&folder, "").status.success());
    assert_eq!(folder.read("lab.txt").lines().count(), 1, "games, and no proof");
    assert!(kept(&folder).is_empty());
    folder.remove("broken");
    for generations in [1, 1, 2] {
        assert!(script(&folder, &format!("--generations {generations}")).status.success());
    }
    assert_eq!(kept(&folder), ["yes", "yes"]);
    assert_eq!(folder.read("lab.txt").lines().count(), 4, "games and a proof of each, once");
    folder.write("other", "other");
    let output = script(&folder, "--from network --from-prior other");
    let note = "generation.sh: note: --from-prior other is ignored, because g/best.prior exists\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), note);
}

#[test]
fn networks_are_trained_and_proved_again_after_a_change() {
    let folder = folder(&[KEPT]);
    for (options, trained) in [
        ("", 2),
        ("", 2),
        ("--games 2002", 4),
        ("--games 2002 --train --epochs=1", 5),
        ("--games 2002 --train --epochs=1 --data more", 7),
    ] {
        let had = folder.exists("train.txt").then(|| folder.read("train.txt").lines().count());
        folder.write("g/1/proof/games.jsonl", "");
        assert!(script(&folder, options).status.success());
        assert_eq!(folder.read("train.txt").lines().count(), trained, "{options}");
        assert_eq!(folder.exists("g/1/proof/games.jsonl"), had == Some(trained), "{options}");
        folder.remove("g/generations.tsv");
    }
    // A training run that is interrupted goes on from its checkpoint, unless the command has changed.
    let (checkpoint, options) = ("g/1/new.network.checkpoint", "--games 2002 --data more --train --epochs=");
    folder.write("broken", "");
    assert!(!script(&folder, &format!("{options}2")).status.success());
    folder.write(checkpoint, "");
    assert!(!script(&folder, &format!("{options}2")).status.success());
    assert!(folder.exists(checkpoint));
    folder.remove("broken");
    assert!(script(&folder, &format!("{options}1")).status.success());
    assert!(!folder.exists(checkpoint));
    assert_eq!(folder.read("train.txt").lines().count(), 10, "trained once more, after two failures");
}

#[test]
fn the_script_understands_the_verdict_of_lab() {
    let lab = Folder::played("match greedy random --iterations 1 --games 200 --sprt 0 20 --seed 1");
    let result = lab.read("run/result.json");
    let verdict = result.lines().find(|line| line.contains("verdict")).expect("a verdict");
    let folder = folder(&[verdict]);
    assert!(script(&folder, "").status.success());
    assert_eq!(kept(&folder), ["yes"]);
}

#[test]
fn bad_arguments_are_refused_before_any_game() {
    let folder = folder(&[KEPT]);
    let mut damaged = ValueNetwork::BUILT_IN_FILE.to_vec();
    damaged[1000] ^= 1;
    folder.write("own.network", damaged);
    folder.write("own.prior", PolicyNetwork::BUILT_IN_FILE);
    for (line, why) in [
        ("--games 3", "--games 3: expected an even number"),
        ("--games 2", "--games 2: expected an even number"),
        ("--league 3", "--league 3: expected an even number"),
        ("--odds 0", "--odds 0: expected a number of at least 1"),
        ("--elo 20,0", "--elo 20,0: expected two numbers, the smaller one first"),
        ("--elo .,.", "--elo .,.: expected two numbers"),
        ("--cpu 0.00", "--cpu 0.00: expected seconds"),
        ("--out NETWORKS", "--out NETWORKS: "),
        ("--out 'a b'", "specs can't name files"),
        ("--agent mcts()", "expected a spec with NETWORK or PRIOR"),
        (
            "--agent 'mcts(evaluation=network(file=NETWORK), c=0.3)'",
            "sets c and c_root too; give --opponent as well",
        ),
        ("--from own.network", "a damaged network"),
        ("--from own.prior", "the wrong kind of network"),
        ("--from-prior none", "can't be read"),
        ("--often", "unknown option --often"),
    ] {
        let output = script(&folder, line);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {message}");
        assert!(message.contains(why), "{line}: {message}");
    }
    assert!(!folder.exists("lab.txt") && !folder.exists("g"));
    // If the script only submits jobs to a cluster and does not wait for them, there are no games yet.
    folder.write("lab", "#!/bin/bash\n");
    let message = String::from_utf8_lossy(&script(&folder, "").stderr).into_owned();
    assert!(message.contains("there are no games in g/1/games"), "{message}");
}
