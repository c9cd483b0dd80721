//! The fitted prior: a few features of each play, with weights fitted to the choices of a deep search.
//!
//! The [features](super::Features) of a play are its squares, its progress and the rank of its piece. Each has a weight
//! ([`weights`](super::weights)), and the probability of a play is the softmax of the sum of its features' weights.
//!
//! `lab priors` of commit a42f31d fitted the weights to the plays that a deep alpha-beta search chose, by multinomial logistic
//! regression, as Coulom fits patterns to the moves of masters ("Computing Elo Ratings of Move Patterns in
//! the Game of Go", 2007).

use super::Prior;
use super::features::{Army, Boards, IN_PHASE, PHASELESS, SQUARES, boards, kind};
use super::weights::WEIGHTS;
use crate::game::Game;
use crate::rules::{Play, Position, distance};
use crate::support::parameters::{Named, number};
use crate::support::spec::SpecError;

/// One point of score, in hundredths of a nat, the unit of [`WEIGHTS`]. It is the logarithm of 1.35: with
/// `base=1.35` priors are as they were fitted.
const STEP: i32 = 30;

/// The squares for each phase and side.
static BOARDS: Boards = boards(&WEIGHTS);

crate::parameters! {
    /// The parameters of [`Fitted`].
    pub struct FittedParameters;
    base: f32 = 1.25, number(1.0, 10.0, 0.05),
        "how many times as likely one more point of score makes a play; 1.35 is what was fitted";
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
        let army = Army::new(position);
        let squares = &BOARDS[army.base / IN_PHASE][side.index()];
        let kinds = &WEIGHTS[army.base + 2 * SQUARES..army.base + IN_PHASE];
        // Plays are listed piece by piece, so what depends on the piece alone is looked up once per piece.
        let (mut piece, mut of_piece, mut start) = (None, 0, 0);
        scores.clear();
        scores.extend(plays.iter().map(|&play| {
            if piece != Some(play.from) {
                piece = Some(play.from);
                start = usize::from(distance(side, play.from));
                of_piece = i32::from(squares[play.from.index()].left)
                    + i32::from(WEIGHTS[PHASELESS + army.rank(start)]);
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

/// A sum of weights in points of score, rounded.
#[inline]
fn in_steps(sum: i32) -> i8 {
    // This makes every sum positive, because dividing is then faster.
    const SHIFT: i32 = 4 * i16::MAX as i32 / STEP + 1;
    ((sum + STEP / 2 + SHIFT * STEP) / STEP - SHIFT).clamp(i8::MIN.into(), i8::MAX.into()) as i8
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::prior::Features;
    use crate::rules::{BLACK, Rules};

    /// Positions of a game in which both sides mostly go forward.
    pub fn positions() -> Vec<Position> {
        let mut position = Position::initial(BLACK, Rules::Addendum);
        let mut plays = Vec::new();
        let mut positions = Vec::new();
        for ply in 0..160 {
            positions.push(position);
            position.legal_plays(&mut plays);
            let Some(&play) = plays.iter().max_by_key(|&&play| (position.progress(play), (ply * 7) % 11))
            else {
                break;
            };
            position.play(play);
        }
        positions
    }

    fn scored(position: &Position) -> (Vec<Play>, Vec<i8>) {
        let (mut plays, mut scored) = (Vec::new(), Vec::new());
        position.legal_plays(&mut plays);
        Fitted::default().scores(position, &plays, &mut scored);
        (plays, scored)
    }

    #[test]
    fn a_score_is_the_sum_of_the_features_weights() {
        for position in positions() {
            let (plays, scored) = scored(&position);
            let features = Features::new(&position);
            for (&play, &score) in plays.iter().zip(&scored) {
                let sum: f64 = features.of(play).iter().map(|&feature| f64::from(WEIGHTS[feature])).sum();
                assert!((sum / f64::from(STEP) - f64::from(score)).abs() <= 0.5, "{play}");
            }
        }
    }

    #[test]
    fn both_sides_get_the_same_scores() {
        for position in positions() {
            let (plays, scores_here) = scored(&position);
            let (turned, scores_there) = scored(&position.half_turn());
            for (play, score) in plays.iter().zip(scores_here) {
                let same = Play::new(play.from.half_turn(), play.to.half_turn());
                let place = turned.iter().position(|&other| other == same).expect("the play, turned");
                assert_eq!(scores_there[place], score);
            }
        }
    }
}
