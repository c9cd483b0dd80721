//! Scores plays with a network.

use super::file::BUILT_IN_WEIGHTS;
use super::{HIDDEN, HIDDEN_SCALE, POINT_BITS, PolicyNetwork};
use crate::game::Game;
use crate::network::{BUILT_IN, NetworkError, Sums, UnitRow, seen_by};
use crate::prior::features::{Army, Boards, IN_PHASE, PHASELESS, SQUARES, boards, kind};
use crate::prior::{KINDS, Prior};
use crate::rules::{Play, Position, distance};
use crate::support::parameters::{Named, Range, number};
use crate::support::simd::{Lanes, WithLanes, with_lanes};
use crate::support::spec::SpecError;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

crate::parameters! {
    /// The parameters of [`NetworkPrior`].
    pub struct NetworkPriorParameters;
    file: String = BUILT_IN.to_string(), Range::File(BUILT_IN),
        "the network's file; built-in is the one that comes with the engine";
    base: f32 = 1.075, number(1.0, 10.0, 0.02),
        "how many times as likely one more point of score makes a play; 1.133 is what was trained";
}

/// The prior of a network.
#[derive(Clone, Debug)]
pub struct NetworkPrior {
    layers: Arc<Layers>,
    base: f32,
    sums: Sums<HIDDEN>,
    /// The logit of each play.
    logits: Vec<i32>,
}

/// A network's weights as they are used: checked, those of the built-in one by a test, and in whole cache lines.
#[derive(Debug, PartialEq)]
struct Layers {
    rows: Rows,
    from: Rows,
    to: Rows,
    kinds: Rows,
    boards: Cow<'static, Boards>,
    play_weights: Cow<'static, [i16]>,
}

/// Rows in the program, or on the heap.
type Rows = Cow<'static, [UnitRow<HIDDEN>]>;

/// The `boards` of the built-in network.
static BOARDS: Boards = boards(&BUILT_IN_WEIGHTS.play_weights);

impl Named for NetworkPrior {
    const NAME: &'static str = "network";
    const ABOUT: &'static str =
        "by a network that sees where all pieces stand, trained on the visits of searches";
    type Parameters = NetworkPriorParameters;
    type Context = ();

    fn build(parameters: NetworkPriorParameters, (): ()) -> Result<NetworkPrior, SpecError> {
        let NetworkPriorParameters { file, base } = parameters;
        if file == BUILT_IN {
            return Ok(NetworkPrior::built_in(base));
        }
        let loaded =
            PolicyNetwork::read(Path::new(&file)).and_then(|network| NetworkPrior::new(&network, base));
        loaded.map_err(|error| SpecError::new(format!("file={file}: {error}")))
    }
}

impl NetworkPrior {
    /// The prior of `network`, to which one more point of score makes a play `base` times as likely.
    ///
    /// # Errors
    /// The network has too few or too many weights, or weights with which a sum could overflow.
    pub fn new(network: &PolicyNetwork, base: f32) -> Result<NetworkPrior, NetworkError> {
        network.check()?;
        let play_weights = network.play_weights.first_chunk().expect("the number has been checked");
        let layers = Layers {
            rows: network.feature_weights.clone().into(),
            from: network.from_weights.clone().into(),
            to: network.to_weights.clone().into(),
            kinds: network.kind_weights.clone().into(),
            boards: Cow::Owned(boards(play_weights)),
            play_weights: network.play_weights.clone().into(),
        };
        let sums = Sums::of_no_pieces(UnitRow(network.feature_biases));
        Ok(NetworkPrior { layers: Arc::new(layers), base, sums, logits: Vec::new() })
    }

    /// The prior of the network that comes with the crate.
    fn built_in(base: f32) -> NetworkPrior {
        let layers = Layers {
            rows: Cow::Borrowed(&BUILT_IN_WEIGHTS.feature_weights),
            from: Cow::Borrowed(&BUILT_IN_WEIGHTS.from_weights),
            to: Cow::Borrowed(&BUILT_IN_WEIGHTS.to_weights),
            kinds: Cow::Borrowed(&BUILT_IN_WEIGHTS.kind_weights),
            boards: Cow::Borrowed(&BOARDS),
            play_weights: Cow::Borrowed(&BUILT_IN_WEIGHTS.play_weights),
        };
        let sums = Sums::of_no_pieces(UnitRow(BUILT_IN_WEIGHTS.feature_biases));
        NetworkPrior { layers: Arc::new(layers), base, sums, logits: Vec::new() }
    }
}

impl Prior<Position> for NetworkPrior {
    fn scores(&mut self, position: &Position, plays: &[Play], scores: &mut Vec<i8>) {
        with_lanes(Logits { prior: self, position, plays });
        let best = self.logits.iter().copied().max().unwrap_or(0);
        const HALF: i32 = 1 << (POINT_BITS - 1);
        let behind = |&logit: &i32| (logit - best + HALF) >> POINT_BITS;
        scores.clear();
        scores.extend(self.logits.iter().map(|logit| behind(logit).max(i8::MIN.into()) as i8));
    }

    fn base(&self) -> f32 {
        self.base
    }
}

/// The logits of the plays of a position, compiled for the processor's widest registers. Integers are the same in all.
struct Logits<'a> {
    prior: &'a mut NetworkPrior,
    position: &'a Position,
    plays: &'a [Play],
}

impl WithLanes for Logits<'_> {
    type Output = ();

    #[inline(always)]
    fn with_lanes<L: Lanes>(self, lanes: L) {
        let Logits { prior: NetworkPrior { layers, sums, logits, .. }, position, plays } = self;
        let (side, army) = (position.to_move(), Army::new(position));
        sums.change_to(position, layers.rows.first_chunk().expect("the number has been checked"));
        let hidden = UnitRow(sums.seen_by(side).0.map(|sum| sum.clamp(0, HIDDEN_SCALE as i16)));
        let squares = &layers.boards[army.base / IN_PHASE][side.index()];
        let kinds = &layers.play_weights[army.base + 2 * SQUARES..army.base + IN_PHASE];
        // There are few kinds among a position's plays.
        let mut of_kinds = [i32::MIN; KINDS];
        // Plays are listed piece by piece.
        let (mut piece, mut of_piece, mut start) = (None, 0, 0);
        logits.resize(plays.len(), 0);
        // A loop, not a map: its closure would not be compiled for these lanes.
        for (logit, &play) in logits.iter_mut().zip(plays) {
            if piece != Some(play.from) {
                piece = Some(play.from);
                start = usize::from(distance(side, play.from));
                let fixed = i32::from(squares[play.from.index()].left)
                    + i32::from(layers.play_weights[PHASELESS + army.rank(start)]);
                of_piece = HIDDEN_SCALE * fixed + hidden.dot(&layers.from[seen_by(side, play.from)], lanes);
            }
            let to = &squares[play.to.index()];
            let kind = kind(play, start, to.distance.into());
            let of_kind = &mut of_kinds[kind];
            if *of_kind == i32::MIN {
                *of_kind = HIDDEN_SCALE * i32::from(kinds[kind]) + hidden.dot(&layers.kinds[kind], lanes);
            }
            let reached = HIDDEN_SCALE * i32::from(to.reached);
            *logit = of_piece + *of_kind + reached + hidden.dot(&layers.to[seen_by(side, play.to)], lanes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{BLACK, Rules};
    use crate::support::random::Random;
    use crate::support::simd::with_all_lanes;

    /// A prior of its own for each version, with the sums of the position before.
    struct Kept<'a> {
        prior: NetworkPrior,
        position: &'a Position,
        plays: &'a [Play],
    }

    impl WithLanes for Kept<'_> {
        type Output = Vec<i32>;

        #[inline(always)]
        fn with_lanes<L: Lanes>(mut self, lanes: L) -> Vec<i32> {
            let Kept { prior, position, plays } = &mut self;
            Logits { prior, position, plays }.with_lanes(lanes);
            self.prior.logits
        }
    }

    #[test]
    fn the_built_in_network_is_that_of_its_file() {
        let base = NetworkPriorParameters::default().base;
        let [built_in, read] =
            [NetworkPrior::built_in(base), NetworkPrior::new(&PolicyNetwork::built_in(), base).unwrap()];
        assert_eq!(built_in.layers, read.layers);
        assert_eq!(built_in.sums, read.sums);
    }

    #[test]
    fn plays_have_the_same_scores_on_every_processor() {
        let mut prior = NetworkPrior::build(NetworkPriorParameters::default(), ()).expect("the built-in one");
        let (mut random, mut plays, mut scores) = (Random::new(1), Vec::new(), Vec::new());
        for _ in 0..200 {
            let mut position = Position::initial(BLACK, Rules::Addendum);
            for _ in 0..100 {
                position.legal_plays(&mut plays);
                let all =
                    with_all_lanes(|| Kept { prior: prior.clone(), position: &position, plays: &plays });
                prior.scores(&position, &plays, &mut scores);
                assert!(all.iter().all(|logits| *logits == prior.logits), "{position}");
                // Forward, so that all phases come.
                let tried: [_; 3] = std::array::from_fn(|_| plays[random.below(plays.len())]);
                position.play(tried.into_iter().max_by_key(|&play| position.progress(play)).expect("three"));
            }
        }
    }
}
