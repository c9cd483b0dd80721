//! `lab` from outside: what it prints, and how it fails.

use halma::game::Game;
use halma::homework::input::parse_input;
use halma::rules::{Play, Position};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab")).args(arguments).output().expect("lab can be started")
}

/// What `lab` prints when all goes well.
fn printed(arguments: &[&str]) -> String {
    let output = lab(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// What `lab` says on standard error when it refuses, with exit status 2 and nothing printed.
fn refusal(arguments: &[&str]) -> String {
    let output = lab(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// The course's sample input of this number.
fn sample(number: usize) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../tests/data/halma/{number}.input.txt"));
    path.to_str().expect("UTF-8").to_string()
}

fn sample_position(number: usize) -> Position {
    parse_input(&fs::read(sample(number)).expect("a sample")).expect("a good input.txt").position
}

/// A folder with an `input.txt`, gone when dropped.
struct InputFile {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl InputFile {
    fn new(contents: &str) -> InputFile {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("input.txt");
        fs::write(&path, contents).expect("a new file");
        InputFile { _folder: folder, path }
    }

    fn path(&self) -> &str {
        self.path.to_str().expect("UTF-8")
    }
}

/// The input.txt of a game's first move.
fn first_move() -> String {
    format!("GAME\nBLACK\n300\n{}", Position::default().rows())
}

#[test]
fn moves_of_the_samples() {
    let addendum = [17, 20, 49, 22, 6, 78];
    let original = [17, 20, 49, 133, 123, 112];
    for (at, (addendum, original)) in addendum.into_iter().zip(original).enumerate() {
        let file = sample(at + 1);
        assert_eq!(printed(&["moves", &file]).lines().count(), addendum, "{file}");
        assert_eq!(printed(&["moves", &file, "--rules", "addendum"]).lines().count(), addendum, "{file}");
        assert_eq!(printed(&["moves", &file, "--rules", "original"]).lines().count(), original, "{file}");
    }
}

#[test]
fn moves_are_legal_and_in_reading_order() {
    let position = sample_position(3);
    let listed = printed(&["moves", &sample(3)]);
    let plays: Vec<Play> = listed.lines().map(|line| line.parse().expect("a play")).collect();
    assert!(plays.iter().all(|&play| position.is_legal(play)));
    let place = |play: &Play| [play.from.y(), play.from.x(), play.to.y(), play.to.x()];
    assert!(plays.windows(2).all(|pair| place(&pair[0]) < place(&pair[1])));
}

#[test]
fn moves_from_standard_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(["moves", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("lab can be started");
    let text = fs::read(sample(1)).expect("a sample");
    child.stdin.take().expect("a pipe").write_all(&text).expect("lab reads it");
    let output = child.wait_with_output().expect("lab ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), printed(&["moves", &sample(1)]));
}

/// Black's only piece is shut in.
#[test]
fn a_position_without_a_legal_play() {
    let mut rows = vec!["BWW.............", "WWW.............", "WWW............."];
    rows.extend(["................"; 13]);
    let file = InputFile::new(&format!("SINGLE\nBLACK\n1\n{}\n", rows.join("\n")));
    assert_eq!(printed(&["moves", file.path()]), "");
    assert_eq!(nodes(&["perft", file.path(), "--depth", "2"]), [(1, 0), (2, 0)]);
    assert!(refusal(&["analyse", file.path()]).contains("no legal play"));
}

/// Depth and nodes of the rows that `lab perft` prints.
fn nodes(arguments: &[&str]) -> Vec<(u32, u64)> {
    let row = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
    };
    let text = printed(arguments);
    let (_, table) = text.split_once("nodes/s\n").expect("a header");
    table.lines().map(|line| row(line).expect("depth and nodes")).collect()
}

#[test]
fn perft_of_the_initial_position() {
    let file = InputFile::new(&first_move());
    let addendum = nodes(&["perft", file.path(), "--depth", "4"]);
    assert_eq!(addendum, [(1, 40), (2, 1600), (3, 62_240), (4, 2_421_136)]);
    let original = nodes(&["perft", file.path(), "--depth", "4", "--rules", "original"]);
    assert_eq!(original, [(1, 40), (2, 1600), (3, 85_440), (4, 4_562_496)]);
    assert_eq!(nodes(&["perft", file.path(), "--depth", "0"]), [(0, 1)]);
}

/// In samples 1 and 2 the side to move has a play that wins at once: no line goes on behind it.
#[test]
fn a_win_ends_its_line() {
    for number in [1, 2] {
        let position = sample_position(number);
        let mut plays = Vec::new();
        position.legal_plays(&mut plays);
        assert!(position.winning_play(&plays).is_some(), "sample {number}");
        let answers = |&play: &Play| {
            let mut next = position;
            next.play(play);
            if next.outcome().is_some() { 0 } else { next.count_plays() as u64 }
        };
        let expected = plays.iter().map(answers).sum();
        assert_eq!(nodes(&["perft", &sample(number), "--depth", "2"])[1], (2, expected));
    }
}

#[test]
fn perft_divided_by_plays() {
    let file = InputFile::new(&first_move());
    let arguments = ["perft", file.path(), "--depth", "3", "--divide"];
    let text = printed(&arguments);
    let (plays, _) = text.split_once("\n\n").expect("an empty line");
    let parts: Vec<(Play, u64)> = plays
        .lines()
        .map(|line| line.split_once('\t').expect("a tab"))
        .map(|(play, nodes)| (play.parse().expect("a play"), nodes.parse().expect("a number")))
        .collect();
    assert_eq!(parts.len(), 40);
    assert_eq!(parts.iter().map(|&(_, nodes)| nodes).sum::<u64>(), 62_240);
    assert_eq!(nodes(&arguments), [(3, 62_240)]);
    assert!(refusal(&["perft", file.path(), "--depth", "0", "--divide"]).contains("--divide"));
}

fn analysis(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).expect("one JSON object")
}

#[test]
fn an_analysis_as_json() {
    for agent in ["mcts", "mcts(select=uct, playout=static)", "greedy", "random"] {
        for number in 1..=6 {
            let file = sample(number);
            let arguments = ["analyse", &file, "--agent", agent, "--iterations", "500", "--json"];
            let answer = analysis(&arguments);
            let position = sample_position(number);
            let best: Play = answer["best"].as_str().and_then(|play| play.parse().ok()).expect("a play");
            assert!(position.is_legal(best), "{arguments:?}: {best}");
            assert_eq!(answer["principal_variation"][0], answer["best"]);
            assert_eq!(answer["legal_plays"], position.count_plays());
            assert_eq!(answer["board"].as_array().map(Vec::len), Some(16));
        }
    }
}

#[test]
fn an_analysis_sees_wins() {
    let answer = analysis(&["analyse", &sample(1), "--iterations", "100", "--json"]);
    assert_eq!((&answer["proof"], &answer["value"]), (&Value::from("win"), &Value::from(1.0)));
}

#[test]
fn an_analysis_repeats_itself() {
    let file = sample(6);
    let analyse = || {
        let mut answer = analysis(&["analyse", &file, "--iterations", "3000", "--seed", "7", "--json"]);
        assert_eq!((&answer["search"]["iterations"], &answer["seed"]), (&Value::from(3000), &Value::from(7)));
        answer["seconds"] = Value::Null;
        answer["search"]["iterations_per_second"] = Value::Null;
        answer
    };
    assert_eq!(analyse(), analyse());
}

#[test]
fn an_analysis_takes_a_cpu_second_unless_told_otherwise() {
    for (limit, least, most) in [(&[][..], 0.8, 1.1), (&["--cpu", "0.1"], 0.07, 0.15)] {
        let file = sample(4);
        let answer = analysis(&[&["analyse", &file, "--json"], limit].concat());
        let seconds = answer["seconds"].as_f64().expect("a number");
        assert!((least..most).contains(&seconds), "{limit:?}: {seconds}");
        assert_eq!(answer["search"]["stop"], "time");
    }
}

#[test]
fn an_analysis_for_people() {
    let text = printed(&["analyse", &sample(6), "--iterations", "2000", "--top", "3"]);
    let after = |label: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(label));
        line.unwrap_or_else(|| panic!("no {label:?} in\n{text}")).trim().to_string()
    };
    let best: Play = after("best play").parse().expect("a play");
    let row = |y: u8| text.lines().nth(usize::from(y) + 1).expect("a row of the board");
    assert!(row(best.from.y()).contains("(B)"), "{text}");
    assert!(row(best.to.y()).contains("[.]"), "{text}");
    assert!(text.contains("BLACK to move, addendum rules, legal plays: 78"), "{text}");
    assert!(after("iterations").starts_with("2000 in "), "{text}");
    assert_eq!(after("stopped by"), "iterations");
    let (_, table) = text.split_once("rank").expect("a table");
    let rows = table.lines().filter(|line| line.contains('%') && !line.contains("priors"));
    assert_eq!(rows.count(), 3, "{text}");
}

/// A commit that changes what the search plays writes the new checksum into the file, and says with
/// what match result.
#[test]
fn the_checksum_is_the_recorded_one() {
    let recorded = include_str!("../results/checksum.txt");
    let (_, recorded) = recorded.split_once('\n').expect("a comment and the checksum");
    assert_eq!(printed(&["bench", "--checksum"]), recorded);
}

#[test]
fn figures_have_name_value_and_unit() {
    let text = printed(&["bench", "--seconds", "0.01"]);
    for line in text.lines().filter(|line| !line.starts_with("checksum")) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, value, unit] = fields[..] else { panic!("{line:?}") };
        assert!(value.parse::<u64>().is_ok_and(|value| value > 0), "{line}");
        assert!(unit.ends_with("/s"), "{line}");
    }
    let policies = halma::Registry::default()
        .parts(halma::support::parameters::Part::Playout)
        .into_iter()
        .map(|kind| format!("playouts/{}", kind.name));
    let names = ["destination-sets", "play-lists", "plies/forward-jump", "iterations/mcts", "checksum"];
    for name in names.into_iter().map(str::to_string).chain(policies) {
        assert!(text.lines().any(|line| line.starts_with(&format!("{name}\t"))), "{name} in\n{text}");
    }
}

#[test]
fn bad_boards_are_refused_with_line_and_column() {
    let good = first_move();
    let cases = [
        (good.replacen("GAME", "GAMES", 1), ":1:5: "),
        (good.replacen("BLACK", "black", 1), ":2:1: "),
        (good.replacen("300", "3OO", 1), ":3:2: "),
        (good.replacen("BBBBB", "BBXBB", 1), ":4:3: "),
        (good.replacen("BBBBB.", "BBBBB", 1), ":4:16: "),
        (good.lines().take(10).collect::<Vec<_>>().join("\n"), ":11:1: "),
        (String::new(), ":1:1: "),
    ];
    for (contents, place) in cases {
        let file = InputFile::new(&contents);
        let path = file.path();
        for arguments in [&["moves", path][..], &["perft", path, "--depth", "1"], &["analyse", path]] {
            let message = refusal(arguments);
            assert!(message.contains(&format!("{path}{place}")), "{contents:?}: {message}");
        }
    }
}

#[test]
fn other_bad_arguments_are_refused() {
    let file = sample(1);
    let cases: [(&[&str], &str); 9] = [
        (&["moves", "no/such/file.txt"], "can't read no/such/file.txt"),
        (&["moves", env!("CARGO_MANIFEST_DIR")], "can't read"),
        (&["moves", &file, "--rules", "house"], "addendum, original"),
        (&["analyse", &file, "--agent", "stockfish"], "there is no agent 'stockfish'"),
        (&["analyse", &file, "--agent", "mcts(c=-1)"], "c=-1: expected a number from 0 to 100"),
        (&["analyse", &file, "--agent", "program(sh)"], "a program can't be analysed"),
        (&["analyse", &file, "--cpu", "-1"], "a number of seconds above 0"),
        (&["bench", "--seconds", "inf"], "a number of seconds above 0"),
        (&["perft", &file], "--depth"),
    ];
    for (arguments, part) in cases {
        let message = refusal(arguments);
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
}

#[test]
fn agents_are_listed_with_their_parameters() {
    let all = printed(&["agents"]);
    for name in [
        "mcts",
        "alphabeta",
        "program",
        "playout=forward-jump",
        "prior=fitted",
        "prior=network",
        "evaluation=fitted",
        "evaluation=network",
    ] {
        assert!(all.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}: {all}");
    }
    let one = printed(&["agents", "alphabeta"]);
    assert!(one.contains("  table=16 ") && one.contains("(a whole number from 0 to 4096)"), "{one}");
    assert!(!one.contains("mcts"), "{one}");
    let json: Value = serde_json::from_str(&printed(&["agents", "uniform", "--json"])).expect("JSON");
    let sorts: Vec<_> = json.as_array().expect("a list").iter().map(|sort| &sort["sort"]).collect();
    assert_eq!(sorts, ["playout", "prior"]);
    assert_eq!(json[0]["known"][0]["parameters"][0]["default"], "2");
    let unknown = refusal(&["agents", "forward-jmp"]);
    assert!(unknown.contains("nothing is called 'forward-jmp'; there are forward-jump, "), "{unknown}");
}
