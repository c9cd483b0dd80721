//! What agents say a race is worth, and how it then ends.

use halma::agent::{self, Agent};
use halma::game::{Game, Outcome, Player};
use halma::rules::{BLACK, Position, Rules};
use halma::search::Limits;
use halma::search::race::passed;
use halma::support::clock::FakeClock;
use halma::support::random::Random;

/// Longer games count as undecided.
const MOST_PLIES: usize = 400;

/// One decision of a race.
struct Said {
    ply: usize,
    side: Player,
    /// The probability to win that the value stands for, 0…1.
    expected: f32,
}

/// A game of the engine against itself from a random opening: what was said in its race, who won, and after how
/// many plies; `None` if nobody did.
fn play(seed: u64, iterations: u64) -> Option<(Vec<Said>, Player, usize)> {
    let mut random = Random::new(seed);
    let mut position = Position::initial(BLACK, Rules::Addendum);
    let mut plays = Vec::new();
    for _ in 0..4 + random.below(7) {
        position.legal_plays(&mut plays);
        let (one, other) = (plays[random.below(plays.len())], plays[random.below(plays.len())]);
        position.play(if position.progress(other) > position.progress(one) { other } else { one });
    }
    let engine = |number| agent::parse("mcts", 2 * seed + number).expect("the engine");
    let mut agents: [Box<dyn Agent>; 2] = [engine(0), engine(1)];
    let mut said = Vec::new();
    for ply in 0..MOST_PLIES {
        if let Some(Outcome::Win(winner)) = position.outcome() {
            return Some((said, winner, ply));
        }
        let side = position.to_move();
        let decision =
            agents[side.index()].decide(&position, &Limits::iterations(iterations), &FakeClock::new(), None);
        let decision = decision.expect("a play");
        if passed(&position) && decision.report.proof.is_none() {
            said.push(Said { ply, side, expected: (decision.report.value.get() + 1.0) / 2.0 });
        }
        position.play(decision.play);
    }
    None
}

/// What many games say together.
#[derive(Default)]
struct Calibration {
    games: usize,
    /// For each tenth of the expected score: decisions, their expected wins, their wins.
    tenths: [(u32, f32, u32); 10],
    /// Games whose later winner expected less than a tenth in the second half: once, and five times.
    winner_gave_up: [u32; 2],
    /// Decisions that follow one of the other side: all, and those where both sides expect less than 0.35.
    both_lose: [u32; 2],
}

impl Calibration {
    fn of(seeds: impl Iterator<Item = u64>, iterations: u64) -> Calibration {
        let mut all = Calibration::default();
        for (said, winner, plies) in seeds.filter_map(|seed| play(seed, iterations)) {
            all.games += 1;
            for Said { side, expected, .. } in &said {
                let (decisions, sum, wins) = &mut all.tenths[((expected * 10.0) as usize).min(9)];
                *decisions += 1;
                *sum += expected;
                *wins += u32::from(*side == winner);
            }
            let gave_up = |said: &&Said| said.side == winner && said.expected < 0.1 && said.ply >= plies / 2;
            let gave_up = said.iter().filter(gave_up).count();
            all.winner_gave_up[0] += u32::from(gave_up >= 1);
            all.winner_gave_up[1] += u32::from(gave_up >= 5);
            for two in said.windows(2).filter(|two| two[1].ply == two[0].ply + 1) {
                all.both_lose[0] += 1;
                all.both_lose[1] += u32::from(two.iter().all(|said| said.expected < 0.35));
            }
        }
        all
    }
}

#[test]
fn both_sides_of_a_race_say_the_same_of_it_and_are_right() {
    let all = Calibration::of(1..=50, 600);
    assert!(all.games >= 48, "{} games", all.games);
    let [decisions, both_lose] = all.both_lose;
    assert!(decisions > 500 && both_lose * 100 <= decisions, "{both_lose} of {decisions}");
    assert!(all.winner_gave_up[0] <= 2 && all.winner_gave_up[1] == 0, "{:?}", all.winner_gave_up);
    for (decisions, sum, wins) in all.tenths.into_iter().filter(|tenth| tenth.0 >= 50) {
        let (expected, won) = (sum / decisions as f32, wins as f32 / decisions as f32);
        assert!((expected - won).abs() <= 0.15, "{decisions} decisions expect {expected} and win {won}");
    }
}

/// `cargo test --release --test engine -- --ignored --nocapture the_calibration_of_races`.
#[test]
#[ignore = "prints tuning/results/race-values.txt, in some minutes"]
fn the_calibration_of_races() {
    let all = Calibration::of(1..=1000, 600);
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
