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
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
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

/// `train evaluation --out OUT` on the games, with two epochs of small batches unless `arguments` say otherwise.
fn train(out: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_train"));
    command.arg("evaluation").arg(games()).arg("--out").arg(out);
    for [option, value] in [["--epochs", "2"], ["--batch", "256"]] {
        if !arguments.contains(&option) {
            command.args([option, value]);
        }
    }
    command.args(arguments);
    command
}

fn printed(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn checkpoint(out: &Path) -> PathBuf {
    out.with_extension("network.checkpoint")
}

#[test]
fn a_value_network_learns_and_records_its_provenance() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("own.network");
    let output = train(&out, &[]).output().expect("a program");
    let (text, errors) = printed(&output);
    assert!(output.status.success(), "{errors}");
    let number = |line: &str, column: usize| -> f64 {
        let line = text.lines().find(|found| found.starts_with(line)).expect(&text);
        line.split('\t').nth(column).expect(line).parse().expect(line)
    };
    let (fitted, last, as_played) = (number("fitted", 1), number("2\t", 2), number("in integers", 1));
    assert!(last < 0.9 * fitted, "{text}");
    // Rounding the weights costs a little, and more with few games.
    assert!(
        (as_played - last).abs() < 0.05 * last,
        "the engine's integers differ from the trained weights: {text}"
    );
    let file = NetworkFile::<ValueNetwork>::read(&out).expect("a network");
    let provenance: serde_json::Value = serde_json::from_str(&file.provenance).expect("JSON");
    assert_eq!(provenance["runs"][0]["kind"], "match");
    assert_eq!(provenance["settings"]["epochs"], 2);
    assert_eq!(provenance["errors"]["epochs"].as_array().map(Vec::len), Some(2));
    let (train, distinct) = (&provenance["samples"]["train"], &provenance["samples"]["distinct"]);
    assert!(distinct.as_u64() <= train.as_u64() && distinct.as_u64() > Some(1000), "{distinct} of {train}");
    assert!(!checkpoint(&out).exists());
}

/// A network without its provenance, which differs from run to run.
fn weights<N: Network>(path: &Path) -> Box<N> {
    NetworkFile::read(path).expect("a network").network
}

#[test]
fn a_resumed_training_ends_with_the_same_value_network() {
    let folder = TempDir::new().expect("a folder");
    let [whole, killed, other] =
        ["whole", "killed", "other"].map(|name| folder.path().join(name).with_extension("network"));
    // The run must last long enough to be killed before it ends.
    let long = ["--epochs", "12"];
    assert!(train(&whole, &long).output().expect("a program").status.success());
    let mut process =
        train(&killed, &long).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a program");
    while !checkpoint(&killed).exists() && process.try_wait().expect("a process").is_none() {
        sleep(Duration::from_millis(2));
    }
    process.kill().expect("a running process");
    process.wait().expect("a killed process");
    assert!(checkpoint(&killed).exists(), "the training ended before it was killed");
    let output = train(&killed, &long).output().expect("a program");
    assert!(output.status.success(), "{}", printed(&output).1);
    assert_eq!(weights::<ValueNetwork>(&killed), weights(&whole), "the same seed gives the same network");
    assert!(train(&other, &["--epochs", "12", "--seed", "2"]).output().expect("a program").status.success());
    assert_ne!(weights::<ValueNetwork>(&other), weights(&whole));
}

#[test]
fn a_network_continues_from_another() {
    let folder = TempDir::new().expect("a folder");
    let [first, second, other] =
        ["first", "second", "other"].map(|name| folder.path().join(name).with_extension("network"));
    assert!(train(&first, &[]).output().expect("a program").status.success());
    let from = first.to_str().expect("a name in UTF-8");
    let errors_after_an_epoch = |out: &Path, arguments: &[&str]| -> f64 {
        let output = train(out, arguments).output().expect("a program");
        let (text, errors) = printed(&output);
        assert!(output.status.success(), "{errors}");
        let line = text.lines().find_map(|line| line.strip_prefix("1\t")).expect(&text);
        line.split('\t').nth(1).expect(line).parse().expect(line)
    };
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
        let mut command = Command::new(env!("CARGO_BIN_EXE_train"));
        command.arg(which).arg(games()).arg(&strangers).arg("--out").arg(folder.path().join(which));
        let output = command.args(["--epochs", "1", "--from", "built-in"]).output().expect("a program");
        let (text, errors) = printed(&output);
        assert!(output.status.success(), "{errors}");
        let rows = table(&text, "folder\t");
        let names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
        assert_eq!(names, [games(), &strangers].map(|folder| folder.to_str().expect("UTF-8")));
        let number = |row: usize, column: usize| rows[row][column].parse::<f64>().expect("a number");
        let tests = text.lines().find_map(|line| line.strip_prefix("samples\t")).expect(&text);
        assert!(tests.ends_with(&format!(", {} for tests", number(0, 1) + number(1, 1))), "{text}");
        let all = text.lines().find_map(|line| line.strip_prefix("in integers\t")).expect(&text);
        let all: f64 = all.split('\t').next().expect("a column").parse().expect("a number");
        let [mean, before] = [3, 2].map(|column| {
            let sum: f64 = (0..2).map(|row| number(row, 1) * number(row, column)).sum();
            sum / (number(0, 1) + number(1, 1))
        });
        assert!((mean - all).abs() < 2e-5, "{text}");
        assert!(before != mean && number(0, 3) != number(1, 3), "{text}");
    }
}

#[test]
fn value_training_reports_errors_and_keeps_files() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("own.network");
    let refused = |command: &mut Command, expected: &str| {
        let output = command.output().expect("a program");
        let (_, errors) = printed(&output);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(expected), "expected {expected:?} in: {errors}");
    };
    refused(&mut train(&out, &["--rate", "0"]), "above 0");
    refused(&mut train(&out, &["--batch", "0"]), "expected 1 or more");
    refused(&mut train(folder.path(), &[]), "is a folder: name a file");
    refused(&mut train(&folder.path().join("no/own.network"), &[]), "can't write");
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("a program").success());
    refused(&mut train(&pipe, &[]), "not a regular file");
    refused(&mut train(&out, &["--from", "no.network"]), "--from no.network: can't be read");
    let run = "belongs to a run; write to another file";
    refused(&mut train(&games().join("games.jsonl"), &[]), run);
    let same = ["--from", out.to_str().expect("a name in UTF-8")];
    fs::write(&out, ValueNetwork::BUILT_IN_FILE).expect("a file");
    refused(&mut train(&out, &same), "is an input of this command");
    let mut no_run = Command::new(env!("CARGO_BIN_EXE_train"));
    refused(no_run.arg("evaluation").arg(folder.path()).arg("--out").arg(&out), "no run in");
    let edited = folder.path().join("edited");
    fs::create_dir(&edited).expect("a folder");
    for name in ["run.json", "games.jsonl"] {
        let text = fs::read_to_string(games().join(name)).expect("a file of the run");
        fs::write(edited.join(name), text.replacen("\"values\":[", "\"values\":[55,", 1)).expect("a file");
    }
    let mut of_edited = Command::new(env!("CARGO_BIN_EXE_train"));
    let broken = "edited/games.jsonl: line 1 is broken: values has";
    refused(of_edited.arg("evaluation").arg(&edited).arg("--out").arg(&out), broken);
    fs::write(&out, "old").expect("a file");
    fs::write(checkpoint(&out), "broken").expect("a file");
    refused(&mut train(&out, &[]), "remove it to start over");
    assert_eq!(fs::read(&out).expect("a file"), b"old");
}

#[test]
fn samples_come_from_each_decision_and_its_tree() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("own.network");
    // The numbers of training and test samples.
    let samples = |arguments: &[&str]| -> [usize; 2] {
        let output = train(&out, &[&["--epochs", "1"], arguments].concat()).output().expect("a program");
        let (text, errors) = printed(&output);
        assert!(output.status.success(), "{errors}");
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

/// `train prior --out OUT` on the games, with two epochs unless `arguments` say otherwise.
fn train_prior(out: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_train"));
    command.arg("prior").arg(games()).arg("--out").arg(out);
    if !arguments.contains(&"--epochs") {
        command.args(["--epochs", "2"]);
    }
    command.args(arguments);
    command
}

#[test]
fn a_policy_network_learns_and_records_its_provenance() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("prior.network");
    let output = train_prior(&out, &["--batch", "32"]).output().expect("a program");
    let (text, errors) = printed(&output);
    assert!(output.status.success(), "{errors}");
    let loss = |line: &str, column: usize| -> f64 {
        let line = text.lines().find(|found| found.starts_with(line)).expect(&text);
        line.split('\t').nth(column).expect(line).parse().expect(line)
    };
    let (fitted, last, as_played) = (loss("fitted", 2), loss("2\t", 2), loss("in integers", 1));
    assert!(last < fitted - 0.02, "{text}");
    assert!((as_played - last).abs() < 0.02, "the engine's integers differ from the trained weights: {text}");
    let provenance: serde_json::Value =
        serde_json::from_str(&NetworkFile::<PolicyNetwork>::read(&out).expect("a network").provenance)
            .expect("JSON");
    assert_eq!(provenance["runs"][0]["kind"], "match");
    assert_eq!(provenance["settings"]["epochs"], 2);
    assert_eq!(provenance["errors"]["epochs"].as_array().map(Vec::len), Some(2));
    assert!(!checkpoint(&out).exists());

    // With `--from`, training starts from the given network.
    let further = folder.path().join("further.network");
    let from = out.to_str().expect("a name in UTF-8");
    let output = train_prior(&further, &["--epochs", "1", "--rate", "0.0000001", "--from", from]).output();
    assert!(output.expect("a program").status.success());
    assert_eq!(weights::<PolicyNetwork>(&further), weights(&out));
}

#[test]
fn a_resumed_training_ends_with_the_same_policy_network() {
    let folder = TempDir::new().expect("a folder");
    let [whole, killed, other] =
        ["whole", "killed", "other"].map(|name| folder.path().join(name).with_extension("network"));
    let long = ["--epochs", "12"];
    assert!(train_prior(&whole, &long).output().expect("a program").status.success());
    let mut process =
        train_prior(&killed, &long).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a program");
    while !checkpoint(&killed).exists() && process.try_wait().expect("a process").is_none() {
        sleep(Duration::from_millis(2));
    }
    process.kill().expect("a running process");
    process.wait().expect("a killed process");
    assert!(checkpoint(&killed).exists(), "the training ended before it was killed");
    let output = train_prior(&killed, &long).output().expect("a program");
    assert!(output.status.success(), "{}", printed(&output).1);
    assert_eq!(weights::<PolicyNetwork>(&killed), weights(&whole), "the same seed gives the same network");
    let output = train_prior(&other, &["--epochs", "12", "--seed", "2"]).output().expect("a program");
    assert!(output.status.success());
    assert_ne!(weights::<PolicyNetwork>(&other), weights(&whole));
}

#[test]
fn policy_training_reports_errors_and_keeps_files() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("prior.network");
    let evaluation = folder.path().join("evaluation.network");
    fs::write(&evaluation, ValueNetwork::BUILT_IN_FILE).expect("a file");
    fs::write(&out, "old").expect("a file");
    let refused = |command: &mut Command, expected: &str| {
        let output = command.output().expect("a program");
        let (_, errors) = printed(&output);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(expected), "expected {expected:?} in: {errors}");
    };
    refused(&mut train_prior(folder.path(), &[]), "is a folder: name a file");
    refused(&mut train_prior(&out, &["--batch", "0"]), "expected 1 or more");
    let evaluation = evaluation.to_str().expect("a name in UTF-8");
    refused(
        &mut train_prior(&out, &["--from", evaluation]),
        "expected one for a prior, found one for an evaluation",
    );
    fs::write(checkpoint(&out), "broken").expect("a file");
    refused(&mut train_prior(&out, &[]), "remove it to start over");
    // The checkpoint of a value network belongs to a different training run.
    fs::remove_file(checkpoint(&out)).expect("a checkpoint");
    let mut process = train(&out, &["--epochs", "200"]).stdout(Stdio::null()).spawn().expect("a program");
    while !checkpoint(&out).exists() && process.try_wait().expect("a process").is_none() {
        sleep(Duration::from_millis(2));
    }
    process.kill().expect("a running process");
    process.wait().expect("a killed process");
    refused(&mut train_prior(&out, &[]), "is from a training run with different arguments");
    let mut bytes = fs::read(checkpoint(&out)).expect("a checkpoint");
    bytes[1000] ^= 64;
    fs::write(checkpoint(&out), bytes).expect("a file");
    refused(
        &mut train(&out, &["--epochs", "200"]),
        "is damaged, or from a different build: remove it to start over",
    );
    assert_eq!(fs::read(&out).expect("a file"), b"old");
}
