//! The search core from outside: when it stops, and what it reports.

use crate::support::connect_four::{ConnectFour, Drop};
use crate::support::searches::{BOTH, params, run, search};
use crate::support::tic_tac_toe::{Cell, TicTacToe};
use halma::game::{Game, Outcome, Player, Value};
use halma::playout::{Playout, ToTheEnd};
use halma::search::mcts::{Params, SavedNode, Search, Selection};
use halma::search::{Limits, Report, Stop};
use halma::support::clock::{Clock, FakeClock};
use halma::support::random::Random;

fn assert_line_is_legal<G: Game>(root: &G, line: &[G::Play]) {
    let (mut position, mut plays) = (root.clone(), Vec::new());
    for play in line {
        position.legal_plays(&mut plays);
        assert!(position.outcome().is_none() && plays.contains(play), "{play} in {line:?}");
        position.play(*play);
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
        let alone = |memory| Params { memory, leaf_batch: 1, ..params(select) };
        let small = run(&root, alone(1), 1, 150_000);
        let large = run(&root, alone(64), 1, 150_000);
        assert!(large.nodes > 2 * limit, "{}: the limit is not put to the test", large.nodes);
        assert!(small.nodes <= limit && small.nodes > limit / 4, "{}", small.nodes);
        assert_eq!(small.iterations, 150_000);
        assert_eq!(small.best().unwrap().play, Drop(3));
        // A full tree still visits and compares its nodes.
        let mut search = search(&root, alone(1), 1);
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
        // In one run or in many, as long as no stop falls into a leaf batch.
        let alone = || Params { leaf_batch: 1, ..params(select) };
        let report = run(&root, alone(), 7, 3000);
        let mut search = search(&root, alone(), 7);
        (0..6).for_each(|_| drop(search.run(&Limits::iterations(490), &FakeClock::default())));
        let last = search.run(&Limits::iterations(60), &FakeClock::default());
        assert_eq!((last.candidates, last.nodes), (report.candidates, report.nodes));
    }
}

/// Playouts that advance the clock: a search takes a known time.
struct Timed<'a>(&'a FakeClock, f64);

impl Playout<ConnectFour> for Timed<'_> {
    fn value(&mut self, leaf: &ConnectFour, random: &mut Random) -> Value {
        self.0.advance(self.1);
        ToTheEnd::new().value(leaf, random)
    }
}

#[test]
fn a_clock_stops_it() {
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
    // One iteration takes longer than the whole limit: at most two run.
    let clock = FakeClock::default();
    let mut search = Search::new(ConnectFour::default(), params(BOTH[0]), Timed(&clock, 5.0), 1);
    let report = search.run(&Limits::cpu(1.0), &clock);
    assert!(report.iterations <= 2 && report.stop == Stop::Time);
}

#[test]
fn an_unstable_choice_takes_longer_than_planned_and_a_stable_one_less() {
    let seconds_at = |instability, seed| {
        let mut random = Random::new(seed);
        let (mut root, mut plays) = (ConnectFour::default(), Vec::new());
        for _ in 0..seed % 8 {
            root.legal_plays(&mut plays);
            root.play(plays[random.below(plays.len())]);
        }
        let clock = FakeClock::default();
        let params = Params { instability, ..params(BOTH[0]) };
        let mut search = Search::new(root, params, Timed(&clock, 1e-4), seed);
        let report = search.run(&Limits { planned: Some(0.2), ..Limits::cpu(0.5) }, &clock);
        (report.stop == Stop::Time).then_some(report.seconds)
    };
    // What runs between two readings of the clock: 64 iterations, and what is evaluated together with the last.
    let looks = (64 + params(BOTH[0]).leaf_batch - 1) as f64 * 1e-4;
    let mut taken: Vec<f64> = (0..40).filter_map(|seed| seconds_at(1.0, seed)).collect();
    taken.sort_by(f64::total_cmp);
    assert!(taken.len() > 30);
    assert!(taken[0] >= 0.5 * 0.2 && taken[0] < 0.8 * 0.2, "{taken:?}");
    let longest = taken[taken.len() - 1];
    assert!(longest > 1.5 * 0.2 && longest <= 2.0 * 0.2 + looks, "{taken:?}");
    // With instability off every choice takes what was planned.
    for seconds in (0..40).filter_map(|seed| seconds_at(0.0, seed)) {
        assert!((0.2..=0.2 + looks).contains(&seconds), "{seconds}");
    }
    // A search never takes more than its limit.
    let clock = FakeClock::default();
    let mut search = Search::new(ConnectFour::default(), params(BOTH[0]), Timed(&clock, 1e-4), 1);
    let report = search.run(&Limits { planned: Some(0.2), ..Limits::cpu(0.05) }, &clock);
    assert!(report.stop == Stop::Time && report.seconds <= 0.05);
}

#[test]
fn time_counts_between_readings_of_the_clock() {
    // A clock that jumps by 0.3 s whenever it is read stops a search of 1 s at the fourth reading.
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
fn looks_at_the_clock_do_not_part_leaves_that_are_evaluated_together() {
    let with = |clock_every| {
        let mut search = search(&ConnectFour::default(), params(BOTH[0]), 1);
        let limits = Limits { iterations: Some(777), clock_every, ..Limits::cpu(1.0) };
        search.run(&limits, &FakeClock::default())
    };
    assert_eq!(with(3), with(64));
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
fn a_settled_choice_stays() {
    let mut stopped_early = 0;
    for select in BOTH {
        for seed in 0..40 {
            // Random positions, some of them with plays that are soon proved lost.
            let mut random = Random::new(seed);
            let (mut root, mut plays) = (ConnectFour::default(), Vec::new());
            for _ in 0..seed % 12 {
                root.legal_plays(&mut plays);
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
                // Only a proof can change the choice.
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
        let final_visits = 0.7;
        let params = Params { final_visits, ..params(Selection::Puct) };
        let report = search(&ConnectFour::default(), params, seed)
            .run(&Limits::iterations(50 + 10 * seed), &FakeClock::default());
        let most = report.candidates.iter().map(|c| c.visits).max().unwrap();
        let rivals = report.candidates.iter().filter(|c| c.visits as f32 >= final_visits * most as f32);
        let value = rivals.map(|c| c.value.get()).fold(f32::NEG_INFINITY, f32::max);
        let best = report.best().unwrap();
        assert_eq!(best.value.get(), value);
        turned += usize::from(best.visits < most);
    }
    assert!(turned > 0, "the most visited always had the highest value");
}

#[test]
fn a_proved_loss_does_not_settle_the_choice() {
    let node = |depth, column, visits, proof| {
        let mean = 0.0;
        SavedNode { depth, play: Drop(column), visits, mean, proof }
    };
    let lost = Some(Outcome::Win(Player::Two));
    let nodes = [node(1, 0, 1000, None), node(2, 3, 900, lost), node(2, 2, 50, None), node(2, 4, 49, None)];
    let mut search = search(&ConnectFour::default(), params(BOTH[0]), 1);
    search.restore(&nodes).unwrap();
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
        position.legal_plays(&mut plays);
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

// ---- Leaves evaluated together ----

/// A value that differs from position to position and is never left to chance.
fn judged(leaf: &ConnectFour) -> Value {
    Value::new((leaf.key() % 1009) as f32 / 1009.0 - 0.5)
}

/// Judges positions, and may draw a random number that changes nothing.
struct Judge {
    draws: bool,
}

impl Playout<ConnectFour> for Judge {
    fn value(&mut self, leaf: &ConnectFour, random: &mut Random) -> Value {
        if self.draws {
            random.bits();
        }
        judged(leaf)
    }
}

#[test]
fn a_node_learns_the_mean_of_new_children_or_the_best_of_them() {
    let after = |columns: &[u8]| judged(&ConnectFour::after(columns)).get();
    // Connect Four has seven plays: a batch of eight has no more.
    for (leaf_batch, together) in [(4, 4), (8, 7)] {
        for (draws, leaf_best, part) in
            [(false, 0.0, 0.0), (false, 0.45, 0.45), (false, 1.0, 1.0), (true, 1.0, 0.0)]
        {
            let settings = Params { leaf_batch, leaf_best, c: 0.0, ..params(Selection::Puct) };
            let mut search = Search::new(ConnectFour::default(), settings, Judge { draws }, 1);
            // So many columns once each, then the best of them with as many children of its own.
            let report = search.run(&Limits::iterations(2 * together), &FakeClock::default());
            let visits = 1 + together as u32;
            let entered =
                report.candidates.iter().find(|one| one.visits == visits).expect("one entered twice");
            let column = entered.play.0;
            // For the opponent, who moves there; the leaves are judged for the player who moved first.
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

// ---- What is reported ----

#[test]
fn the_best_comes_first() {
    for select in BOTH {
        for iterations in [3, 30, 300, 3000] {
            let root = ConnectFour::after(&[3, 3, 3, 3, 2, 2]);
            // The most visited is the best, not one of higher value.
            let report = run(&root, Params { final_visits: 1.0, ..params(select) }, 1, iterations);
            let mover = root.to_move();
            let key = |candidate: &halma::search::Candidate<Drop>| {
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
fn equal_plays_are_ordered_by_their_prior() {
    use halma::playout::Static;
    use halma::prior::Progress;
    use halma::support::parameters::{Named, NoParameters};
    use halma::{evaluation::Fitted, rules::Position};
    let root = Position::default();
    let policy = Static::new(NoParameters::default(), Box::new(Fitted));
    let mut search = Search::with_prior(root, Params::default(), policy, Progress::default(), 1);
    let report = search.run(&Limits::iterations(0), &FakeClock::default());
    let mut plays = Vec::new();
    root.legal_plays(&mut plays);
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
            assert_eq!(report.reused, total);
            total += iterations as u32;
            assert_eq!(report.candidates.iter().map(|c| c.visits).sum::<u32>(), total);
            let priors = report.candidates.iter().filter_map(|c| c.prior).sum::<f32>();
            assert!(priors < 1.0 + 1e-5 && (priors > 1.0 - 1e-5 || total < 500), "{priors}");
        }
    }
}
