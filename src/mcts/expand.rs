//! Children: which plays get a node, and with what prior.
//!
//! The prior of a play is the softmax of its progress, `P ∝ lean^progress`, over all legal plays.
//! Plays are ranked by prior (the list's order decides between equals), and a node's children are
//! always the first so many of that ranking. The list itself is not kept: when a block of children
//! grows, it is made again and comes out the same.

use super::params::Params;
use crate::game::Game;

/// Progress beyond this counts as this much.
const MOST_PROGRESS: i32 = 32;

/// Lists and ranks plays, in buffers that are used again.
#[derive(Clone, Debug)]
pub(crate) struct Ranking<P> {
    /// `lean^progress` for progress −32…+32.
    weights: [f32; 2 * MOST_PROGRESS as usize + 1],
    plays: Vec<P>,
    /// A play's rank as one number: the greater, the earlier. Weight's index above, place in
    /// `plays` (counted from the end) below.
    keys: Vec<u32>,
    total: f32,
}

impl<P: Copy> Ranking<P> {
    /// An empty ranking, to be filled by [`list`](Self::list).
    pub fn new(params: &Params) -> Ranking<P> {
        // By multiplication only, for the same table on every machine.
        let mut weights = [1.0; 2 * MOST_PROGRESS as usize + 1];
        for step in 1..=MOST_PROGRESS as usize {
            let middle = MOST_PROGRESS as usize;
            weights[middle + step] = weights[middle + step - 1] * params.lean;
            weights[middle - step] = weights[middle - step + 1] / params.lean;
        }
        Ranking { weights, plays: Vec::new(), keys: Vec::new(), total: 0.0 }
    }

    /// Lists the plays of `position`.
    pub fn list<G: Game<Play = P>>(&mut self, position: &G) -> &[P] {
        position.plays(&mut self.plays);
        debug_assert!(self.plays.len() <= u16::MAX as usize);
        &self.plays
    }

    /// The `wanted` plays of highest prior among those listed last for `position`, in order, with
    /// their priors.
    pub fn first<G: Game<Play = P>>(
        &mut self,
        position: &G,
        wanted: usize,
    ) -> impl ExactSizeIterator<Item = (P, f32)> {
        self.keys.clear();
        self.total = 0.0;
        for (place, &play) in self.plays.iter().enumerate() {
            let progress = position.progress(play).clamp(-MOST_PROGRESS, MOST_PROGRESS);
            let weight = (progress + MOST_PROGRESS) as usize;
            self.total += self.weights[weight];
            self.keys.push((weight as u32) << 16 | (u16::MAX as u32 - place as u32));
        }
        let wanted = wanted.min(self.keys.len());
        if wanted < self.keys.len() {
            self.keys.select_nth_unstable_by(wanted, |a, b| b.cmp(a));
        }
        self.keys[..wanted].sort_unstable_by(|a, b| b.cmp(a));
        self.keys[..wanted].iter().map(|&key| {
            let play = self.plays[(u16::MAX as u32 - (key & 0xffff)) as usize];
            (play, self.weights[(key >> 16) as usize] / self.total)
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
        let whole: Vec<_> = ranking.first(&position, legal).collect();
        assert_eq!(whole.len(), 40);
        let sum: f32 = whole.iter().map(|&(_, prior)| prior).sum();
        assert!((sum - 1.0).abs() < 1e-5);
        assert!(whole.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        for wanted in [1, 4, 8, 39, 40, 60] {
            let first: Vec<_> = ranking.first(&position, wanted).collect();
            assert_eq!(first, whole[..wanted.min(40)]);
        }
    }

    #[test]
    fn a_row_of_progress_makes_a_play_lean_times_as_likely() {
        let position = Position::initial(BLACK, Rules::Original);
        let params = Params { lean: 1.5, ..Params::default() };
        let mut ranking = Ranking::new(&params);
        let legal = ranking.list(&position).len();
        let plays: Vec<_> = ranking.first(&position, legal).collect();
        for &(play, prior) in &plays {
            let expected = plays[0].1 * 1.5f32.powi(position.progress(play) - position.progress(plays[0].0));
            assert!((prior - expected).abs() < 1e-6);
        }
    }
}
