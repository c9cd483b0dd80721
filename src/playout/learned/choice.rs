//! How a policy chooses among plays that it rates.

use crate::support::math::exp;
use crate::support::parameters::{Range, Words};
use crate::support::random::Random;

/// How many ratings are compared at once, without a branch for each. A ply of a playout has about a hundred ratings.
const CHUNK: usize = 8;

/// How a policy chooses among plays that it rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Mostly the play with the highest rating, else the play of the inner policy (Tak, Winands, Björnsson 2012).
    Greedy,
    /// Each play with a probability proportional to exp(rating / temperature) (Finnsson, Björnsson 2008).
    Gibbs,
}

impl Words for Choice {
    const WORDS: &'static [(&'static str, Choice)] = &[("greedy", Choice::Greedy), ("gibbs", Choice::Gibbs)];
}

impl Choice {
    /// Chooses one of `plays`, given their `ratings` and the play of the inner policy, which is one of them.
    pub fn choose<P: Copy + PartialEq>(
        self,
        plays: &[P],
        ratings: &mut [f32],
        other: P,
        temperature: f32,
        random: &mut Random,
    ) -> P {
        let place = match self {
            Choice::Greedy => highest_place(ratings, |place| plays[place] == other, random),
            Choice::Gibbs => draw(ratings, temperature, random),
        };
        plays[place]
    }
}

/// The words for a [`Choice`].
pub const CHOICES: Range = Range::Word(&["greedy", "gibbs"]);

/// The index of the highest rating. If several are highest, prefers `other`; if `other` is not among them, draws one of
/// them.
///
/// ```
/// use halma::playout::highest;
/// use halma::support::random::Random;
///
/// assert_eq!(highest(&[0.1, 0.7, 0.3], 0, &mut Random::new(1)), 1);
/// assert_eq!(highest(&[0.7, 0.1, 0.7], 2, &mut Random::new(1)), 2);
/// ```
pub fn highest(ratings: &[f32], other: usize, random: &mut Random) -> usize {
    highest_place(ratings, |place| place == other, random)
}

/// The index of the highest rating. If several are highest, prefers one that `is_preferred`; if none is, draws one of
/// them.
fn highest_place(ratings: &[f32], is_preferred: impl Fn(usize) -> bool, random: &mut Random) -> usize {
    let max = max(ratings);
    // Adding up the indices of the highest ratings takes no branches. If there is only one, the sum is its index.
    let (mut count, mut sum) = (0, 0);
    for (place, &rating) in (0..).zip(ratings) {
        let is_max = u32::from(rating == max);
        count += is_max;
        sum += place & is_max.wrapping_neg();
    }
    if count == 1 {
        return sum as usize;
    }
    let mut best = (0..ratings.len()).filter(|&place| ratings[place] == max);
    let place = best.clone().find(|&place| is_preferred(place));
    place.or_else(|| best.nth(random.below(count as usize))).unwrap_or(0)
}

/// The highest of `ratings`.
fn max(ratings: &[f32]) -> f32 {
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    let (chunks, rest) = ratings.as_chunks::<CHUNK>();
    let mut max = [f32::NEG_INFINITY; CHUNK];
    for chunk in chunks {
        for (max, &rating) in max.iter_mut().zip(chunk) {
            *max = larger(*max, rating);
        }
    }
    max.into_iter().chain(rest.iter().copied()).fold(f32::NEG_INFINITY, larger)
}

/// Draws an index with a probability proportional to the exponential of its rating divided by `temperature`. Afterwards
/// `ratings` holds the probabilities. There must be at least one rating.
///
/// ```
/// use halma::playout::draw;
/// use halma::support::random::Random;
///
/// let mut ratings = [0.0, f32::ln(3.0)];
/// let place = draw(&mut ratings, 1.0, &mut Random::new(1));
/// assert!(place < 2 && (ratings[1] - 0.75).abs() < 1e-5);
/// ```
pub fn draw(ratings: &mut [f32], temperature: f32, random: &mut Random) -> usize {
    softmax(ratings, temperature);
    let mut rest = random.unit();
    for (place, &probability) in ratings.iter().enumerate() {
        rest -= probability;
        if rest < 0.0 {
            return place;
        }
    }
    // Reached only if rounding leaves a small remainder.
    ratings.len() - 1
}

/// Replaces ratings with probabilities, which are proportional to the exponentials of the ratings divided by
/// `temperature`.
pub fn softmax(ratings: &mut [f32], temperature: f32) {
    let max = max(ratings);
    ratings.iter_mut().for_each(|rating| *rating = exp((*rating - max) / temperature));
    let sum: f32 = ratings.iter().sum();
    ratings.iter_mut().for_each(|rating| *rating /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_rating_is_chosen_and_ties_are_drawn() {
        let mut random = Random::new(1);
        assert_eq!(highest(&[0.1, 0.7, 0.3], 0, &mut random), 1);
        assert_eq!(highest(&[0.7, 0.1, 0.7], 2, &mut random), 2);
        let mut drawn = [0; 3];
        (0..3000).for_each(|_| drawn[highest(&[0.7, 0.1, 0.7], 1, &mut random)] += 1);
        assert!(drawn[1] == 0 && drawn.iter().all(|&count| count == 0 || (1400..1600).contains(&count)));
    }

    #[test]
    fn probabilities_are_proportional_to_exponentials() {
        let mut random = Random::new(1);
        let mut drawn = [0; 3];
        for _ in 0..20_000 {
            let mut ratings = [0.0, 2f32.ln(), 5f32.ln()];
            drawn[draw(&mut ratings, 1.0, &mut random)] += 1;
            assert!((ratings[0] - 0.125).abs() + (ratings[2] - 0.625).abs() < 1e-5);
        }
        for (count, expected) in drawn.into_iter().zip([2500, 5000, 12_500]) {
            assert!(i32::abs_diff(count, expected) < 250, "{drawn:?}");
        }
        // Half the temperature squares the odds.
        let mut ratings = [0.0, 3f32.ln()];
        softmax(&mut ratings, 0.5);
        assert!((ratings[1] - 0.9).abs() < 1e-5);
    }
}
