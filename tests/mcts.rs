//! The search core: when it stops, how it backs up leaves evaluated together, and what it reports.

use crate::support::connect_four::{ConnectFour, Drop};
use crate::support::plays::{assert_playable, legal_plays, wander};
use crate::support::positions::random_source;
use crate::support::searches::{FORMULAS, iterate, params, run, search, search_with, visits};
use crate::support::tic_tac_toe::{Cell, TicTacToe};
use halma::evaluation::Fitted;
use halma::game::{Game, Outcome, Player, Value};
use halma::playout::{Playout, Simulation, Static, ToTheEnd};
use halma::prior::Progress;
use halma::rules::Position;
use halma::search::mcts::{Params, SavedNode, Search, Selection};
use halma::search::{Candidate, Limits, Report, Stop};
use halma::support::clock::{Clock, FakeClock};
use std::cell::RefCell;

/// The report of one search from the empty board within `limits`.
fn limited(limits: &Limits, clock: &FakeClock) -> Report<Drop> {
    search(&ConnectFour::default(), params(Selection::Puct), 1).run(limits, clock, None)
}

/// The number of visits to the most visited candidate.
fn max_visits<P>(report: &Report<P>) -> u32 {
    report.candidates.iter().map(|candidate| candidate.visits).max().unwrap()
}

// ---- Limits ----

#[test]
fn zero_iterations_and_one_give_a_legal_play() {
    for select in FORMULAS {
        for iterations in [0, 1] {
            let report = run(&ConnectFour::default(), params(select), 1, iterations);
            assert_eq!((report.iterations, report.stop), (iterations, Stop::Iterations));
            assert_playable(&ConnectFour::default(), &report.principal_variation);
            assert_eq!(report.principal_variation.first(), report.best().map(|best| &best.play));
            assert_eq!(visits(&report), iterations);
        }
    }
}

#[test]
fn the_tree_stays_within_its_memory_and_the_search_goes_on() {
    for select in FORMULAS {
        let root = ConnectFour::default();
        let limit = (1 << 20) / 16; // No node is smaller than 16 bytes.
        let alone = |memory| Params { memory, leaf_batch: 1, ..params(select) };
        let large = run(&root, alone(64), 1, 80_000);
        assert!(large.nodes > limit, "{}: the limit is never reached", large.nodes);
        let mut search = search(&root, alone(1), 1);
        let small = iterate(&mut search, 80_000);
        assert!(small.nodes <= limit && small.nodes > limit / 4, "{}", small.nodes);
        assert_eq!(small.iterations, 80_000);
        assert_eq!(small.best().unwrap().play, Drop(3));
        // With a full tree, the search still visits and compares nodes.
        let more = iterate(&mut search, 20_000);
        assert!(more.nodes == small.nodes && more.best().unwrap().visits > small.best().unwrap().visits);
    }
}

#[test]
fn a_seed_determines_the_report() {
    let root = ConnectFour::default();
    for select in FORMULAS {
        let report = run(&root, params(select), 7, 3000);
        assert_eq!(run(&root, params(select), 7, 3000), report);
        assert_ne!(run(&root, params(select), 8, 3000), report);
        // Stopping and going on changes nothing, as long as no stop splits a leaf batch.
        let alone = || Params { leaf_batch: 1, ..params(select) };
        let report = run(&root, alone(), 7, 3000);
        let mut search = search(&root, alone(), 7);
        (0..6).for_each(|_| drop(iterate(&mut search, 490)));
        let last = iterate(&mut search, 60);
        assert_eq!((last.candidates, last.nodes), (report.candidates, report.nodes));
    }
}

/// Playouts that advance the clock, so that a search takes a known time.
struct Timed<'a>(&'a FakeClock, f64);

impl Playout<ConnectFour> for Timed<'_> {
    fn evaluate(&mut self, end: &ConnectFour, simulation: &mut Simulation<Drop>) -> Value {
        self.0.advance(self.1);
        ToTheEnd.value(end, simulation)
    }
}

/// The report of a search in which an iteration takes `cost` seconds.
fn timed(root: ConnectFour, params: Params, limits: &Limits, cost: f64, seed: u64) -> Report<Drop> {
    let clock = FakeClock::new();
    clock.advance(100.0);
    let report = search_with(&root, params, Timed(&clock, cost), seed).run(limits, &clock, None);
    assert!((report.seconds - (clock.seconds() - 100.0)).abs() < 1e-9);
    report
}

#[test]
fn a_clock_stops_the_search() {
    let root = ConnectFour::default();
    for (cost, cpu, clock_every) in [(1e-5, 0.1, 0), (1e-3, 0.1, 0), (1e-3, 0.1, 7), (0.03, 0.1, 0)] {
        let limits = Limits { clock_every, ..Limits::cpu(cpu) };
        let report = timed(root, params(Selection::Puct), &limits, cost, 1);
        assert_eq!(report.stop, Stop::Time);
        let min = cpu - 3.0 * cost - 0.02 * cpu;
        assert!(report.seconds > min && report.seconds < cpu + 1e-9, "{}", report.seconds);
    }
    // If an iteration takes longer than the limit, at most two run.
    let report = timed(root, params(Selection::Puct), &Limits::cpu(1.0), 5.0, 1);
    assert!(report.iterations <= 2 && report.stop == Stop::Time);
}

#[test]
fn an_unstable_choice_takes_longer_than_planned_and_a_stable_one_less() {
    let seconds_taken = |instability| -> Vec<f64> {
        let seconds = (0..40).filter_map(|seed| {
            let root = wander(ConnectFour::default(), seed as usize % 8, &mut random_source(seed));
            let limits = Limits { planned: Some(0.2), ..Limits::cpu(0.5) };
            let report = timed(root, Params { instability, ..params(Selection::Puct) }, &limits, 1e-4, seed);
            (report.stop == Stop::Time).then_some(report.seconds)
        });
        let mut seconds: Vec<f64> = seconds.collect();
        seconds.sort_by(f64::total_cmp);
        seconds
    };
    // At most 64 iterations and the rest of a leaf batch run between two readings of the clock.
    let reading = (64 + params(Selection::Puct).leaf_batch - 1) as f64 * 1e-4;
    let taken = seconds_taken(1.0);
    assert!(taken.len() > 30);
    assert!(taken[0] >= 0.5 * 0.2 && taken[0] < 0.8 * 0.2, "{taken:?}");
    let longest = taken[taken.len() - 1];
    assert!(longest > 1.5 * 0.2 && longest <= 2.0 * 0.2 + reading, "{taken:?}");
    // With instability off, every choice takes the planned time.
    for seconds in seconds_taken(0.0) {
        assert!((0.2..=0.2 + reading).contains(&seconds), "{seconds}");
    }
    // The limit takes precedence over the planned time.
    let limits = Limits { planned: Some(0.2), ..Limits::cpu(0.05) };
    let report = timed(ConnectFour::default(), params(Selection::Puct), &limits, 1e-4, 1);
    assert!(report.stop == Stop::Time && report.seconds <= 0.05);
}

#[test]
fn time_counts_between_readings_of_the_clock() {
    // A clock that advances 0.3 s at each reading stops a search of 1 s at the fourth.
    let report = limited(&Limits::cpu(1.0), &FakeClock::ticking(0.3));
    assert_eq!(report.stop, Stop::Time);
    assert!(report.iterations > 0 && report.iterations <= 3 * 64, "{}", report.iterations);
    assert!(report.seconds < 1.6);
}

#[test]
fn with_a_stopped_clock_the_iterations_are_the_limit() {
    let limits = Limits { iterations: Some(777), ..Limits::cpu(1.0) };
    let report = limited(&limits, &FakeClock::new());
    assert_eq!((report.iterations, report.stop, report.seconds), (777, Stop::Iterations, 0.0));
    // Readings of the clock do not split a leaf batch.
    let with = |clock_every| limited(&Limits { clock_every, ..limits }, &FakeClock::new());
    assert_eq!(with(3), with(64));
}

#[test]
fn without_time_there_is_a_play_at_once() {
    for cpu in [0.0, -1.0, f64::MIN] {
        let report = limited(&Limits::cpu(cpu), &FakeClock::ticking(1e-6));
        assert_eq!((report.iterations, report.stop), (0, Stop::Time));
        assert!(report.best().is_some());
    }
}

#[test]
fn more_iterations_do_not_change_a_settled_choice() {
    let mut stopped_early = 0;
    for select in FORMULAS {
        for seed in 0..40 {
            // Random positions, some with plays that are soon proved lost.
            let root = wander(ConnectFour::default(), seed as usize % 12, &mut random_source(seed));
            let limits = Limits::iterations(2000);
            let settled = Limits { stop_when_settled: true, ..limits };
            let whole = search(&root, params(select), seed).run(&limits, &FakeClock::new(), None);
            let short = search(&root, params(select), seed).run(&settled, &FakeClock::new(), None);
            if short.stop == Stop::Settled {
                stopped_early += 1;
                assert!(short.iterations < whole.iterations);
                let [visited_short, visited_whole] = [&short, &whole].map(|report| {
                    let max = max_visits(report);
                    report.candidates.iter().find(|one| one.visits == max).unwrap().play
                });
                assert_eq!(visited_short, visited_whole);
                // Only a proof can change the choice.
                if whole.candidates.iter().zip(&short.candidates).all(|(a, b)| a.proof == b.proof) {
                    assert_eq!(short.best().unwrap().play, whole.best().unwrap().play);
                }
            }
        }
    }
    assert!(stopped_early > 10, "only {stopped_early} searches settled early");
}

#[test]
fn a_proved_loss_does_not_settle_the_choice() {
    let node = |depth, column, visits, proof| {
        let mean = 0.0;
        SavedNode { depth, play: Drop(column), visits, mean, proof }
    };
    let lost = Some(Outcome::Win(Player::Two));
    let nodes = [node(1, 0, 1000, None), node(2, 3, 900, lost), node(2, 2, 50, None), node(2, 4, 49, None)];
    let mut search = search(&ConnectFour::default(), params(Selection::Puct), 1);
    assert!(search.restore(&nodes));
    let limits = Limits { stop_when_settled: true, ..Limits::iterations(100) };
    let report = search.run(&limits, &FakeClock::new(), None);
    assert!(report.iterations > 40, "{report:?}");
    assert_eq!(report.candidates.last().unwrap().play, Drop(3));
}

#[test]
fn an_only_play_is_made_without_a_search() {
    let position = TicTacToe::from_drawing("XOX XOO OX.");
    let report = run(&position, params(Selection::Puct), 1, 1000);
    assert_eq!((report.stop, report.iterations), (Stop::Forced, 0));
    assert_eq!(report.principal_variation, [Cell(8)]);
}

#[test]
fn a_finished_game_is_not_searched() {
    for (drawing, proof) in [
        ("XXX OO. ...", Some(Outcome::Win(Player::One))),
        ("XOX XOO OXX", Some(Outcome::Draw)),
        ("XOX OXO XOX", Some(Outcome::Win(Player::One))),
    ] {
        let position = TicTacToe::from_drawing(drawing);
        let plays = legal_plays(&position);
        for select in FORMULAS {
            let report = run(&position, params(select), 1, 500);
            assert_eq!(report.best().is_none(), plays.is_empty(), "{drawing}");
            assert!(report.best().is_none_or(|best| plays.contains(&best.play)));
            let stop = if plays.is_empty() { Stop::Forced } else { Stop::Proved };
            assert_eq!((report.stop, report.proof, report.iterations), (stop, proof, 0), "{drawing}");
        }
    }
}

// ---- Leaves evaluated together ----

/// A value that follows from the position and differs between positions.
fn judged(leaf: &ConnectFour) -> Value {
    Value::new((leaf.key() % 1009) as f32 / 1009.0 - 0.5)
}

/// Judges positions, with or without drawing a random number that it does not use.
struct Judge {
    draws: bool,
}

impl Playout<ConnectFour> for Judge {
    fn evaluate(&mut self, end: &ConnectFour, simulation: &mut Simulation<Drop>) -> Value {
        if self.draws {
            simulation.random.bits();
        }
        judged(end)
    }
}

#[test]
fn a_node_backs_up_the_mean_of_new_children_or_the_best_of_them() {
    let after = |columns: &[u8]| judged(&ConnectFour::after(columns)).get();
    // Connect Four has seven plays, so a batch of eight holds seven.
    for (leaf_batch, together) in [(4, 4), (8, 7)] {
        for (draws, leaf_best, part) in
            [(false, 0.0, 0.0), (false, 0.45, 0.45), (false, 1.0, 1.0), (true, 1.0, 0.0)]
        {
            let settings = Params { leaf_batch, leaf_best, c: 0.0, ..params(Selection::Puct) };
            let mut search = search_with(&ConnectFour::default(), settings, Judge { draws }, 1);
            // The first batch visits each column once, and the second visits the replies to the best column.
            let report = iterate(&mut search, 2 * together);
            let visits = 1 + together as u32;
            let entered = report.candidates.iter().find(|one| one.visits == visits).expect("the best column");
            let column = entered.play.0;
            // Values below are the opponent's; leaves are judged for the first player.
            let below: Vec<f32> = (0..together as u8).map(|reply| -after(&[column, reply])).collect();
            let mean = below.iter().sum::<f32>() / together as f32;
            let best = below.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let backed_up = mean + part * (best - mean);
            let expected = (-after(&[column]) - together as f32 * backed_up) / visits as f32;
            let found = entered.value.get();
            assert!((found - expected).abs() < 1e-6, "{leaf_best}, draws: {draws}: {found} for {expected}");
        }
    }
}

/// Values leaves with [`judged`], and panics on a leaf that was not prepared.
struct Prepared<'a> {
    leaves: Vec<ConnectFour>,
    /// The size of the largest batch.
    largest: &'a RefCell<usize>,
}

impl Playout<ConnectFour> for Prepared<'_> {
    fn evaluate(&mut self, end: &ConnectFour, _: &mut Simulation<Drop>) -> Value {
        let place = self.leaves.iter().position(|leaf| leaf == end).expect("it was prepared");
        judged(&self.leaves.swap_remove(place))
    }

    fn prepares(&self) -> bool {
        true
    }

    fn prepare(&mut self, leaves: &[ConnectFour]) {
        assert!(self.leaves.is_empty() && leaves.iter().all(|leaf| leaf.outcome().is_none()));
        let mut largest = self.largest.borrow_mut();
        *largest = leaves.len().max(*largest);
        self.leaves.extend_from_slice(leaves);
    }
}

#[test]
fn a_policy_sees_all_leaves_of_a_batch_before_it_values_them() {
    for (leaf_batch, expected) in [(1, 1), (4, 4), (16, 7)] {
        let (settings, largest) = (Params { leaf_batch, ..params(Selection::Puct) }, RefCell::new(0));
        let policy = Prepared { leaves: Vec::new(), largest: &largest };
        let root = ConnectFour::default();
        let report = iterate(&mut search_with(&root, settings.clone(), policy, 1), 3001);
        assert_eq!(report, iterate(&mut search_with(&root, settings, Judge { draws: false }, 1), 3001));
        assert_eq!(largest.into_inner(), expected);
    }
}

// ---- Reports ----

#[test]
fn candidates_are_ordered_by_proof_then_visits_then_value() {
    for select in FORMULAS {
        for iterations in [3, 30, 300, 3000] {
            let root = ConnectFour::after(&[3, 3, 3, 3, 2, 2]);
            // The most visited candidate is the best, whatever its value.
            let report = run(&root, Params { final_visits: 1.0, ..params(select) }, 1, iterations);
            let mover = root.to_move();
            let key = |candidate: &Candidate<Drop>| {
                let class = match candidate.proof {
                    Some(Outcome::Win(winner)) if winner == mover => 2,
                    Some(Outcome::Win(_)) => 0,
                    _ => 1,
                };
                (class, candidate.visits, candidate.value)
            };
            assert!(report.candidates.windows(2).all(|pair| key(&pair[0]) >= key(&pair[1])), "{report:?}");
            assert_playable(&root, &report.principal_variation);
            assert_eq!(report.principal_variation[0], report.best().unwrap().play);
        }
    }
}

#[test]
fn the_play_of_highest_value_is_picked_among_the_most_visited() {
    let mut turned = 0;
    for seed in 0..40 {
        let final_visits = 0.7;
        let params = Params { final_visits, ..params(Selection::Puct) };
        let report = run(&ConnectFour::default(), params, seed, 50 + 10 * seed);
        let max = max_visits(&report);
        let rivals = report.candidates.iter().filter(|one| one.visits as f32 >= final_visits * max as f32);
        let value = rivals.map(|one| one.value.get()).fold(f32::NEG_INFINITY, f32::max);
        let best = report.best().unwrap();
        assert_eq!(best.value.get(), value);
        turned += usize::from(best.visits < max);
    }
    assert!(turned > 0, "the most visited play always had the highest value");
}

#[test]
fn a_proved_win_is_played_without_any_visit() {
    // Three in a row: winning_play proves it before the first iteration.
    let report = run(&ConnectFour::after(&[3, 0, 3, 0, 3, 1]), params(Selection::Puct), 1, 0);
    assert_eq!((report.best().unwrap().play, report.best().unwrap().visits), (Drop(3), 0));
    assert_eq!((report.proof, report.stop), (Some(Outcome::Win(Player::One)), Stop::Proved));
    assert_eq!(report.principal_variation, [Drop(3)]);
}

#[test]
fn unvisited_plays_are_ordered_by_their_prior() {
    let root = Position::default();
    let policy = Static::new(Box::new(Fitted));
    let mut search = Search::with_prior(root, Params::default(), policy, Progress::default(), 1);
    let report = iterate(&mut search, 0);
    let furthest = legal_plays(&root).into_iter().map(|play| root.progress(play)).max();
    assert_eq!(report.best().map(|best| root.progress(best.play)), furthest);
}

#[test]
fn visits_add_up() {
    for select in FORMULAS {
        let mut search = search(&ConnectFour::default(), params(select), 1);
        let mut total = 0;
        for iterations in [1, 10, 500] {
            let report = iterate(&mut search, iterations);
            assert_eq!(u64::from(report.reused), total);
            total += iterations;
            assert_eq!(visits(&report), total);
            let priors = report.candidates.iter().filter_map(|one| one.prior).sum::<f32>();
            assert!(priors < 1.0 + 1e-5 && (priors > 1.0 - 1e-5 || total < 500), "{priors}");
        }
    }
}
