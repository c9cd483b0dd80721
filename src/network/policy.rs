//! The policy network: how likely each play is to become the most visited one of a search.
//!
//! One hidden layer sees the squares of all pieces, from the mover's point of view. A play's logit combines the hidden
//! units with weights for its source square, its target square and its kind of progress, and adds weights for the
//! [features](crate::prior::Features) of the fitted prior:
//!
//! ```text
//! sums   = biases + Σ row of each piece's feature                       512 rows of 64 integers
//! h      = clamp(sums, 0, 256)
//! logit  = h·from[source] + h·to[target] + h·kind[progress] + 256·Σ weight of the play's features
//! score  = (logit − largest logit) / 2¹⁵, rounded                       a point is an eighth of a nat
//! ```

use super::file::{BuiltInReader, load};
use super::overflow::{InputGroup, check_sums};
use super::{Accumulator, BUILT_IN, FEATURES, Network, NetworkError, NetworkKind, Shared, dot, seen_by};
use crate::game::Game;
use crate::prior::features::{Boards, Formation, IN_PHASE, PHASELESS, SQUARES, boards, kind};
use crate::prior::{COUNT, KINDS, Prior};
use crate::rules::{Play, Position, distance};
use crate::support::parameters::{Named, Range, number};
use crate::support::simd::{Simd, SimdTask, with_simd};
use crate::support::spec::SpecError;
use bytemuck::bytes_of_mut;

/// The number of units in the hidden layer.
pub const HIDDEN: usize = 64;
/// The integer that stands for 1 in the hidden layer.
pub const HIDDEN_SCALE: i32 = 256;
/// The integer that stands for one nat in the weights of plays.
pub const PLAY_SCALE: i32 = 1024;
/// The bits by which a logit is shifted to give a score, whose unit is then an eighth of a nat.
pub const POINT_BITS: u32 = 15;

/// The maximum absolute weight of a square or kind of progress, which keeps logits far from the limits of an `i32`.
pub const MAX_PLAY_WEIGHT: i16 = 8191;

/// The weights of the policy network.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct PolicyNetwork {
    /// A row for each [`feature`](super::feature).
    pub feature_weights: [[i16; HIDDEN]; FEATURES],
    /// The hidden units' sums for an empty board.
    pub feature_biases: [i16; HIDDEN],
    /// A row for leaving each square, [as the mover sees it](seen_by).
    pub from_weights: [[i16; HIDDEN]; 256],
    /// A row for reaching each square.
    pub to_weights: [[i16; HIDDEN]; 256],
    /// A row for each [kind of progress](crate::prior::Features::kind).
    pub kind_weights: [[i16; HIDDEN]; KINDS],
    /// A weight for each [feature](crate::prior::Features) of a play, independent of the hidden units.
    pub play_weights: [i16; COUNT],
}

static BUILT_IN_NETWORK: PolicyNetwork = {
    let mut file = BuiltInReader::new::<PolicyNetwork>();
    let network = PolicyNetwork {
        feature_weights: file.rows(),
        feature_biases: file.row(),
        from_weights: file.rows(),
        to_weights: file.rows(),
        kind_weights: file.rows(),
        play_weights: file.row(),
    };
    file.finish();
    network
};

impl Network for PolicyNetwork {
    const KIND: NetworkKind = NetworkKind::Policy;
    const SIZES: &'static [(&'static str, usize)] = &[
        ("features", FEATURES),
        ("hidden units", HIDDEN),
        ("squares", 256),
        ("kinds of progress", KINDS),
        ("features of plays", COUNT),
    ];
    const BUILT_IN_FILE: &'static [u8] = include_bytes!("policy/default.network");

    fn zeros() -> Box<PolicyNetwork> {
        Box::new(PolicyNetwork {
            feature_weights: [[0; HIDDEN]; FEATURES],
            feature_biases: [0; HIDDEN],
            from_weights: [[0; HIDDEN]; 256],
            to_weights: [[0; HIDDEN]; 256],
            kind_weights: [[0; HIDDEN]; KINDS],
            play_weights: [0; COUNT],
        })
    }

    fn fields(&mut self) -> Vec<&mut [u8]> {
        vec![
            bytes_of_mut(&mut self.feature_weights),
            bytes_of_mut(&mut self.feature_biases),
            bytes_of_mut(&mut self.from_weights),
            bytes_of_mut(&mut self.to_weights),
            bytes_of_mut(&mut self.kind_weights),
            bytes_of_mut(&mut self.play_weights),
        ]
    }

    fn check(&self) -> Result<(), NetworkError> {
        check_sums(&InputGroup::of_pieces(&self.feature_weights), &self.feature_biases)?;
        let max = MAX_PLAY_WEIGHT.into();
        for (what, rows) in [
            ("weight of source square", &self.from_weights[..]),
            ("weight of target square", &self.to_weights),
            ("weight of kind of progress", &self.kind_weights),
        ] {
            for (number, row) in rows.iter().enumerate() {
                let out_of_range =
                    row.iter().map(|&weight| i64::from(weight)).find(|weight| weight.abs() > max);
                if let Some(found) = out_of_range {
                    return Err(NetworkError::out_of_range(what, number, found, max));
                }
            }
        }
        Ok(())
    }
}

crate::parameters! {
    /// The parameters of [`NetworkPrior`].
    pub struct NetworkPriorParameters;
    file: String = BUILT_IN.to_string(), Range::File(BUILT_IN),
        "the network's file, or built-in for the network that comes with the engine";
    base: f32 = 1.075, number(1.0, 10.0, 0.02),
        "factor by which one more point of score makes a play likelier; 1.133 gives the trained probabilities";
}

/// The network's prior.
#[derive(Clone, Debug)]
pub struct NetworkPrior {
    network: Shared<PolicyNetwork>,
    boards: Shared<Boards>,
    base: f32,
    accumulator: Accumulator<HIDDEN>,
    /// The logit of each play of the last position.
    logits: Vec<i32>,
}

static BUILT_IN_BOARDS: Boards = boards(&BUILT_IN_NETWORK.play_weights);

impl Named for NetworkPrior {
    const NAME: &'static str = "network";
    const ABOUT: &'static str = "by a network that sees all pieces, trained on the visits of searches";
    type Parameters = NetworkPriorParameters;
    type Context = ();

    fn build(parameters: NetworkPriorParameters, (): ()) -> Result<NetworkPrior, SpecError> {
        let NetworkPriorParameters { file, base } = parameters;
        Ok(match load(&file)? {
            Some(network) => NetworkPrior::checked(network, base),
            None => {
                let network = Shared::BuiltIn(&BUILT_IN_NETWORK);
                NetworkPrior::with(network, Shared::BuiltIn(&BUILT_IN_BOARDS), base)
            }
        })
    }
}

impl NetworkPrior {
    /// The prior of `network`, with this [`base`](Prior::base).
    ///
    /// # Errors
    /// The errors of [`PolicyNetwork::check`].
    pub fn new(network: Box<PolicyNetwork>, base: f32) -> Result<NetworkPrior, NetworkError> {
        network.check()?;
        Ok(NetworkPrior::checked(network, base))
    }

    fn checked(network: Box<PolicyNetwork>, base: f32) -> NetworkPrior {
        let boards = Shared::Loaded(boards(&network.play_weights).into());
        NetworkPrior::with(Shared::Loaded(network.into()), boards, base)
    }

    fn with(network: Shared<PolicyNetwork>, boards: Shared<Boards>, base: f32) -> NetworkPrior {
        let accumulator = Accumulator::new(&network.feature_biases);
        NetworkPrior { network, boards, base, accumulator, logits: Vec::new() }
    }
}

impl Prior<Position> for NetworkPrior {
    fn scores(&mut self, position: &Position, plays: &[Play], scores: &mut Vec<i8>) {
        with_simd(Logits { prior: self, position, plays });
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

/// The logits of a position's plays, written into the prior.
struct Logits<'a> {
    prior: &'a mut NetworkPrior,
    position: &'a Position,
    plays: &'a [Play],
}

impl SimdTask for Logits<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Logits { prior: NetworkPrior { network, boards, accumulator, logits, .. }, position, plays } =
            self;
        let network = &**network;
        let (side, formation) = (position.to_move(), Formation::new(position));
        accumulator.update(position, &network.feature_weights);
        let hidden = accumulator.view(side).map(|sum| sum.clamp(0, HIDDEN_SCALE as i16));
        let squares = &boards[formation.base / IN_PHASE][side.index()];
        let kinds = &network.play_weights[formation.base + 2 * SQUARES..formation.base + IN_PHASE];
        // Few kinds of progress occur in a position, so each kind's part is computed when it first occurs.
        let mut of_kinds = [i32::MIN; KINDS];
        // Plays are listed piece by piece, so each piece's part is computed once.
        let (mut piece, mut of_piece, mut start) = (None, 0, 0);
        logits.resize(plays.len(), 0);
        for (logit, &play) in logits.iter_mut().zip(plays) {
            if piece != Some(play.from) {
                piece = Some(play.from);
                start = usize::from(distance(side, play.from));
                let fixed = i32::from(squares[play.from.index()].left)
                    + i32::from(network.play_weights[PHASELESS + formation.rank(start)]);
                let row = &network.from_weights[seen_by(side, play.from)];
                of_piece = HIDDEN_SCALE * fixed + dot(&hidden, row, simd);
            }
            let to = &squares[play.to.index()];
            let kind = kind(play, start, to.distance.into());
            let of_kind = &mut of_kinds[kind];
            if *of_kind == i32::MIN {
                let row = &network.kind_weights[kind];
                *of_kind = HIDDEN_SCALE * i32::from(kinds[kind]) + dot(&hidden, row, simd);
            }
            let reached = HIDDEN_SCALE * i32::from(to.reached);
            let row = &network.to_weights[seen_by(side, play.to)];
            *logit = of_piece + *of_kind + reached + dot(&hidden, row, simd);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::NetworkFile;
    use crate::rules::Rules;
    use crate::rules::test_games::forward_games;
    use crate::support::simd::with_each_simd;

    #[test]
    fn the_built_in_network_equals_its_file() {
        let NetworkFile { network, .. } = NetworkFile::<PolicyNetwork>::built_in();
        assert!(*network == BUILT_IN_NETWORK);
    }

    /// Logits with their own copy of the prior, whose accumulator holds the previous position.
    struct Copied<'a>(NetworkPrior, &'a Position, &'a [Play]);

    impl SimdTask for Copied<'_> {
        type Output = Vec<i32>;

        #[inline(always)]
        fn run<S: Simd>(mut self, simd: S) -> Vec<i32> {
            Logits { prior: &mut self.0, position: self.1, plays: self.2 }.run(simd);
            self.0.logits
        }
    }

    #[test]
    fn every_instruction_set_gives_the_same_logits() {
        let mut prior =
            NetworkPrior::build(NetworkPriorParameters::default(), ()).expect("the built-in network");
        let (mut plays, mut scores) = (Vec::new(), Vec::new());
        for position in forward_games(200, 100, Rules::Addendum) {
            position.legal_plays(&mut plays);
            let all = with_each_simd(|| Copied(prior.clone(), &position, &plays));
            prior.scores(&position, &plays, &mut scores);
            assert!(all.iter().all(|logits| *logits == prior.logits), "{position}");
        }
    }
}
