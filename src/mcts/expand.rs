//! Children: which plays get a node, and with what prior.
//!
//! The prior of a play is the softmax of its promise ([`Playout::promise`](crate::playout::Playout)),
//! `P ∝ lean^promise`, over all legal plays.
//! Plays are ranked by prior (the list's order decides between equals), and a node's children are
//! always the first so many of that ranking. The list itself is not kept: when a block of children
//! grows, it is made again and comes out the same.

use super::params::Params;
use crate::game::Game;

/// A promise beyond this counts as this much.
const MOST_PROMISE: i32 = 32;

/// Steps of promise that are told apart.
const STEPS: usize = 2 * MOST_PROMISE as usize + 1;

/// Lists and ranks plays, in buffers that are used again.
#[derive(Clone, Debug)]
pub(crate) struct Ranking<P> {
    /// `lean^promise` for a promise of −32…+32.
    weights: [f32; STEPS],
    plays: Vec<P>,
    /// Each play's promise, as an index of `weights`.
    steps: Vec<u8>,
    /// The first plays in order, each by its place in `plays`.
    order: Vec<u16>,
}

impl<P: Copy> Ranking<P> {
    /// An empty ranking, to be filled by [`list`](Self::list).
    pub fn new(params: &Params) -> Ranking<P> {
        // By multiplication only, for the same table on every machine.
        let mut weights = [1.0; STEPS];
        for step in 1..=MOST_PROMISE as usize {
            let middle = MOST_PROMISE as usize;
            weights[middle + step] = weights[middle + step - 1] * params.lean;
            weights[middle - step] = weights[middle - step + 1] / params.lean;
        }
        Ranking { weights, plays: Vec::new(), steps: Vec::new(), order: Vec::new() }
    }

    /// Lists the plays of `position`.
    pub fn list<G: Game<Play = P>>(&mut self, position: &G) -> &[P] {
        position.plays(&mut self.plays);
        debug_assert!(self.plays.len() <= u16::MAX as usize);
        &self.plays
    }

    /// The `wanted` plays of highest prior among those listed last for `position`, in order, with
    /// their priors.
    ///
    /// Promises have few values, so counting how often each occurs gives both the sum of all weights
    /// and every play's place (a counting sort, of which only the first places are filled in).
    pub fn first(
        &mut self,
        wanted: usize,
        promise: impl Fn(P) -> i32,
    ) -> impl ExactSizeIterator<Item = (P, f32)> {
        let wanted = wanted.min(self.plays.len());
        let mut counts = [0u16; STEPS];
        self.steps.clear();
        self.steps.extend(self.plays.iter().map(|&play| {
            let step = promise(play).clamp(-MOST_PROMISE, MOST_PROMISE) + MOST_PROMISE;
            counts[step as usize] += 1;
            step as u8
        }));
        let mut total = 0.0;
        let mut least = STEPS;
        let mut next = [0; STEPS];
        let mut ahead = 0;
        for step in (0..STEPS).rev() {
            total += f32::from(counts[step]) * self.weights[step];
            next[step] = ahead;
            if ahead < wanted {
                least = step;
            }
            ahead += usize::from(counts[step]);
        }
        self.order.resize(wanted, 0);
        for (place, &step) in self.steps.iter().enumerate() {
            let step = usize::from(step);
            if step >= least && next[step] < wanted {
                self.order[next[step]] = place as u16;
                next[step] += 1;
            }
        }
        let Ranking { weights, plays, steps, order } = &*self;
        order.iter().map(move |&place| {
            let place = usize::from(place);
            (plays[place], weights[usize::from(steps[place])] / total)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halma::{BLACK, Position, Rules};

    #[test]
    fn the_first_plays_are_those_of_the_whole_ranking() {
        let position = Position::initial(BLACK, Rules::Original);
        let mut ranking = Ranking::new(&Params::default());
        let legal = ranking.list(&position).len();
        let whole: Vec<_> = ranking.first(legal, |play| position.progress(play)).collect();
        assert_eq!(whole.len(), 40);
        let sum: f32 = whole.iter().map(|&(_, prior)| prior).sum();
        assert!((sum - 1.0).abs() < 1e-5);
        assert!(whole.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        for wanted in [1, 4, 8, 39, 40, 60] {
            let first: Vec<_> = ranking.first(wanted, |play| position.progress(play)).collect();
            assert_eq!(first, whole[..wanted.min(40)]);
        }
    }

    #[test]
    fn a_row_of_progress_makes_a_play_lean_times_as_likely() {
        let position = Position::initial(BLACK, Rules::Original);
        let params = Params { lean: 1.5, ..Params::default() };
        let mut ranking = Ranking::new(&params);
        let legal = ranking.list(&position).len();
        let plays: Vec<_> = ranking.first(legal, |play| position.progress(play)).collect();
        for &(play, prior) in &plays {
            let expected = plays[0].1 * 1.5f32.powi(position.progress(play) - position.progress(plays[0].0));
            assert!((prior - expected).abs() < 1e-6);
        }
    }
}
