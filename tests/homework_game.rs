//! Whole games through the files, the test being the master: it writes `input.txt`, runs the
//! program in a folder of its own, reads and checks `output.txt`, makes the play, and takes the
//! time used off the time left.

use halma::agent;
use halma::budget::Mode;
use halma::clock::{Clock, FakeClock, ThreadClock};
use halma::game::{Game, Outcome, Player};
use halma::halma::{BLACK, Position, Rules, WHITE};
use halma::homework::answer;
use halma::homework::input::Input;
use halma::homework::legality::check;
use halma::homework::output::parse_output;
use halma::mcts::Limits;
use std::fs;
use support::program::Folder;

mod support;

/// So many plies are enough for any game.
const MOST_PLIES: usize = 600;

/// A player that is asked through files.
struct OnFiles {
    folder: Folder,
    left: f64,
    moves: usize,
    remembered: usize,
}

impl OnFiles {
    fn new(seconds: f64) -> OnFiles {
        OnFiles { folder: Folder::new(), left: seconds, moves: 0, remembered: 0 }
    }

    /// Asks for one move in `position`; `think` answers in the folder and says what it has used.
    fn play(&mut self, position: &mut Position, think: impl FnOnce(&Folder) -> f64) {
        let input = Input { mode: Mode::Game, seconds: self.left, position: *position };
        self.folder.write("input.txt", input.to_string());
        self.remembered += usize::from(self.folder.file("playdata.txt").exists());
        self.left -= think(&self.folder);
        self.moves += 1;
        assert!(self.left > 0.0, "over time by {} s at move {}", -self.left, self.moves);
        let text = self.folder.text("output.txt");
        fs::remove_file(self.folder.file("output.txt")).expect("the output");
        let turn = parse_output(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{position}{text}"));
        let play = check(position, &turn).unwrap_or_else(|error| panic!("{error}\n{position}{text}"));
        position.play(play);
    }
}

/// One move of the program `homework`.
fn run_homework(folder: &Folder) -> f64 {
    let run = folder.homework();
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    run.cpu_seconds
}

/// The program as `side` against the agent `opponent`, 5 s for the game.
fn assert_won(side: Player, opponent: &str) {
    let mut program = OnFiles::new(5.0);
    let mut opponent = agent::parse(opponent, 7).expect("an agent");
    let mut position = Position::initial(BLACK, Rules::default());
    for _ in 0..MOST_PLIES {
        if position.to_move() == side {
            program.play(&mut position, run_homework);
        } else {
            let decision = opponent.decide(&position, &Limits::default(), &ThreadClock);
            position.play(decision.expect("a play").play);
        }
        if position.outcome().is_some() {
            break;
        }
    }
    let OnFiles { moves, remembered, .. } = program;
    assert_eq!(position.outcome(), Some(Outcome::Win(side)), "after {moves} moves:\n{position}");
    // The race, once the opponent is far behind or out of reach, is not searched by the tree.
    assert!(remembered > moves / 5, "{remembered} of {moves} moves had something to go on from");
}

#[test]
fn black_wins_against_random_play() {
    assert_won(BLACK, "random");
}

#[test]
fn white_wins_against_random_play() {
    assert_won(WHITE, "random");
}

#[test]
fn black_wins_against_greedy_play() {
    assert_won(BLACK, "greedy");
}

#[test]
fn white_wins_against_greedy_play() {
    assert_won(WHITE, "greedy");
}

/// A game between equals in which each look at the clock costs `tick` seconds, so that the plan of
/// time is all that is left of the time: what each side has left, and the game's outcome.
fn game_in_fake_time(seconds: f64, tick: f64) -> ([f64; 2], Option<Outcome>) {
    let mut players = [OnFiles::new(seconds), OnFiles::new(seconds)];
    let mut position = Position::initial(BLACK, Rules::default());
    for _ in 0..MOST_PLIES {
        players[position.to_move().index()].play(&mut position, |folder| {
            let clock = FakeClock::ticking(tick);
            let notes = answer(folder.path(), &clock).expect("an answer");
            assert_eq!(notes, [""; 0]);
            clock.seconds()
        });
        if position.outcome().is_some() {
            break;
        }
    }
    (players.map(|player| player.left), position.outcome())
}

#[test]
fn a_long_game_between_equals_uses_most_of_its_time_and_never_more() {
    // In the shortest of these games much is held back, to pay for starting the program.
    // The race at the end is mostly proved in no time, and its share stays unused.
    for (seconds, tick, most_left) in [(300.0, 0.02, 0.6), (100.0, 0.005, 0.6), (1.0, 0.0001, 0.75)] {
        let (left, outcome) = game_in_fake_time(seconds, tick);
        assert!(outcome.is_some(), "after {MOST_PLIES} plies nobody has won");
        for left in left {
            assert!(left < most_left * seconds, "{left} of {seconds} s left");
        }
    }
}
