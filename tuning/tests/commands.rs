//! The output of `lab moves`, `perft`, `bench` and `agents`, and how these commands and `analyse` refuse bad input.

use crate::support::{Folder, list, sample};
use halma::game::Game;
use halma::homework::input::parse_input;
use halma::rules::{Play, Position, Rules};
use halma::support::parameters::Part;
use std::fs;
use std::process::Stdio;

/// Runs `lab`, which must succeed and print nothing on standard error, and returns its standard output.
fn printed(folder: &Folder, line: &str) -> String {
    let output = folder.output(line);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "lab {line}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn sample_position(number: u32) -> Position {
    parse_input(&fs::read(sample(number)).expect("a sample")).expect("a valid input.txt").position
}

/// The input.txt of a game's first move.
fn first_move() -> String {
    format!("GAME\nBLACK\n300\n{}", Position::default().rows())
}

#[test]
fn the_legal_plays_of_the_samples_are_listed_in_reading_order() {
    let folder = Folder::new();
    let options =
        [("", Rules::Addendum), ("--rules addendum", Rules::Addendum), ("--rules original", Rules::Original)];
    for number in 1..=6 {
        for (option, rules) in options {
            let mut legal_plays = Vec::new();
            sample_position(number).with_rules(rules).legal_plays(&mut legal_plays);
            legal_plays.sort_by_key(|Play { from, to }| [from.y(), from.x(), to.y(), to.x()]);
            let expected: String = legal_plays.iter().map(|play| play.to_string() + "\n").collect();
            let line = format!("moves {} {option}", sample(number));
            assert_eq!(printed(&folder, &line), expected, "{line}");
        }
    }
}

#[test]
fn moves_reads_standard_input() {
    let folder = Folder::new();
    let input = fs::File::open(sample(1)).expect("a sample");
    let output = folder.lab("moves -").stdin(Stdio::from(input)).output().expect("lab starts");
    let from_file = printed(&folder, &format!("moves {}", sample(1)));
    assert_eq!(String::from_utf8_lossy(&output.stdout), from_file);
}

/// Black's only piece is shut in.
#[test]
fn a_position_without_a_legal_play() {
    let mut rows = vec!["BWW.............", "WWW.............", "WWW............."];
    rows.extend(["................"; 13]);
    let folder = Folder::with("input.txt", format!("SINGLE\nBLACK\n1\n{}\n", rows.join("\n")));
    assert_eq!(printed(&folder, "moves input.txt"), "");
    assert_eq!(nodes(&folder, "perft input.txt --depth 2"), [(1, 0), (2, 0)]);
    folder.refused("analyse input.txt", "no legal play");
    let end = "the game is over: Black has no legal play, since all its pieces are blocked, and loses.\n";
    assert!(printed(&folder, "play input.txt").ends_with(end));
}

/// Black has filled its goal, either alone or around a white piece that never left. Neither rule set leaves a play,
/// whether White is to move, as at the end of a game, or Black, as a file may say.
#[test]
fn a_finished_game_has_a_winner_and_no_plays() {
    const ALONE: [&str; 5] =
        ["..............BB", ".............BBB", "............BBBB", "...........BBBBB", "...........BBBBB"];
    const AROUND: [&str; 5] =
        ["..............BB", ".............BBB", "............BBBB", "...........BBBBB", "...........BBBBW"];
    let folder = Folder::new();
    for (goal, elsewhere) in
        [(ALONE, "...W............"), (ALONE, "...WW..........."), (AROUND, "...WB...........")]
    {
        let mut rows = vec!["................"; 10];
        rows.push(elsewhere);
        rows.extend(goal);
        for (side, value, proof) in [
            ("WHITE", "-1.000, expected score 0.0 %", "loss"),
            ("BLACK", "+1.000, expected score 100.0 %", "win"),
        ] {
            folder.write("input.txt", format!("SINGLE\n{side}\n1\n{}\n", rows.join("\n")));
            for rules in ["addendum", "original"] {
                let end = format!("--rules {rules}");
                let over = "the game is over: BLACK has filled its goal";
                let text = printed(&folder, &format!("analyse input.txt {end}"));
                let expected = format!(
                    "{side} to move, {rules} rules, legal plays: 0\n{over}\nvalue          {value}, proved {proof}\n"
                );
                assert!(text.ends_with(&expected), "{text}");
                let answer = folder.result(&format!("analyse input.txt --agent greedy {end}"));
                assert_eq!(
                    (&answer["winner"], &answer["proof"], &answer["decided_by"]),
                    (&"BLACK".into(), &proof.into(), &"game-over".into())
                );
                assert!(
                    answer["best"].is_null() && answer["search"].is_null() && answer["race"].is_null(),
                    "{answer}"
                );
                let listed = folder.output(&format!("moves input.txt {end}"));
                assert_eq!((listed.status.code(), listed.stdout), (Some(0), Vec::new()));
                assert_eq!(String::from_utf8_lossy(&listed.stderr), format!("input.txt: {over}\n"));
                assert_eq!(nodes(&folder, &format!("perft input.txt --depth 2 {end}")), [(1, 0), (2, 0)]);
            }
        }
    }
}

/// The depth and the number of nodes in each row that `lab perft` prints.
fn nodes(folder: &Folder, line: &str) -> Vec<(u32, u64)> {
    let row = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
    };
    let text = printed(folder, line);
    let (_, table) = text.split_once("nodes/s\n").expect("a header");
    table.lines().map(|line| row(line).expect("depth and nodes")).collect()
}

#[test]
fn perft_of_the_initial_position() {
    let folder = Folder::with("input.txt", first_move());
    let addendum = [(1, 40), (2, 1600), (3, 62_240), (4, 2_421_136)];
    assert_eq!(nodes(&folder, "perft input.txt --depth 4"), addendum);
    let original = [(1, 40), (2, 1600), (3, 85_440), (4, 4_562_496)];
    assert_eq!(nodes(&folder, "perft input.txt --depth 4 --rules original"), original);
    assert_eq!(nodes(&folder, "perft input.txt --depth 0"), [(0, 1)]);
}

/// In samples 1 and 2 the side to move has an immediate win, and perft counts nothing after it.
#[test]
fn a_win_ends_its_line() {
    for number in [1, 2] {
        let position = sample_position(number);
        let mut legal_plays = Vec::new();
        position.legal_plays(&mut legal_plays);
        assert!(position.winning_play(&legal_plays).is_some(), "sample {number}");
        let answers = |&play: &Play| {
            let mut next = position;
            next.play(play);
            if next.outcome().is_some() { 0 } else { next.count_plays() as u64 }
        };
        let expected = legal_plays.iter().map(answers).sum();
        let line = format!("perft {} --depth 2", sample(number));
        assert_eq!(nodes(&Folder::new(), &line)[1], (2, expected));
    }
}

#[test]
fn perft_divided_by_plays() {
    let folder = Folder::with("input.txt", first_move());
    let line = "perft input.txt --depth 3 --divide";
    let text = printed(&folder, line);
    let (rows, _) = text.split_once("\n\n").expect("an empty line");
    let rows = rows.lines().map(|line| line.split_once('\t').expect("a tab"));
    let counts: Vec<u64> = rows
        .map(|(play, nodes)| {
            play.parse::<Play>().expect("a play");
            nodes.parse().expect("a number")
        })
        .collect();
    assert_eq!((counts.len(), counts.iter().sum::<u64>()), (40, 62_240));
    assert_eq!(nodes(&folder, line), [(3, 62_240)]);
    folder.refused("perft input.txt --depth 0 --divide", "--divide");
}

/// A commit that changes the search's play must record the new checksum and a match result.
#[test]
fn the_checksum_is_the_recorded_one() {
    let recorded = include_str!("../results/checksum.txt");
    let (_, recorded) = recorded.split_once('\n').expect("a comment and the checksum");
    assert_eq!(printed(&Folder::new(), "bench --checksum"), recorded);
}

#[test]
fn benchmark_figures_have_name_value_and_unit() {
    // On a busy machine, standard error has a note that says so.
    let text = Folder::new().succeeds("bench --seconds 0.01");
    for line in text.lines().filter(|line| !line.starts_with("checksum")) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, value, unit] = fields[..] else { panic!("{line:?}") };
        assert!(value.parse::<u64>().is_ok_and(|value| value > 0), "{line}");
        assert!(unit.ends_with("/s"), "{line}");
    }
    let policies = halma::Registry::default().parts(Part::Playout);
    let policies = policies.into_iter().map(|kind| kind.name).flat_map(|name| {
        let figures = if name == "static" { &["playouts"][..] } else { &["playouts", "plies"] };
        figures.iter().map(move |figure| format!("{figure}/{name}"))
    });
    let names = ["speed", "destination-sets", "play-lists", "iterations/mcts", "checksum"];
    for name in names.into_iter().map(str::to_string).chain(policies) {
        assert!(text.lines().any(|line| line.starts_with(&format!("{name}\t"))), "{name} in\n{text}");
    }
}

#[test]
fn bad_boards_are_refused_with_line_and_column() {
    let good = first_move();
    let cases = [
        (good.replacen("GAME", "GAMES", 1), "input.txt:1:5: "),
        (good.replacen("BLACK", "black", 1), "input.txt:2:1: "),
        (good.replacen("300", "3OO", 1), "input.txt:3:2: "),
        (good.replacen("BBBBB", "BBXBB", 1), "input.txt:4:3: "),
        (good.replacen("BBBBB.", "BBBBB", 1), "input.txt:4:16: "),
        (good.lines().take(10).collect::<Vec<_>>().join("\n"), "input.txt:11:1: "),
        (String::new(), "input.txt:1:1: "),
    ];
    for (contents, place) in cases {
        let folder = Folder::with("input.txt", contents);
        folder.refuses("", &[("moves input.txt", place), ("perft input.txt --depth 1", place)]);
        folder.refused("analyse input.txt", place);
    }
}

#[test]
fn other_bad_arguments_are_refused() {
    let folder = Folder::new();
    fs::copy(sample(1), folder.path("input.txt")).expect("a sample");
    folder.refuses(
        "",
        &[
            ("moves no/such/file.txt", "can't read no/such/file.txt"),
            ("moves .", "can't read"),
            ("moves input.txt --rules house", "addendum, original"),
            ("analyse input.txt --agent stockfish", "there is no agent 'stockfish'"),
            ("analyse input.txt --agent mcts(c=-1)", "c=-1: expected a number from 0 to 100"),
            ("analyse input.txt --agent program(sh)", "programs can't be analysed"),
            ("analyse input.txt --cpu -1", "a number of seconds above 0"),
            ("analyse input.txt --iterations 1 --svg /proc/nowhere.svg", "can't write /proc/nowhere.svg"),
            ("bench --seconds inf", "a number of seconds above 0"),
            ("analyse input.txt --seed -1", "invalid value '-1' for '--seed <N>': expected a whole number"),
            ("match greedy random --iterations 1 --seed -1", "expected a whole number"),
            ("match greedy random --iterations -1", "invalid value '-1' for '--iterations <N>'"),
            ("match greedy random --iterations 1 --jobs -1", "-1 is not in 1..=65535"),
            ("tournament greedy random --iterations 1 --games -2", "expected a whole number"),
            ("sweep no.toml --seed -1", "expected a whole number"),
            ("tune no.toml --steps -1", "expected a whole number"),
            ("perft input.txt --depth -1", "expected a whole number"),
            ("report . --watch -1", "expected a whole number"),
            ("serve --port -1", "-1 is not in 0..=65535"),
            ("grade true --moves 0 --games 0", "--moves 0 --games 0: there is nothing to grade"),
            ("grade true --max-plies 0", "expected 1 or more"),
            ("moves 'no\u{1b}[2Jfile'", "can't read no [2Jfile"),
            ("perft input.txt", "--depth"),
            ("agents forward-jmp", "unknown name 'forward-jmp'; known names: forward-jump, "),
        ],
    );
}

#[test]
fn agents_are_listed_with_their_parameters() {
    let folder = Folder::new();
    let all = printed(&folder, "agents");
    let agents = ["mcts", "alphabeta", "program"];
    let parts =
        ["playout=forward-jump", "prior=fitted", "prior=network", "evaluation=fitted", "evaluation=network"];
    for name in agents.into_iter().chain(parts) {
        assert!(all.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}: {all}");
    }
    let one = printed(&folder, "agents alphabeta");
    assert!(one.contains("  table=16 ") && one.contains("(a whole number from 0 to 4096)"), "{one}");
    assert!(!one.contains("mcts"), "{one}");
    let selection = printed(&folder, "agents grave");
    for name in ["mcts", "uct"] {
        assert!(selection.contains(&format!("{name} ")), "{selection}");
    }
    assert!(
        selection.lines().all(|line| !line.starts_with(' ') || line.starts_with("  select=")),
        "{selection}"
    );
    let json = folder.result("agents uniform");
    let sorts: Vec<_> = list(&json).iter().map(|sort| &sort["sort"]).collect();
    assert_eq!(sorts, ["playout", "prior"]);
    assert_eq!(json[0]["known"][0]["parameters"][0]["default"], "2");
}
