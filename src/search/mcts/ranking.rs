//! The legal plays of a node in the order of their priors.
//!
//! The prior of a play is the softmax over all legal plays of the [`Prior`](crate::prior::Prior)'s scores,
//! `P ∝ base^score`. Among equals, the order of the game's own list decides. A node's children are always the first
//! plays of this ranking. The ranking is not kept: when a node gets more children, it is computed again and comes out
//! the same.

use crate::game::Game;

/// The number of different scores, counted from the best one down. All lower scores count as the last of them.
const STEPS: usize = 64;

/// Lists and ranks plays in buffers that are reused.
#[derive(Clone, Debug)]
pub(crate) struct Ranking<P> {
    /// `base^−steps` for each number of steps behind the best score.
    weights: [f32; STEPS],
    plays: Vec<P>,
    scores: Vec<i8>,
    /// How many steps each play is behind the best.
    steps: Vec<u8>,
    /// The indices in `plays` of the first plays of the ranking, in order.
    order: Vec<u16>,
}

impl<P: Copy> Ranking<P> {
    pub fn new(base: f32) -> Ranking<P> {
        // Computed by division only, so that the table is the same on every machine.
        let mut weights = [1.0; STEPS];
        for step in 1..STEPS {
            weights[step] = weights[step - 1] / base;
        }
        Ranking { weights, plays: Vec::new(), scores: Vec::new(), steps: Vec::new(), order: Vec::new() }
    }

    /// Lists the legal plays of `position`.
    pub fn list<G: Game<Play = P>>(&mut self, position: &G) -> &[P] {
        position.legal_plays(&mut self.plays);
        debug_assert!(self.plays.len() <= u16::MAX as usize);
        &self.plays
    }

    /// The `wanted` plays of highest prior among those just [listed](Self::list), in order, with their priors. `score`
    /// scores the plays.
    ///
    /// Scores have few values, so the sum of all weights and every play's rank follow from how often each value occurs.
    /// This is a counting sort that fills in only the first ranks.
    pub fn first(
        &mut self,
        wanted: usize,
        score: impl FnOnce(&[P], &mut Vec<i8>),
    ) -> impl ExactSizeIterator<Item = (P, f32)> {
        score(&self.plays, &mut self.scores);
        debug_assert_eq!(self.scores.len(), self.plays.len(), "a prior scores every play");
        let wanted = wanted.min(self.plays.len());
        let best = self.scores.iter().copied().max().unwrap_or(0);
        self.steps.clear();
        self.steps.extend(self.scores.iter().map(|&score| best.abs_diff(score).min(STEPS as u8 - 1)));
        let furthest = usize::from(self.steps.iter().copied().max().unwrap_or(0));
        self.order.clear();
        let total = if furthest == 0 {
            self.order.extend(0..wanted as u16);
            self.plays.len() as f32
        } else {
            self.order.resize(wanted, 0);
            self.sort(furthest)
        };
        let Ranking { weights, plays, steps, order, .. } = &*self;
        order.iter().map(move |&index| {
            let index = usize::from(index);
            (plays[index], weights[usize::from(steps[index]) % STEPS] / total)
        })
    }

    /// Fills in `order`, and returns the sum of all plays' weights. No play is more than `furthest` steps behind.
    fn sort(&mut self, furthest: usize) -> f32 {
        let mut counts = [0u16; STEPS];
        for &step in &self.steps {
            counts[usize::from(step) % STEPS] += 1;
        }
        let (mut total, mut ahead, mut max_step) = (0.0, 0, 0);
        let mut next = [0u16; STEPS];
        for step in 0..=furthest {
            total += f32::from(counts[step]) * self.weights[step];
            next[step] = ahead;
            if usize::from(ahead) < self.order.len() {
                max_step = step as u8;
            }
            ahead += counts[step];
        }
        let mut left = self.order.len();
        for (index, &step) in self.steps.iter().enumerate() {
            if step <= max_step {
                let next = &mut next[usize::from(step) % STEPS];
                if let Some(order) = self.order.get_mut(usize::from(*next)) {
                    *order = index as u16;
                    *next += 1;
                    left -= 1;
                    if left == 0 {
                        break;
                    }
                }
            }
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{BLACK, Play, Position, Rules};

    /// Scores plays by progress alone.
    fn progress(position: &Position) -> impl Fn(&[Play], &mut Vec<i8>) {
        |plays, scores| {
            scores.clear();
            scores.extend(plays.iter().map(|&play| position.progress(play) as i8));
        }
    }

    #[test]
    fn the_first_plays_are_those_of_the_whole_ranking() {
        let position = Position::initial(BLACK, Rules::Original);
        let mut ranking = Ranking::new(1.25);
        let legal = ranking.list(&position).len();
        let whole: Vec<_> = ranking.first(legal, progress(&position)).collect();
        assert_eq!(whole.len(), 40);
        let sum: f32 = whole.iter().map(|&(_, prior)| prior).sum();
        assert!((sum - 1.0).abs() < 1e-5);
        assert!(whole.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        for wanted in [1, 4, 8, 39, 40, 60] {
            let first: Vec<_> = ranking.first(wanted, progress(&position)).collect();
            assert_eq!(first, whole[..wanted.min(40)]);
        }
    }

    #[test]
    fn one_more_point_of_score_multiplies_the_prior_by_the_base() {
        let position = Position::initial(BLACK, Rules::Original);
        let mut ranking = Ranking::new(1.5);
        let legal = ranking.list(&position).len();
        let plays: Vec<_> = ranking.first(legal, progress(&position)).collect();
        for &(play, prior) in &plays {
            let expected = plays[0].1 * 1.5f32.powi(position.progress(play) - position.progress(plays[0].0));
            assert!((prior - expected).abs() < 1e-6);
        }
    }
}
