//! Search trees kept from move to move: subtrees reused in memory, trees saved and restored, and positions
//! shared by several lines.

use crate::support::connect_four::{ConnectFour, Drop};
use crate::support::plays::{after, assert_playable, legal_plays};
use crate::support::positions::position;
use crate::support::searches::{FORMULAS, iterate, params, run, search, search_with, visits};
use crate::support::tic_tac_toe::{Cell, TicTacToe};
use halma::evaluation::Fitted;
use halma::game::{Game, Outcome, Player, Value};
use halma::playout::{ForwardJump, ForwardJumpParameters, Playout, Simulation};
use halma::rules::{BLACK, Position, Rules};
use halma::search::mcts::{Params, SavedNode, Selection};
use halma::search::{Report, Stop};

/// No limit on the nodes kept.
const ALL: usize = usize::MAX;

/// Asserts that `report` has the visits, value and proof of each saved reply in `nodes`, whose first node stands
/// for `root`.
fn assert_replies_kept(root: &ConnectFour, nodes: &[SavedNode<Drop>], report: &Report<Drop>) {
    assert_eq!(report.reused, nodes[0].visits);
    for reply in nodes.iter().filter(|node| node.depth == nodes[0].depth + 1) {
        let candidate = report.candidates.iter().find(|one| one.play == reply.play).unwrap();
        assert_eq!((candidate.visits, candidate.proof), (reply.visits, reply.proof));
        let value = candidate.value.for_player_one(root.to_move());
        assert!((value - reply.mean).abs() <= 0.5e-6, "{value} for {}", reply.mean);
    }
}

// ---- Reuse in memory ----

#[test]
fn the_subtree_of_the_position_is_reused() {
    for (select, transpositions) in FORMULAS.into_iter().flat_map(|select| [(select, true), (select, false)])
    {
        let root = ConnectFour::default();
        let mut search = search(&root, Params { transpositions, ..params(select) }, 1);
        let line = iterate(&mut search, 20_000).principal_variation;
        let now = after(&root, &line[..2]);
        let kept = search.save(line[0], ALL).expect("a saved tree");
        let kept = kept.below(&now).expect("the reply was searched").to_vec();
        search.advance(line[0], now, 2, ALL);
        let report = iterate(&mut search, 0);
        assert_replies_kept(&now, &kept, &report);
        // The principal variation is the rest of the old one.
        assert_eq!(report.principal_variation[..], line[2..][..report.principal_variation.len()]);
        let more = iterate(&mut search, 5000);
        assert_eq!(u64::from(more.reused) + more.iterations, visits(&more) + 1);
    }
}

#[test]
fn one_tree_lasts_a_whole_game() {
    for transpositions in [true, false] {
        let settings = Params { transpositions, ..Params::default() };
        let policy = ForwardJump::new(ForwardJumpParameters { cap: 2, leaving: 0 }, Box::new(Fitted));
        let mut position = Position::default();
        let mut search = search_with(&position, settings, policy, 1);
        let mut reused = 0;
        for turn in 0..30 {
            let before = iterate(&mut search, 400);
            let line = before.principal_variation;
            assert!(line.len() > 2);
            reused += u64::from(before.reused);
            assert_playable(&position, &line[..2]);
            position = after(&position, &line[..2]);
            search.advance(line[0], position, turn, ALL);
            let report = iterate(&mut search, 0);
            assert!(report.nodes < before.nodes, "{} of {}", report.nodes, before.nodes);
            for candidate in &report.candidates {
                assert!(position.is_legal(candidate.play), "{} in\n{position}", candidate.play);
            }
        }
        assert!(reused > 30 * 40, "{reused}");
    }
}

#[test]
fn the_seed_determines_the_reused_tree() {
    for select in FORMULAS {
        let games = [1, 1, 2].map(|seed| {
            let root = ConnectFour::default();
            let mut search = search(&root, params(select), seed);
            let line = iterate(&mut search, 3000).principal_variation;
            search.advance(line[0], after(&root, &line[..2]), seed + 1, ALL);
            iterate(&mut search, 3000)
        });
        assert_eq!(games[0], games[1]);
        assert_ne!(games[0], games[2]);
    }
}

#[test]
fn after_unsearched_plays_the_search_starts_afresh() {
    // The next position is elsewhere, below an unsearched play, or after an illegal play.
    for (searched, play, now) in [
        (2000, Drop(3), ConnectFour::after(&[0, 1, 2, 3, 4])),
        (0, Drop(3), ConnectFour::after(&[3, 3])),
        (0, Drop(9), ConnectFour::after(&[3, 3])),
    ] {
        let mut search = search(&ConnectFour::default(), params(Selection::Puct), 1);
        if searched > 0 {
            iterate(&mut search, searched);
        }
        search.advance(play, now, 7, ALL);
        assert_eq!(iterate(&mut search, 500), run(&now, params(Selection::Puct), 7, 500));
    }
}

#[test]
fn at_most_the_limit_is_reused_and_near_nodes_come_first() {
    let root = ConnectFour::default();
    let mut sizes = Vec::new();
    for limit in [0, 4, 100, 1000, ALL] {
        let mut search = search(&root, params(Selection::Puct), 1);
        let line = iterate(&mut search, 20_000).principal_variation;
        search.advance(line[0], after(&root, &line[..2]), 2, limit);
        let report = iterate(&mut search, 0);
        // The root and its children are always kept, and the last block may exceed the limit.
        assert!(report.nodes <= limit.saturating_add(8).max(12), "{} of {limit}", report.nodes);
        assert!(report.candidates.len() >= 4);
        sizes.push(report.nodes);
        assert_eq!(iterate(&mut search, 1000).iterations, 1000);
    }
    assert!(sizes.is_sorted() && sizes[4] > 2000, "{sizes:?}");
}

#[test]
fn a_memory_limit_lasts_beyond_the_next_move() {
    let mut position = ConnectFour::default();
    let mut search = search(&position, params(Selection::Puct), 1);
    search.limit_memory(Some(1 << 16));
    for turn in 0..3 {
        let report = iterate(&mut search, 10_000);
        // A node takes at least 32 bytes.
        assert!((500..=2048).contains(&report.nodes), "turn {turn}: {} nodes", report.nodes);
        let line = &report.principal_variation[..2];
        position = after(&position, line);
        search.advance(line[0], position, turn, ALL);
    }
}

#[test]
fn a_reused_subtree_may_prove_the_position() {
    // A wrong answer loses, and the subtree below it may already hold the proof.
    let root = TicTacToe::from_drawing("X.. ... ...");
    let mut proved = 0;
    for answer in (1..9).map(Cell) {
        for reply in (1..9).map(Cell).filter(|&reply| reply != answer) {
            let mut search = search(&root, Params { c: 3.0, ..params(Selection::Puct) }, 1);
            iterate(&mut search, 3000);
            let now = after(&root, &[answer, reply]);
            search.advance(answer, now, 2, ALL);
            let report = iterate(&mut search, 200_000);
            assert_eq!(report.stop, Stop::Proved);
            let exact = run(&now, params(Selection::Puct), 3, 200_000);
            assert_eq!(report.proof, exact.proof, "{answer} {reply}");
            proved += u32::from(report.proof == Some(Outcome::Win(Player::One)));
        }
    }
    assert!(proved > 10, "{proved}");
}

// ---- Save and restore ----

/// Searches the empty board with `iterations`. Returns the saved nodes, at most `limit`, below the best play and reply,
/// and the position after these two.
fn saved(iterations: u64, limit: usize) -> (Vec<SavedNode<Drop>>, ConnectFour) {
    let root = ConnectFour::default();
    let mut search = search(&root, params(Selection::Puct), 1);
    let report = iterate(&mut search, iterations);
    let line = &report.principal_variation[..2];
    let tree = search.save(line[0], limit).expect("the best play was searched");
    assert!(tree.before == after(&root, &line[..1]) && tree.nodes.len() <= limit);
    let now = after(&root, line);
    (tree.below(&now).expect("the best reply is kept").to_vec(), now)
}

#[test]
fn restored_nodes_keep_their_visits_values_and_proofs() {
    let (nodes, now) = saved(20_000, 5000);
    assert_eq!(nodes.iter().filter(|node| node.depth == nodes[0].depth + 1).count(), 7);
    for select in FORMULAS {
        let mut search = search(&now, params(select), 2);
        assert!(search.restore(&nodes));
        let report = iterate(&mut search, 0);
        assert_eq!(report.iterations, 0);
        assert_replies_kept(&now, &nodes, &report);
        let more = iterate(&mut search, 1000);
        assert_eq!(more.reused, nodes[0].visits);
        // The first visit to the node was its own playout.
        assert_eq!(visits(&more), u64::from(nodes[0].visits) - 1 + 1000);
    }
}

#[test]
fn at_most_the_limit_is_saved_and_parents_come_first() {
    let mut search = search(&ConnectFour::default(), params(Selection::Puct), 1);
    iterate(&mut search, 5000);
    let mut sizes = Vec::new();
    for limit in [0, 1, 8, 100, 1_000_000] {
        let nodes = search.save(Drop(3), limit).map_or(Vec::new(), |tree| tree.nodes);
        assert!(nodes.len() <= limit);
        assert!(nodes.first().is_none_or(|first| first.depth == 1));
        assert!(nodes.windows(2).all(|pair| (1..=pair[0].depth + 1).contains(&pair[1].depth)));
        assert!(nodes.iter().all(|node| node.visits > 0));
        sizes.push(nodes.len());
    }
    assert!(sizes.is_sorted() && sizes[3] > 50 && sizes[4] > 1000, "{sizes:?}");
}

#[test]
fn each_reply_gets_its_own_subtree() {
    let root = ConnectFour::default();
    let mut search = search(&root, params(Selection::Puct), 1);
    iterate(&mut search, 5000);
    let tree = search.save(Drop(3), 1000).unwrap();
    let mut found = 0;
    for column in 0..7 {
        let nodes = tree.below(&after(&root, &[Drop(3), Drop(column)])).expect("all replies are kept");
        assert_eq!((nodes[0].play, nodes[0].depth), (Drop(column), 1));
        assert!(nodes[1..].iter().all(|node| node.depth > 1));
        found += nodes.len();
    }
    assert_eq!(found, tree.nodes.len());
    assert_eq!(tree.below(&root), None);
    assert_eq!(tree.below(&after(&root, &[Drop(2), Drop(3)])), None);
}

#[test]
fn a_damaged_tree_is_refused_and_changes_nothing() {
    type Damage = fn(&mut Vec<SavedNode<Drop>>);
    let (nodes, now) = saved(5000, 500);
    let damages: [(&str, Damage); 10] = [
        ("an illegal play", |nodes| nodes[1].play = Drop(9)),
        ("an illegal play at the end", |nodes| nodes.last_mut().unwrap().play = Drop(7)),
        ("a depth of 0", |nodes| nodes[5].depth = 0),
        ("the root's depth twice", |nodes| nodes[5].depth = nodes[0].depth),
        ("a depth without a parent", |nodes| nodes[1].depth = 9),
        ("the largest depth", |nodes| nodes[1].depth = u32::MAX),
        ("a mean above 1", |nodes| nodes[3].mean = 1.5),
        ("a mean that is not a number", |nodes| nodes[0].mean = f32::NAN),
        ("too many visits", |nodes| nodes[2].visits = u32::MAX),
        ("too many visits to all children", |nodes| {
            let level = nodes[0].depth + 1;
            nodes.iter_mut().filter(|node| node.depth == level).for_each(|node| node.visits = u32::MAX / 4);
        }),
    ];
    let expected = run(&now, params(Selection::Puct), 2, 500);
    let assert_unchanged = |nodes: &[SavedNode<Drop>], fits, case: &str| {
        let mut search = search(&now, params(Selection::Puct), 2);
        assert_eq!(search.restore(nodes), fits, "{case}");
        assert_eq!(iterate(&mut search, 500), expected, "{case}");
    };
    for (case, damage) in damages {
        let mut damaged = nodes.clone();
        damage(&mut damaged);
        assert_unchanged(&damaged, false, case);
    }
    assert_unchanged(&[], true, "an empty tree fits");
}

#[test]
fn a_saved_tree_is_restored_as_far_as_memory_allows() {
    let (nodes, now) = saved(600_000, 1_000_000);
    let nodes_with = |memory| {
        let mut search = search(&now, Params { memory, ..params(Selection::Puct) }, 2);
        assert!(search.restore(&nodes));
        let report = iterate(&mut search, 0);
        assert_eq!(report.reused, nodes[0].visits);
        report.nodes
    };
    let (some, all) = (nodes_with(1), nodes_with(64));
    assert!(some > 1000 && some < all, "{some} of {all}");
}

#[test]
fn a_restored_proof_ends_the_search() {
    // The search begins one play before the loser's mistake.
    let mut before = search(&ConnectFour::after(&[3, 3, 2]), params(Selection::Puct), 1);
    iterate(&mut before, 200_000);
    let tree = before.save(Drop(2), 100_000).unwrap();
    let proved = |node: &&SavedNode<Drop>| node.depth == 1 && node.proof.is_some();
    let reply = tree.nodes.iter().find(proved).expect("a play that makes two threats").play;
    let now = after(&tree.before, &[reply]);
    let mut next = search(&now, params(Selection::Puct), 1);
    assert!(next.restore(tree.below(&now).unwrap()));
    let report = iterate(&mut next, 1000);
    assert_eq!((report.proof, report.iterations), (Some(Outcome::Win(Player::One)), 0));
    assert_eq!((report.stop, report.value), (Stop::Proved, Value::LOSS));
}

// ---- Transpositions and memory use ----

/// Gives each leaf a random value.
struct Dice;

impl<G: Game> Playout<G> for Dice {
    fn evaluate(&mut self, _: &G, simulation: &mut Simulation<G::Play>) -> Value {
        Value::new(simulation.random.below(3) as f32 - 1.0)
    }
}

#[test]
fn sharing_children_makes_proofs_cheaper() {
    for select in FORMULAS {
        for drawing in ["X.. ... ...", ".X. ... ...", "... .X. ..."] {
            let root = TicTacToe::from_drawing(drawing);
            let [with, without] = [true, false].map(|transpositions| {
                let settings = Params { c: 100.0, transpositions, ..params(select) };
                let report = run(&root, settings, 1, 200_000);
                assert_eq!(report.stop, Stop::Proved, "{drawing}, transpositions {transpositions}");
                report
            });
            assert_eq!(with.proof, without.proof);
            assert!(with.iterations < without.iterations, "{drawing}: {} iterations", with.iterations);
            assert!(4 * with.nodes < 3 * without.nodes, "{drawing}: {}, {}", with.nodes, without.nodes);
        }
    }
}

/// Two pieces can only walk back and forth, so most positions repeat.
#[test]
fn cycles_of_plays_do_not_stop_a_search() {
    let root = position(BLACK, Rules::Original, "8,7", "7,8");
    let report = iterate(&mut search_with(&root, Params::default(), Dice, 1), 30_000);
    assert_eq!(report.iterations, 30_000);
    assert_playable(&root, &report.principal_variation);
}

#[test]
fn a_restarted_search_gives_the_same_report_as_a_new_one() {
    let played = (0..3).fold(ConnectFour::default(), |at, _| after(&at, &[legal_plays(&at)[1]]));
    for select in FORMULAS {
        let mut used = search_with(&ConnectFour::default(), params(select), Dice, 1);
        iterate(&mut used, 60_000);
        used.restart(played, 2);
        let mut new = search_with(&played, params(select), Dice, 2);
        assert_eq!(iterate(&mut used, 20_000), iterate(&mut new, 20_000));
    }
}
