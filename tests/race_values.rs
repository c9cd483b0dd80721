//! The values that agents give to races, compared with the results.

use crate::support::agents::decide;
use crate::support::positions::{play_game, random_source};
use halma::agent;
use halma::game::{Game, Outcome, Player};
use halma::rules::Position;
use halma::search::race::passed;
use rand::RngExt;

/// The maximum length of a game, in plies; longer games count as undecided.
const MAX_PLIES: usize = 400;

/// A decision in a race.
struct Forecast {
    ply: usize,
    side: Player,
    /// The expected score of `side`, 0…1.
    expected: f32,
}

/// Plays a game of the engine against itself from a random opening, with `before` iterations a play until the race
/// begins and `iterations` in it. Returns the forecasts in the race, the winner, and the number of plies; `None` if
/// nobody won.
fn play(seed: u64, [before, iterations]: [u64; 2]) -> Option<(Vec<Forecast>, Player, usize)> {
    let mut rng = random_source(seed);
    let mut position = Position::default();
    let plies = rng.random_range(4..=10);
    play_game(position, plies, 0.7, &mut rng, &mut |after, _| position = *after);
    let engine = |number| agent::parse("mcts", 2 * seed + number).expect("the engine");
    let mut agents = [engine(0), engine(1)];
    let mut forecasts = Vec::new();
    for ply in 0..MAX_PLIES {
        if let Some(Outcome::Win(winner)) = position.outcome() {
            return Some((forecasts, winner, ply));
        }
        let side = position.to_move();
        let is_race = passed(&position);
        let iterations = if is_race { iterations } else { before };
        let decision = decide(agents[side.index()].as_mut(), &position, iterations);
        if is_race && decision.report.proof.is_none() {
            forecasts.push(Forecast { ply, side, expected: decision.report.value.expected_score() });
        }
        position.play(decision.play);
    }
    None
}

/// The forecasts of many games, compared with their results.
#[derive(Default)]
struct Calibration {
    games: usize,
    /// For each tenth of the expected score: the number of forecasts, the wins that they expect, and the actual wins.
    tenths: [(u32, f32, u32); 10],
    /// Games whose winner expected less than 0.1 in the second half: at least once, and at least five times.
    winner_gave_up: [u32; 2],
    /// Pairs of successive forecasts: all, and those in which both sides expect less than 0.35.
    both_lose: [u32; 2],
}

impl Calibration {
    fn of(seeds: impl Iterator<Item = u64>, iterations: [u64; 2]) -> Calibration {
        let mut all = Calibration::default();
        for (forecasts, winner, plies) in seeds.filter_map(|seed| play(seed, iterations)) {
            all.games += 1;
            for Forecast { side, expected, .. } in &forecasts {
                let (count, sum, wins) = &mut all.tenths[((expected * 10.0) as usize).min(9)];
                *count += 1;
                *sum += expected;
                *wins += u32::from(*side == winner);
            }
            let gave_up = |one: &&Forecast| one.side == winner && one.expected < 0.1 && one.ply >= plies / 2;
            let gave_up = forecasts.iter().filter(gave_up).count();
            all.winner_gave_up[0] += u32::from(gave_up >= 1);
            all.winner_gave_up[1] += u32::from(gave_up >= 5);
            for two in forecasts.windows(2).filter(|two| two[1].ply == two[0].ply + 1) {
                all.both_lose[0] += 1;
                all.both_lose[1] += u32::from(two.iter().all(|one| one.expected < 0.35));
            }
        }
        all
    }
}

#[test]
fn both_sides_of_a_race_agree_on_its_value_and_are_right() {
    // With 100 iterations, the line that an agent plays gets fewer boards than the opponent's line needs.
    for (iterations, max_percent, max_gave_up) in [(600, 1, [2, 0]), (100, 2, [8, 1])] {
        // The plays before a race only decide which race it is.
        let all = Calibration::of(1..=50, [64, iterations]);
        assert!(all.games >= 48, "{iterations} iterations: {} games", all.games);
        let [decisions, both_lose] = all.both_lose;
        assert!(
            decisions > 500 && both_lose * 100 <= max_percent * decisions,
            "{iterations}: {both_lose} of {decisions}"
        );
        let gave_up = all.winner_gave_up;
        assert!((0..2).all(|at| gave_up[at] <= max_gave_up[at]), "{iterations}: {gave_up:?}");
        for (decisions, sum, wins) in all.tenths.into_iter().filter(|tenth| tenth.0 >= 50) {
            let (expected, won) = (sum / decisions as f32, wins as f32 / decisions as f32);
            assert!(
                (expected - won).abs() <= 0.15,
                "{iterations}: {decisions} decisions expect {expected} and win {won}"
            );
        }
    }
}

/// `cargo test --release --test engine -- --ignored --nocapture the_calibration_of_races`.
#[test]
#[ignore = "prints tuning/results/race-values.txt; takes minutes"]
fn the_calibration_of_races() {
    let all = Calibration::of(1..=1000, [600; 2]);
    println!("games                                         {:>6}", all.games);
    println!("winner expected < 0.1 in the second half      {:>6}", all.winner_gave_up[0]);
    println!("… at five moves and more                      {:>6}", all.winner_gave_up[1]);
    println!("decisions after one of the other side's       {:>6}", all.both_lose[0]);
    println!("… where both expect < 0.35                    {:>6}", all.both_lose[1]);
    println!("expected  decisions  mean  won");
    for (tenth, (decisions, sum, wins)) in all.tenths.into_iter().enumerate() {
        let mean = |sum: f32| sum / decisions as f32;
        let (from, expected, won) = (tenth as f32 / 10.0, mean(sum), mean(wins as f32));
        println!("{from:.1}–{:.1}   {decisions:>9}  {expected:.3}  {won:.3}", from + 0.1);
    }
}
