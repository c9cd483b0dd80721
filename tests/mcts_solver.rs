//! The solver of the search core: its proofs are true in games whose outcomes are known, and it finds nearly all
//! that are within its reach.

use crate::support::connect_four::{ConnectFour, Drop};
use crate::support::plays::{after, legal_plays};
use crate::support::positions::random_source;
use crate::support::searches::{FORMULAS, iterate, params, run, search, search_with};
use crate::support::tic_tac_toe::{Cell, TicTacToe};
use halma::game::{Game, Outcome, Player, Value};
use halma::playout::{Playout, Simulation, ToTheEnd};
use halma::search::mcts::{Params, Selection};
use halma::search::{Report, Stop};
use halma::star_circle::{self, CIRCLE, Pieces, STAR, Square};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;

/// The outcome of `position` with best play, by negamax with a table.
fn truth(position: &TicTacToe, known: &mut HashMap<TicTacToe, Outcome>) -> Outcome {
    if let Some(&outcome) = known.get(position) {
        return outcome;
    }
    let outcome = position.outcome().unwrap_or_else(|| {
        let value = |outcome: &Outcome| outcome.value_for(position.to_move()).get();
        let outcomes = legal_plays(position).into_iter().map(|play| truth(&after(position, &[play]), known));
        outcomes.max_by(|a, b| value(a).total_cmp(&value(b))).expect("a play")
    });
    known.insert(*position, outcome);
    outcome
}

#[test]
fn a_win_a_loss_and_a_draw_are_solved() {
    let x_wins = Outcome::Win(Player::One);
    for (drawing, iterations, outcome, value, best) in [
        // X wins in three plies: no play wins immediately, but 2 and 8 make two threats.
        ("X.. .O. O.X", 1000, x_wins, Value::WIN, Some(Cell(2))),
        // O cannot stop both 1 (top row) and 5 (right column).
        ("X.X .O. O.X", 1000, x_wins, Value::LOSS, None),
        // O must stop the top row, X then the middle column, and so on to the end.
        ("X.X .O. ...", 20_000, Outcome::Draw, Value::DRAW, Some(Cell(1))),
    ] {
        let position = TicTacToe::from_drawing(drawing);
        assert_eq!(truth(&position, &mut HashMap::new()), outcome);
        for select in FORMULAS {
            let report = run(&position, params(select), 1, iterations);
            assert_eq!((report.proof, report.stop), (Some(outcome), Stop::Proved), "{drawing}");
            assert_eq!(report.value, value, "{drawing}");
            assert!(report.iterations < iterations, "{drawing}");
            let play = report.best().unwrap().play;
            assert!(best.is_none_or(|best| play == best), "{drawing}: {play}");
        }
    }
}

#[test]
fn every_proof_is_true_and_every_position_is_proved() {
    let mut truths = HashMap::new();
    truth(&TicTacToe::new(), &mut truths);
    assert_eq!(truths.len(), 5478);
    for (position, truth) in &truths {
        if position.outcome().is_some() {
            continue;
        }
        // Every position has up to seven equivalents, so most are searched by most formulas.
        let select = FORMULAS[position.key() as usize % FORMULAS.len()];
        // A short search may prove only some plays. The searches explore a lot, because once a draw is proved, only
        // exploration visits plays that are no better.
        let mut search = search(position, Params { c: 100.0, ..params(select) }, position.key());
        // The first two plies take too long to prove.
        let plays = legal_plays(position).len();
        let most = if plays > 7 { 30_000 } else { 300_000 };
        for iterations in [8, 100, 1000, most] {
            let report = iterate(&mut search, iterations);
            for candidate in report.candidates.iter().filter(|candidate| candidate.proof.is_some()) {
                let next = after(position, &[candidate.play]);
                assert_eq!(candidate.proof, Some(truths[&next]), "{position}{candidate:?}");
            }
            assert!(report.proof.is_none_or(|proof| proof == *truth), "{position}{report:?}");
        }
        let report = iterate(&mut search, 0);
        // A single legal play is made without a proof.
        assert!(plays == 1 || plays > 7 || report.proof == Some(*truth), "{position}{report:?}");
        let best = after(position, &[report.best().unwrap().play]);
        assert_eq!(truths[&best], *truth, "{position}{report:?}");
    }
}

#[test]
fn connect_four_has_the_published_counts() {
    fn perft(position: &ConnectFour, depth: u32) -> u64 {
        if depth == 0 || position.outcome().is_some() {
            return u64::from(depth == 0);
        }
        let plays = legal_plays(position);
        let wins = |play: &Drop| after(position, &[*play]).outcome().is_some();
        let shortcut = position.winning_play(&plays);
        assert_eq!(plays.iter().any(wins), shortcut.is_some());
        assert!(shortcut.is_none_or(|play| wins(&play)));
        plays.into_iter().map(|play| perft(&after(position, &[play]), depth - 1)).sum()
    }
    // Number of games by length, as published by John Tromp (OEIS A212693).
    assert_eq!([1, 4, 6, 7].map(|depth| perft(&ConnectFour::default(), depth)), [7, 2401, 117_649, 823_536]);
}

#[test]
fn connect_four_tactics_are_proved() {
    for select in FORMULAS {
        // Two stones in the middle of an otherwise empty bottom row: a third makes two threats.
        let position = ConnectFour::after(&[3, 3, 2, 2]);
        let report = run(&position, params(select), 1, 20_000);
        assert_eq!(report.proof, Some(Outcome::Win(Player::One)));
        assert!([Drop(1), Drop(4)].contains(&report.best().unwrap().play));
        // After that play the other side is lost.
        let lost = after(&position, &[Drop(4)]);
        assert_eq!(run(&lost, params(select), 1, 20_000).proof, Some(Outcome::Win(Player::One)));
    }
}

/// With this first-play urgency a node gets more children only when all its children so far are proved losses.
#[test]
fn losses_of_the_first_children_are_no_proof() {
    // The second player has three stones on the last column.
    let root = ConnectFour::after(&[0, 6, 0, 6, 1, 6]);
    let settings = Params { leaf_batch: 4, fpu: 2.0, c: 0.0, ..params(Selection::Puct) };
    let report = run(&root, settings, 1, 2000);
    assert_eq!(report.best().map(|best| best.play), Some(Drop(6)));
    let lost = report.candidates.iter().filter(|one| one.proof == Some(Outcome::Win(Player::Two)));
    assert_eq!(lost.count(), 6);
    assert_eq!(report.proof, None);
}

/// Nim with one heap, in which a player who cannot move has lost: a game that ends without an outcome.
#[derive(Clone)]
struct Nim(u8, Player);

impl Game for Nim {
    type Play = u8;

    fn to_move(&self) -> Player {
        self.1
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn legal_plays(&self, plays: &mut Vec<u8>) {
        plays.clear();
        plays.extend(1..=self.0.min(3));
    }

    fn play(&mut self, play: u8) {
        *self = Nim(self.0 - play, self.1.opponent());
    }

    fn key(&self) -> u64 {
        u64::from(self.0) << 1 | self.1.index() as u64
    }
}

#[test]
fn having_no_play_is_a_loss() {
    for heap in 0..14 {
        let report = run(&Nim(heap, Player::Two), params(Selection::Puct), 1, 20_000);
        let winner = if heap % 4 == 0 { Player::One } else { Player::Two };
        if heap != 1 {
            assert_eq!(report.proof, Some(Outcome::Win(winner)), "{heap}");
        }
        if heap % 4 > 0 {
            assert_eq!(report.best().unwrap().play, heap % 4);
        }
    }
}

// ---- Endgames of Star and Circle ----

const ENDGAMES: usize = 160;

/// The maximum number of iterations for each endgame.
const ITERATIONS: u64 = 30_000;

/// The allowed number of nodes in an endgame's game tree, with transpositions counted each time.
const TREE: std::ops::RangeInclusive<u64> = 30..=10_000;

/// An endgame with more positions than this is not solved.
const MAX_POSITIONS: usize = 5_000;

/// Values a leaf by its utility, without any playout.
#[derive(Clone, Copy)]
struct Utility;

impl Playout<star_circle::Position> for Utility {
    fn evaluate(&mut self, end: &star_circle::Position, _: &mut Simulation<star_circle::Play>) -> Value {
        Value::new(end.utility(end.to_move()) as f32 / 400.0)
    }
}

/// Everything that distinguishes positions of one game. The number of passes is private, so the position's own key
/// stands for it.
type Key = (Pieces, Pieces, Player, u64);

/// The outcomes of one endgame's positions with best play, by negamax over the whole game.
#[derive(Default)]
struct Truth {
    /// For each position, the value for the player to move and the number of nodes of its game tree.
    known: HashMap<Key, (i8, u64)>,
}

impl Truth {
    fn of(&mut self, position: &star_circle::Position) -> Outcome {
        let player = position.to_move();
        match self.search(position).0 {
            1 => Outcome::Win(player),
            0 => Outcome::Draw,
            _ => Outcome::Win(player.opponent()),
        }
    }

    /// +1, 0 or −1 for the player to move, and the number of nodes of the game tree from here.
    fn search(&mut self, position: &star_circle::Position) -> (i8, u64) {
        let pieces = Player::BOTH.map(|side| position.pieces(side));
        let eliminated = pieces.iter().any(|pieces| pieces.is_empty());
        // With pieces on both sides, only two passes in a row end a game.
        if eliminated || position.outcome().is_some() {
            return (position.utility(position.to_move()).signum() as i8, 1);
        }
        let key = (pieces[0], pieces[1], position.to_move(), position.key());
        if let Some(&found) = self.known.get(&key) {
            return found;
        }
        if self.known.len() > MAX_POSITIONS {
            return (0, u64::from(u32::MAX));
        }
        let (mut best, mut nodes) = (-1, 1_u64);
        for play in legal_plays(position) {
            let (value, below) = self.search(&after(position, &[play]));
            best = best.max(-value);
            nodes = nodes.saturating_add(below);
        }
        self.known.insert(key, (best, nodes));
        (best, nodes)
    }
}

/// A solved endgame: two or three pieces a side anywhere on the board. Row values rise as in the homework, or are
/// small and random, so that some endgames are draws.
fn endgame(rng: &mut Xoshiro256PlusPlus) -> (star_circle::Position, Truth) {
    loop {
        let values = match rng.random_bool(0.5) {
            true => [10, 20, 30, 40, 50, 60, 70, 80],
            false => std::array::from_fn(|_| rng.random_range(-1..=2)),
        };
        let mover = Player::BOTH[rng.random_range(0..2)];
        let mut position = star_circle::Position::empty(values, mover);
        let mut taken = Vec::new();
        for side in [STAR, CIRCLE] {
            for _ in 0..rng.random_range(2..=3) {
                let square = Square::new(rng.random_range(0..8), rng.random_range(0..8));
                if !taken.contains(&square) {
                    taken.push(square);
                    position.place(side, square, 1);
                }
            }
        }
        // A single play is made without a proof.
        if position.outcome().is_none() && legal_plays(&position).len() > 1 {
            let mut truth = Truth::default();
            if TREE.contains(&truth.search(&position).1) {
                return (position, truth);
            }
        }
    }
}

/// Searches these endgames, checks every proof, and asserts that most endgames are proved.
fn prove(
    endgames: &mut [(star_circle::Position, Truth)],
    playout: impl Playout<star_circle::Position> + Clone,
    select: Selection,
) {
    let mut proved = 0;
    for (seed, (root, truth)) in (0..).zip(endgames.iter_mut()) {
        let params = Params { select, c: 2.0, ..Params::default() };
        let mut search = search_with(root, params, playout.clone(), seed);
        check_proofs(root, &iterate(&mut search, 30), truth);
        let report = iterate(&mut search, ITERATIONS);
        check_proofs(root, &report, truth);
        proved += usize::from(report.proof.is_some());
    }
    let all = endgames.len();
    assert!(proved * 100 >= all * 80, "{select:?}: only {proved} of {all} proved");
}

/// Asserts that the proofs in `report`, of the root and of its plays, are true.
fn check_proofs(root: &star_circle::Position, report: &Report<star_circle::Play>, truth: &mut Truth) {
    let outcome = truth.of(root);
    assert!(report.proof.is_none_or(|proof| proof == outcome), "{root:?} ends with {outcome:?}: {report:?}");
    for candidate in report.candidates.iter().filter(|candidate| candidate.proof.is_some()) {
        let outcome = truth.of(&after(root, &[candidate.play]));
        assert_eq!(candidate.proof, Some(outcome), "{root:?} {candidate:?}");
    }
    if report.proof == Some(outcome) {
        let best = report.best().expect("a play").play;
        assert_eq!(truth.of(&after(root, &[best])), outcome, "{root:?}: {best} throws the outcome away");
    }
}

#[test]
fn proofs_of_star_and_circle_endgames_are_true_and_most_are_found() {
    let mut rng = random_source(5);
    let mut endgames: Vec<_> = (0..ENDGAMES).map(|_| endgame(&mut rng)).collect();
    let mut ends = HashMap::new();
    for (root, truth) in &mut endgames {
        *ends.entry(format!("{:?}", truth.of(root))).or_insert(0) += 1;
    }
    assert!(ends.len() == 3 && ends.values().all(|&count| count > 20), "one-sided endgames: {ends:?}");
    let (by_playout, by_utility) = endgames.split_at_mut(ENDGAMES / 2);
    for select in FORMULAS {
        prove(by_playout, ToTheEnd, select);
        prove(by_utility, Utility, select);
    }
}
