//! Ratings of many players from the results between them: the Bradley–Terry model.
//!
//! Player `i` is expected to score `p_ij = γ_i / (γ_i + γ_j)` against player `j`, and its rating is
//! `400·log10 γ_i`: the logistic Elo model (Bradley, Terry 1952; Elo 1978). A draw is half a point.
//! The ratings are those under which the results are likeliest, with mean 0.

use super::cholesky::Cholesky;
use super::estimate::Z_95;
use super::pairs::PairCounts;

/// The iteration ends when no strength changes by more than this part of it …
const PRECISION: f64 = 1e-13;
/// … or after this many steps.
const MOST_STEPS: usize = 200_000;

/// The results between two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// The two players, by number, not the same.
    pub players: [usize; 2],
    /// How many games they played.
    pub games: f64,
    /// The first player's points, 0…`games`.
    pub points: f64,
    /// The variance of `points`, if the results show it; else that of independent games without draws,
    /// `n·p·(1 − p)`, is assumed.
    pub variance: Option<f64>,
}

impl Encounter {
    /// The encounter of `players` whose pairs of games ended like this. The variance is that of the
    /// pairs, so the value of an opening cancels; pairs that all ended alike show none.
    pub fn of_pairs(players: [usize; 2], pairs: PairCounts) -> Encounter {
        let number = pairs.pairs() as f64;
        let games = 2.0 * number;
        // A pair's points are twice its score per game.
        let variance = (!pairs.all_alike()).then(|| number * 4.0 * pairs.variance());
        Encounter { players, games, points: games * pairs.mean(), variance }
    }
}

/// The ratings of some players, mean 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// Each player's rating, in Elo points.
    pub elo: Vec<f64>,
    /// The covariance of the ratings, in Elo points squared, row by row.
    covariance: Vec<Vec<f64>>,
    /// Whether a drawn game between every two players was added, because the results alone make
    /// some rating infinite.
    pub with_prior: bool,
}

impl Ratings {
    /// The ratings of `players` players whose results are `encounters`.
    ///
    /// The likeliest ratings are finite if and only if the players can't be divided into two groups of
    /// which one never took half a point from the other (Ford 1957). Otherwise one drawn game is added
    /// between every two players, as in BayesElo's prior: ratings far apart are then bounds rather than
    /// estimates, and [`with_prior`](Ratings::with_prior) is set.
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

    /// Half the width of the 95 % interval of the rating of `player`.
    ///
    /// # Panics
    /// Panics if there is no such player.
    pub fn error(&self, player: usize) -> f64 {
        Z_95 * self.covariance[player][player].max(0.0).sqrt()
    }

    /// Half the width of the 95 % interval of the difference of two players' ratings.
    ///
    /// # Panics
    /// Panics if there is no such player.
    pub fn error_of_difference(&self, one: usize, other: usize) -> f64 {
        let covariance = &self.covariance;
        let variance = covariance[one][one] + covariance[other][other] - 2.0 * covariance[one][other];
        Z_95 * variance.max(0.0).sqrt()
    }
}

/// Whether every player can be reached from every other by steps from a player to one from whom it took
/// points: the first reaches all, forwards and backwards.
fn all_finite(players: usize, encounters: &[Encounter]) -> bool {
    let mut took = Vec::new();
    for &Encounter { players: [one, other], games, points, .. } in encounters {
        took.extend((points > 0.0).then_some([one, other]));
        took.extend((points < games).then_some([other, one]));
    }
    let backwards: Vec<[usize; 2]> = took.iter().map(|&[from, to]| [to, from]).collect();
    reaches_all(players, &took) && reaches_all(players, &backwards)
}

/// Whether all players can be reached from the first by `steps`, each from one player to another.
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

/// The strengths `γ` under which the results are likeliest, with product 1.
///
/// With `W_i` the points of player `i` and `n_ij` the games with player `j`, repeat
/// `γ_i ← W_i / Σ_j n_ij/(γ_i + γ_j)`; the likelihood rises with every step, to its one maximum
/// (Hunter 2004, "MM algorithms for generalized Bradley–Terry models", equation 3).
fn likeliest_strengths(players: usize, results: &[Encounter]) -> Vec<f64> {
    let mut points = vec![0.0; players];
    for result in results {
        points[result.players[0]] += result.points;
        points[result.players[1]] += result.games - result.points;
    }
    let mut strengths = vec![1.0; players];
    for _ in 0..MOST_STEPS {
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

/// The covariance of the ratings: the "sandwich" `L⁺·M·L⁺` (Huber 1967; White 1982), with `L` the
/// Fisher information of the model and `M` the variance of its gradient as the pairs of games show
/// it. Where no pairs are given, or they are all alike, `M = L`, and the sandwich is the inverse of
/// the Fisher information. For two players it is the error of their match, as the delta method
/// gives it.
///
/// Both are Laplacians, for only differences of ratings matter: `k²·n·p·(1 − p)` for each encounter
/// in `L`, `k²·variance` in `M`, `k = ln 10/400`. `L⁺` is the inverse for ratings with mean 0. With
/// `d` the difference that an encounter is about, `M = Σ variance·ddᵀ`, and the sandwich is
/// `Σ variance·(L⁺d)(L⁺d)ᵀ`.
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
    // Adding a constant matrix makes a Laplacian of connected players invertible, and does not change
    // differences.
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
