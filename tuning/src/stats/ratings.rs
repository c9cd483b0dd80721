//! Ratings of many players from their results against each other: the Bradley–Terry model.
//!
//! Player `i` has the expected score `p_ij = γ_i / (γ_i + γ_j)` against player `j` and the rating `400·log10
//! γ_i`: this is the logistic Elo model (R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block
//! designs", Biometrika 39, 1952; Elo 1978). A draw is half a point. The ratings are the maximum-likelihood
//! ones with mean 0.

use super::cholesky::Cholesky;
use super::estimate::Z_95;
use super::pairs::PairCounts;

/// The iteration ends when no strength changes by more than this share …
const PRECISION: f64 = 1e-13;
/// … or after this many steps.
const MAX_STEPS: usize = 200_000;

/// The result of two players against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// The indices of the two players, which differ.
    pub players: [usize; 2],
    /// How many games they played.
    pub games: f64,
    /// The first player's points, 0…`games`.
    pub points: f64,
    /// The variance of `points`, if known; otherwise `n·p·(1 − p)` is assumed, the variance of independent
    /// games without draws.
    pub variance: Option<f64>,
}

impl Encounter {
    /// An encounter between `players`, from the counts of their pairs of games. The variance is that of the pairs, so
    /// the values of openings cancel; it is unknown if all pairs have the same score.
    pub fn of_pairs(players: [usize; 2], pairs: PairCounts) -> Encounter {
        let number = pairs.pairs() as f64;
        let games = 2.0 * number;
        // A pair's points are twice its score per game.
        let variance = (!pairs.all_alike()).then(|| number * 4.0 * pairs.variance());
        Encounter { players, games, points: games * pairs.mean(), variance }
    }
}

/// The ratings of players, with mean 0.
///
/// ```
/// use halma_lab::stats::{Encounter, PairCounts, Ratings};
///
/// let beaten = Encounter::of_pairs([0, 1], PairCounts::new([0, 2, 6, 9, 3]));
/// let even = Encounter::of_pairs([1, 2], PairCounts::new([2, 5, 6, 5, 2]));
/// let ratings = Ratings::of(3, &[beaten, even]);
/// assert!(ratings.elo[0] - ratings.elo[1] > 100.0);
/// assert!((ratings.elo[1] - ratings.elo[2]).abs() < 1e-6);
/// assert!(ratings.error(0) > 0.0 && !ratings.with_prior);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// Each player's rating in Elo points.
    pub elo: Vec<f64>,
    /// The covariance of the ratings, in Elo points squared, row by row.
    covariance: Vec<Vec<f64>>,
    /// Whether a drawn game was added between every two players, because some rating would otherwise be
    /// infinite.
    pub with_prior: bool,
}

impl Ratings {
    /// The ratings of `players` players with these results.
    ///
    /// The maximum-likelihood ratings are finite unless the players can be divided into two groups so that
    /// one never took half a point from the other (L. R. Ford, "Solution of a ranking problem from binary
    /// comparisons", American Mathematical Monthly 64, 1957). In that case one drawn game is added between
    /// every two players, as in BayesElo's prior; large differences are then bounds rather than estimates,
    /// and [`with_prior`](Ratings::with_prior) is set.
    pub fn of(players: usize, encounters: &[Encounter]) -> Ratings {
        let with_prior = !all_finite(players, encounters);
        let mut results = encounters.to_vec();
        if with_prior {
            results.extend(draws_of_all(players));
        }
        let strengths = likeliest_strengths(players, &results);
        let mut elo: Vec<f64> = strengths.iter().map(|strength| 400.0 * strength.log10()).collect();
        let mean = elo.iter().sum::<f64>() / players.max(1) as f64;
        elo.iter_mut().for_each(|elo| *elo -= mean);
        let covariance = covariance(&strengths, &results);
        Ratings { elo, covariance, with_prior }
    }

    /// Half the width of the 95 % interval of `player`'s rating.
    ///
    /// # Panics
    /// Panics if the player does not exist.
    pub fn error(&self, player: usize) -> f64 {
        Z_95 * self.covariance[player][player].max(0.0).sqrt()
    }

    /// Half the width of the 95 % interval of the difference of two players' ratings.
    ///
    /// # Panics
    /// Panics if a player does not exist.
    pub fn error_of_difference(&self, one: usize, other: usize) -> f64 {
        let covariance = &self.covariance;
        let variance = covariance[one][one] + covariance[other][other] - 2.0 * covariance[one][other];
        Z_95 * variance.max(0.0).sqrt()
    }
}

/// Whether there is a path from every player to every other, where each step leads from a player to one it
/// took points from. There is one if the first player reaches all others both along the steps and against them.
fn all_finite(players: usize, encounters: &[Encounter]) -> bool {
    let mut took = Vec::new();
    for &Encounter { players: [one, other], games, points, .. } in encounters {
        took.extend((points > 0.0).then_some([one, other]));
        took.extend((points < games).then_some([other, one]));
    }
    let backwards: Vec<[usize; 2]> = took.iter().map(|&[from, to]| [to, from]).collect();
    reaches_all(players, &took) && reaches_all(players, &backwards)
}

/// Whether all players can be reached from the first by `steps` from one player to another.
fn reaches_all(players: usize, steps: &[[usize; 2]]) -> bool {
    let mut reached = vec![false; players];
    let mut waiting = vec![0; players.min(1)];
    while let Some(player) = waiting.pop() {
        if !std::mem::replace(&mut reached[player], true) {
            waiting.extend(steps.iter().filter(|[from, _]| *from == player).map(|[_, to]| *to));
        }
    }
    reached.iter().all(|&reached| reached)
}

/// One drawn game between every two players.
fn draws_of_all(players: usize) -> impl Iterator<Item = Encounter> {
    let pairs = (0..players).flat_map(move |one| (one + 1..players).map(move |other| [one, other]));
    pairs.map(|players| Encounter { players, games: 1.0, points: 0.5, variance: None })
}

/// The maximum-likelihood strengths `γ`, with product 1.
///
/// With the points `W_i` of player `i` and its games `n_ij` against player `j`, the iteration `γ_i ← W_i / Σ_j
/// n_ij/(γ_i + γ_j)` increases the likelihood in every step, up to its only maximum (D. R. Hunter, "MM algorithms for
/// generalized Bradley–Terry models", Annals of Statistics 32, 2004, equation 3).
fn likeliest_strengths(players: usize, results: &[Encounter]) -> Vec<f64> {
    let mut points = vec![0.0; players];
    for result in results {
        points[result.players[0]] += result.points;
        points[result.players[1]] += result.games - result.points;
    }
    let mut strengths = vec![1.0; players];
    for _ in 0..MAX_STEPS {
        let mut weights = vec![0.0; players];
        for Encounter { players: [one, other], games, .. } in results {
            let weight = games / (strengths[*one] + strengths[*other]);
            weights[*one] += weight;
            weights[*other] += weight;
        }
        let mut next: Vec<f64> =
            points.iter().zip(&weights).map(|(points, weight)| points / weight).collect();
        let mean = next.iter().map(|strength| strength.ln()).sum::<f64>() / players as f64;
        next.iter_mut().for_each(|strength| *strength /= mean.exp());
        let settled = next.iter().zip(&strengths).all(|(next, last)| (next / last - 1.0).abs() < PRECISION);
        strengths = next;
        if settled {
            break;
        }
    }
    strengths
}

/// The covariance of the ratings: the "sandwich" `L⁺·M·L⁺` (Huber 1967; White 1982), where `L` is the Fisher
/// information of the model and `M` the variance of its gradient, estimated from the pairs of games. Without pairs,
/// or if all are alike, `M = L`, and the sandwich is the inverse of the Fisher information. For two players it is the
/// error of their match by the delta method.
///
/// `L` and `M` are Laplacians, because only differences of ratings matter: each encounter adds `k²·n·p·(1 − p)` to `L`
/// and `k²·variance` to `M`, with `k = ln 10/400`. `L⁺` is the inverse on ratings with mean 0. With the difference `d`
/// of an encounter, `M = Σ variance·ddᵀ`, and the sandwich is `Σ variance·(L⁺d)(L⁺d)ᵀ`.
fn covariance(strengths: &[f64], results: &[Encounter]) -> Vec<Vec<f64>> {
    let players = strengths.len();
    let per_elo = std::f64::consts::LN_10 / 400.0;
    let binomial = |&Encounter { players: [one, other], games, .. }: &Encounter| {
        let expected = strengths[one] / (strengths[one] + strengths[other]);
        games * expected * (1.0 - expected)
    };
    let mut information = vec![vec![0.0; players]; players];
    for result in results {
        let [one, other] = result.players;
        let amount = per_elo * per_elo * binomial(result);
        information[one][one] += amount;
        information[other][other] += amount;
        information[one][other] -= amount;
        information[other][one] -= amount;
    }
    // Adding a constant matrix makes the Laplacian of connected players invertible without changing differences.
    let largest = information.iter().flatten().fold(f64::MIN_POSITIVE, |most, &value| most.max(value));
    let shift = 1.0 / players as f64;
    information.iter_mut().flatten().for_each(|value| *value = *value / largest + shift);
    let mut covariance = vec![vec![0.0; players]; players];
    let Some(factor) = Cholesky::of(&information) else { return covariance };
    for result in results {
        let [one, other] = result.players;
        let mut difference = vec![0.0; players];
        difference[one] = per_elo / largest;
        difference[other] = -per_elo / largest;
        let moved = factor.solve(&difference);
        let variance = result.variance.unwrap_or_else(|| binomial(result));
        for (row, by) in covariance.iter_mut().zip(&moved) {
            row.iter_mut().zip(&moved).for_each(|(value, and)| *value += variance * by * and);
        }
    }
    covariance
}
