//! Bounds on the mean of a variable between 0 and 1 from a few samples.
//!
//! The bounds are Gaffke's (N. Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the
//! mean of a nonnegative variable", Mathematical Methods of Statistics 14, 2005; E. Learned-Miller and P.
//! Thomas, "A New Confidence Interval for the Mean of a Bounded Random Variable", arXiv:1905.06208, 2019).
//! Each result gets a random weight, and so does one extra result, the worst possible; the weights are
//! uniformly distributed over all that sum to 1 (a Dirichlet distribution). The 2.5 % quantile of the
//! weighted mean is the lower bound. The upper bound is found in the same way with the best possible result.
//!
//! The bounds assume nothing about the distribution of results. If only the results 0 and 1 occur, they are Clopper and
//! Pearson's exact bounds (1934); with many results they approach those of the central limit theorem. Their validity is
//! proven for these two extremes, and no counterexample between them is known. Tests check it for all outcomes of a few
//! pairs. A better result never lowers a bound.

use super::interval::Interval;
use super::pairs::PairCounts;

/// The probability beyond each end of an interval.
const TAIL: f64 = 0.025;

/// The step, in the logarithm of the variable, of the sum that approximates Imhof's integral.
const STEP: f64 = 0.1;

/// Terms smaller than this are neglected.
const NEGLIGIBLE: f64 = 1e-15;

/// Terms at least this far below the middle, in the logarithm of the variable, are taken to be proportional to the
/// variable. This changes a probability by less than 10⁻¹⁴.
const PROPORTIONAL: f64 = 14.0;

/// The number of standard deviations from the mean beyond which the probability is neglected.
const FAR: f64 = 40.0;

/// The number of subintervals of an integral over the distribution of a weighted mean.
const CELLS: u32 = 48;

/// The 2.5 % quantile lies at most this many standard deviations below and above the mean (Cantelli's inequality:
/// `√(0.975/0.025)` and `√(0.025/0.975)`).
const CANTELLI: [f64; 2] = [6.245, 0.161];

/// The 95 % interval of the mean score per game after `pairs`.
pub fn interval(pairs: PairCounts) -> Interval {
    let lower = |pairs| WeightedMean::of_pairs(pairs).lower_quantile();
    Interval { from: lower(pairs), to: 1.0 - lower(pairs.reversed()) }
}

/// An upper bound on the probability of a score this good if the true mean is not above ½. It is below 2.5 %
/// if and only if the whole interval is above ½.
pub fn p_not_better(pairs: PairCounts) -> f64 {
    WeightedMean::of_pairs(pairs).probability_below(0.5)
}

/// An upper bound on the probability that `one` leads `other` by this much, trial by trial, if the true mean of `one`
/// is not greater. Results are between 0 and 1.
pub fn p_not_greater(one: &[f64], other: &[f64]) -> f64 {
    let leads = one.iter().zip(other).map(|(one, other)| (1.0 + one - other) / 2.0);
    WeightedMean::of_results(leads).probability_below(0.5)
}

/// Whether the mean of `one` is greater than that of `other` at this `level`, if the two are independent or positively
/// correlated, as are scores from the same openings. Results are between 0 and 1.
///
/// This "melds" two bounds (M. P. Fay, M. A. Proschan and E. Brittain, "Combining one-sample confidence procedures for
/// inference in the two-sample case", Biometrics 71, 2015): the probability that the weighted mean of `one` with the
/// worst extra result is below that of `other` with the best. With few results it is much smaller than
/// [`p_not_greater`], which must assume the worst and the best extra result in the same trial.
pub fn is_greater_apart(one: &[f64], other: &[f64], level: f64) -> bool {
    let one = WeightedMean::of_results(one.iter().copied());
    // The other side's upper mean is 1 minus the lower mean of 1 minus its results.
    let reversed = WeightedMean::of_results(other.iter().map(|result| 1.0 - result));
    let one_below = |bound| one.probability_below(bound);
    let other_above = |bound: f64| reversed.probability_below(1.0 - bound);
    let (low, high) = (1.0 - reversed.mean, one.mean);
    // If `one` is below the middle and `other` above it, `one` is below `other`. This bound usually saves the integral.
    let middle = 0.5 * (low + high);
    if low >= high || one_below(middle) * other_above(middle) >= level {
        return false;
    }
    // The integral of `one_below` over the distribution of `other`, by the trapezoidal rule.
    let (low, high) = ((low - 3.0 * reversed.deviation).max(0.0), (high + 3.0 * one.deviation).min(1.0));
    let bound = |cell: u32| low + (high - low) * f64::from(cell) / f64::from(CELLS);
    let (mut p, mut below, mut above) =
        (one_below(low) * (1.0 - other_above(low)), one_below(low), other_above(low));
    for bound in (1..=CELLS).map(bound) {
        let (next_below, next_above) = (one_below(bound), other_above(bound));
        p += (above - next_above) * (below + next_below) / 2.0;
        (below, above) = (next_below, next_above);
    }
    p + above < level
}

/// The probability that the mean score is above ½: the average of two bounds, one with the worst extra result and one
/// with the best. If all of `N` pairs were won, it is `1 − ½^(N+1)`.
pub fn likelihood_of_superiority(pairs: PairCounts) -> f64 {
    0.5 * (1.0 + p_not_better(pairs.reversed()) - p_not_better(pairs))
}

/// The 95 % interval of the mean of `results`, which are between 0 and 1, and the probability that the mean is above ½:
/// [`interval`] and [`likelihood_of_superiority`] for any results.
pub fn of_results(results: &[f64]) -> (Interval, f64) {
    let mean = WeightedMean::of_results(results.iter().copied());
    let reversed = WeightedMean::of_results(results.iter().map(|result| 1.0 - result));
    let interval = Interval { from: mean.lower_quantile(), to: 1.0 - reversed.lower_quantile() };
    (interval, 0.5 * (1.0 + reversed.probability_below(0.5) - mean.probability_below(0.5)))
}

/// The mean of scores with random weights. The total weight of the results that have the same score is proportional to
/// a gamma variable whose shape is the number of these results.
struct WeightedMean {
    /// Each score that occurred, and its shape.
    results: Vec<(f64, f64)>,
    mean: f64,
    deviation: f64,
}

impl WeightedMean {
    /// The weighted mean of `results` and one extra result, the worst.
    fn of_results(results: impl Iterator<Item = f64>) -> WeightedMean {
        let mut results: Vec<f64> = results.collect();
        results.sort_by(f64::total_cmp);
        let alike = results.chunk_by(|one, next| one == next);
        WeightedMean::with_worst(alike.map(|alike| (alike[0], alike.len() as u64)))
    }

    fn of_pairs(pairs: PairCounts) -> WeightedMean {
        WeightedMean::with_worst(PairCounts::SCORES.into_iter().zip(pairs.counts()))
    }

    /// The weighted mean of these counts of scores and one extra result, the worst.
    fn with_worst(counts: impl Iterator<Item = (f64, u64)>) -> WeightedMean {
        let happened = counts.filter(|&(_, count)| count > 0).map(|(score, count)| (score, count as f64));
        let results: Vec<(f64, f64)> = happened.chain([(0.0, 1.0)]).collect();
        let total: f64 = results.iter().map(|(_, shape)| shape).sum();
        let moment = |power: i32| -> f64 {
            results.iter().map(|(score, shape)| shape * score.powi(power)).sum::<f64>() / total
        };
        let mean = moment(1);
        let deviation = ((moment(2) - mean * mean).max(0.0) / (total + 1.0)).sqrt();
        WeightedMean { results, mean, deviation }
    }

    /// The probability that the weighted mean is below `bound`, which means that `Σ (score − bound)·weight` is
    /// negative: the integral of J. P. Imhof, "Computing the distribution of quadratic forms in normal variables",
    /// Biometrika 48, 1961.
    ///
    /// With `u = eˣ` the integrand is smooth and falls off exponentially on both sides, so a plain sum over equal
    /// steps of `x` is practically exact.
    fn probability_below(&self, bound: f64) -> f64 {
        let away = (bound - self.mean) / self.deviation;
        if self.deviation == 0.0 || away.abs() > FAR {
            return if bound > self.mean { 1.0 } else { 0.0 };
        }
        let terms = |u: f64| {
            let mut angle = 0.0;
            let mut logarithm = 0.0;
            for (score, shape) in &self.results {
                let distance = score - bound;
                angle += shape * (distance * u).atan();
                logarithm += shape * (distance * u).powi(2).ln_1p() / 2.0;
            }
            (angle, (-logarithm).exp())
        };
        // The further from the mean, the faster the integrand oscillates.
        let step = STEP.min(0.6 / away.abs().max(1.0));
        let squares: f64 = self.results.iter().map(|(score, shape)| shape * (score - bound).powi(2)).sum();
        let middle = -0.5 * squares.ln();
        let mut sum = 0.0;
        for turn in 0.. {
            let (angle, size) = terms((middle + step * f64::from(turn)).exp());
            sum += angle.sin() * size;
            if size < NEGLIGIBLE {
                break;
            }
        }
        for turn in 1.. {
            let (angle, size) = terms((middle - step * f64::from(turn)).exp());
            let term = angle.sin() * size;
            sum += term;
            if step * f64::from(turn) > PROPORTIONAL {
                // Each remaining term is e^−step times the one before.
                sum += term / step.exp_m1();
                break;
            }
        }
        (0.5 - sum * step / std::f64::consts::PI).clamp(0.0, 1.0)
    }

    /// The 2.5 % quantile of the weighted mean, by the Illinois variant of regula falsi, which halves the value at an
    /// end kept twice in a row.
    fn lower_quantile(&self) -> f64 {
        if self.deviation == 0.0 {
            return self.mean;
        }
        let excess = |bound: f64| self.probability_below(bound) - TAIL;
        let mut low = (self.mean - CANTELLI[0] * self.deviation).max(0.0);
        let mut high = (self.mean + CANTELLI[1] * self.deviation).min(1.0);
        let (mut below, mut above) = (-TAIL, excess(high));
        let mut stayed = 0i8;
        while high - low > 1e-12 {
            let next = (low * above - high * below) / (above - below);
            let value = excess(next);
            if value.abs() < 1e-13 || next <= low || next >= high {
                return next;
            }
            if value < 0.0 {
                (low, below) = (next, value);
                above *= if stayed == 1 { 0.5 } else { 1.0 };
                stayed = 1;
            } else {
                (high, above) = (next, value);
                below *= if stayed == -1 { 0.5 } else { 1.0 };
                stayed = -1;
            }
        }
        0.5 * (low + high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{Beta, ContinuousCDF};

    #[test]
    fn two_scores_have_the_beta_distribution() {
        for (losses, wins) in [(0, 1), (0, 10), (1, 9), (5, 5), (30, 1), (400, 300), (20_000, 21_000)] {
            let mean = WeightedMean::of_pairs(PairCounts::new([losses, 0, 0, 0, wins]));
            let beta = Beta::new(wins as f64, losses as f64 + 1.0).expect("two shapes");
            for away in [-30.0, -8.0, -3.0, -1.0, -0.1, 0.0, 0.4, 2.0, 7.0, 20.0] {
                let bound = mean.mean + away * mean.deviation;
                if 0.0 < bound && bound < 1.0 {
                    let (found, expected) = (mean.probability_below(bound), beta.cdf(bound));
                    assert!((found - expected).abs() < 1e-10, "{losses} {wins} {bound}: {found} {expected}");
                }
            }
            assert!((beta.cdf(mean.lower_quantile()) - TAIL).abs() < 1e-9, "{losses} {wins}");
        }
    }

    /// Worked out by hand: with one extra loss, the weight of `N` even pairs exceeds `2t` with probability
    /// `1 − (2t)^N`.
    #[test]
    fn even_pairs_by_hand() {
        for number in [1, 2, 7, 50] {
            let mean = WeightedMean::of_pairs(PairCounts::new([0, 0, number, 0, 0]));
            for bound in [0.05, 0.2, 0.4, 0.49] {
                let expected = (2.0f64 * bound).powi(number as i32);
                assert!((mean.probability_below(bound) - expected).abs() < 1e-10, "{number} {bound}");
            }
        }
    }

    /// Sums over all outcomes of a few trials of two equal sides. A case lists the probabilities of a loss, a draw and
    /// a win.
    #[test]
    fn two_equal_sides_are_rarely_told_apart() {
        for (number, cases) in [
            (3, &[[0.5, 0.0, 0.5], [0.9, 0.0, 0.1], [0.2, 0.8, 0.0]][..]),
            (
                7,
                &[
                    [0.7, 0.0, 0.3],
                    [0.1, 0.0, 0.9],
                    [0.2, 0.6, 0.2],
                    [0.5, 0.0, 0.5],
                    [0.1, 0.2, 0.7],
                    [0.4, 0.1, 0.5],
                ][..],
            ),
        ] {
            let outcomes: Vec<[usize; 3]> = (0..=number)
                .flat_map(|lost| (0..=number - lost).map(move |drawn| [lost, drawn, number - lost - drawn]))
                .collect();
            let list =
                |[lost, drawn, won]: [usize; 3]| [vec![0.0; lost], vec![0.5; drawn], vec![1.0; won]].concat();
            let pairs = outcomes.iter().flat_map(|&one| outcomes.iter().map(move |&other| [one, other]));
            // Pairs that differ at one level also differ at every higher level.
            let mut told: Vec<[[usize; 3]; 2]> = pairs.collect();
            for level in [0.05, 0.01] {
                told.retain(|&[one, other]| is_greater_apart(&list(one), &list(other), level));
                assert!(number < 7 || !told.is_empty(), "nothing is ever told apart");
                for shares in cases {
                    let chances =
                        told.iter().map(|both| both.iter().map(|one| chance(one, shares)).product::<f64>());
                    let errors: f64 = chances.sum();
                    assert!(errors <= level, "{number} {shares:?}: {errors}");
                }
            }
        }
    }

    /// The multinomial probability of `outcome`.
    fn chance(outcome: &[usize; 3], shares: &[f64; 3]) -> f64 {
        let factorial = |number: usize| (1..=number).map(|factor| factor as f64).product::<f64>();
        let ways =
            outcome.iter().fold(factorial(outcome.iter().sum()), |ways, &count| ways / factorial(count));
        ways * outcome.iter().zip(shares).map(|(&count, share)| share.powi(count as i32)).product::<f64>()
    }

    /// Worked out by hand: with one extra lead, the worst, the weight of `N` leads of ½ exceeds `⅔` with the
    /// probability `1 − (⅔)^N`. A comparison with other scores is stricter than one with the number ½, even if those
    /// scores are all ½, because a lead could have been twice as bad.
    #[test]
    fn leads_by_hand_and_against_a_number() {
        assert_eq!(p_not_greater(&[], &[]), 1.0);
        for number in [1usize, 6, 40] {
            let p = p_not_greater(&vec![1.0; number], &vec![0.5; number]);
            assert!((p - (2.0f64 / 3.0).powi(number as i32)).abs() < 1e-10, "{number} {p}");
            assert!(p_not_greater(&vec![0.5; number], &vec![0.5; number]) > 1.0 - 1e-10);
            assert!(p_not_greater(&vec![0.5; number], &vec![1.0; number]) > 1.0 - 1e-10);
        }
        let counts = [2, 1, 6, 2, 9];
        let scores: Vec<f64> = PairCounts::SCORES
            .into_iter()
            .zip(counts)
            .flat_map(|(score, count)| vec![score; count])
            .collect();
        let [led, alone] = [
            p_not_greater(&scores, &[0.5; 20]),
            p_not_better(PairCounts::new(counts.map(|count| count as u64))),
        ];
        assert!(alone < led && led < 4.0 * alone, "{led} {alone}");
    }
}
