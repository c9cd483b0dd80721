//! The search core and its solver, unchanged, on Star and Circle: what it proves is true, and it
//! proves nearly all endgames that are small enough to be searched to their ends.

use halma::game::{Game, Outcome, Player, Value};
use halma::playout::Playout;
use halma::playout::ToTheEnd;
use halma::search::mcts::{Params, Search, Selection};
use halma::search::{Limits, Report};
use halma::star_circle::{CIRCLE, Pieces, Play, Position, STAR, Square};
use halma::support::clock::FakeClock;
use halma::support::random::Random;
use rand::RngExt;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;

const ENDGAMES: usize = 240;

/// Iterations that each search may run.
const ITERATIONS: u64 = 30_000;

/// No search: the utility as it stands, which is all that a leaf of seed 002's game tree is asked.
#[derive(Clone, Copy)]
struct Utility;

impl Playout<Position> for Utility {
    fn value(&mut self, leaf: &Position, _random: &mut Random) -> Value {
        Value::new(leaf.utility(leaf.to_move()) as f32 / 400.0)
    }
}

/// How many nodes a small endgame's game tree has, transpositions counted each time.
const TREE: std::ops::RangeInclusive<u64> = 30..=10_000;

/// With more positions than this the tree is not small, and its truth is not computed.
const MOST_POSITIONS: usize = 5_000;

/// All that changes in a game; the passes, which a position does not show, are in its key.
type Key = (Pieces, Pieces, Player, u64);

/// The outcomes of one endgame's positions with best play, by plain negamax over the whole game.
#[derive(Default)]
struct Truth {
    /// The value for the player to move, and the nodes of the tree below.
    known: HashMap<Key, (i8, u64)>,
}

impl Truth {
    fn of(&mut self, position: &Position) -> Outcome {
        let player = position.to_move();
        match self.search(position).0 {
            1 => Outcome::Win(player),
            0 => Outcome::Draw,
            _ => Outcome::Win(player.opponent()),
        }
    }

    /// +1, 0 or −1 for the player to move, and the nodes of the game tree from here.
    fn search(&mut self, position: &Position) -> (i8, u64) {
        let pieces = Player::BOTH.map(|side| position.pieces(side));
        let mut plays = Vec::new();
        position.legal_plays(&mut plays);
        let over = pieces.iter().any(|pieces| pieces.is_empty()) || twice_passed(position);
        if over {
            return (position.utility(position.to_move()).signum() as i8, 1);
        }
        let key = (pieces[0], pieces[1], position.to_move(), position.key());
        if let Some(&found) = self.known.get(&key) {
            return found;
        }
        if self.known.len() > MOST_POSITIONS {
            return (0, u64::from(u32::MAX)); // Too large for any caller.
        }
        let (mut best, mut nodes) = (-1, 1_u64);
        for play in plays {
            let (value, below) = self.search(&after(position, play));
            best = best.max(-value);
            nodes = nodes.saturating_add(below);
        }
        self.known.insert(key, (best, nodes));
        (best, nodes)
    }
}

/// Whether both players have just passed. A position does not show its passes, but only after two of them
/// is it over with pieces on both sides.
fn twice_passed(position: &Position) -> bool {
    position.outcome().is_some() && Player::BOTH.iter().all(|&side| !position.pieces(side).is_empty())
}

fn after(position: &Position, play: Play) -> Position {
    let mut next = *position;
    next.play(play);
    next
}

/// An endgame and the truth about it: two or three pieces a side, anywhere, in each other's way, past
/// each other or at home. Row values rise as in the homework, or are small ones at random, which
/// makes draws.
fn endgame(rng: &mut Xoshiro256PlusPlus) -> (Position, Truth) {
    loop {
        let values = match rng.random_bool(0.5) {
            true => [10, 20, 30, 40, 50, 60, 70, 80],
            false => std::array::from_fn(|_| rng.random_range(-1..=2)),
        };
        let mover = Player::BOTH[rng.random_range(0..2)];
        let mut position = Position::empty(values, mover);
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
        let mut plays = Vec::new();
        position.legal_plays(&mut plays);
        // With a single play the search does not look for the outcome.
        if position.outcome().is_none() && plays.len() > 1 {
            let mut truth = Truth::default();
            if TREE.contains(&truth.search(&position).1) {
                return (position, truth);
            }
        }
    }
}

/// Searches every endgame, checks every proof, and sees to it that most are proved.
fn prove(endgames: &mut [(Position, Truth)], playout: impl Playout<Position> + Clone, select: Selection) {
    let mut proved = 0;
    for (seed, (root, truth)) in (0..).zip(endgames.iter_mut()) {
        let params = Params { select, c: 2.0, ..Params::default() };
        let mut search = Search::new(*root, params, playout.clone(), seed);
        // A search cut short, and the same one continued.
        for iterations in [30, ITERATIONS] {
            let report = search.run(&Limits::iterations(iterations), &FakeClock::new());
            check_proofs(root, &report, truth);
            proved += usize::from(iterations == ITERATIONS && report.proof.is_some());
        }
    }
    println!("{select:?}: {proved} of {ENDGAMES} proved");
    assert!(proved * 100 >= ENDGAMES * 80, "{select:?}: only {proved} of {ENDGAMES} proved");
}

/// Checks that what `report` proves of the root and of plays is true.
fn check_proofs(root: &Position, report: &Report<Play>, truth: &mut Truth) {
    let outcome = truth.of(root);
    assert!(report.proof.is_none_or(|proof| proof == outcome), "{root:?} ends with {outcome:?}: {report:?}");
    for candidate in report.candidates.iter().filter(|candidate| candidate.proof.is_some()) {
        let outcome = truth.of(&after(root, candidate.play));
        assert_eq!(candidate.proof, Some(outcome), "{root:?} {candidate:?}");
    }
    if report.proof == Some(outcome) {
        let best = report.best().expect("a play").play;
        assert_eq!(truth.of(&after(root, best)), outcome, "{root:?}: {best} gives the proof away");
    }
}

#[test]
fn all_proofs_are_true_and_most_endgames_are_proved() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut endgames: Vec<(Position, Truth)> = (0..ENDGAMES).map(|_| endgame(&mut rng)).collect();
    let mut ends = HashMap::new();
    for (root, truth) in &mut endgames {
        *ends.entry(format!("{:?}", truth.of(root))).or_insert(0) += 1;
    }
    assert!(ends.len() == 3 && ends.values().all(|&count| count > 20), "one-sided endgames: {ends:?}");
    for select in [Selection::Puct, Selection::Uct] {
        prove(&mut endgames, ToTheEnd::new(), select);
        prove(&mut endgames, Utility, select);
    }
}
