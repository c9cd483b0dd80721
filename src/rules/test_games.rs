//! Games for this crate's tests.

use super::position::{BLACK, Position, Rules};
use crate::game::Game;
use crate::support::random::Random;

/// Positions of games in which both sides usually move forward, so that all phases occur: each play is the one that
/// makes the most progress among a few random plays.
pub(crate) fn forward_games(games: u64, plies: usize, rules: Rules) -> impl Iterator<Item = Position> {
    (0..games).flat_map(move |game| {
        let (mut random, mut legal_plays) = (Random::new(game), Vec::new());
        let next = move |position: &Position| {
            position.legal_plays(&mut legal_plays);
            let mut next = *position;
            let tried: [_; 4] =
                std::array::from_fn(|_| legal_plays.get(random.below(legal_plays.len().max(1))));
            next.play(*tried.into_iter().flatten().max_by_key(|&&play| position.progress(play))?);
            Some(next)
        };
        std::iter::successors(Some(Position::initial(BLACK, rules)), next)
            .take_while(|position| position.outcome().is_none())
            .take(plies)
    })
}
