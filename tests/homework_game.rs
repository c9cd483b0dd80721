//! Whole games through the files. The test is the referee: it writes `input.txt`, runs the program in a folder of its
//! own, checks `output.txt`, makes the play, and subtracts the time used from the time left.

use crate::support::homework::{input, legal_play};
use crate::support::plays::legal_plays;
use crate::support::program::Folder;
use halma::agent;
use halma::agent::time::Mode;
use halma::game::{Game, Outcome, Player};
use halma::homework::input::Input;
use halma::homework::{Options, answer};
use halma::rules::{BLACK, Play, Position, Rules, Square, WHITE, camp, goal};
use halma::search::Limits;
use halma::support::clock::{Clock, FakeClock, ThreadClock};
use std::fs;

const MAX_PLIES: usize = 600;

/// A player that communicates through files.
struct OnFiles {
    folder: Folder,
    left: f64,
    moves: usize,
    /// The number of moves that began with a `playdata.txt`.
    with_playdata: usize,
}

impl OnFiles {
    fn new(seconds: f64) -> OnFiles {
        OnFiles { folder: Folder::new(), left: seconds, moves: 0, with_playdata: 0 }
    }

    /// Plays one move in `position`; `think` answers in the folder and returns the seconds it used.
    fn play(&mut self, position: &mut Position, think: impl FnOnce(&Folder) -> f64) {
        let input = Input { mode: Mode::Game, seconds: self.left, position: *position };
        self.folder.write("input.txt", input.to_string());
        self.with_playdata += usize::from(self.folder.file("playdata.txt").exists());
        self.left -= think(&self.folder);
        self.moves += 1;
        assert!(self.left > 0.0, "over time by {} s at move {}", -self.left, self.moves);
        position.play(legal_play(&self.folder));
        fs::remove_file(self.folder.file("output.txt")).expect("the output");
    }
}

/// Runs the program `homework` for one move and returns its CPU seconds.
fn run_homework(folder: &Folder) -> f64 {
    let run = folder.homework();
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    run.cpu_seconds
}

/// Asserts that the program wins as `side` against the agent `opponent`, with 2 s for the game.
fn assert_won(side: Player, opponent: &str) {
    let mut program = OnFiles::new(2.0);
    let mut opponent = agent::parse(opponent, 7).expect("an agent");
    let mut position = Position::default();
    for _ in 0..MAX_PLIES {
        if position.to_move() == side {
            program.play(&mut position, run_homework);
        } else {
            let decision = opponent.decide(&position, &Limits::default(), &ThreadClock, None);
            position.play(decision.expect("a play").play);
        }
        if position.outcome().is_some() {
            break;
        }
    }
    let OnFiles { moves, with_playdata, .. } = program;
    assert_eq!(position.outcome(), Some(Outcome::Win(side)), "after {moves} moves:\n{position}");
    // Once the armies have passed, or the game is won against an opponent far behind, no tree is searched or saved.
    assert!(with_playdata > moves / 5, "{with_playdata} of {moves} moves had playdata");
}

#[test]
fn the_program_wins_as_either_side_against_weak_agents() {
    for (side, opponent) in [(BLACK, "greedy"), (WHITE, "random")] {
        assert_won(side, opponent);
    }
}

/// A game between equals in which each reading of the clock takes `tick` seconds, so that only the time management
/// decides how long a move takes. Returns the seconds left to each side, and the outcome.
fn game_in_fake_time(seconds: f64, tick: f64) -> ([f64; 2], Option<Outcome>) {
    let mut players = [OnFiles::new(seconds), OnFiles::new(seconds)];
    let mut position = Position::default();
    for _ in 0..MAX_PLIES {
        players[position.to_move().index()].play(&mut position, |folder| {
            let clock = FakeClock::ticking(tick);
            let notes = answer(folder.path(), &Options::default(), &clock).expect("an answer");
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
fn a_game_between_equals_uses_most_of_its_time_and_never_more() {
    // The shortest game holds back time for starting the program. The race at the end is mostly solved immediately, so
    // its share of the time stays unused.
    for (seconds, tick, most_left) in [(300.0, 0.08, 0.6), (100.0, 0.02, 0.6), (1.0, 0.0002, 0.75)] {
        let (left, outcome) = game_in_fake_time(seconds, tick);
        assert!(outcome.is_some(), "nobody won within {MAX_PLIES} plies");
        for left in left {
            assert!(left < most_left * seconds, "{left} of {seconds} s left");
        }
    }
}

/// White's play in a game that cannot end: one piece leaves, the corner is emptied, and the 18 pieces at home shut the
/// corner in while the first one wanders. The addendum forbids that, but nothing here checks White's plays.
fn wander(position: &Position) -> Play {
    let play = |text: &str| text.parse::<Play>().expect("a play");
    let out = position.pieces(WHITE) & !camp(WHITE);
    if out.is_empty() {
        return play("13,13 12,12");
    }
    if position.at(Square::new(15, 15)).is_some() {
        return play("15,15 13,13");
    }
    let stays_out = |play: &Play| out.contains(play.from) && !(camp(WHITE) | goal(WHITE)).contains(play.to);
    let plays = legal_plays(&position.with_rules(Rules::Original));
    plays.into_iter().find(stays_out).expect("the piece can wander")
}

#[test]
fn a_game_that_cannot_end_lasts_to_the_move_limit() {
    // The last number is the time that starting the program takes, in seconds.
    for (seconds, tick, start) in
        [(0.5, 5e-5, 0.0015), (0.5, 5e-5, 0.0018), (1.0, 1e-4, 0.003), (2.0, 2e-4, 0.006), (10.0, 1e-3, 0.01)]
    {
        let mut black = OnFiles::new(seconds);
        let mut position = Position::default();
        for _ in 0..200 {
            black.play(&mut position, |folder| {
                let clock = FakeClock::ticking(tick);
                clock.advance(start);
                answer(folder.path(), &Options::default(), &clock).expect("an answer");
                clock.seconds()
            });
            position.play(wander(&position));
            assert_eq!(position.outcome(), None);
        }
    }
}

/// Plays one game with an agent in this process and, in parallel, with a `homework` that knows only its folder, and
/// asserts that both make the same plays. Returns how many moves reused a tree, and how many would differ without
/// reuse.
fn same_game_in_files(side: Player, opponent: &str) -> [usize; 2] {
    const ITERATIONS: u64 = 1_500;
    const MOVES: usize = 60;
    let limits = Limits::iterations(ITERATIONS);
    let agent = |spec: &str| agent::parse(spec, 5).expect("an agent");
    let (mut in_process, mut fresh) = (agent("mcts(reuse=playdata)"), agent("mcts(reuse=off)"));
    let mut opponent = agent(opponent);
    let options = Options { seed: 5, iterations: Some(ITERATIONS), ..Options::default() };
    let folder = Folder::new();
    let clock = FakeClock::new();
    let mut position = Position::default();
    let (mut reused, mut moves, mut differ) = (0, 0, 0);
    while moves < MOVES && position.outcome().is_none() {
        if position.to_move() != side {
            let decision = opponent.decide(&position, &limits, &clock, None).expect("a play");
            position.play(decision.play);
            continue;
        }
        let decision = in_process.decide(&position, &limits, &clock, None).expect("a play");
        // The iterations are the limit, and the clock stands still.
        folder.write("input.txt", input("GAME", 0.001, &position));
        assert_eq!(answer(folder.path(), &options, &clock).expect("an answer"), [""; 0]);
        assert_eq!(legal_play(&folder), decision.play, "move {moves} in\n{position}");
        reused += usize::from(decision.report.reused > 0);
        differ += usize::from(
            fresh.decide(&position, &limits, &clock, None).expect("a play").play != decision.play,
        );
        moves += 1;
        position.play(decision.play);
    }
    [reused, differ]
}

#[test]
fn a_game_through_files_equals_a_game_in_one_process() {
    let games = [(BLACK, "greedy"), (WHITE, "random"), (WHITE, "alphabeta(depth=2)")];
    let games = games.map(|(side, opponent)| same_game_in_files(side, opponent));
    let [reused, differ] = [0, 1].map(|which| games.iter().map(|game| game[which]).sum::<usize>());
    // The saved tree is used, and without it some plays would differ.
    assert!(reused > 30 && differ > 5, "{reused} reused, {differ} differ");
}
