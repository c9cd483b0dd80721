//! What a search saves for the next move and what restoring it gives, from outside.

use crate::support::connect_four::{ConnectFour, Drop};
use crate::support::searches::{BOTH, after, params, search};
use halma::game::{Game, Outcome, Player, Value};
use halma::playout::ToTheEnd;
use halma::search::mcts::{Params, SavedNode, Search};
use halma::search::{Limits, Stop};
use halma::support::clock::FakeClock;

/// The nodes that a search of `iterations` from the empty board saves for the position after its best play
/// and the most visited reply, and that position.
fn saved(iterations: u64, limit: usize) -> (Vec<SavedNode<Drop>>, ConnectFour) {
    let root = ConnectFour::default();
    let mut search = search(&root, params(BOTH[0]), 1);
    let report = search.run(&Limits::iterations(iterations), &FakeClock::default());
    let line = &report.principal_variation[..2];
    let tree = search.save(line[0], limit).expect("the best play was searched");
    assert!(tree.before == after(&root, &line[..1]) && tree.nodes.len() <= limit);
    let now = after(&root, line);
    (tree.below(&now).expect("the best reply is kept").to_vec(), now)
}

#[test]
fn restored_nodes_keep_their_visits_values_and_proofs() {
    let (nodes, now) = saved(20_000, 5000);
    let mut search = search(&now, params(BOTH[0]), 2);
    search.restore(&nodes).unwrap();
    let report = search.run(&Limits::iterations(0), &FakeClock::default());
    assert_eq!((report.reused, report.iterations), (nodes[0].visits, 0));
    let replies: Vec<_> = nodes.iter().filter(|node| node.depth == nodes[0].depth + 1).collect();
    assert_eq!(replies.len(), 7);
    for reply in replies {
        let candidate = report.candidates.iter().find(|c| c.play == reply.play).unwrap();
        assert_eq!((candidate.visits, candidate.proof), (reply.visits, reply.proof));
        let value = candidate.value.for_player_one(now.to_move());
        assert!((value - reply.mean).abs() <= 0.5e-6, "{value} for {}", reply.mean);
    }
    let more = search.run(&Limits::iterations(1000), &FakeClock::default());
    assert_eq!(more.reused, nodes[0].visits);
    let visits: u32 = more.candidates.iter().map(|c| c.visits).sum();
    // The first visit to the node was its own playout.
    assert_eq!(visits, nodes[0].visits - 1 + 1000);
}

#[test]
fn at_most_the_limit_is_saved_and_parents_come_first() {
    let mut search = search(&ConnectFour::default(), params(BOTH[0]), 1);
    search.run(&Limits::iterations(5000), &FakeClock::default());
    let mut sizes = Vec::new();
    for limit in [0, 1, 8, 100, 1_000_000] {
        let nodes = search.save(Drop(3), limit).map_or(Vec::new(), |tree| tree.nodes);
        assert!(nodes.len() <= limit);
        assert!(nodes.first().is_none_or(|first| first.depth == 1));
        assert!(nodes.windows(2).all(|pair| (1..=pair[0].depth + 1).contains(&pair[1].depth)));
        let least = nodes.iter().map(|node| node.visits).min();
        assert!(least.is_none_or(|least| least > 0));
        sizes.push(nodes.len());
    }
    assert!(sizes.is_sorted() && sizes[3] > 50 && sizes[4] > 1000, "{sizes:?}");
}

#[test]
fn each_reply_gets_its_own_subtree() {
    let root = ConnectFour::default();
    let mut search = search(&root, params(BOTH[0]), 1);
    search.run(&Limits::iterations(5000), &FakeClock::default());
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
fn a_saved_tree_that_does_not_fit_changes_nothing() {
    type Damage = fn(&mut Vec<SavedNode<Drop>>);
    let (nodes, now) = saved(5000, 500);
    let damages: [(&str, Damage); 10] = [
        ("an illegal play", |nodes| nodes[1].play = Drop(9)),
        ("an illegal play at the end", |nodes| nodes.last_mut().unwrap().play = Drop(7)),
        ("a depth of 0", |nodes| nodes[5].depth = 0),
        ("the root's depth once more", |nodes| nodes[5].depth = nodes[0].depth),
        ("a depth out of nowhere", |nodes| nodes[1].depth = 9),
        ("a greatest depth", |nodes| nodes[1].depth = u32::MAX),
        ("a mean above 1", |nodes| nodes[3].mean = 1.5),
        ("a mean that is no number", |nodes| nodes[0].mean = f32::NAN),
        ("too many visits", |nodes| nodes[2].visits = u32::MAX),
        ("too many visits to all children", |nodes| {
            let level = nodes[0].depth + 1;
            nodes.iter_mut().filter(|node| node.depth == level).for_each(|node| node.visits = u32::MAX / 4);
        }),
    ];
    let mut fresh = search(&now, params(BOTH[0]), 2);
    let expected = fresh.run(&Limits::iterations(500), &FakeClock::default());
    for (what, damage) in damages {
        let mut damaged = nodes.clone();
        damage(&mut damaged);
        let mut search = search(&now, params(BOTH[0]), 2);
        assert!(search.restore(&damaged).is_err(), "{what}");
        assert_eq!(search.run(&Limits::iterations(500), &FakeClock::default()), expected, "{what}");
    }
    // No nodes at all fit.
    let mut search = search(&now, params(BOTH[0]), 2);
    assert_eq!(search.restore(&[]), Ok(()));
    assert_eq!(search.run(&Limits::iterations(500), &FakeClock::default()), expected);
}

#[test]
fn a_saved_tree_is_restored_as_far_as_there_is_room() {
    let (nodes, now) = saved(600_000, 1_000_000);
    let nodes_with = |memory| {
        let mut search = search(&now, Params { memory, ..params(BOTH[0]) }, 2);
        assert_eq!(search.restore(&nodes), Ok(()));
        let report = search.run(&Limits::iterations(0), &FakeClock::default());
        assert_eq!(report.reused, nodes[0].visits);
        report.nodes
    };
    let (some, all) = (nodes_with(1), nodes_with(64));
    assert!(some > 1000 && some < all, "{some} of {all}");
}

#[test]
fn a_restored_proof_ends_the_search() {
    // A search that begins a play before the loser's mistake.
    let mut search = search(&ConnectFour::after(&[3, 3, 2]), params(BOTH[0]), 1);
    search.run(&Limits::iterations(200_000), &FakeClock::default());
    let tree = search.save(Drop(2), 100_000).unwrap();
    let proved = |node: &&SavedNode<Drop>| node.depth == 1 && node.proof.is_some();
    let reply = tree.nodes.iter().find(proved).expect("a play that makes two threats").play;
    let now = after(&tree.before, &[reply]);
    let mut next = Search::new(now, params(BOTH[0]), ToTheEnd::new(), 1);
    next.restore(tree.below(&now).unwrap()).unwrap();
    let report = next.run(&Limits::iterations(1000), &FakeClock::default());
    assert_eq!((report.proof, report.iterations), (Some(Outcome::Win(Player::One)), 0));
    assert_eq!((report.stop, report.value), (Stop::Proved, Value::LOSS));
}
