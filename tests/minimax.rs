//! Minimax and alpha-beta on games whose trees are known.

use halma::game::{Game, Outcome, Player};
use halma::rules::{BLACK, Position, Rules, WHITE};
use halma::search::minimax::{SearchResult, alpha_beta, minimax};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A game given by its tree: three plays everywhere, two plies, and the leaves' values for the first
/// player.
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
        // Positions at the same depth collide, so that only a full comparison tells them apart.
        self.path.len() as u64
    }
}

#[test]
fn the_tree_of_the_textbook() {
    // Russell and Norvig, the figure on which alpha-beta is explained: two of nine leaves are cut.
    let tree = Tree::new([3, 12, 8, 2, 4, 6, 14, 5, 2]);
    assert_eq!(minimax(&tree, 2, Tree::value), SearchResult { play: Some(0), value: 3, nodes: 13 });
    assert_eq!(alpha_beta(&tree, 2, Tree::value), SearchResult { play: Some(0), value: 3, nodes: 11 });
}

#[test]
fn the_first_of_equals_is_chosen_and_equality_cuts_off() {
    let tree = Tree::new([1, 1, 1, 1, 0, 0, 2, 2, 2]);
    assert_eq!(minimax(&tree, 2, Tree::value), SearchResult { play: Some(2), value: 2, nodes: 13 });
    let tree = Tree::new([1, 2, 3, 1, 5, 6, 7, 1, 9]);
    assert_eq!(minimax(&tree, 2, Tree::value), SearchResult { play: Some(0), value: 1, nodes: 13 });
    assert_eq!(alpha_beta(&tree, 2, Tree::value), SearchResult { play: Some(0), value: 1, nodes: 10 });
}

#[test]
fn a_position_without_plays_is_a_leaf() {
    let tree = Tree::new([3, 12, 8, 2, 4, 6, 14, 5, 2]);
    assert_eq!(minimax(&tree, 9, Tree::value).nodes, 13);
    assert_eq!(alpha_beta(&tree, 9, Tree::value).nodes, 11);
    let mut leaf = tree;
    leaf.path = vec![2, 1];
    let found = SearchResult { play: None, value: 5, nodes: 1 };
    assert_eq!(minimax(&leaf, 3, Tree::value), found);
    assert_eq!(alpha_beta(&leaf, 3, Tree::value), found);
}

#[test]
fn depth_0_is_the_evaluation() {
    let start = Position::initial(WHITE, Rules::Addendum);
    let found = SearchResult { play: None, value: 42, nodes: 1 };
    assert_eq!(minimax(&start, 0, |_| 42), found);
    assert_eq!(alpha_beta(&start, 0, |_| 42), found);
}

/// How much closer `player`'s pieces are to their goal than the opponent's; a win is worth more.
fn lead(position: &Position, player: Player) -> i64 {
    let distance = |side| i64::from(position.tally(side).distance());
    match position.outcome() {
        Some(Outcome::Win(winner)) if winner == player => 10_000,
        Some(Outcome::Win(_)) => -10_000,
        _ => distance(player.opponent()) - distance(player),
    }
}

#[test]
fn minimax_visits_all_of_halma() {
    let start = Position::initial(BLACK, Rules::Addendum);
    for (depth, nodes) in [(1, 1 + 40), (2, 1 + 40 + 1_600), (3, 1 + 40 + 1_600 + 62_240)] {
        assert_eq!(minimax(&start, depth, |position| lead(position, BLACK)).nodes, nodes);
    }
}

/// The definition of the minimax value, word for word; also the first play that has it.
fn defined(node: &Position, depth: u8, player: Player) -> (i64, Option<halma::rules::Play>) {
    if depth == 0 || node.outcome().is_some() {
        return (lead(node, player), None);
    }
    let mut plays = Vec::new();
    node.legal_plays(&mut plays);
    let values: Vec<i64> = plays
        .iter()
        .map(|&play| {
            let mut child = *node;
            child.play(play);
            defined(&child, depth - 1, player).0
        })
        .collect();
    let best = if node.to_move() == player { values.iter().max() } else { values.iter().min() };
    let best = *best.expect("there is a legal play");
    let first = values.iter().position(|&value| value == best).unwrap();
    (best, Some(plays[first]))
}

#[test]
fn halma_is_valued_as_defined() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut plays = Vec::new();
    for game in 0..20 {
        let mut position = Position::initial(if game % 2 == 0 { BLACK } else { WHITE }, Rules::Addendum);
        for _ in 0..rng.random_range(0..120) {
            position.legal_plays(&mut plays);
            position.play(*plays.choose(&mut rng).unwrap());
        }
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

#[test]
fn cached_subtrees_are_counted_each_time() {
    // At depth 4 most subtrees are reached by several orders of the same plays.
    let start = Position::initial(BLACK, Rules::Addendum);
    let nodes = 1 + 40 + 1_600 + 62_240 + 2_421_136;
    assert_eq!(minimax(&start, 4, |position| lead(position, BLACK)).nodes, nodes);
}
