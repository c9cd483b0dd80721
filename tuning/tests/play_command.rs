//! `lab play`: a game in a terminal. These tests type through a pipe.

use crate::support::programs::Script;
use crate::support::{Folder, LAB, sample};
use std::io::Write;
use std::process::{Output, Stdio};

/// The output of `lab play OPTIONS` when the player types `input`. The command must succeed.
fn played(folder: &Folder, options: &str, input: &str) -> String {
    let Output { status, stdout, stderr } = typed(folder, options, input.as_bytes());
    assert!(status.success() && stderr.is_empty(), "{options}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("text")
}

fn typed(folder: &Folder, options: &str, input: &[u8]) -> Output {
    let mut lab = folder.lab(&format!("play {options}"));
    let lab = lab.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut lab = lab.spawn().expect("lab starts");
    // Once the game has ended, `lab` reads no further input.
    let _ = lab.stdin.take().expect("a pipe").write_all(input);
    lab.wait_with_output().expect("lab ends")
}

/// The output after each line typed at Black's prompt.
fn answers(game: &str) -> Vec<&str> {
    let typed = game.split("BLACK> ").skip(1);
    typed.map(|part| part.split_once('\n').map_or("", |(_, answer)| answer)).collect()
}

const FAST: &str = "--agent greedy --iterations 1";

#[test]
fn plays_are_made_and_answered() {
    let folder = Folder::new();
    let game = played(&folder, FAST, "2,0 4,2\nquit\n2,2 3,3\n");
    assert!(game.starts_with("You are BLACK, against greedy, 1 iterations a move. Type a play"), "{game}");
    // The play is marked, and so is the answer.
    assert!(game.contains(" 2  B  B  B  B [B] ."), "{game}");
    assert!(
        game.contains("WHITE plays ") && game.contains("[W]") && game.ends_with("BLACK> quit\n"),
        "{game}"
    );
    assert_eq!(game.matches("BLACK> ").count(), 2, "{game}");
    let white = played(&folder, &format!("{FAST} --side white"), "");
    assert!(white.contains("You are WHITE") && white.contains("BLACK plays "), "{white}");
    assert!(white.ends_with("WHITE> \n"), "the end of the input ends the game: {white}");
    for options in ["--level beginner", "--level full --cpu 0.01", "--agent random --cpu 1e-3", ""] {
        let game = played(&folder, options, "2,0 4,2\n");
        assert!(game.contains("WHITE plays "), "{options}: {game}");
    }
    assert_eq!(played(&folder, "--seed 3", "2,0 4,2\n"), played(&folder, "--seed 3", "2,0 4,2\n"));
}

#[test]
fn commands_help_the_player() {
    let folder = Folder::new();
    let said = |input: &str| {
        let game = played(&folder, FAST, input);
        answers(&game)[0].to_string()
    };
    assert!(said("help\n").contains("take back your last play"));
    assert!(said("hint\n").contains("(B)"));
    assert_eq!(said("moves\n").lines().count(), 40);
    assert!(said("moves 2,0\n").lines().all(|line| line.starts_with("2,0 ")));
    let start = said("board\n");
    let game = played(&folder, FAST, "2,0 4,2\nundo\nback\n");
    assert_eq!(answers(&game)[1..3], [&*start, "there is nothing to take back\n"]);
}

#[test]
fn mistakes_are_explained_and_change_nothing() {
    let folder = Folder::new();
    let game = played(
        &folder,
        FAST,
        "8,8 9,9\n15,15 14,14\n0,0 9,9\n0,0 1,1\nmoves 0,0\nmoves 99,0\nmove\n2,0\n\u{1b}[2J\nsave /proc/no/file\nsave\nsave x.PGN\n\nboard\n",
    );
    let said = answers(&game);
    for (answer, part) in said.iter().zip([
        "There is no piece on 8,8.",
        "The piece on 15,15 is White's, and Black is to move.",
        "0,0 9,9 is not possible: a play is one step",
        "A black piece stands on 1,1.",
        "The piece on 0,0 is blocked",
        "'99,0': expected a square, such as 2,0",
        "'move': expected a play, such as 2,0 4,2, or a command; 'help' lists them",
        "'2,0': expected a play",
        "' [2J': expected a play",
        "can't write /proc/no/file",
        "save: expected the name of a new file, such as save game.txt",
        "x.PGN: only the position can be saved, as an input.txt",
        "",
    ]) {
        assert!(answer.contains(part), "expected {part:?}, found {answer:?}");
    }
    let first = game.split("BLACK> ").next().expect("a board");
    assert!(first.ends_with(said[13]), "the board has not changed");
    // Neither bytes that are not text nor a very long line do any harm.
    let mut input = vec![0xff; 100_000];
    input.extend(b"\n2,0 4,2\n");
    let Output { status, stdout, .. } = typed(&folder, FAST, &input);
    assert!(status.success() && String::from_utf8_lossy(&stdout).contains("WHITE plays"));
}

#[test]
fn a_saved_game_goes_on() {
    let folder = Folder::new();
    let game = played(&folder, &format!("{FAST} --rules original"), "2,0 4,2\nsave mine\nsave mine\n");
    let command = "lab play mine --side black --rules original --agent greedy --iterations 1 --seed 1\n";
    assert!(game.contains(&format!("to continue later: {command}")), "{game}");
    for (number, options) in [
        "--level casual --cpu 0.5 --seed 7",
        "--agent 'mcts(c=0.2, playout=static)' --iterations 20 --seed 1",
    ]
    .iter()
    .enumerate()
    {
        let game = played(&folder, options, &format!("save {number}\n"));
        let command = format!("lab play {number} --side black --rules addendum {options}\n");
        assert!(game.contains(&format!("to continue later: {command}")), "{game}");
    }
    assert!(game.contains("can't write mine: File exists"), "{game}");
    // Only the marks of the last play differ.
    let board = |text: &str| {
        let rows = text.lines().filter(|line| line.starts_with([' ', '1']) && line.len() > 40);
        let rows: Vec<String> =
            rows.map(|line| line.replace(['[', ']', '(', ')'], " ").trim_end().to_string()).collect();
        rows[rows.len() - 16..].to_vec()
    };
    assert_eq!(board(&played(&folder, &format!("mine {FAST}"), "")), board(&game));
}

/// The side to move can win immediately, and makes the winning play that the hint names.
#[test]
fn a_game_ends_with_a_winner() {
    let folder = Folder::new();
    let input = std::fs::read_to_string(sample(1)).expect("a sample");
    let side = if input.contains("BLACK") { ("black", "BLACK") } else { ("white", "WHITE") };
    let options = format!("{} --side {} --level club", sample(1), side.0);
    let hint = played(&folder, &options, "hint\n");
    let play = hint.lines().rev().nth(1).expect("a play before the last prompt");
    let game = played(&folder, &options, &format!("{play}\nboard\n"));
    assert!(game.ends_with(&format!("the game is over: {} has filled its goal\n", side.1)), "{game}");
}

#[test]
fn bad_arguments_are_refused_and_a_closed_output_is_not_an_error() {
    let folder = Folder::with("broken.txt", "SINGLE\nGREEN\n1\n");
    folder.refuses(
        "play",
        &[
            ("nowhere.txt", "can't read nowhere.txt"),
            ("broken.txt", "broken.txt:2:1: "),
            ("--agent nobody", "--agent 'nobody': there is no agent 'nobody'"),
            ("--agent 'program(nowhere)'", "nowhere"),
            ("--agent 'program(true)' --iterations 5", "--iterations: 'program(true)' is a program"),
            ("--agent greedy --level club", "cannot be used with"),
            ("--level grandmaster", "beginner, casual, club, strong, full"),
            ("--side red", "black, white"),
            ("--cpu 0", "a number of seconds above 0"),
            ("--cpu 1 --iterations 1", "cannot be used with"),
        ],
    );
    let quit = typed(&folder, "--agent 'program(false)' --cpu 0.1", b"2,0 4,2\n");
    let message = String::from_utf8_lossy(&quit.stderr).into_owned();
    assert!(quit.status.code() == Some(2) && message.contains("the opponent can't go on: "), "{message}");
    let mut shell = std::process::Command::new("bash");
    let closed =
        shell.args(["-c", &format!("yes moves | {LAB} play {FAST} | head -1; echo ${{PIPESTATUS[1]}}")]);
    let closed = closed.output().expect("there is bash");
    assert!(
        String::from_utf8_lossy(&closed.stdout).ends_with("\n0\n") && closed.stderr.is_empty(),
        "{closed:?}"
    );
}

/// White's second play stays inside its camp although other pieces could leave it.
#[test]
fn a_program_is_judged_by_the_rules_that_its_spec_names() {
    let script = Script::new(
        "echo >> playdata.txt\n\
         case $(wc -l < playdata.txt | tr -d ' ') in\n\
         1) echo E 11,14 10,14 > output.txt;;\n\
         2) echo E 12,14 11,14 > output.txt;;\n\
         esac",
    );
    let options = format!("--cpu 5 --agent {}", script.entrant(", rules=original, user=same"));
    let game = played(&Folder::new(), &options, "2,0 4,2\n2,2 3,3\n");
    assert!(game.contains("WHITE plays 12,14 11,14"), "{game}");
}
