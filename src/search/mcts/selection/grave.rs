//! GRAVE, generalized rapid action value estimation (Cazenave, "Generalized Rapid Action Value Estimation", 2015).
//!
//! A play that was good anywhere in the simulations through a node is assumed to be good at the node itself: "all moves
//! as first", AMAF. While a child has few visits of its own, it is valued by the average result of its play in those
//! simulations:
//!
//! ```text
//! (1 − β) · Q + β · A + c · √(ln N / n)        β = a / (a + n + bias · a · n)
//! ```
//!
//! Of the simulations through the *reference* node, those count in which the mover made the child's play at any time
//! after it: `A` is their mean value, and `a` their number. The reference is the nearest node on the path, from the
//! parent upwards, with more than `grave_ref` simulations; the root if there is none. `bias` is the parameter
//! `grave_bias`. The paper has no exploration (`c = 0`), and its best `ref` and `bias` differ widely between games.
//!
//! With `grave_ref=0` the reference is the parent itself, once it has had a simulation: this is RAVE (Gelly, Silver,
//! "Combining Online and Offline Knowledge in UCT", 2007) with the β of Gelly, Silver, "Monte-Carlo Tree Search and
//! Rapid Action Value Estimation in Computer Go", 2011, where `bias` is 4b². The 2007 paper has β = √(k / (3N + k)),
//! where N is the number of visits to the parent and k is the number of visits at which β is ½.
//!
//! # The statistics
//!
//! A search numbers moves as it encounters them. For each position whose node gets children, it keeps the numbers of
//! the children's moves and a table of averages indexed by number, so reading a child's average takes one access to
//! memory. Most positions are never a reference, so values wait in a list until the averages are read, or until the
//! list is as long as the table would be.
//!
//! The statistics are indexed by the key of the position, so nodes at the same position share them. They begin with the
//! node's second simulation, because most nodes have only one. A move counts once in a simulation. The statistics take
//! at most a quarter of `memory`, and the tree the rest. When they are full, new moves and new nodes are left out, and
//! nodes below use a reference further up. When the game goes on, the statistics of positions that are no longer in the
//! tree are dropped. A restored tree starts without statistics: below its root, a node is a reference only after more
//! than `grave_ref` new simulations.
//!
//! In the middle game, with playouts of four plies, an iteration takes 2.2 to 2.4 times as long as in UCT. A third of
//! the time goes into scoring the 160 children of three or four nodes, and a fifth into making nodes for all plays of a
//! position at once.

use super::move_numbers::{Memory, NO_NUMBER, Numbers};
use super::{Children, Parent, Rule};
use crate::game::Value;
use crate::playout::{Average, Move, Simulation};
use crate::search::mcts::iteration::Step;
use crate::search::mcts::params::Params;
use crate::search::mcts::tree::{GROUP, Tree};
use crate::support::hashing::FastMap;
use std::cmp::Reverse;
use std::hash::Hash;

/// The statistics may take up to 1/`MEMORY_DIVISOR` of a search's memory.
pub(super) const MEMORY_DIVISOR: usize = 4;

/// The statistics of one position.
#[derive(Clone, Debug, Default)]
struct Amaf {
    simulations: u32,
    /// The numbers of the moves to the children.
    children: Vec<[u32; GROUP]>,
    /// The averages, indexed by move number. They do not yet include `waiting`. The last entry is never visited, and
    /// stands for unknown moves.
    averages: Vec<Average>,
    /// Move numbers and values that are not in `averages` yet.
    waiting: Vec<(u32, Value)>,
}

impl Amaf {
    /// The memory for a position without moves.
    const HEADER_BYTES: usize = 2 * (size_of::<(u64, Amaf)>() + 1);

    fn bytes(&self) -> usize {
        Self::HEADER_BYTES
            + size_of::<[u32; GROUP]>() * self.children.capacity()
            + size_of::<Average>() * self.averages.capacity()
            + size_of::<(u32, Value)>() * self.waiting.capacity()
    }

    /// Adds a simulation with these move values, if there is room. All numbers are below `numbers`.
    fn learn(&mut self, values: &[(u32, Value)], numbers: usize, memory: &mut Memory) {
        if self.waiting.len() + values.len() > numbers {
            self.update(numbers, memory);
        }
        let (len, capacity) = (self.waiting.len() + values.len(), self.waiting.capacity());
        if len <= capacity || memory.reserve(&mut self.waiting, len.max(2 * capacity)) {
            self.waiting.extend_from_slice(values);
            self.simulations = self.simulations.saturating_add(1);
        }
    }

    /// Adds the waiting values to the averages. Returns whether there was room. All numbers are below `numbers`.
    fn update(&mut self, numbers: usize, memory: &mut Memory) -> bool {
        if self.waiting.iter().any(|&(number, _)| number as usize + 1 >= self.averages.len()) {
            if !memory.reserve(&mut self.averages, numbers + 1) {
                return false;
            }
            self.averages.resize(numbers + 1, Average::default());
        }
        self.waiting.drain(..).for_each(|(number, value)| self.averages[number as usize].add(value));
        true
    }
}

/// The rule and its statistics.
#[derive(Clone, Debug)]
pub(in crate::search::mcts) struct Grave<P> {
    min_simulations: u32,
    bias: f32,
    numbers: Numbers<P>,
    /// The statistics of each position, indexed by its key.
    positions: FastMap<u64, Amaf>,
    memory: Memory,
    /// The numbers and values of the distinct moves of a simulation, learned from its end backwards. The buffers are
    /// reused.
    values: Vec<(u32, Value)>,
    /// Whether each move is in `values`, indexed by move number.
    seen: Vec<bool>,
    /// The numbers of the moves to the children of a position without statistics.
    children: Vec<[u32; GROUP]>,
}

impl<P: Copy + Eq + Hash> Grave<P> {
    pub fn new(params: &Params) -> Grave<P> {
        Grave {
            min_simulations: params.grave_ref as u32,
            bias: params.grave_bias,
            numbers: Numbers::new(),
            positions: FastMap::default(),
            memory: Memory { used: 0, max: params.memory_bytes() / MEMORY_DIVISOR },
            values: Vec::new(),
            seen: Vec::new(),
            children: Vec::new(),
        }
    }

    /// Finds the position whose averages to use at the end of `path`, brings them up to date, and returns the
    /// position's key.
    fn reference(&mut self, tree: &Tree<P>, path: &[Step]) -> Option<u64> {
        let Grave { min_simulations, numbers, positions, memory, .. } = self;
        path.iter().enumerate().rev().find_map(|(ply, step)| {
            let key = tree.arena.key(step.canonical);
            let amaf = positions.get_mut(&key)?;
            let is_reference = ply == 0 || amaf.simulations > *min_simulations;
            (is_reference && amaf.update(numbers.capacity(), memory)).then_some(key)
        })
    }

    /// Numbers the moves to the children of `parent`, whose position has this `key`, unless the position's statistics
    /// already hold these numbers. Creates the position's statistics if there is room.
    fn number_children(&mut self, parent: &Parent<P>, key: u64) {
        let groups = parent.branch.groups;
        let Grave { numbers, positions, memory, children, .. } = self;
        if positions.get(&key).is_some_and(|amaf| amaf.children.len() == groups.len()) {
            return;
        }
        let has_room = key != 0 && (positions.contains_key(&key) || memory.take(Amaf::HEADER_BYTES));
        let amaf = has_room.then(|| positions.entry(key).or_default());
        let amaf = amaf.and_then(|amaf| memory.reserve(&mut amaf.children, groups.len()).then_some(amaf));
        let list = amaf.map_or(children, |amaf| &mut amaf.children);
        list.clear();
        list.extend(groups.iter().map(|group| {
            group.nodes.each_ref().map(|node| {
                let made = node.play.map(|play| Move { player: parent.mover, play });
                made.map_or(NO_NUMBER, |made| numbers.of(made, memory))
            })
        }));
    }

    /// Replaces the statistics with those of `positions`, as far as there is room.
    fn replace(&mut self, positions: impl IntoIterator<Item = (u64, Amaf)>) {
        self.positions = FastMap::default();
        self.memory.used = self.numbers.bytes();
        for (key, amaf) in positions {
            if self.memory.take(amaf.bytes()) {
                self.positions.insert(key, amaf);
            }
        }
    }
}

impl<P: Copy + Eq + Hash> Rule<P> for Grave<P> {
    fn score(&mut self, parent: &Parent<P>) -> impl Fn(&Children<P>) -> [f32; GROUP] {
        let key = parent.path.last().map_or(0, |step| parent.tree.arena.key(step.canonical));
        self.number_children(parent, key);
        let reference = self.reference(parent.tree, parent.path).and_then(|key| self.positions.get(&key));
        let averages = match reference {
            Some(amaf) if !amaf.averages.is_empty() => &amaf.averages[..],
            _ => &[Average { visits: 0.0, mean: 0.0 }],
        };
        let numbers = match self.positions.get(&key) {
            Some(amaf) if amaf.children.len() == parent.branch.groups.len() => &amaf.children,
            _ => &self.children,
        };
        let (unknown, bias) = (averages.len() - 1, self.bias);
        move |children| {
            let numbers = numbers[children.offset / GROUP];
            let averages = numbers.map(|number| averages[(number as usize).min(unknown)]);
            // Most groups have no visits, so β is 0 or 1.
            if children.group.visits == [0; GROUP] {
                return std::array::from_fn(|lane| {
                    let Average { visits: first, mean } = averages[lane];
                    children.explorations[lane] + if first > 0.0 { mean } else { children.values[lane] }
                });
            }
            std::array::from_fn(|lane| {
                let Average { visits: first, mean } = averages[lane];
                let own = children.group.visits[lane] as f32;
                // The maximum avoids 0/0, and is faster than a branch.
                let share = first / (first + own + bias * first * own).max(f32::MIN_POSITIVE);
                (1.0 - share) * children.values[lane] + share * mean + children.explorations[lane]
            })
        }
    }

    fn learn(&mut self, tree: &mut Tree<P>, path: &[Step], simulation: &Simulation<P>) {
        let Grave { numbers, positions, memory, values, seen, .. } = self;
        for (ply, &made) in simulation.moves().iter().enumerate().rev() {
            let number = numbers.of(made, memory);
            seen.resize(numbers.len, false);
            if let Some(seen) = seen.get_mut(number as usize).filter(|seen| !**seen) {
                *seen = true;
                values.push((number, simulation.value_for(made.player)));
            }
            if let Some(step) = path.get(ply)
                && let Some(amaf) = positions.get_mut(&tree.arena.key(step.canonical))
            {
                amaf.learn(values, numbers.capacity(), memory);
            }
        }
        values.drain(..).for_each(|(number, _)| seen[number as usize] = false);
    }

    fn clear(&mut self) {
        self.numbers = Numbers::new();
        self.seen.clear();
        self.replace([]);
    }

    fn retain(&mut self, tree: &Tree<P>) {
        let mut old = std::mem::take(&mut self.positions);
        self.replace(tree.arena.keys().filter_map(|key| Some((key, old.remove(&key)?))));
    }

    /// If the statistics exceed the new limit, keeps those of the positions with the most simulations.
    fn limit_memory(&mut self, bytes: usize) {
        self.memory.max = bytes / MEMORY_DIVISOR;
        if self.numbers.bytes() > self.memory.max {
            Rule::<P>::clear(self);
        }
        if self.memory.used > self.memory.max {
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
    use crate::game::{Game, Player};
    use crate::search::mcts::tree::NodeId;
    use crate::support::hashing::FastSet;

    /// The rule with these settings, and a root with these children.
    fn rule(settings: &[(&str, &str)], children: &[(u32, f32)]) -> (Grave<u16>, Tree<u16>) {
        let params = params(&[&[("select", "grave"), ("c", "0")], settings].concat());
        let mut tree = tree(&params, children);
        tree.note(NodeId::ROOT, 1);
        (Grave::new(&params), tree)
    }

    /// Adds the statistics of the position with this `key`: averages of plays by Black, as visits and means.
    fn insert(grave: &mut Grave<u16>, key: u64, simulations: u32, known: &[(u16, f32, f32)]) {
        let mut averages = Vec::new();
        for &(play, visits, mean) in known {
            let number = grave.numbers.of(Move { player: Player::One, play }, &mut grave.memory) as usize;
            averages.resize(averages.len().max(number + 2), Average::default());
            averages[number] = Average { visits, mean };
        }
        grave.positions.insert(key, Amaf { simulations, averages, ..Amaf::default() });
    }

    /// The average at the position with this `key`.
    fn known(grave: &mut Grave<u16>, key: u64, player: Player, play: u16) -> Option<(f32, f32)> {
        let Grave { numbers, positions, memory, .. } = grave;
        let amaf = positions.get_mut(&key)?;
        assert!(amaf.update(numbers.capacity(), memory));
        let average = amaf.averages.get(numbers.of(Move { player, play }, memory) as usize)?;
        (average.visits > 0.0).then_some((average.visits, average.mean))
    }

    #[test]
    fn the_score_is_that_of_the_paper() {
        // The first child has ten visits of value 0.4, and 30 simulations of value 0.2 with its play:
        // β = 30 / (30 + 10 + bias · 300). The second has six visits of 0, and two simulations of 0.5. The third has no
        // visits, and four simulations of −0.5: β = 1. The fourth has eight visits, and no simulation: β = 0. The fifth
        // has neither, and counts as the parent's mean, 4.8 / 24, less 0.04.
        let children = [(10, 0.4), (6, 0.0), (0, 0.0), (8, 0.1), (0, 0.0)];
        let averages = [(0, 30.0, 0.2), (1, 2.0, 0.5), (2, 4.0, -0.5)];
        for (bias, expected) in [("0", [0.25, 0.125]), ("0.01", [0.260_47, 0.123_15])] {
            for (c, log) in [("0", 0.0), ("1", 24f32.ln())] {
                let (mut grave, tree) = rule(&[("grave_bias", bias), ("c", c)], &children);
                insert(&mut grave, 1, 50, &averages);
                let values = [expected[0], expected[1], -0.5, 0.1, 0.16];
                let explored = [10.0, 6.0, 1.0, 8.0, 1.0].map(|visits| (log / visits).sqrt());
                let expected: Vec<f32> = values.iter().zip(explored).map(|(a, b)| a + b).collect();
                assert_close(&scores(&mut grave, &tree, Player::One), &expected);
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
                insert(&mut grave, key, simulations, &[]);
            }
            let found = grave.reference(&tree, &path.map(|id| step(id, Player::One)));
            assert_eq!(found, Some(expected), "{min_simulations}");
        }
    }

    #[test]
    fn each_node_learns_the_moves_made_after_it_once() {
        let (mut grave, mut tree) = rule(&[], &[(1, 0.0), (1, 0.0)]);
        let (child, leaf) = (tree.child(NodeId::ROOT, 0), tree.child(NodeId::ROOT, 1));
        tree.arena.set_key(child, 2);
        let path = [step(NodeId::ROOT, Player::One), step(child, Player::Two), step(leaf, Player::One)];
        [1, 2].into_iter().for_each(|key| insert(&mut grave, key, 0, &[]));
        // The players take turns: Black makes 7, 9 and 7; White makes 8 and 7.
        grave.learn(&mut tree, &path, &simulation(&[7, 8], &[9, 7, 7], Value::WIN));
        grave.learn(&mut tree, &path[..1], &simulation(&[], &[9], Value::LOSS));
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
            assert_eq!(known(&mut grave, key, player, play), expected, "{key} {player:?} {play}");
        }
        assert_eq!([1, 2].map(|key| grave.positions[&key].simulations), [2, 1]);
        // The leaf has no children yet.
        assert_eq!(grave.positions.len(), 2);
    }

    fn assert_within(grave: &Grave<u16>, max_bytes: usize) {
        let Grave { numbers, positions, memory, .. } = grave;
        assert_eq!(numbers.bytes() + positions.values().map(Amaf::bytes).sum::<usize>(), memory.used);
        assert!(memory.used <= max_bytes, "{} of {max_bytes} bytes", memory.used);
    }

    fn grave(search: &HeapSearch) -> &Grave<u16> {
        match &search.selector {
            Selector::Grave(grave) => grave,
            other => panic!("{other:?}"),
        }
    }

    /// The largest number of simulations of any position.
    fn most(search: &HeapSearch) -> Option<u32> {
        grave(search).positions.values().map(|amaf| amaf.simulations).max()
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
            assert_within(grave(&search), bytes / MEMORY_DIVISOR);
            let positions = grave(&search).positions.len();
            assert!(positions >= min_positions, "{positions} positions");
            let mut now = search.root.clone();
            [2, 1].into_iter().for_each(|play| now.play(play));
            search.advance(2, now, 2, usize::MAX);
            assert_within(grave(&search), bytes / MEMORY_DIVISOR);
            let keys: FastSet<u64> = search.tree.arena.keys().collect();
            let Grave { positions, memory, .. } = grave(&search);
            assert!(positions.keys().all(|key| keys.contains(key)));
            assert!(positions.len() >= min_kept, "{} kept", positions.len());
            let (before, lower) = (most(&search), memory.used * MEMORY_DIVISOR / 2);
            search.limit_memory(Some(lower));
            for _ in 0..2 {
                assert_within(grave(&search), lower / MEMORY_DIVISOR);
                let left = grave(&search).positions.len();
                assert!(left >= min_left, "{left} left");
                assert!(min_left == 0 || most(&search) >= before);
                run(&mut search, 500);
            }
            search.restart(search.root.clone(), 3);
            assert_within(grave(&search), 0);
        }
    }
}
