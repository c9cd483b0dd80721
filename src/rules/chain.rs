//! The single jumps of a play, for output.

use super::bitboard::Bitboard;
use super::camps::{camp, goal};
use super::play::Play;
use super::position::Position;
use super::reach::Jumps;
use super::square::Square;
use crate::game::Game;
use smallvec::SmallVec;

/// The squares that a piece touches in one turn, starting with its origin: two for a step or a single jump, one more for
/// each further jump.
pub type Chain = SmallVec<[Square; 8]>;

/// The squares that the piece of `play` touches; `None` if no step or chain of jumps leads to its destination.
///
/// The camp rules concern only the two ends of a play, but a referee may check every jump. So a chain that such a
/// referee accepts is preferred: once in its goal, the piece stays there, and once outside its camp, it does not land
/// there again. Among these chains, or among all if there are none, the result is a shortest one.
pub fn chain(position: &Position, play: Play) -> Option<Chain> {
    if play.from == play.to {
        return None;
    }
    if !play.is_jump() {
        let step = super::reach::neighbours(play.from).contains(play.to) && position.at(play.to).is_none();
        return step.then(|| Chain::from_slice(&[play.from, play.to]));
    }
    let side = position.to_move();
    let hop_is_safe = |from: Square, to: Square| {
        let leaves_goal = goal(side).contains(from) && !goal(side).contains(to);
        let enters_camp = !camp(side).contains(from) && camp(side).contains(to);
        !leaves_goal && !enters_camp
    };
    shortest(position, play, hop_is_safe).or_else(|| shortest(position, play, |_, _| true))
}

/// A shortest chain of jumps that `allowed` accepts, found by breadth-first search.
fn shortest(position: &Position, play: Play, allowed: impl Fn(Square, Square) -> bool) -> Option<Chain> {
    let class = play.from.class();
    let jumps = Jumps::of_class(position.occupied(), class);
    let mut came_from = [None; 64];
    let mut seen = Bitboard::EMPTY.with(play.from);
    let mut queue = vec![play.from];
    let mut next = 0;
    while let Some(&from) = queue.get(next) {
        next += 1;
        if from == play.to {
            let mut chain = Chain::from_slice(&[from]);
            while let Some(&Some(before)) = chain.last().map(|at| &came_from[at.index() & 63]) {
                chain.push(before);
            }
            chain.reverse();
            return Some(chain);
        }
        let mut landings = Bitboard::EMPTY;
        landings.0[class] = jumps.landings(from.bit());
        for to in landings {
            if !seen.contains(to) && allowed(from, to) {
                seen = seen.with(to);
                came_from[to.index() & 63] = Some(from);
                queue.push(to);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::position::{BLACK, Rules};
    use super::*;

    #[test]
    fn the_shortest_chain_that_touches_no_barred_square_is_found() {
        let squares = |text: &str| text.split(' ').map(|square| square.parse::<Square>().unwrap()).collect();
        let ring = "8,7 9,8 8,9 7,8 7,10";
        for (case, black, white, play, expected) in [
            ("a step", "7,7", "8,8", "7,7 7,8", Some("7,7 7,8")),
            ("an occupied square", "7,7", "8,8", "7,7 8,8", None),
            ("too far for a step", "7,7", "8,8", "7,7 10,8", None),
            ("the short way round", "7,7", ring, "7,7 7,11", Some("7,7 7,9 7,11")),
            ("both ways round are equally long", "7,7", ring, "7,7 9,9", Some("7,7 9,7 9,9")),
            ("no chain", "7,7", ring, "7,7 7,13", None),
            (
                "two jumps that leave the goal, or three inside it",
                "11,14",
                "12,14 14,13 14,12 11,13 12,12",
                "11,14 13,12",
                Some("11,14 13,14 15,12 13,12"),
            ),
            (
                "only the two that leave the goal",
                "11,14",
                "11,13 12,12",
                "11,14 13,12",
                Some("11,14 11,12 13,12"),
            ),
            (
                "three jumps through the camp, or four outside it",
                "5,1",
                "4,1 3,2 4,3 6,1 8,2 8,3 6,3",
                "5,1 5,3",
                Some("5,1 7,1 9,3 7,3 5,3"),
            ),
            ("only the three through the camp", "5,1", "4,1 3,2 4,3", "5,1 5,3", Some("5,1 3,1 3,3 5,3")),
        ] {
            let position = Position::new([squares(black), squares(white)], BLACK, Rules::Addendum);
            let found = chain(&position, play.parse().expect("a play"));
            let found = found.map(|chain| chain.iter().map(Square::to_string).collect::<Vec<_>>().join(" "));
            assert_eq!(found.as_deref(), expected, "{case}");
        }
    }
}
