//! Ratings against published values and values worked out by hand.

use halma::support::random::Random;
use halma_lab::stats::{Encounter, Estimate, Interval, PairCounts, Ratings, elo_of_score, score_of_elo};

/// Encounters of independent games, as `(first, second, wins, losses)`.
fn games(results: &[(usize, usize, u32, u32)]) -> Vec<Encounter> {
    let encounter = |&(one, other, wins, losses): &(usize, usize, u32, u32)| Encounter {
        players: [one, other],
        games: f64::from(wins + losses),
        points: wins.into(),
        variance: None,
    };
    results.iter().map(encounter).collect()
}

fn near(a: f64, b: f64, error: f64) -> bool {
    (a - b).abs() < error
}

#[test]
fn two_players_are_rated_by_the_elo_of_their_score() {
    let pairs = PairCounts::new([3, 7, 20, 14, 6]);
    let ratings = Ratings::of(2, &[Encounter::of_pairs([0, 1], pairs)]);
    let elo = elo_of_score(pairs.mean());
    assert!(near(ratings.elo[0] - ratings.elo[1], elo, 1e-9) && near(ratings.elo[0], elo / 2.0, 1e-9));
    assert!(!ratings.with_prior);
    // The delta method: dElo/dscore = 400/ln 10 / (s·(1 − s)), times 1.96·σ/√N.
    let score = pairs.mean();
    let slope = 400.0 / 10f64.ln() / (score * (1.0 - score));
    let error = 1.959_963_984_540_054 * slope * (pairs.variance() / 50.0).sqrt();
    assert!(near(ratings.error_of_difference(0, 1), error, 1e-9));
    assert!(near(ratings.error(0), error / 2.0, 1e-9), "each player has half of the difference");
    // The interval of `lab match` is a little wider, because it has to be valid for small samples too.
    let Interval { from, to } = Estimate::of(pairs).elo_interval;
    let wider = (to - from) / 2.0 / error;
    assert!((1.0..1.2).contains(&wider), "{error} {from} {to}");
}

/// Scores of 2:1, 2:1 and 4:1 are exactly what strengths of 4, 2 and 1 predict.
#[test]
fn consistent_results_reproduce_their_strengths() {
    let ratings = Ratings::of(3, &games(&[(0, 1, 20, 10), (1, 2, 40, 20), (2, 0, 5, 20)]));
    let double = 400.0 * 2f64.log10();
    for (elo, expected) in ratings.elo.iter().zip([double, 0.0, -double]) {
        assert!(near(*elo, expected, 1e-8), "{elo} {expected}");
    }
}

/// The baseball teams of the American League's Eastern Division in 1987. The data are from Agresti, "Categorical Data
/// Analysis" (1990), table 10.10. The estimates and standard errors of the model without home advantage are from Turner
/// & Firth, "Bradley-Terry Models in R" (J. Stat. Softw. 48(9), 2012), section 2.2, in natural logarithms with Baltimore
/// at 0.
#[test]
fn published_ratings_and_errors_are_found() {
    const TEAMS: [&str; 7] =
        ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"];
    const WINS: [[u32; 7]; 7] = [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ];
    const PUBLISHED: [(f64, f64); 6] = [
        (1.5814, 0.3433),
        (1.4364, 0.3396),
        (1.2945, 0.3367),
        (1.2476, 0.3359),
        (1.1077, 0.3339),
        (0.6839, 0.3319),
    ];
    let teams = || 0..TEAMS.len();
    let results: Vec<_> = teams().flat_map(|i| (0..i).map(move |j| (i, j, WINS[i][j], WINS[j][i]))).collect();
    let ratings = Ratings::of(7, &games(&results));
    let natural = 10f64.ln() / 400.0;
    for (team, (strength, error)) in PUBLISHED.into_iter().enumerate() {
        let found = natural * (ratings.elo[team] - ratings.elo[6]);
        let found_error = natural * ratings.error_of_difference(team, 6) / 1.959_963_984_540_054;
        assert!(near(found, strength, 6e-5), "{}: {found}", TEAMS[team]);
        assert!(near(found_error, error, 6e-5), "{}: ± {found_error}", TEAMS[team]);
    }
    assert!(near(ratings.elo.iter().sum(), 0.0, 1e-8));
}

/// A player without a point has no maximum-likelihood rating, so a draw is added: 0 of 10 counts as ½ of 11.
#[test]
fn a_player_who_lost_all_games_is_rated_with_an_added_draw() {
    let ratings = Ratings::of(2, &games(&[(0, 1, 0, 10)]));
    assert!(ratings.with_prior);
    let elo = elo_of_score(0.5 / 11.0);
    assert!(near(ratings.elo[0] - ratings.elo[1], elo, 1e-8));
    // The inverse of the Fisher information n·p·(1 − p).
    let error = 400.0 / 10f64.ln() * 1.959_963_984_540_054 / (0.5f64 * 10.5 / 11.0).sqrt();
    assert!(near(ratings.error_of_difference(0, 1), error, 1e-6));
    // Nobody lost all games, but one group took no point from the other.
    let groups = games(&[(0, 1, 5, 5), (2, 3, 5, 5), (0, 2, 8, 0), (1, 3, 8, 0), (0, 3, 8, 0), (1, 2, 8, 0)]);
    let ratings = Ratings::of(4, &groups);
    assert!(ratings.with_prior && ratings.elo.iter().all(|elo| elo.is_finite()));
    assert!(near(ratings.elo[0], ratings.elo[1], 1e-6) && ratings.elo[0] > ratings.elo[2] + 300.0);
    assert!(!Ratings::of(4, &[groups, games(&[(0, 2, 0, 1)])].concat()).with_prior);
}

#[test]
fn without_games_all_are_equal_and_uncertain() {
    let ratings = Ratings::of(3, &[]);
    assert!(ratings.with_prior && ratings.elo.iter().all(|&elo| elo == 0.0));
    assert!(ratings.error(1) > 200.0);
}

#[test]
fn pairs_worth_one_point_say_more_than_independent_games() {
    // The opening decides almost every game, so almost every pair is worth one point.
    let pairs = PairCounts::new([1, 0, 98, 0, 1]);
    let of_pairs = Ratings::of(2, &[Encounter::of_pairs([0, 1], pairs)]);
    let of_games = Ratings::of(2, &games(&[(0, 1, 100, 100)]));
    assert!(of_pairs.error(0) < 0.3 * of_games.error(0));
    // Equal pairs show no spread, so the spread of independent games is assumed.
    let alike = Ratings::of(2, &[Encounter::of_pairs([0, 1], PairCounts::new([0, 0, 100, 0, 0]))]);
    assert_eq!(alike.error(0), of_games.error(0));
}

/// In many tournaments between players of known strengths, where the opening decides some pairs, the 95 % intervals
/// must contain the truth in 95 of 100 cases. Intervals that treat the games of a pair as independent are too wide.
#[test]
fn the_intervals_cover_the_truth() {
    const TRUTH: [f64; 4] = [70.0, 40.0, -20.0, -90.0];
    const DECIDED_BY_OPENING: f64 = 0.4;
    const TOURNAMENTS: u32 = 1000;
    let mut random = Random::new(1);
    let mut chance = |probability: f64| random.happens(probability as f32);
    let (mut covered, mut covered_by_games) = (0, 0);
    for _ in 0..TOURNAMENTS {
        let (mut of_pairs, mut of_games) = (Vec::new(), Vec::new());
        for (one, other) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            let score = score_of_elo(TRUTH[one] - TRUTH[other]);
            // The score that the other pairs need to make the mean right.
            let free = (score - DECIDED_BY_OPENING / 2.0) / (1.0 - DECIDED_BY_OPENING);
            let mut pairs = PairCounts::default();
            for _ in 0..40 {
                let half_points = |won| if won { 2 } else { 0 };
                if chance(DECIDED_BY_OPENING) {
                    pairs.add(2);
                } else {
                    pairs.add(half_points(chance(free)) + half_points(chance(free)));
                }
            }
            let encounter = Encounter::of_pairs([one, other], pairs);
            of_pairs.push(encounter);
            of_games.push(Encounter { variance: None, ..encounter });
        }
        let (of_pairs, of_games) = (Ratings::of(4, &of_pairs), Ratings::of(4, &of_games));
        for (player, truth) in TRUTH.into_iter().enumerate() {
            let error = (of_pairs.elo[player] - truth).abs();
            covered += u32::from(error <= of_pairs.error(player));
            covered_by_games += u32::from(error <= of_games.error(player));
        }
    }
    let share = |covered: u32| f64::from(covered) / f64::from(4 * TOURNAMENTS);
    assert!((0.93..=0.97).contains(&share(covered)), "{}", share(covered));
    assert!(share(covered_by_games) > 0.975, "{}", share(covered_by_games));
}
