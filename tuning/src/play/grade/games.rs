//! The games against the reference agent: who plays what, who begins, and how much time there is.

use halma::game::Player as Side;
use halma::rules::{BLACK, WHITE};
use halma::support::random::Random;

/// A game to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GamePlan {
    /// The colour of the program.
    pub side: Side,
    /// Whether it has the first move.
    pub begins: bool,
    /// CPU seconds of each side.
    pub seconds: f64,
}

/// `games` games. The program begins in the odd ones, five of nine, and has either colour about
/// as often; the time varies from half to one and a half of `seconds`.
pub fn plan_games(games: usize, seconds: f64, seed: u64) -> Vec<GamePlan> {
    let mut random = Random::new(seed);
    let plan = |game: usize| GamePlan {
        side: if game % 4 < 2 { BLACK } else { WHITE },
        begins: game.is_multiple_of(2),
        seconds: seconds * (50 + random.below(101)) as f64 / 100.0,
    };
    (0..games).map(plan).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_of_nine_begin_and_both_colours_play() {
        let plan = plan_games(9, 100.0, 1);
        assert_eq!(plan.iter().filter(|game| game.begins).count(), 5);
        assert!((4..=5).contains(&plan.iter().filter(|game| game.side == BLACK).count()));
        assert!(plan.iter().all(|game| (50.0..=150.0).contains(&game.seconds)));
        assert!(plan.iter().any(|game| game.seconds != plan[0].seconds));
        for side in [BLACK, WHITE] {
            assert!(plan.iter().any(|game| game.begins && game.side == side));
        }
    }
}
