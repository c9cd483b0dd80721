//! The best of several settings, and those that may be better.

use super::bounded_mean::{self, is_greater_apart, p_not_greater};
use super::elo::elo_of_score;
use super::interval::Interval;
use serde::Serialize;
use std::collections::HashSet;

/// The error probability of the whole comparison.
const ERROR: f64 = 0.05;

/// The setting with the highest mean, and those that may be better.
///
/// ```
/// use halma_lab::stats::{Best, Trial};
///
/// // Forty different trials.
/// let trials = |score| (0..40).map(|games| Trial { score, games }).collect();
/// let best = Best::of(&[trials(0.25), trials(0.75), trials(0.7)]).unwrap();
/// assert_eq!(best.best, 1);
/// assert_eq!(best.contenders, [1, 2]);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Best {
    /// The index of the setting with the highest mean, the first if several are equal.
    pub best: usize,
    /// The indices of all settings not ruled out, including [`best`](Self::best): with 95 % confidence, the true best
    /// is among them.
    pub contenders: Vec<usize>,
}

/// The result of a setting in one trial: here, the pair of games from one opening.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// The score, 0…1.
    pub score: f64,
    /// Identifies the games of this setting. Two trials of a setting with the same `games` have the same score.
    pub games: u64,
}

/// The mean score of a setting in its distinct trials, with its error. The trials must be independent: each needs an
/// opening of its own.
///
/// ```
/// use halma_lab::stats::{MeanScore, Trial};
///
/// let trials: Vec<Trial> = (0..40).map(|games| Trial { score: 0.7, games }).collect();
/// let mean = MeanScore::of(&trials);
/// assert!((mean.score - 0.7).abs() < 1e-9 && mean.interval.contains(0.7) && mean.los > 0.97);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanScore {
    /// The mean, 0…1; ½ without trials.
    pub score: f64,
    /// The 95 % interval of the mean.
    pub interval: Interval,
    /// The likelihood, 0…1, that the true mean is above ½.
    pub los: f64,
}

impl MeanScore {
    /// The mean of `trials`.
    pub fn of(trials: &[Trial]) -> MeanScore {
        let scores = scores(trials);
        let score = if scores.is_empty() { 0.5 } else { scores.iter().sum::<f64>() / scores.len() as f64 };
        let (interval, los) = bounded_mean::of_results(&scores);
        MeanScore { score, interval, los }
    }

    /// The mean as an Elo difference; infinite if one side won all points.
    pub fn elo(&self) -> f64 {
        elo_of_score(self.score)
    }

    /// The 95 % interval of the Elo difference.
    pub fn elo_interval(&self) -> Interval {
        self.interval.map(elo_of_score)
    }
}

impl Best {
    /// Compares settings by their results in the same trials: `trials[i][k]` is the result of setting `i` in trial `k`.
    /// `None` if there are no settings. A trial in which two settings repeat their games of an earlier trial says
    /// nothing new about the two, so their comparison leaves it out.
    ///
    /// The contenders are Gupta's subset (S. S. Gupta, "On some multiple decision (selection and ranking) rules",
    /// Technometrics 7, 1965): a setting is ruled out if another one is better, trial by trial, at the level `0.05/(k
    /// − 1)` for `k` settings. The test is Gaffke's (`bounded_mean.rs`), whose error rate has never been seen to
    /// exceed its level, however few the trials. The true best is ruled out only if one of the `k − 1` tests against
    /// it errs, which has a probability of at most 5 % (Bonferroni's inequality), whichever setting looked best. If
    /// only one contender is left, the choice is decided (J. C. Hsu, "Constrained simultaneous confidence intervals for
    /// multiple comparisons with the best", Annals of Statistics 12, 1984).
    pub fn of(trials: &[Vec<Trial>]) -> Option<Best> {
        let level = ERROR / rivals(trials);
        Best::by(trials, |one, other| is_ahead(one, other, level))
    }

    /// Like [`of`](Self::of), for settings that each played their own games, for example against a common opponent. A
    /// setting is also ruled out if its mean score alone is too low. Each of the two tests uses half of the level.
    pub fn of_separate(trials: &[Vec<Trial>]) -> Option<Best> {
        let level = ERROR / 2.0 / rivals(trials);
        Best::by(trials, |one, other| is_ahead(one, other, level) || is_higher(one, other, level))
    }

    /// The setting with the highest mean, and those that no setting of higher mean `beats`.
    fn by(trials: &[Vec<Trial>], beats: impl Fn(&[Trial], &[Trial]) -> bool) -> Option<Best> {
        let means: Vec<f64> = trials.iter().map(|trials| mean(trials)).collect();
        let best = (0..means.len()).reduce(|best, i| if means[i] > means[best] { i } else { best })?;
        let mut by_mean: Vec<usize> = (0..means.len()).collect();
        by_mean.sort_by(|&i, &j| means[j].total_cmp(&means[i]));
        let beaten = |i: usize| {
            // The best first, because they beat most others.
            let mut higher = by_mean.iter().take_while(|&&j| means[j] > means[i]);
            higher.any(|&j| beats(&trials[j], &trials[i]))
        };
        Some(Best { best, contenders: (0..means.len()).filter(|&i| !beaten(i)).collect() })
    }

    /// Whether [`best`](Self::best) is the true best with 95 % confidence.
    pub fn is_decided(&self) -> bool {
        self.contenders.len() == 1
    }
}

/// The number of tests against the true best.
fn rivals(trials: &[Vec<Trial>]) -> f64 {
    (trials.len().max(2) - 1) as f64
}

/// The scores of the distinct trials.
fn scores(trials: &[Trial]) -> Vec<f64> {
    let mut seen = HashSet::new();
    trials.iter().filter(|trial| seen.insert(trial.games)).map(|trial| trial.score).collect()
}

fn mean(trials: &[Trial]) -> f64 {
    let scores = scores(trials);
    scores.iter().sum::<f64>() / scores.len().max(1) as f64
}

/// Whether `one` is better than `other` at this significance level, compared trial by trial.
fn is_ahead(one: &[Trial], other: &[Trial], level: f64) -> bool {
    let mut seen = HashSet::new();
    let different = one.iter().zip(other).filter(|(one, other)| seen.insert((one.games, other.games)));
    let (one, other): (Vec<f64>, Vec<f64>) = different.map(|(one, other)| (one.score, other.score)).unzip();
    p_not_greater(&one, &other) < level
}

/// Whether `one` is better than `other` at this significance level, compared by mean scores alone.
fn is_higher(one: &[Trial], other: &[Trial], level: f64) -> bool {
    is_greater_apart(&scores(one), &scores(other), level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halma::support::random::Random;

    /// Trials with these scores, no two with the same games.
    fn different(scores: impl IntoIterator<Item = f64>) -> Vec<Trial> {
        (0..).zip(scores).map(|(games, score)| Trial { score, games }).collect()
    }

    #[test]
    fn clear_and_unclear_winners() {
        let base: Vec<f64> = (0..40).map(|k| 0.4 + f64::from(k % 5) / 25.0).collect();
        let plus =
            |lead: f64| different((0..).zip(&base).map(|(k, x)| x + lead + 0.03 * f64::from(k % 3 - 1)));
        let base = different(base.iter().copied());
        let clear = Best::of(&[base.clone(), plus(0.4), plus(0.1)]).expect("three settings");
        assert_eq!((clear.best, &clear.contenders[..], clear.is_decided()), (1, &[1][..], true));
        let unclear = Best::of(&[base.clone(), plus(0.4), plus(0.4), plus(-0.3)]).expect("four settings");
        assert_eq!((unclear.best, &unclear.contenders[..], unclear.is_decided()), (1, &[1, 2][..], false));
        assert_eq!(Best::of(&[]), None);
        assert!(Best::of(&[base]).expect("one setting").is_decided());
    }

    #[test]
    fn a_trial_counts_again_only_if_one_of_the_two_played_other_games() {
        let same = |score| vec![Trial { score, games: 7 }; 40];
        let best = |one, other| Best::of(&[one, other]).expect("two settings");
        assert_eq!(best(same(0.2), same(0.9)).contenders, [0, 1]);
        assert_eq!(best(same(0.2), different([0.9; 40])).contenders, [1]);
        let often = [same(0.0), different([1.0; 10])].concat();
        assert_eq!(best(often, different([0.8; 50])).best, 0, "a mean of 10/11");
    }

    /// Four trials in which the worse setting usually leads a little and sometimes loses everything. A *t*
    /// test would rule out the better one in a fifth of all runs, because the rare loss does not occur in them.
    #[test]
    fn few_trials_that_agree_prove_little() {
        let mut random = Random::new(4);
        let runs = 1000;
        let mut trial = || match random.below(100) {
            0..29 => [1.0, 0.0],
            29..64 => [0.5, 0.75],
            _ => [0.5, 1.0],
        };
        let kept = (0..runs).filter(|_| {
            let trials: [[f64; 2]; 4] = std::array::from_fn(|_| trial());
            let scores = [0, 1].map(|setting| different(trials.map(|scores| scores[setting])));
            Best::of(&scores).expect("two settings").contenders.contains(&0)
        });
        assert!(kept.count() >= runs * 95 / 100);
    }

    /// Ten pairs of games: the interval is 0 … 30.8 % for 0 of 20 points, and 32.7 … 75.4 % for 11 of 20.
    #[test]
    fn a_setting_far_below_the_best_is_ruled_out() {
        let best = different([0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1.0, 1.0]);
        let mut seven = vec![different([0.25, 0.5].repeat(5)); 5];
        seven.extend([best, different([0.0; 10])]);
        let judged = Best::of_separate(&seven).expect("seven settings");
        assert_eq!((judged.best, &judged.contenders[..]), (5, &[0, 1, 2, 3, 4, 5][..]));
    }

    /// Seven settings, the last a little better than the others. The scores of a trial are correlated, as are
    /// those of games from one opening. The contenders must include the last setting in at least 95 % of all
    /// runs.
    #[test]
    fn the_best_is_among_the_contenders_as_often_as_promised() {
        let mut random = Random::new(3);
        let mut coin = |chance: f64| f64::from(u8::from(random.happens(chance as f32)));
        let runs = 200;
        let (mut kept, mut sizes) = ([0, 0], [0, 0]);
        for _ in 0..runs {
            let mut scores = vec![Vec::new(); 7];
            for _ in 0..30 {
                let fair = 0.35 + 0.3 * coin(0.5);
                for (i, scores) in scores.iter_mut().enumerate() {
                    let chance = if i == 6 { fair + 0.1 } else { fair };
                    scores.push((coin(chance) + coin(chance)) / 2.0);
                }
            }
            let trials: Vec<Vec<Trial>> = scores.into_iter().map(different).collect();
            for (way, best) in [Best::of(&trials), Best::of_separate(&trials)].into_iter().enumerate() {
                let best = best.expect("seven settings");
                kept[way] += usize::from(best.contenders.contains(&6));
                sizes[way] += best.contenders.len();
            }
        }
        assert!(kept.iter().all(|&kept| kept >= runs * 95 / 100), "{kept:?} of {runs}");
        assert!(sizes.iter().all(|&size| size < 7 * runs), "no setting was ever ruled out");
    }
}
