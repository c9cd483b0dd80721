//! GRAVE, generalized rapid action value estimation (Cazenave, "Generalized Rapid Action Value Estimation", 2015).
//!
//! A play that was good anywhere in the simulations through a node is assumed to be good at the node itself: "all moves as
//! first", AMAF. While a child has few visits of its own, it is valued by this average:
//!
//! ```text
//! (1 − β) · Q + β · A + c · √(ln N / n)        β = a / (a + n + bias · a · n)
//! ```
//!
//! `A` is the mean value of those simulations through the *reference* in which the mover made the child's play at any
//! time after it, and `a` their number. The reference is the nearest node on the path, from the parent upwards, with more
//! than `grave_ref` simulations; the root if there is none. `bias` is the parameter `grave_bias`. The paper has no
//! exploration (`c = 0`), and its best `ref` and `bias` differ widely between games.
//!
//! With `grave_ref=0` the reference is the parent itself: this is RAVE (Gelly, Silver, "Combining Online and Offline
//! Knowledge in UCT", 2007) with the β of Gelly, Silver, "Monte-Carlo Tree Search and Rapid Action Value Estimation in
//! Computer Go", 2011, where `bias` is 4b². In 2007 it was β = √(k / (3N + k)).
//!
//! # The statistics
//!
//! Each node that gets children has a hash map from moves to averages, found by the key of its position, so nodes at the
//! same position share one. It begins with the node's second simulation, because most nodes have only one. A move counts
//! once in a simulation. The maps take at most a quarter of `memory`, and the tree the rest. When they are full, new moves
//! and new nodes are left out, and nodes below use a reference further up. When the game goes on, the maps of positions
//! that are not in the tree any more are dropped. A restored tree starts without maps: below its root, a node is a
//! reference only after more than `grave_ref` new simulations.

use super::{Child, Parent, Rule};
use crate::playout::{Average, Move, Simulation};
use crate::search::mcts::iteration::Step;
use crate::search::mcts::params::Params;
use crate::search::mcts::tree::Tree;
use crate::support::hashing::{FastMap, FastSet};
use std::cmp::Reverse;
use std::hash::Hash;

/// The statistics may take this part of a search's memory.
pub(super) const MEMORY_DIVISOR: usize = 4;

/// The statistics of one position.
#[derive(Clone, Debug)]
struct Amaf<P> {
    simulations: u32,
    averages: FastMap<Move<P>, Average>,
}

/// The rule and its statistics.
#[derive(Clone, Debug)]
pub(in crate::search::mcts) struct Grave<P> {
    min_simulations: u32,
    bias: f32,
    /// By the keys of positions.
    positions: FastMap<u64, Amaf<P>>,
    /// The approximate memory of `positions`, and its limit.
    bytes: usize,
    max_bytes: usize,
    /// The different moves of a simulation so far, from its end. The buffers are reused.
    moves: Vec<Move<P>>,
    seen: FastSet<Move<P>>,
}

impl<P: Copy + Eq + Hash> Grave<P> {
    /// The memory for a move of one position, of which a hash map can fill three quarters or more.
    const PLACE_BYTES: usize = (size_of::<(Move<P>, Average)>() + 1) * 4 / 3;

    /// The memory for a position without moves.
    const HEADER_BYTES: usize = 2 * (size_of::<(u64, Amaf<P>)>() + 1);

    pub fn new(params: &Params) -> Grave<P> {
        Grave {
            min_simulations: params.grave_ref as u32,
            bias: params.grave_bias,
            positions: FastMap::default(),
            bytes: 0,
            max_bytes: params.memory_bytes() / MEMORY_DIVISOR,
            moves: Vec::new(),
            seen: FastSet::default(),
        }
    }

    /// The statistics to use at the end of `path`.
    fn reference(&self, tree: &Tree<P>, path: &[Step]) -> Option<&Amaf<P>> {
        let of = |step: &Step| self.positions.get(&tree.arena.key(step.canonical));
        let has_enough = |amaf: &&Amaf<P>| amaf.simulations > self.min_simulations;
        path.iter().rev().filter_map(of).find(has_enough).or_else(|| of(path.first()?))
    }

    /// The memory for the statistics of a position.
    fn bytes_of(amaf: &Amaf<P>) -> usize {
        Self::HEADER_BYTES + Self::PLACE_BYTES * amaf.averages.capacity()
    }

    /// Replaces the statistics by those of `positions`, as far as there is room.
    fn replace(&mut self, positions: impl IntoIterator<Item = (u64, Amaf<P>)>) {
        self.positions = FastMap::default();
        self.bytes = 0;
        for (key, amaf) in positions {
            let bytes = Self::bytes_of(&amaf);
            if self.bytes + bytes <= self.max_bytes {
                self.bytes += bytes;
                self.positions.insert(key, amaf);
            }
        }
    }

    /// Adds a simulation through the position with this `key`, from which `self.moves` were made.
    fn add(&mut self, key: u64, simulation: &Simulation<P>) {
        let [place, header] = [Self::PLACE_BYTES, Self::HEADER_BYTES];
        if !self.positions.contains_key(&key) {
            if self.bytes + header > self.max_bytes {
                return;
            }
            self.bytes += header;
            self.positions.insert(key, Amaf { simulations: 0, averages: FastMap::default() });
        }
        let Some(amaf) = self.positions.get_mut(&key) else { return };
        amaf.simulations = amaf.simulations.saturating_add(1);
        for made in &self.moves {
            let value = simulation.value_for(made.player);
            if let Some(average) = amaf.averages.get_mut(made) {
                average.add(value);
                continue;
            }
            let capacity = amaf.averages.capacity();
            // A full map doubles its capacity.
            if amaf.averages.len() == capacity && self.bytes + place * (capacity + 4) > self.max_bytes {
                continue;
            }
            amaf.averages.entry(*made).or_default().add(value);
            self.bytes += place * (amaf.averages.capacity() - capacity);
        }
    }
}

impl<P: Copy + Eq + Hash> Rule<P> for Grave<P> {
    fn score(&self, parent: &Parent<P>) -> impl Fn(&Child<P>) -> f32 {
        let (player, reference) = (parent.mover, self.reference(parent.tree, parent.path));
        move |child| {
            let average = reference.and_then(|amaf| amaf.averages.get(&Move { player, play: child.play }));
            let Average { visits: first, mean } = average.copied().unwrap_or_default();
            let own = child.visits as f32;
            let share = if first > 0.0 { first / (first + own + self.bias * first * own) } else { 0.0 };
            (1.0 - share) * child.value + share * mean + child.exploration
        }
    }

    fn learn(&mut self, tree: &mut Tree<P>, path: &[Step], simulation: &Simulation<P>) {
        self.moves.clear();
        self.seen.clear();
        for (ply, &made) in simulation.moves().iter().enumerate().rev() {
            if self.seen.insert(made) {
                self.moves.push(made);
            }
            let key = path.get(ply).map_or(0, |step| tree.arena.key(step.canonical));
            if key != 0 {
                self.add(key, simulation);
            }
        }
    }

    fn clear(&mut self) {
        self.positions.clear();
        self.bytes = 0;
    }

    fn retain(&mut self, tree: &Tree<P>) {
        let mut old = std::mem::take(&mut self.positions);
        self.replace(tree.arena.keys().filter_map(|key| Some((key, old.remove(&key)?))));
    }

    /// If the statistics exceed the new limit, keeps those of the positions with the most simulations.
    fn limit_memory(&mut self, bytes: usize) {
        self.max_bytes = bytes / MEMORY_DIVISOR;
        if self.bytes > self.max_bytes {
            let mut positions: Vec<_> = std::mem::take(&mut self.positions).into_iter().collect();
            positions.sort_unstable_by_key(|(key, amaf)| (Reverse(amaf.simulations), *key));
            self.replace(positions);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Selector;
    use super::super::tests::{
        HeapSearch, assert_close, params, run, scores, search, simulation, step, tree,
    };
    use super::*;
    use crate::game::{Game, Player, Value};
    use crate::search::mcts::tree::NodeId;

    /// The rule with these settings, and a root with these children.
    fn rule(settings: &[(&str, &str)], children: &[(u32, f32)]) -> (Grave<u16>, Tree<u16>) {
        let params = params(&[&[("select", "grave"), ("c", "0")], settings].concat());
        let mut tree = tree(&params, children);
        tree.note(NodeId::ROOT, 1);
        (Grave::new(&params), tree)
    }

    /// An average of the play by Black.
    fn average(play: u16, visits: f32, mean: f32) -> (Move<u16>, Average) {
        (Move { player: Player::One, play }, Average { visits, mean })
    }

    #[test]
    fn the_score_is_that_of_the_paper() {
        // Ten visits of value 0.4, and 30 simulations of value 0.2 with the play: β = 30 / (30 + 10 + bias · 300). Six
        // visits of 0, and two simulations of 0.5. No visits, and four simulations of −0.5: β = 1. Eight visits, and no
        // simulation: β = 0. Neither: the parent's mean, 4.8 / 24, less 0.04.
        let children = [(10, 0.4), (6, 0.0), (0, 0.0), (8, 0.1), (0, 0.0)];
        let averages = [average(0, 30.0, 0.2), average(1, 2.0, 0.5), average(2, 4.0, -0.5)];
        for (bias, expected) in [("0", [0.25, 0.125]), ("0.01", [0.260_47, 0.123_15])] {
            for (c, log) in [("0", 0.0), ("1", 24f32.ln())] {
                let (mut grave, tree) = rule(&[("grave_bias", bias), ("c", c)], &children);
                let averages = averages.into_iter().collect();
                grave.positions.insert(1, Amaf { simulations: 50, averages });
                let values = [expected[0], expected[1], -0.5, 0.1, 0.16];
                let explored = [10.0, 6.0, 1.0, 8.0, 1.0].map(|visits| (log / visits).sqrt());
                let expected: Vec<f32> = values.iter().zip(explored).map(|(a, b)| a + b).collect();
                assert_close(&scores(&grave, &tree, Player::One), &expected);
            }
        }
    }

    #[test]
    fn the_reference_is_the_nearest_node_with_enough_simulations() {
        for (min_simulations, expected) in [("0", 3), ("1", 2), ("4", 2), ("5", 1), ("8", 1), ("9", 1)] {
            let (mut grave, mut tree) =
                rule(&[("grave_ref", min_simulations)], &[(9, 0.0), (5, 0.0), (1, 0.0)]);
            let path = [NodeId::ROOT, tree.child(NodeId::ROOT, 0), tree.child(NodeId::ROOT, 1)];
            for (key, (id, simulations)) in (1..).zip(path.into_iter().zip([9, 5, 1])) {
                tree.arena.set_key(id, key);
                grave.positions.insert(
                    key,
                    Amaf { simulations, averages: [average(0, key as f32, 0.0)].into_iter().collect() },
                );
            }
            let found = grave.reference(&tree, &path.map(|id| step(id, Player::One))).unwrap();
            assert_eq!(found.averages[&average(0, 0.0, 0.0).0].visits, expected as f32, "{min_simulations}");
        }
    }

    #[test]
    fn each_node_learns_the_moves_made_after_it_once() {
        let (mut grave, mut tree) = rule(&[], &[(1, 0.0), (1, 0.0)]);
        let (child, leaf) = (tree.child(NodeId::ROOT, 0), tree.child(NodeId::ROOT, 1));
        tree.arena.set_key(child, 2);
        let path = [step(NodeId::ROOT, Player::One), step(child, Player::Two), step(leaf, Player::One)];
        // Plays by turns: Black makes 7, 9 and 7; White 8 and 7.
        grave.learn(&mut tree, &path, &simulation(&[7, 8], &[9, 7, 7], Value::WIN));
        grave.learn(&mut tree, &path[..1], &simulation(&[], &[9], Value::LOSS));
        let known = |key, player, play| {
            grave.positions.get(&key)?.averages.get(&Move { player, play }).map(|one| (one.visits, one.mean))
        };
        use Player::{One, Two};
        for (key, player, play, expected) in [
            (1, One, 7, Some((1.0, 1.0))),
            (1, One, 9, Some((2.0, 0.0))),
            (1, Two, 8, Some((1.0, -1.0))),
            (1, Two, 7, Some((1.0, -1.0))),
            (2, One, 7, Some((1.0, 1.0))),
            (2, One, 9, Some((1.0, 1.0))),
            (2, Two, 8, Some((1.0, -1.0))),
            (2, Two, 7, Some((1.0, -1.0))),
            (1, One, 8, None),
        ] {
            assert_eq!(known(key, player, play), expected, "{key} {player:?} {play}");
        }
        assert_eq!([1, 2].map(|key| grave.positions[&key].simulations), [2, 1]);
        // The leaf has no children yet.
        assert_eq!(grave.positions.len(), 2);
    }

    fn assert_within(grave: &Grave<u16>, max_bytes: usize) {
        assert_eq!(grave.positions.values().map(Grave::bytes_of).sum::<usize>(), grave.bytes);
        assert!(grave.bytes <= max_bytes, "{} of {max_bytes} bytes", grave.bytes);
    }

    #[test]
    fn the_statistics_stay_within_their_memory_and_with_their_tree() {
        let settings = params(&[("select", "grave"), ("grave_ref", "10"), ("c", "1")]);
        for (bytes, min_positions, min_kept, min_left) in
            [(0, 0, 0, 0), (1 << 12, 1, 0, 0), (1 << 16, 20, 10, 1), (1 << 24, 50, 40, 10)]
        {
            let mut search = search(1000, settings.clone());
            search.limit_memory(Some(bytes));
            run(&mut search, 3000);
            let grave = |search: &HeapSearch| match &search.selector {
                Selector::Grave(grave) => grave.clone(),
                other => panic!("{other:?}"),
            };
            let before = grave(&search);
            assert_within(&before, bytes / MEMORY_DIVISOR);
            assert!(before.positions.len() >= min_positions, "{} positions", before.positions.len());
            let mut now = search.root.clone();
            [2, 1].into_iter().for_each(|play| now.play(play));
            search.advance(2, now, 2, usize::MAX);
            let after = grave(&search);
            assert_within(&after, bytes / MEMORY_DIVISOR);
            let keys: FastSet<u64> = search.tree.arena.keys().collect();
            assert!(after.positions.keys().all(|key| keys.contains(key)));
            assert!(after.positions.len() >= min_kept, "{} kept", after.positions.len());
            let lower = after.bytes * MEMORY_DIVISOR / 2;
            let most = |grave: &Grave<u16>| grave.positions.values().map(|amaf| amaf.simulations).max();
            search.limit_memory(Some(lower));
            for _ in 0..2 {
                let left = grave(&search);
                assert_within(&left, lower / MEMORY_DIVISOR);
                assert!(left.positions.len() >= min_left, "{} left", left.positions.len());
                assert!(min_left == 0 || most(&left) >= most(&after));
                run(&mut search, 500);
            }
            search.restart(search.root.clone(), 3);
            assert_within(&grave(&search), 0);
        }
    }
}
