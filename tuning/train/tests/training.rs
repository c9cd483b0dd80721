//! Integration tests of the program `train`, on a few quick games.

use halma::game::Game;
use halma::network::policy::PolicyNetwork;
use halma::network::value::ValueNetwork;
use halma::network::{Network, NetworkFile};
use halma::rules::Rules;
use halma_lab::learn::games::{Drawn, each};
use halma_lab::play::matches::{Settings, Terms};
use halma_lab::play::openings::Openings;
use halma_lab::play::time_control::TimeControl;
use halma_lab::runs::{Builds, PlannedRun, Shard};
use serde_json::Value;
use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;

/// The folder of a run of 110 games, with three pairs held out for tests.
fn games() -> &'static Path {
    static GAMES: OnceLock<TempDir> = OnceLock::new();
    let folder = GAMES.get_or_init(|| {
        // Below target/, because a static is never dropped, so this folder stays.
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        play(folder.path(), "mcts(c=0.8)", 55, Rules::Addendum);
        folder
    });
    folder.path()
}

/// Plays `pairs` pairs of games between the engine and `opponent`, and stores them in the folder.
fn play(folder: &Path, opponent: &str, pairs: u64, rules: Rules) {
    let terms = Terms { seed: 5, openings: Openings::default(), max_plies: 400, rules, tree_nodes: 20 };
    let settings = Settings::new(["mcts", opponent], pairs, TimeControl::Iterations(30), terms);
    let run = PlannedRun::new("match", settings, Shard::WHOLE).expect("a run");
    run.play(2, Some(folder), Builds::Same, &mut |_| {}).expect("a result");
}

/// `train WHICH RUN … --out OUT`.
fn train_on(runs: &[&Path], which: &str, out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_train"));
    command.arg(which).args(runs).arg("--out").arg(out);
    command
}

/// `train WHICH --out OUT` on the games, with two epochs of small batches unless `arguments` say otherwise.
fn train(which: &str, out: &Path, arguments: &[&str]) -> Command {
    let mut command = train_on(&[games()], which, out);
    for [option, value] in [["--epochs", "2"], ["--batch", "256"]] {
        if !arguments.contains(&option) {
            command.args([option, value]);
        }
    }
    command.args(arguments);
    command
}

/// The standard output of `command`, which must succeed.
#[track_caller]
fn printed(mut command: Command) -> String {
    let output = command.output().expect("a program");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Checks that `command` fails with status 2 and a message that contains `expected`.
#[track_caller]
fn refused(mut command: Command, expected: &str) {
    let output = command.output().expect("a program");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains(expected), "expected {expected:?} in: {errors}");
}

/// Kills `command` once it has written the checkpoint beside `out`.
#[track_caller]
fn kill_at_checkpoint(mut command: Command, out: &Path) {
    let mut process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a program");
    while !checkpoint(out).exists() && process.try_wait().expect("a process").is_none() {
        sleep(Duration::from_millis(2));
    }
    process.kill().expect("a running process");
    process.wait().expect("a killed process");
    assert!(checkpoint(out).exists(), "the training ended before it was killed");
}

/// The number in a column of the first line of `text` that begins with `line`.
#[track_caller]
fn number(text: &str, line: &str, column: usize) -> f64 {
    let line = text.lines().find(|found| found.starts_with(line)).expect(text);
    line.split('\t').nth(column).expect(line).parse().expect(line)
}

fn checkpoint(out: &Path) -> PathBuf {
    out.with_extension("network.checkpoint")
}

/// The provenance of the network in `out`, which was trained for two epochs.
#[track_caller]
fn provenance<N: Network>(out: &Path) -> Value {
    let file = NetworkFile::<N>::read(out).expect("a network");
    let provenance: Value = serde_json::from_str(&file.provenance).expect("JSON");
    assert_eq!(provenance["runs"][0]["kind"], "match");
    assert_eq!(provenance["settings"]["epochs"], 2);
    assert_eq!(provenance["errors"]["epochs"].as_array().map(Vec::len), Some(2));
    assert!(!checkpoint(out).exists());
    provenance
}

#[test]
fn a_value_network_learns_and_records_its_provenance() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("own.network");
    let text = printed(train("evaluation", &out, &[]));
    let [fitted, last, as_played] =
        [("fitted", 1), ("2\t", 2), ("in integers", 1)].map(|(line, column)| number(&text, line, column));
    assert!(last < 0.9 * fitted, "{text}");
    // Rounding the weights costs a little, and more with few games.
    assert!(
        (as_played - last).abs() < 0.05 * last,
        "the engine's integers differ from the trained weights: {text}"
    );
    let provenance = provenance::<ValueNetwork>(&out);
    let (train, distinct) = (&provenance["samples"]["train"], &provenance["samples"]["distinct"]);
    assert!(distinct.as_u64() <= train.as_u64() && distinct.as_u64() > Some(1000), "{distinct} of {train}");
}

/// A network without its provenance, which differs from run to run.
fn weights<N: Network>(path: &Path) -> Box<N> {
    NetworkFile::read(path).expect("a network").network
}

/// Checks that a training run that is killed and resumed ends with the network of an uninterrupted one.
#[track_caller]
fn check_resumed<N: Network + PartialEq + Debug>(which: &str) {
    let folder = TempDir::new().expect("a folder");
    let [whole, killed, other] =
        ["whole", "killed", "other"].map(|name| folder.path().join(name).with_extension("network"));
    // The run must last long enough to be killed before it ends.
    let long = ["--epochs", "12"];
    printed(train(which, &whole, &long));
    kill_at_checkpoint(train(which, &killed, &long), &killed);
    printed(train(which, &killed, &long));
    assert_eq!(weights::<N>(&killed), weights(&whole), "the same seed gives the same network");
    printed(train(which, &other, &["--epochs", "12", "--seed", "2"]));
    assert_ne!(weights::<N>(&other), weights(&whole));
}

#[test]
fn a_resumed_training_ends_with_the_same_value_network() {
    check_resumed::<ValueNetwork>("evaluation");
}

#[test]
fn a_resumed_training_ends_with_the_same_policy_network() {
    check_resumed::<PolicyNetwork>("prior");
}

#[test]
fn a_network_continues_from_another() {
    let folder = TempDir::new().expect("a folder");
    let [first, second, other] =
        ["first", "second", "other"].map(|name| folder.path().join(name).with_extension("network"));
    printed(train("evaluation", &first, &[]));
    let from = first.to_str().expect("a name in UTF-8");
    let errors_after_an_epoch =
        |out: &Path, arguments: &[&str]| number(&printed(train("evaluation", out, arguments)), "1\t", 2);
    let further = errors_after_an_epoch(&second, &["--epochs", "1", "--from", from]);
    let anew = errors_after_an_epoch(&other, &["--epochs", "1"]);
    assert!(further < anew, "{further} continued, {anew} from random weights");
    let provenance = NetworkFile::<ValueNetwork>::read(&second).expect("a network").provenance;
    assert!(provenance.contains(from), "{provenance}");
}

/// The columns of the lines after the line of `text` that begins with `heading`, up to the first line without four
/// columns.
fn table<'t>(text: &'t str, heading: &str) -> Vec<Vec<&'t str>> {
    let after = text.lines().skip_while(|line| !line.starts_with(heading)).skip(1);
    let columns = after.map(|line| line.split('\t').collect::<Vec<_>>());
    columns.take_while(|columns| columns.len() == 4).collect()
}

#[test]
fn each_folder_has_its_own_losses() {
    let folder = TempDir::new().expect("a folder");
    let strangers = folder.path().join("strangers");
    play(&strangers, "greedy", 2, Rules::Original);
    for which in ["evaluation", "prior"] {
        let mut command = train_on(&[games(), &strangers], which, &folder.path().join(which));
        command.args(["--epochs", "1", "--from", "built-in"]);
        let text = printed(command);
        let rows = table(&text, "folder\t");
        let names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
        assert_eq!(names, [games(), &strangers].map(|folder| folder.to_str().expect("UTF-8")));
        let entry = |row: usize, column: usize| rows[row][column].parse::<f64>().expect("a number");
        let tests = text.lines().find_map(|line| line.strip_prefix("samples\t")).expect(&text);
        assert!(tests.ends_with(&format!(", {} for tests", entry(0, 1) + entry(1, 1))), "{text}");
        let all = number(&text, "in integers\t", 1);
        let [mean, before] = [3, 2].map(|column| {
            let sum: f64 = (0..2).map(|row| entry(row, 1) * entry(row, column)).sum();
            sum / (entry(0, 1) + entry(1, 1))
        });
        assert!((mean - all).abs() < 2e-5, "{text}");
        assert!(before != mean && entry(0, 3) != entry(1, 3), "{text}");
    }
}

#[test]
fn value_training_reports_errors_and_keeps_files() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("own.network");
    refused(train("evaluation", &out, &["--rate", "0"]), "above 0");
    refused(train("evaluation", &out, &["--batch", "0"]), "expected 1 or more");
    refused(train("evaluation", folder.path(), &[]), "is a folder: name a file");
    refused(train("evaluation", &folder.path().join("no/own.network"), &[]), "can't write");
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("a program").success());
    refused(train("evaluation", &pipe, &[]), "not a regular file");
    refused(train("evaluation", &out, &["--from", "no.network"]), "--from no.network: can't be read");
    let run = "belongs to a run; write to another file";
    refused(train("evaluation", &games().join("games.jsonl"), &[]), run);
    let same = ["--from", out.to_str().expect("a name in UTF-8")];
    fs::write(&out, ValueNetwork::BUILT_IN_FILE).expect("a file");
    refused(train("evaluation", &out, &same), "is an input of this command");
    refused(train_on(&[folder.path()], "evaluation", &out), "no run in");
    let edited = folder.path().join("edited");
    fs::create_dir(&edited).expect("a folder");
    for name in ["run.json", "games.jsonl"] {
        let text = fs::read_to_string(games().join(name)).expect("a file of the run");
        fs::write(edited.join(name), text.replacen("\"values\":[", "\"values\":[55,", 1)).expect("a file");
    }
    let broken = "edited/games.jsonl: line 1 is broken: values has";
    refused(train_on(&[&edited], "evaluation", &out), broken);
    fs::write(&out, "old").expect("a file");
    fs::write(checkpoint(&out), "broken").expect("a file");
    refused(train("evaluation", &out, &[]), "remove it to start over");
    assert_eq!(fs::read(&out).expect("a file"), b"old");
}

#[test]
fn samples_come_from_each_decision_and_its_tree() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("own.network");
    // The numbers of training and test samples.
    let samples = |arguments: &[&str]| -> [usize; 2] {
        let text = printed(train("evaluation", &out, &[&["--epochs", "1"], arguments].concat()));
        let line = text.lines().find_map(|line| line.strip_prefix("samples\t")).expect(&text);
        let numbers: Vec<_> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
        numbers.try_into().expect("two numbers")
    };
    let [main, few, many] = [
        samples(&["--sidelines", "0"]),
        samples(&["--least-visits", "1e6"]),
        samples(&["--least-visits", "2"]),
    ];
    assert!(main[0] < few[0] && few[0] < many[0], "{main:?} {few:?} {many:?}");
    // A search that recorded a single candidate, because the others got too few visits, still made a choice.
    let (mut choices, mut decided, mut plays) = ([0; 2], 0, Vec::new());
    let visit = |drawn: &Drawn<'_>| {
        let (record, decision) = (drawn.record, drawn.decision);
        drawn.position.legal_plays(&mut plays);
        let searched = record.all_visits(decision) > 0 && record.values[decision].abs() <= 0.999;
        if searched && plays.len() > 1 && decision + 2 < record.plays.len() {
            choices[usize::from(drawn.pair.is_multiple_of(20))] += 1;
            decided += usize::from(record.candidates[decision].len() == 1);
        }
    };
    each(&[games()], visit).expect("games");
    assert_eq!(main, choices);
    assert!(decided > 100, "{decided} of {choices:?}");
}

#[test]
fn a_policy_network_learns_and_records_its_provenance() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("prior.network");
    let text = printed(train("prior", &out, &["--batch", "32"]));
    let [fitted, last, as_played] =
        [("fitted", 2), ("2\t", 2), ("in integers", 1)].map(|(line, column)| number(&text, line, column));
    assert!(last < fitted - 0.02, "{text}");
    assert!((as_played - last).abs() < 0.02, "the engine's integers differ from the trained weights: {text}");
    provenance::<PolicyNetwork>(&out);

    // With `--from`, training starts from the given network.
    let further = folder.path().join("further.network");
    let from = out.to_str().expect("a name in UTF-8");
    printed(train("prior", &further, &["--epochs", "1", "--rate", "0.0000001", "--from", from]));
    assert_eq!(weights::<PolicyNetwork>(&further), weights(&out));
}

#[test]
fn policy_training_reports_errors_and_keeps_files() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("prior.network");
    let evaluation = folder.path().join("evaluation.network");
    fs::write(&evaluation, ValueNetwork::BUILT_IN_FILE).expect("a file");
    fs::write(&out, "old").expect("a file");
    refused(train("prior", folder.path(), &[]), "is a folder: name a file");
    refused(train("prior", &out, &["--batch", "0"]), "expected 1 or more");
    let evaluation = evaluation.to_str().expect("a name in UTF-8");
    refused(
        train("prior", &out, &["--from", evaluation]),
        "expected one for a prior, found one for an evaluation",
    );
    fs::write(checkpoint(&out), "broken").expect("a file");
    refused(train("prior", &out, &[]), "remove it to start over");
    // The checkpoint of a value network belongs to a different training run.
    fs::remove_file(checkpoint(&out)).expect("a checkpoint");
    kill_at_checkpoint(train("evaluation", &out, &["--epochs", "200"]), &out);
    refused(train("prior", &out, &[]), "is from a training run with different arguments");
    let mut bytes = fs::read(checkpoint(&out)).expect("a checkpoint");
    bytes[1000] ^= 64;
    fs::write(checkpoint(&out), bytes).expect("a file");
    refused(
        train("evaluation", &out, &["--epochs", "200"]),
        "is damaged, or from a different build: remove it to start over",
    );
    assert_eq!(fs::read(&out).expect("a file"), b"old");
}
