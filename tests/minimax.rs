//! Minimax and alpha-beta on trees written out in full and on Halma.

use crate::support::plays::{after, legal_plays, wander};
use crate::support::positions::random_source;
use halma::game::{Game, Outcome, Player};
use halma::rules::{BLACK, Play, Position, Rules, WHITE};
use halma::search::minimax::{SearchResult, alpha_beta, minimax};
use rand::RngExt;

/// A game of two plies with three plays each, given by the values of its leaves for the first player.
#[derive(Clone, PartialEq, Eq)]
struct Tree {
    leaves: [i64; 9],
    path: Vec<usize>,
    first: Player,
}

impl Tree {
    fn new(leaves: [i64; 9]) -> Tree {
        Tree { leaves, path: Vec::new(), first: Player::Two }
    }

    fn value(&self) -> i64 {
        match self.path[..] {
            [first, second] => self.leaves[3 * first + second],
            _ => 0,
        }
    }
}

impl Game for Tree {
    type Play = usize;

    fn to_move(&self) -> Player {
        if self.path.len().is_multiple_of(2) { self.first } else { self.first.opponent() }
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn legal_plays(&self, plays: &mut Vec<usize>) {
        plays.clear();
        if self.path.len() < 2 {
            plays.extend(0..3);
        }
    }

    fn play(&mut self, play: usize) {
        self.path.push(play);
    }

    fn key(&self) -> u64 {
        // Positions at the same depth collide, so only a full comparison distinguishes them.
        self.path.len() as u64
    }
}

#[test]
fn known_trees_are_searched_with_known_nodes() {
    let found = |play, value, nodes| SearchResult { play, value, nodes };
    // Russell and Norvig explain alpha-beta on this tree, in which it cuts two of nine leaves.
    let textbook = [3, 12, 8, 2, 4, 6, 14, 5, 2];
    for (leaves, path, depth, full, pruned) in [
        (textbook, vec![], 2, found(Some(0), 3, 13), found(Some(0), 3, 11)),
        // A position without plays is a leaf, whatever the depth.
        (textbook, vec![], 9, found(Some(0), 3, 13), found(Some(0), 3, 11)),
        (textbook, vec![2, 1], 3, found(None, 5, 1), found(None, 5, 1)),
        (textbook, vec![], 0, found(None, 0, 1), found(None, 0, 1)),
        // The first of equal plays is chosen, and an equal value cuts off.
        ([1, 1, 1, 1, 0, 0, 2, 2, 2], vec![], 2, found(Some(2), 2, 13), found(Some(2), 2, 11)),
        ([1, 2, 3, 1, 5, 6, 7, 1, 9], vec![], 2, found(Some(0), 1, 13), found(Some(0), 1, 10)),
    ] {
        let tree = Tree { path, ..Tree::new(leaves) };
        assert_eq!(minimax(&tree, depth, Tree::value), full, "{leaves:?}");
        assert_eq!(alpha_beta(&tree, depth, Tree::value), pruned, "{leaves:?}");
    }
}

/// The lead of `player` in distance to the goal; a win counts more than any lead.
fn lead(position: &Position, player: Player) -> i64 {
    let distance = |side| i64::from(position.tally(side).distance());
    match position.outcome() {
        Some(Outcome::Win(winner)) if winner == player => 10_000,
        Some(Outcome::Win(_)) => -10_000,
        _ => distance(player.opponent()) - distance(player),
    }
}

#[test]
fn minimax_visits_every_node() {
    let start = Position::default();
    let mut nodes = 1;
    // At depth 4 most subtrees are reached by several orders of the same plays, and are counted each time.
    for (depth, leaves) in [(1, 40), (2, 1_600), (3, 62_240), (4, 2_421_136)] {
        nodes += leaves;
        assert_eq!(minimax(&start, depth, |position| lead(position, BLACK)).nodes, nodes);
    }
}

/// The minimax value by definition, and the first play that reaches it.
fn defined(node: &Position, depth: u8, player: Player) -> (i64, Option<Play>) {
    if depth == 0 || node.outcome().is_some() {
        return (lead(node, player), None);
    }
    let plays = legal_plays(node);
    let values = plays.iter().map(|&play| defined(&after(node, &[play]), depth - 1, player).0);
    let values: Vec<i64> = values.collect();
    let best = if node.to_move() == player { values.iter().max() } else { values.iter().min() };
    let best = *best.expect("a legal play");
    let first = values.iter().position(|&value| value == best).unwrap();
    (best, Some(plays[first]))
}

#[test]
fn halma_is_valued_by_definition() {
    let mut rng = random_source(3);
    for game in 0..20 {
        let start = Position::initial(if game % 2 == 0 { BLACK } else { WHITE }, Rules::Addendum);
        let plies = rng.random_range(0..120);
        let position = wander(start, plies, &mut rng);
        let player = position.to_move();
        for depth in 1..=2 {
            let (value, play) = defined(&position, depth, player);
            let full = minimax(&position, depth, |position| lead(position, player));
            let pruned = alpha_beta(&position, depth, |position| lead(position, player));
            assert_eq!((full.value, full.play), (value, play));
            assert_eq!((pruned.value, pruned.play), (value, play));
            assert!(pruned.nodes <= full.nodes);
        }
    }
}
