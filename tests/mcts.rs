//! The search core from outside, on games whose truth is known.

#[path = "support/connect_four.rs"]
mod connect_four;
#[path = "support/random_playout.rs"]
mod random_playout;
#[path = "support/tic_tac_toe.rs"]
#[allow(dead_code, reason = "written for other tests too")]
mod tic_tac_toe;

use connect_four::{ConnectFour, Drop};
use halma::clock::Clock;
use halma::game::{Game, Outcome, Player, Value};
use halma::mcts::{Limits, Params, Remembered, Report, Search, Selection, Stop};
use halma::playout::{Playout, Random};
use random_playout::RandomPlayout;
use std::cell::Cell as Shared;
use std::collections::HashMap;
use tic_tac_toe::{Cell, TicTacToe};

/// A clock that shows 0 seconds first and `step` more at each further reading.
#[derive(Default)]
struct FakeClock {
    step: f64,
    now: Shared<f64>,
}

impl FakeClock {
    fn ticking(step: f64) -> FakeClock {
        FakeClock { step, ..FakeClock::default() }
    }

    fn advance(&self, seconds: f64) {
        self.now.set(self.now.get() + seconds);
    }
}

impl Clock for FakeClock {
    fn seconds(&self) -> f64 {
        self.now.replace(self.now.get() + self.step)
    }
}

const BOTH: [Selection; 2] = [Selection::Puct, Selection::Uct];

fn params(select: Selection) -> Params {
    Params { select, c: 1.4, root: 1.0, breadth: 0.0, ..Params::default() }
}

fn search<G: Game>(root: &G, params: Params, seed: u64) -> Search<G, RandomPlayout> {
    Search::new(root.clone(), params, RandomPlayout, seed)
}

fn run<G: Game>(root: &G, params: Params, seed: u64, iterations: u64) -> Report<G::Play> {
    search(root, params, seed).run(&Limits::iterations(iterations), &FakeClock::default())
}

/// How `position` ends with best play: plain negamax with a table.
fn truth(position: &TicTacToe, known: &mut HashMap<TicTacToe, Outcome>) -> Outcome {
    if let Some(&outcome) = known.get(position) {
        return outcome;
    }
    let outcome = position.outcome().unwrap_or_else(|| {
        let (mover, mut plays) = (position.to_move(), Vec::new());
        position.plays(&mut plays);
        let outcomes = plays.into_iter().map(|play| truth(&after(position, &[play]), known));
        let best = outcomes.max_by(|a, b| a.value_for(mover).get().total_cmp(&b.value_for(mover).get()));
        best.expect("a game that is not over goes on")
    });
    known.insert(*position, outcome);
    outcome
}

fn after<G: Game>(position: &G, plays: &[G::Play]) -> G {
    let mut position = position.clone();
    plays.iter().for_each(|&play| position.play(play));
    position
}

fn assert_line_is_legal<G: Game>(root: &G, line: &[G::Play]) {
    let (mut position, mut plays) = (root.clone(), Vec::new());
    for play in line {
        position.plays(&mut plays);
        assert!(position.outcome().is_none() && plays.contains(play), "{play} in {line:?}");
        position.play(*play);
    }
}

// ---- The solver ----

#[test]
fn solve_win() {
    let mut known = HashMap::new();
    for select in BOTH {
        // A win in three plies: no play wins at once, 2 and 8 make two threats.
        let position = TicTacToe::from_drawing("X.. .O. O.X");
        let report = run(&position, params(select), 1, 1000);
        assert_eq!(truth(&position, &mut known), Outcome::Win(Player::One));
        assert_eq!((report.proof, report.stop), (Some(Outcome::Win(Player::One)), Stop::Proved));
        assert_eq!(report.best().unwrap().play, Cell(2));
        assert_eq!(report.value, Value::WIN);
        assert!(report.iterations < 1000);
    }
}

#[test]
fn solve_loss() {
    for select in BOTH {
        // O to move cannot stop both 1 (top row) and 5 (right column).
        let position = TicTacToe::from_drawing("X.X .O. O.X");
        let report = run(&position, params(select), 1, 1000);
        assert_eq!((report.proof, report.stop), (Some(Outcome::Win(Player::One)), Stop::Proved));
        assert_eq!(report.value, Value::LOSS);
        assert!(report.best().is_some());
    }
}

#[test]
fn solve_draw() {
    for select in BOTH {
        // O to move must stop the top row, X then the middle column, and so on to the end.
        let position = TicTacToe::from_drawing("X.X .O. ...");
        let report = run(&position, params(select), 1, 20_000);
        assert_eq!(truth(&position, &mut HashMap::new()), Outcome::Draw);
        assert_eq!((report.proof, report.stop), (Some(Outcome::Draw), Stop::Proved));
        assert_eq!(report.value, Value::DRAW);
        assert_eq!(report.best().unwrap().play, Cell(1));
    }
}

#[test]
fn every_proof_is_true_and_every_position_is_proved() {
    let mut known = HashMap::new();
    truth(&TicTacToe::new(), &mut known);
    assert_eq!(known.len(), 5478);
    let truths = known.clone();
    for (seed, (position, truth)) in truths.iter().enumerate() {
        if position.outcome().is_some() {
            continue;
        }
        for select in BOTH {
            // Half a search may have proved some plays and not others. Much exploration, for a search
            // that has proved a draw has no other reason to look for what is no better.
            let mut search = search(position, Params { c: 100.0, ..params(select) }, seed as u64);
            for iterations in [8, 100, 1000, 300_000] {
                let report = search.run(&Limits::iterations(iterations), &FakeClock::default());
                for candidate in report.candidates.iter().filter(|candidate| candidate.proof.is_some()) {
                    let next = after(position, &[candidate.play]);
                    assert_eq!(candidate.proof, Some(truths[&next]), "{position}{candidate:?}");
                }
                assert!(report.proof.is_none_or(|proof| proof == *truth), "{position}{report:?}");
            }
            let mut plays = Vec::new();
            position.plays(&mut plays);
            let report = search.run(&Limits::iterations(0), &FakeClock::default());
            // Of a single play the outcome is not looked for; the first two plies would take longer.
            assert!(
                plays.len() == 1 || plays.len() > 7 || report.proof == Some(*truth),
                "{position}{report:?}"
            );
            let best = after(position, &[report.best().unwrap().play]);
            assert_eq!(truths[&best], *truth, "{position}{report:?}");
        }
    }
}

#[test]
fn connect_four_is_the_game_it_should_be() {
    fn perft(position: &ConnectFour, depth: u32) -> u64 {
        if depth == 0 || position.outcome().is_some() {
            return u64::from(depth == 0);
        }
        let mut plays = Vec::new();
        position.plays(&mut plays);
        let winning = plays.iter().find(|&&play| after(position, &[play]).outcome().is_some());
        let shortcut = position.winning_play(&plays);
        assert_eq!(winning.is_some(), shortcut.is_some());
        assert!(shortcut.is_none_or(|play| after(position, &[play]).outcome().is_some()));
        plays.into_iter().map(|play| perft(&after(position, &[play]), depth - 1)).sum()
    }
    // Number of games by length, as published by John Tromp (OEIS A212693).
    assert_eq!([1, 4, 6, 7].map(|depth| perft(&ConnectFour::default(), depth)), [7, 2401, 117_649, 823_536]);
}

#[test]
fn connect_four_tactics_are_proved() {
    for select in BOTH {
        // Two in the middle of an empty bottom row: a third makes two threats.
        let position = ConnectFour::after(&[3, 3, 2, 2]);
        let report = run(&position, params(select), 1, 20_000);
        assert_eq!(report.proof, Some(Outcome::Win(Player::One)));
        assert!([Drop(1), Drop(4)].contains(&report.best().unwrap().play));
        // And after it the other side is lost.
        let lost = after(&position, &[Drop(4)]);
        assert_eq!(run(&lost, params(select), 1, 20_000).proof, Some(Outcome::Win(Player::One)));
    }
}

// ---- Limits ----

#[test]
fn no_and_one_iteration_give_a_legal_play() {
    for select in BOTH {
        for iterations in [0, 1] {
            let report = run(&ConnectFour::default(), params(select), 1, iterations);
            assert_eq!((report.iterations, report.stop), (iterations, Stop::Iterations));
            assert_line_is_legal(&ConnectFour::default(), &report.principal_variation);
            assert_eq!(report.principal_variation.first(), report.best().map(|best| &best.play));
            assert_eq!(report.candidates.iter().map(|c| u64::from(c.visits)).sum::<u64>(), iterations);
        }
    }
}

#[test]
fn the_tree_stays_within_its_memory_and_the_search_goes_on() {
    for select in BOTH {
        let root = ConnectFour::default();
        let limit = (1 << 20) / 16; // No node is smaller than 16 bytes.
        let small = run(&root, Params { memory: 1, ..params(select) }, 1, 150_000);
        let large = run(&root, params(select), 1, 150_000);
        assert!(large.nodes > 2 * limit, "{}: the limit is not put to the test", large.nodes);
        assert!(small.nodes <= limit && small.nodes > limit / 4, "{}", small.nodes);
        assert_eq!(small.iterations, 150_000);
        assert_eq!(small.best().unwrap().play, Drop(3));
        // Full from the start, it still visits and tells apart what it has.
        let mut search = search(&root, Params { memory: 1, ..params(select) }, 1);
        let full = search.run(&Limits::iterations(150_000), &FakeClock::default());
        let more = search.run(&Limits::iterations(50_000), &FakeClock::default());
        assert!(more.nodes == full.nodes && more.best().unwrap().visits > full.best().unwrap().visits);
    }
}

#[test]
fn one_seed_one_report() {
    let root = ConnectFour::default();
    for select in BOTH {
        let report = run(&root, params(select), 7, 3000);
        assert_eq!(run(&root, params(select), 7, 3000), report);
        assert_ne!(run(&root, params(select), 8, 3000), report);
        // In one go or in many, as long as no children are judged together that an end could part.
        let alone = || Params { siblings: 1, ..params(select) };
        let report = run(&root, alone(), 7, 3000);
        let mut search = search(&root, alone(), 7);
        (0..6).for_each(|_| drop(search.run(&Limits::iterations(490), &FakeClock::default())));
        let last = search.run(&Limits::iterations(60), &FakeClock::default());
        assert_eq!((last.candidates, last.nodes), (report.candidates, report.nodes));
    }
}

#[test]
fn a_clock_stops_it() {
    // A clock that is moved by the playouts: what a search takes is known to the last tick.
    struct Timed<'a>(&'a FakeClock, f64);
    impl Playout<ConnectFour> for Timed<'_> {
        fn value(&mut self, leaf: &ConnectFour, random: &mut Random) -> Value {
            self.0.advance(self.1);
            RandomPlayout.value(leaf, random)
        }
    }
    for (cost, cpu, clock_every) in [(1e-5, 0.1, 0), (1e-3, 0.1, 0), (1e-3, 0.1, 7), (0.03, 0.1, 0)] {
        let clock = FakeClock::default();
        clock.advance(100.0);
        let mut search = Search::new(ConnectFour::default(), params(BOTH[0]), Timed(&clock, cost), 1);
        let report = search.run(&Limits { clock_every, ..Limits::cpu(cpu) }, &clock);
        assert_eq!(report.stop, Stop::Time);
        assert!(
            report.seconds < cpu + 1e-9 && report.seconds > cpu - 3.0 * cost - 0.02 * cpu,
            "{}",
            report.seconds
        );
        assert!((report.seconds - (clock.seconds() - 100.0)).abs() < 1e-9);
    }
    // One iteration takes longer than all the time: only the two that find that out are run.
    let clock = FakeClock::default();
    let mut search = Search::new(ConnectFour::default(), params(BOTH[0]), Timed(&clock, 5.0), 1);
    let report = search.run(&Limits::cpu(1.0), &clock);
    assert!(report.iterations <= 2 && report.stop == Stop::Time);
}

#[test]
fn time_is_counted_between_looks_at_the_clock() {
    // A clock that jumps by 0.3 s whenever it is read stops a search of 1 s at the fourth look.
    let mut search = search(&ConnectFour::default(), params(BOTH[0]), 1);
    let report = search.run(&Limits::cpu(1.0), &FakeClock::ticking(0.3));
    assert_eq!(report.stop, Stop::Time);
    assert!(report.iterations > 0 && report.iterations <= 3 * 64, "{}", report.iterations);
    assert!(report.seconds < 1.6);
}

#[test]
fn a_clock_that_stands_still_leaves_it_to_the_iterations() {
    let mut search = search(&ConnectFour::default(), params(BOTH[0]), 1);
    let limits = Limits { iterations: Some(777), ..Limits::cpu(1.0) };
    let report = search.run(&limits, &FakeClock::default());
    assert_eq!((report.iterations, report.stop, report.seconds), (777, Stop::Iterations, 0.0));
}

#[test]
fn without_time_there_is_a_play_at_once() {
    for cpu in [0.0, -1.0, f64::MIN] {
        let mut search = search(&ConnectFour::default(), params(BOTH[0]), 1);
        let report = search.run(&Limits::cpu(cpu), &FakeClock::ticking(1e-6));
        assert_eq!((report.iterations, report.stop), (0, Stop::Time));
        assert!(report.best().is_some());
    }
}

#[test]
fn what_is_settled_stays_so() {
    let mut stopped_early = 0;
    for select in BOTH {
        for seed in 0..40 {
            // Random positions, some of them with plays that are soon proved lost.
            let mut random = Random::new(seed);
            let (mut root, mut plays) = (ConnectFour::default(), Vec::new());
            for _ in 0..seed % 12 {
                root.plays(&mut plays);
                root.play(plays[random.below(plays.len())]);
            }
            if root.outcome().is_some() {
                continue;
            }
            let limits = Limits::iterations(2000);
            let settled = Limits { stop_when_settled: true, ..limits };
            let whole = search(&root, params(select), seed).run(&limits, &FakeClock::default());
            let short = search(&root, params(select), seed).run(&settled, &FakeClock::default());
            if short.stop == Stop::Settled {
                stopped_early += 1;
                assert!(short.iterations < whole.iterations);
                let most = |report: &Report<Drop>| report.candidates.iter().map(|c| c.visits).max();
                let visits_at_stop = short.candidates.iter().find(|c| Some(c.visits) == most(&short));
                let in_whole = whole.candidates.iter().find(|c| Some(c.visits) == most(&whole));
                assert_eq!(visits_at_stop.map(|c| c.play), in_whole.map(|c| c.play));
                // The choice itself can only be turned by a proof.
                if whole.candidates.iter().zip(&short.candidates).all(|(a, b)| a.proof == b.proof) {
                    assert_eq!(short.best().unwrap().play, whole.best().unwrap().play);
                }
            }
        }
    }
    assert!(stopped_early > 10, "only {stopped_early} searches were settled before their end");
}

#[test]
fn the_play_of_highest_value_is_picked_among_the_most_visited() {
    let mut turned = 0;
    for seed in 0..40 {
        let pick = 0.7;
        let params = Params { pick, ..params(Selection::Puct) };
        let report = search(&ConnectFour::default(), params, seed)
            .run(&Limits::iterations(50 + 10 * seed), &FakeClock::default());
        let most = report.candidates.iter().map(|c| c.visits).max().unwrap();
        let rivals = report.candidates.iter().filter(|c| c.visits as f32 >= pick * most as f32);
        let value = rivals.map(|c| c.value.get()).fold(f32::NEG_INFINITY, f32::max);
        let best = report.best().unwrap();
        assert_eq!(best.value.get(), value);
        turned += usize::from(best.visits < most);
    }
    assert!(turned > 0, "the most visited always had the highest value");
}

#[test]
fn a_proved_loss_settles_nothing() {
    let node = |depth, column, visits, proof| {
        let mean = 0.0;
        Remembered { depth, play: Drop(column), visits, mean, proof }
    };
    let lost = Some(Outcome::Win(Player::Two));
    let nodes = [node(1, 0, 1000, None), node(2, 3, 900, lost), node(2, 2, 50, None), node(2, 4, 49, None)];
    let mut search = search(&ConnectFour::default(), params(BOTH[0]), 1);
    search.recall(&nodes).unwrap();
    let limits = Limits { stop_when_settled: true, ..Limits::iterations(100) };
    let report = search.run(&limits, &FakeClock::default());
    assert!(report.iterations > 40, "{report:?}");
    assert_eq!(report.candidates.last().unwrap().play, Drop(3));
}

#[test]
fn a_single_play_is_made_without_a_search() {
    let position = TicTacToe::from_drawing("XOX XOO OX.");
    let report = run(&position, params(BOTH[0]), 1, 1000);
    assert_eq!((report.stop, report.iterations), (Stop::Forced, 0));
    assert_eq!(report.principal_variation, [Cell(8)]);
}

#[test]
fn a_game_that_is_over_is_no_reason_to_panic() {
    for (drawing, proof) in [
        ("XXX OO. ...", None),
        ("XOX XOO OXX", Some(Outcome::Draw)),
        ("XOX OXO XOX", Some(Outcome::Win(Player::One))),
    ] {
        let position = TicTacToe::from_drawing(drawing);
        let mut plays = Vec::new();
        position.plays(&mut plays);
        for select in BOTH {
            let report = run(&position, params(select), 1, 500);
            assert_eq!(report.best().is_none(), plays.is_empty(), "{drawing}");
            assert!(report.best().is_none_or(|best| plays.contains(&best.play)));
            if plays.is_empty() {
                assert_eq!((report.stop, report.proof), (Stop::Forced, proof), "{drawing}");
            }
        }
    }
}

/// Nim with one heap, where who cannot move has lost: a game that ends without an outcome.
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

    fn plays(&self, plays: &mut Vec<u8>) {
        plays.clear();
        plays.extend(1..=self.0.min(3));
    }

    fn play(&mut self, play: u8) {
        *self = Nim(self.0 - play, self.1.opponent());
    }

    fn hash(&self) -> u64 {
        u64::from(self.0) << 1 | self.1.index() as u64
    }
}

#[test]
fn having_no_play_is_a_loss() {
    for heap in 0..14 {
        let report = run(&Nim(heap, Player::Two), params(BOTH[0]), 1, 20_000);
        let winner = if heap % 4 == 0 { Player::One } else { Player::Two };
        if heap != 1 {
            assert_eq!(report.proof, Some(Outcome::Win(winner)), "{heap}");
        }
        if heap % 4 > 0 {
            assert_eq!(report.best().unwrap().play, heap % 4);
        }
    }
}

// ---- What is reported ----

#[test]
fn the_best_comes_first() {
    for select in BOTH {
        for iterations in [3, 30, 300, 3000] {
            let root = ConnectFour::after(&[3, 3, 3, 3, 2, 2]);
            let report = run(&root, params(select), 1, iterations);
            let mover = root.to_move();
            let key = |candidate: &halma::mcts::Candidate<Drop>| {
                let class = match candidate.proof {
                    Some(Outcome::Win(winner)) if winner == mover => 2,
                    Some(Outcome::Win(_)) => 0,
                    _ => 1,
                };
                (class, candidate.visits, candidate.value)
            };
            assert!(report.candidates.windows(2).all(|pair| key(&pair[0]) >= key(&pair[1])), "{report:?}");
            assert_line_is_legal(&root, &report.principal_variation);
            assert_eq!(report.principal_variation[0], report.best().unwrap().play);
        }
    }
}

#[test]
fn a_proved_win_is_played_however_little_it_was_visited() {
    // Three in a row: winning_play proves it before the first iteration.
    let report = run(&ConnectFour::after(&[3, 0, 3, 0, 3, 1]), params(BOTH[0]), 1, 0);
    assert_eq!((report.best().unwrap().play, report.best().unwrap().visits), (Drop(3), 0));
    assert_eq!((report.proof, report.stop), (Some(Outcome::Win(Player::One)), Stop::Proved));
    assert_eq!(report.principal_variation, [Drop(3)]);
}

#[test]
fn plays_alike_are_told_apart_by_progress() {
    use halma::halma::{BLACK, Position, Rules};
    use halma::playout::{Options, Policy, Static};
    let root = Position::initial(BLACK, Rules::Addendum);
    let policy = Static::new(Options { cap: 0, leaving: 0, epsilon: 0.0, sample: 1 });
    let report =
        Search::new(root, Params::default(), policy, 1).run(&Limits::iterations(0), &FakeClock::default());
    let mut plays = Vec::new();
    root.plays(&mut plays);
    let furthest = plays.iter().map(|&play| root.progress(play)).max();
    assert_eq!(report.best().map(|best| root.progress(best.play)), furthest);
}

#[test]
fn visits_add_up() {
    for select in BOTH {
        let mut search = search(&ConnectFour::default(), params(select), 1);
        let mut total = 0;
        for iterations in [1, 10, 500] {
            let report = search.run(&Limits::iterations(iterations), &FakeClock::default());
            assert_eq!(report.inherited, total);
            total += iterations as u32;
            assert_eq!(report.candidates.iter().map(|c| c.visits).sum::<u32>(), total);
            assert!(
                (report.candidates.iter().map(|c| c.prior).sum::<f32>() - 1.0).abs() < 1e-5 || total < 10
            );
        }
    }
}

// ---- Memory ----

/// A search of `iterations` from the empty board, what it remembers after its best play, and the
/// position after the most visited reply.
fn remembered(iterations: u64, limit: usize) -> (Vec<Remembered<Drop>>, ConnectFour) {
    let root = ConnectFour::default();
    let mut search = search(&root, params(BOTH[0]), 1);
    let report = search.run(&Limits::iterations(iterations), &FakeClock::default());
    let line = &report.principal_variation[..2];
    let memory = search.remember(line[0], limit).expect("the best play was searched");
    assert!(memory.before == after(&root, &line[..1]) && memory.nodes.len() <= limit);
    let now = after(&root, line);
    (memory.of(&now).expect("the best reply is kept").to_vec(), now)
}

#[test]
fn what_is_remembered_is_inherited() {
    let (nodes, now) = remembered(20_000, 5000);
    let mut search = search(&now, params(BOTH[0]), 2);
    search.recall(&nodes).unwrap();
    let report = search.run(&Limits::iterations(0), &FakeClock::default());
    assert_eq!((report.inherited, report.iterations), (nodes[0].visits, 0));
    let replies: Vec<_> = nodes.iter().filter(|node| node.depth == nodes[0].depth + 1).collect();
    assert_eq!(replies.len(), 7);
    for reply in replies {
        let candidate = report.candidates.iter().find(|c| c.play == reply.play).unwrap();
        assert_eq!((candidate.visits, candidate.proof), (reply.visits, reply.proof));
        assert_eq!(candidate.value.for_player_one(now.to_move()), reply.mean);
    }
    let more = search.run(&Limits::iterations(1000), &FakeClock::default());
    assert_eq!(more.inherited, nodes[0].visits);
    let visits: u32 = more.candidates.iter().map(|c| c.visits).sum();
    // The first visit to the node was its own playout.
    assert_eq!(visits, nodes[0].visits - 1 + 1000);
}

#[test]
fn no_more_is_remembered_than_allowed_and_parents_come_first() {
    let mut search = search(&ConnectFour::default(), params(BOTH[0]), 1);
    search.run(&Limits::iterations(5000), &FakeClock::default());
    let mut sizes = Vec::new();
    for limit in [0, 1, 8, 100, 1_000_000] {
        let nodes = search.remember(Drop(3), limit).map_or(Vec::new(), |memory| memory.nodes);
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
fn each_reply_finds_its_own_part() {
    let root = ConnectFour::default();
    let mut search = search(&root, params(BOTH[0]), 1);
    search.run(&Limits::iterations(5000), &FakeClock::default());
    let memory = search.remember(Drop(3), 1000).unwrap();
    let mut found = 0;
    for column in 0..7 {
        let nodes = memory.of(&after(&root, &[Drop(3), Drop(column)])).expect("all replies are kept");
        assert_eq!((nodes[0].play, nodes[0].depth), (Drop(column), 1));
        assert!(nodes[1..].iter().all(|node| node.depth > 1));
        found += nodes.len();
    }
    assert_eq!(found, memory.nodes.len());
    assert_eq!(memory.of(&root), None);
    assert_eq!(memory.of(&after(&root, &[Drop(2), Drop(3)])), None);
}

#[test]
fn a_memory_that_does_not_fit_changes_nothing() {
    type Damage = fn(&mut Vec<Remembered<Drop>>);
    let (nodes, now) = remembered(5000, 500);
    let damages: [(&str, Damage); 9] = [
        ("an illegal play", |nodes| nodes[1].play = Drop(9)),
        ("an illegal play at the end", |nodes| nodes.last_mut().unwrap().play = Drop(7)),
        ("a depth of 0", |nodes| nodes[5].depth = 0),
        ("the root's depth once more", |nodes| nodes[5].depth = nodes[0].depth),
        ("a depth out of nowhere", |nodes| nodes[1].depth = 9),
        ("a greatest depth", |nodes| nodes[1].depth = u32::MAX),
        ("a mean above 1", |nodes| nodes[3].mean = 1.5),
        ("a mean that is no number", |nodes| nodes[0].mean = f32::NAN),
        ("too many visits", |nodes| nodes[2].visits = u32::MAX),
    ];
    let mut fresh = search(&now, params(BOTH[0]), 2);
    let expected = fresh.run(&Limits::iterations(500), &FakeClock::default());
    for (what, damage) in damages {
        let mut damaged = nodes.clone();
        damage(&mut damaged);
        let mut search = search(&now, params(BOTH[0]), 2);
        assert!(search.recall(&damaged).is_err(), "{what}");
        assert_eq!(search.run(&Limits::iterations(500), &FakeClock::default()), expected, "{what}");
    }
    // No nodes at all are no memory, which fits.
    let mut search = search(&now, params(BOTH[0]), 2);
    assert_eq!(search.recall(&[]), Ok(()));
    assert_eq!(search.run(&Limits::iterations(500), &FakeClock::default()), expected);
}

#[test]
fn a_remembered_proof_ends_the_search() {
    // A search that begins a play before the loser's mistake.
    let mut search = search(&ConnectFour::after(&[3, 3, 2]), params(BOTH[0]), 1);
    search.run(&Limits::iterations(60_000), &FakeClock::default());
    let memory = search.remember(Drop(2), 100_000).unwrap();
    let proved = |node: &&Remembered<Drop>| node.depth == 1 && node.proof.is_some();
    let reply = memory.nodes.iter().find(proved).expect("a play that makes two threats").play;
    let now = after(&memory.before, &[reply]);
    let mut next = Search::new(now, params(BOTH[0]), RandomPlayout, 1);
    next.recall(memory.of(&now).unwrap()).unwrap();
    let report = next.run(&Limits::iterations(1000), &FakeClock::default());
    assert_eq!((report.proof, report.iterations), (Some(Outcome::Win(Player::One)), 0));
    assert_eq!((report.stop, report.value), (Stop::Proved, Value::LOSS));
}
