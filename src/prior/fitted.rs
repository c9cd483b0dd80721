//! The fitted prior: a few features of each play, with weights fitted to the choices of a deep search.
//!
//! The [features](super::Features) of a play are its squares, its progress and the rank of its piece. Each has a
//! [weight](super::weights), and the probabilities of plays are the softmax of the sums of their weights.
//!
//! The weights were fitted by multinomial logistic regression to the plays that a deep alpha-beta search chose, much as
//! R. Coulom fits patterns to the moves of strong players ("Computing Elo Ratings of Move Patterns in the Game of Go",
//! 2007).

use super::Prior;
use super::features::{Boards, Formation, IN_PHASE, PHASELESS, SQUARES, boards, kind};
use super::weights::WEIGHTS;
use crate::game::Game;
use crate::rules::{Play, Position, distance};
use crate::support::parameters::{Named, number};
use crate::support::spec::SpecError;

/// A point of score is this many hundredths of a nat, the unit of [`WEIGHTS`]. As the logarithm of 1.35 is 0.30,
/// `base=1.35` gives the fitted probabilities.
const STEP: i32 = 30;

static BOARDS: Boards = boards(&WEIGHTS);

crate::parameters! {
    /// The parameters of [`Fitted`].
    pub struct FittedParameters;
    base: f32 = 1.25, number(1.0, 10.0, 0.05),
        "factor by which one more point of score makes a play likelier; 1.35 gives the fitted probabilities";
}

/// The fitted prior.
#[derive(Clone, Debug, Default)]
pub struct Fitted {
    parameters: FittedParameters,
}

impl Named for Fitted {
    const NAME: &'static str = "fitted";
    const ABOUT: &'static str = "by squares, progress and rank, fitted to the choices of a deep search";
    type Parameters = FittedParameters;
    type Context = ();

    fn build(parameters: FittedParameters, (): ()) -> Result<Fitted, SpecError> {
        Ok(Fitted { parameters })
    }
}

impl Prior<Position> for Fitted {
    fn scores(&mut self, position: &Position, plays: &[Play], scores: &mut Vec<i8>) {
        let side = position.to_move();
        let formation = Formation::new(position);
        let squares = &BOARDS[formation.base / IN_PHASE][side.index()];
        let kinds = &WEIGHTS[formation.base + 2 * SQUARES..formation.base + IN_PHASE];
        // Plays are listed piece by piece, so each piece's part is looked up once.
        let (mut piece, mut of_piece, mut start) = (None, 0, 0);
        scores.clear();
        scores.extend(plays.iter().map(|&play| {
            if piece != Some(play.from) {
                piece = Some(play.from);
                start = usize::from(distance(side, play.from));
                of_piece = i32::from(squares[play.from.index()].left)
                    + i32::from(WEIGHTS[PHASELESS + formation.rank(start)]);
            }
            let to = &squares[play.to.index()];
            let kind = kinds[kind(play, start, to.distance.into())];
            in_steps(of_piece + i32::from(to.reached) + i32::from(kind))
        }));
    }

    fn base(&self) -> f32 {
        self.parameters.base
    }
}

/// Converts a sum of weights to points of score, rounded.
#[inline]
fn in_steps(sum: i32) -> i8 {
    // The shift makes every sum positive, which makes the division faster.
    const SHIFT: i32 = 4 * i16::MAX as i32 / STEP + 1;
    ((sum + STEP / 2 + SHIFT * STEP) / STEP - SHIFT).clamp(i8::MIN.into(), i8::MAX.into()) as i8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prior::Features;
    use crate::rules::Rules;
    use crate::rules::test_games::forward_games;

    fn scored(position: &Position) -> (Vec<Play>, Vec<i8>) {
        let (mut plays, mut scored) = (Vec::new(), Vec::new());
        position.legal_plays(&mut plays);
        Fitted::default().scores(position, &plays, &mut scored);
        (plays, scored)
    }

    #[test]
    fn a_score_is_the_sum_of_the_features_weights() {
        for position in forward_games(1, 160, Rules::Addendum) {
            let (plays, scored) = scored(&position);
            let features = Features::new(&position);
            for (&play, &score) in plays.iter().zip(&scored) {
                let sum: f64 = features.of(play).iter().map(|&feature| f64::from(WEIGHTS[feature])).sum();
                assert!((sum / f64::from(STEP) - f64::from(score)).abs() <= 0.5, "{play}");
            }
        }
    }
}
