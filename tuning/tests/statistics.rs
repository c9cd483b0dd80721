//! The statistics of matches against independent values and against simulated matches.
//!
//! The expected numbers come from a separate program in another language, which maximises the likelihood directly under
//! its constraint (sequential quadratic programming) instead of solving the library's equations. Numbers that can be
//! derived on paper are derived here.

use halma::support::random::Random;
use halma_lab::stats::{
    Estimate, Hypotheses, MeanScore, PairCounts, Trial, Verdict, elo_of_score, normalized_elo_of_t,
    p_not_better, score_of_elo,
};
use std::collections::HashMap;

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

/// The published formulas (Chess Programming Wiki, "Match Statistics"; Fishtest's `get_elo`):
/// Elo = −400·log10(1/μ − 1), its interval from μ ± 1.96·σ/√N, LOS = Φ((μ − ½)·√N/σ). The library's interval and
/// likelihood of superiority, which are valid for few pairs too, approach them with many pairs.
#[test]
fn elo_its_interval_and_los() {
    // Pairs of 0, ½, 1, 1½, 2 points; Elo, the interval, LOS, normalized Elo, and the tolerance.
    let table = [
        ([10789, 19328, 33806, 19402, 10543], -0.773577, (-2.051174, 0.503999), 0.117660, -0.951624, 0.002),
        ([39, 2226, 31451, 2412, 40], 0.902981, (0.240444, 1.565525), 0.996222, 3.450752, 0.02),
        ([1, 0, 13, 0, 6], 88.739500, (3.093608, 186.747950), 0.978941, 111.645748, 0.25),
        ([30, 0, 100, 0, 45], 29.853447, (-3.724560, 63.998963), 0.959254, 32.352758, 0.05),
        ([5, 20, 60, 35, 10], 33.510799, (5.808291, 61.645643), 0.991163, 51.118155, 0.06),
    ];
    for (counts, elo, (from, to), los, normalized, near) in table {
        let estimate = Estimate::of(PairCounts::new(counts));
        close(estimate.elo, elo, 1e-6);
        let width = to - from;
        close(estimate.elo_interval.from, from, near * width);
        close(estimate.elo_interval.to, to, near * width);
        close(estimate.los, los, near / 2.0);
        close(estimate.normalized_elo, normalized, 1e-6);
    }
}

/// On paper: 4 pairs of 1 point and 4 of 2 have the mean ¾ and the variance 8·(¼)²/7 = 1/14.
#[test]
fn mean_and_variance_on_paper() {
    let pairs = PairCounts::new([0, 0, 4, 0, 4]);
    close(pairs.mean(), 0.75, 1e-15);
    close(pairs.variance(), 1.0 / 14.0, 1e-15);
    // 75 % is odds of 3:1, which is 400·log10(3) Elo.
    close(Estimate::of(pairs).elo, 400.0 * 3f64.log10(), 1e-9);
}

/// If every pair is won or lost as a whole, the interval is the Clopper–Pearson interval of a proportion, as in
/// published tables.
#[test]
fn pairs_won_or_lost_have_the_exact_interval_of_a_proportion() {
    for (won, lost, from, to) in [
        (10, 0, 0.6915, 1.0),
        (9, 1, 0.5550, 0.9975),
        (5, 5, 0.1871, 0.8129),
        (1, 19, 0.0013, 0.2487),
        (0, 2, 0.0, 0.8419),
        (60, 40, 0.4972, 0.6967),
    ] {
        let interval = Estimate::of(PairCounts::new([lost, 0, 0, 0, won])).score_interval;
        close(interval.from, from, 1e-4);
        close(interval.to, to, 1e-4);
    }
}

/// With N equal pairs, one end of the interval is `0.025^(1/N)`.
#[test]
fn pairs_that_are_all_alike_leave_doubt() {
    let won = Estimate::of(PairCounts::new([0, 0, 0, 0, 100]));
    assert_eq!((won.elo, won.score_interval.to), (f64::INFINITY, 1.0));
    close(won.score_interval.from, 0.025f64.powf(0.01), 1e-9);
    close(won.los, 1.0, 1e-12);
    let one = Estimate::of(PairCounts::new([1, 0, 0, 0, 0]));
    close(one.los, 0.25, 1e-9);
    assert!(one.score_interval.contains(0.9));
    let even = Estimate::of(PairCounts::new([0, 0, 10, 0, 0]));
    assert_eq!(even.elo, 0.0);
    close(even.los, 0.5, 1e-9);
    assert!(even.score_interval.contains(0.6) && even.score_interval.contains(0.4));
    let nothing = Estimate::of(PairCounts::default());
    assert_eq!((nothing.los, nothing.score_interval.from, nothing.score_interval.to), (0.5, 0.0, 1.0));
}

/// 10–0 must say more than 9–1, eight decided pairs are not certainty, and 17–3 lies within its own interval.
#[test]
fn few_pairs_do_not_prove_much() {
    let of = |counts| Estimate::of(PairCounts::new(counts));
    let lower = |counts| of(counts).elo_interval.from;
    assert!(lower([0, 0, 0, 0, 5]) > lower([0, 0, 1, 0, 4]), "10–0 against 9–1 by two games of one pair");
    assert!(lower([0, 0, 0, 0, 10]) > lower([1, 0, 0, 0, 9]));
    // Eight heads in eight tosses of a coin: 1 − ½⁹ with a uniform prior.
    close(of([0, 0, 0, 0, 8]).los, 1.0 - 0.5f64.powi(9), 1e-9);
    for decided in [[0, 0, 0, 1, 7], [0, 0, 1, 0, 7], [0, 0, 0, 4, 4], [0, 0, 0, 8, 0]] {
        let los = of(decided).los;
        assert!((0.95..=1.0 - 0.5f64.powi(9)).contains(&los), "{decided:?}: {los}");
    }
    // The probability of five heads in five tosses; a sweep multiplies such a probability by the number of its
    // settings.
    close(p_not_better(PairCounts::new([0, 0, 0, 0, 5])), 1.0 / 32.0, 1e-9);
    let lead = of([0, 0, 3, 0, 7]);
    assert!(lead.elo_interval.from > 0.0 && lead.elo_interval.contains(lead.elo));
    assert!(lead.elo_interval.to < 1408.0, "17–3: {}", lead.elo_interval);
}

/// All the ways in which this number of pairs can be counted by their points.
fn outcomes(pairs: u64) -> Vec<[u64; 5]> {
    let mut all = Vec::new();
    for a in 0..=pairs {
        for b in 0..=pairs - a {
            for c in 0..=pairs - a - b {
                all.extend((0..=pairs - a - b - c).map(|d| [a, b, c, d, pairs - a - b - c - d]));
            }
        }
    }
    all
}

#[test]
fn a_better_result_never_lowers_a_bound() {
    for pairs in 1..=7 {
        let of = |counts| (counts, Estimate::of(PairCounts::new(counts)));
        let estimates: HashMap<[u64; 5], Estimate> = outcomes(pairs).into_iter().map(of).collect();
        for (counts, before) in &estimates {
            for score in 0..4 {
                let mut better = *counts;
                let Some(fewer) = counts[score].checked_sub(1) else { continue };
                (better[score], better[score + 1]) = (fewer, counts[score + 1] + 1);
                let after = estimates[&better];
                let rises = |one: f64, other: f64| other > one - 1e-10;
                assert!(rises(before.score_interval.from, after.score_interval.from), "{counts:?} {score}");
                assert!(rises(before.score_interval.to, after.score_interval.to), "{counts:?} {score}");
                assert!(rises(before.los, after.los), "{counts:?} {score}");
            }
        }
    }
}

#[test]
fn the_other_side_has_the_mirrored_interval() {
    for counts in outcomes(4) {
        let pairs = PairCounts::new(counts);
        let (one, other) = (Estimate::of(pairs), Estimate::of(pairs.reversed()));
        close(one.score_interval.from, 1.0 - other.score_interval.to, 1e-12);
        close(one.los, 1.0 - other.los, 1e-12);
        assert!(one.score_interval.contains(one.score), "{counts:?}");
        // Interval and LOS agree: an interval above one half implies a LOS of at least 97.5 %.
        assert!(one.score_interval.from <= 0.5 || one.los >= 0.975, "{counts:?}");
    }
}

#[test]
fn the_mean_of_trials_is_estimated_like_that_of_pairs() {
    for counts in outcomes(4) {
        let scores = PairCounts::SCORES.into_iter().zip(counts);
        let scores = scores.flat_map(|(score, count)| (0..count).map(move |_| score));
        let trials: Vec<Trial> = (0..).zip(scores).map(|(games, score)| Trial { score, games }).collect();
        let (mean, estimate) = (MeanScore::of(&trials), Estimate::of(PairCounts::new(counts)));
        assert_eq!(
            (mean.score, mean.interval, mean.los),
            (estimate.score, estimate.score_interval, estimate.los)
        );
    }
}

/// The probability of these counts if the results have the probabilities `shares`.
fn probability(counts: &[u64; 5], shares: &Shares) -> f64 {
    let factorial = |n: u64| (1..=n).map(|k| k as f64).product::<f64>();
    let ways = counts.iter().fold(factorial(counts.iter().sum()), |ways, &count| ways / factorial(count));
    counts.iter().zip(shares).map(|(&count, share)| share.powi(count as i32)).product::<f64>() * ways
}

/// From two pairs on and for any distribution, the interval contains the truth with at least 95 % probability, and each
/// end is right with at least 97.5 %. The probabilities are exact sums over all outcomes.
#[test]
fn the_interval_covers_the_truth_from_two_pairs_on() {
    const SKEWED: [Shares; 7] = [
        [0.05, 0.0, 0.0, 0.0, 0.95],
        [0.002, 0.0, 0.0, 0.0, 0.998],
        [0.1, 0.0, 0.9, 0.0, 0.0],
        [0.0, 0.0, 0.97, 0.02, 0.01],
        [0.01, 0.0, 0.0, 0.99, 0.0],
        [0.3, 0.0, 0.0, 0.0, 0.7],
        [0.2; 5],
    ];
    for pairs in [2, 3, 4, 5, 7, 10] {
        let all = outcomes(pairs);
        let intervals: Vec<_> =
            all.iter().map(|&counts| Estimate::of(PairCounts::new(counts)).score_interval).collect();
        for shares in SKEWED.iter().chain(&[DECIDED, DRAWISH, UNEVEN]) {
            let truth = mean(shares);
            let (mut above, mut below) = (0.0, 0.0);
            for (counts, interval) in all.iter().zip(&intervals) {
                let chance = probability(counts, shares);
                above += if interval.from > truth + 1e-9 { chance } else { 0.0 };
                below += if interval.to < truth - 1e-9 { chance } else { 0.0 };
            }
            assert!(above <= 0.025 && below <= 0.025, "{pairs} pairs, {shares:?}: {above} {below}");
        }
    }
}

/// The generalized log-likelihood ratio of Van den Bergh, "A Practical Introduction to the GSPRT"
/// and "Normalized Elo", with 0.001 for counts of 0 as in Fishtest.
#[test]
fn log_likelihood_ratios() {
    // Counts, hypotheses, the ratio in Elo and in normalized Elo. The first two are from Fishtest.
    let table = [
        ([10789, 19328, 33806, 19402, 10543], (-3.0, 1.0), 2.131068, 0.300870),
        ([39, 2226, 31451, 2412, 40], (0.2, 0.9), 2.162543, 1.216597),
        ([39, 2226, 31451, 2412, 40], (0.764, 3.439), -27.865237, 2.162941),
        ([1, 0, 13, 0, 6], (0.0, 50.0), 1.584475, 1.344112),
        ([30, 0, 100, 0, 45], (0.0, 20.0), 1.345276, 1.288707),
        ([5, 20, 60, 35, 10], (0.0, 10.0), 1.375326, 0.966437),
    ];
    for (counts, (elo0, elo1), logistic, normalized) in table {
        let pairs = PairCounts::new(counts);
        close(Hypotheses::logistic(elo0, elo1).log_likelihood_ratio(pairs), logistic, 2e-5);
        close(Hypotheses::normalized(elo0, elo1).log_likelihood_ratio(pairs), normalized, 2e-5);
    }
    // All pairs won: the likeliest distribution with mean s gives the observed result the probability s, so the ratio
    // is about n·ln(s1/s0).
    let won = Hypotheses::logistic(0.0, 50.0).log_likelihood_ratio(PairCounts::new([0, 0, 0, 0, 8]));
    close(won, 8.0 * (score_of_elo(50.0) / 0.5).ln(), 0.01);
    assert_eq!(Hypotheses::logistic(0.0, 50.0).log_likelihood_ratio(PairCounts::default()), 0.0);
}

/// Van den Bergh, "GSPRT approximation", formula 2.1: near the hypotheses and for many pairs,
/// LLR ≈ N·(s1 − s0)·(2μ − s0 − s1)/(2σ²).
#[test]
fn the_ratio_is_near_its_normal_approximation() {
    let pairs = PairCounts::new([39, 2226, 31451, 2412, 40]);
    let (s0, s1) = (score_of_elo(0.2), score_of_elo(0.9));
    let approximation =
        pairs.pairs() as f64 * (s1 - s0) * (2.0 * pairs.mean() - s0 - s1) / (2.0 * pairs.variance());
    close(Hypotheses::logistic(0.2, 0.9).log_likelihood_ratio(pairs), approximation, 1e-3);
}

/// Wald 1945: ln(0.95/0.05) = 2.944.
#[test]
fn the_test_ends_at_walds_bounds() {
    let (low, high) = Hypotheses::logistic(0.0, 50.0).bounds();
    close(high, 2.944_439, 1e-6);
    assert_eq!(low, -high);
    let hypotheses = Hypotheses::logistic(0.0, 50.0);
    let after = |won: u64| hypotheses.verdict(PairCounts::new([2, 0, 20, 0, won]));
    assert_eq!((after(3), after(20)), (Verdict::Undecided, Verdict::H1));
    assert_eq!(hypotheses.verdict(PairCounts::new([20, 0, 20, 0, 2])), Verdict::H0);
}

/// The probabilities of pairs of 0, ½, 1, 1½ and 2 points.
type Shares = [f64; 5];

/// Almost no draws, as in Halma.
const DECIDED: Shares = [0.22, 0.0, 0.5, 0.0, 0.28];
/// Mostly draws, as in engine chess.
const DRAWISH: Shares = [0.0159, 0.2189, 0.5303, 0.2189, 0.0159];
/// One side far ahead.
const UNEVEN: Shares = [0.02, 0.03, 0.25, 0.1, 0.6];

fn sample(shares: &Shares, random: &mut Random) -> u8 {
    let mut rest = (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
    for (points, share) in (0u8..).zip(shares) {
        rest -= share;
        if rest < 0.0 {
            return points;
        }
    }
    2
}

fn mean(shares: &Shares) -> f64 {
    shares.iter().zip(PairCounts::SCORES).map(|(share, score)| share * score).sum()
}

/// The function `of`, with a cache so that nothing is calculated twice.
fn remembered<T: Copy>(of: impl Fn(PairCounts) -> T) -> impl FnMut(PairCounts) -> T {
    let mut known = HashMap::new();
    move |pairs| *known.entry(pairs.counts()).or_insert_with(|| of(pairs))
}

/// With many pairs the intervals are not too wide, either. The interval of normalized Elo covers the truth even if one
/// side is far ahead and most of the error comes from the spread. The score's interval divided by the spread would then
/// contain the truth in only a third of the matches.
#[test]
fn the_intervals_cover_the_truth_in_95_of_100_matches() {
    const MATCHES: u32 = 500;
    const FAR_AHEAD: Shares = [0.02, 0.0, 0.1, 0.0, 0.88];
    for (shares, pairs) in [(DECIDED, 50), (DECIDED, 200), (DRAWISH, 100), (UNEVEN, 200), (FAR_AHEAD, 400)] {
        let squares: f64 =
            shares.iter().zip(PairCounts::SCORES).map(|(share, score)| share * score * score).sum();
        let spread = (squares - mean(&shares).powi(2)).sqrt();
        let truth = elo_of_score(mean(&shares));
        let normalized_truth = normalized_elo_of_t((mean(&shares) - 0.5) / spread);
        let mut covers = remembered(|pairs| {
            let estimate = Estimate::of(pairs);
            let interval = estimate.normalized_elo_interval;
            assert!(interval.contains(estimate.normalized_elo), "{estimate:?}");
            [estimate.elo_interval.contains(truth), interval.contains(normalized_truth)].map(u32::from)
        });
        let mut random = Random::new(2026);
        let mut covered = [0; 2];
        for _ in 0..MATCHES {
            let mut counts = PairCounts::default();
            (0..pairs).for_each(|_| counts.add(sample(&shares, &mut random)));
            let [elo, normalized] = covers(counts);
            covered = [covered[0] + elo, covered[1] + normalized];
        }
        let [elo, normalized] = covered.map(|covered| f64::from(covered) / f64::from(MATCHES));
        println!("{elo} and {normalized} of matches of {pairs} pairs");
        assert!((0.94..=0.985).contains(&elo), "{elo} of matches of {pairs} pairs, {shares:?}");
        assert!((0.935..=0.99).contains(&normalized), "{normalized} of matches of {pairs} pairs, {shares:?}");
    }
}

/// Equal pairs say nothing about the spread, so normalized Elo is then unbounded.
#[test]
fn both_intervals_of_elo_exclude_0_together() {
    for counts in outcomes(6).into_iter().chain(outcomes(2)) {
        let estimate = Estimate::of(PairCounts::new(counts));
        let (score, elo) = (estimate.score_interval, estimate.normalized_elo_interval);
        if counts.iter().filter(|&&count| count > 0).count() == 1 {
            assert_eq!((elo.from, elo.to), (f64::NEG_INFINITY, f64::INFINITY));
            continue;
        }
        assert!(elo.contains(estimate.normalized_elo), "{counts:?}");
        assert_eq!((score.from > 0.5, score.to < 0.5), (elo.from > 0.0, elo.to < 0.0), "{counts:?}");
    }
}

/// `shares` shifted to a strength of `elo` by moving probability from the worst to the best result.
fn moved(shares: &Shares, elo: f64) -> Shares {
    let mut moved = *shares;
    let weight = score_of_elo(elo) - mean(shares);
    moved[0] -= weight;
    moved[4] += weight;
    assert!(moved.iter().all(|&share| share >= 0.0));
    moved
}

/// The share of tests with this `verdict` that accept the higher hypothesis, and the mean length of a test in pairs.
fn acceptance(
    mut verdict: impl FnMut(PairCounts) -> Verdict,
    shares: &Shares,
    tests: u32,
    seed: u64,
) -> (f64, f64) {
    let mut random = Random::new(seed);
    let (mut accepted, mut length) = (0, 0);
    for _ in 0..tests {
        let mut counts = PairCounts::default();
        let verdict = loop {
            counts.add(sample(shares, &mut random));
            match verdict(counts) {
                Verdict::Undecided => {}
                verdict => break verdict,
            }
        };
        accepted += u32::from(verdict == Verdict::H1);
        length += counts.pairs();
    }
    (f64::from(accepted) / f64::from(tests), length as f64 / f64::from(tests))
}

/// Both errors are at most those chosen, give or take two standard deviations. In the last test they differ, and neither
/// is 5 %.
#[test]
fn the_sequential_test_keeps_to_its_errors() {
    let chosen = Hypotheses { alpha: 0.2, beta: 0.02, ..Hypotheses::logistic(0.0, 50.0) };
    for (shares, hypotheses, tests, min_false_alarms) in [
        (DECIDED, Hypotheses::logistic(0.0, 50.0), 1500, 0.0),
        (DRAWISH, Hypotheses::logistic(-10.0, 10.0), 300, 0.0),
        (DECIDED, chosen, 1500, 0.1),
    ] {
        let Hypotheses { elo0, elo1, alpha, beta, .. } = hypotheses;
        let max = |error: f64| error + 2.0 * (error * (1.0 - error) / f64::from(tests)).sqrt();
        let mut verdict = remembered(|pairs| hypotheses.verdict(pairs));
        let (false_alarms, _) = acceptance(&mut verdict, &moved(&shares, elo0), tests, 1);
        let (found, pairs) = acceptance(&mut verdict, &moved(&shares, elo1), tests, 2);
        println!("{false_alarms} false alarms, {found} found after {pairs} pairs");
        let wanted = min_false_alarms..=max(alpha);
        assert!(wanted.contains(&false_alarms), "{false_alarms} false alarms, {shares:?}, {hypotheses:?}");
        assert!(found >= 1.0 - max(beta), "{found} found, {shares:?}, {hypotheses:?}");
        let (low, high) = hypotheses.bounds();
        close(low, (beta / (1.0 - alpha)).ln(), 1e-12);
        close(high, ((1.0 - beta) / alpha).ln(), 1e-12);
    }
}
