//! PPA, playout policy adaptation.
//!
//! Each play has a weight, and playouts draw plays by the softmax of the weights. After each simulation the policy moves
//! towards the winner: for each move `a` that the winner made, in the tree and in the playout, where `b` are the legal
//! plays and `P` the policy so far,
//!
//! ```text
//! w(a) ← w(a) + α        w(b) ← w(b) − α · P(b)
//! ```
//!
//! Cazenave, "Playout Policy Adaptation for Games", 2015. With `both`, the moves of each player count by the player's
//! expected score, and with `length`, weights belong to sequences of moves and a play's weight is their mean: Sironi,
//! Cazenave, Winands, "Enhancing Playout Policy Adaptation for General Game Playing", 2021.
//!
//! Cazenave's α is 1. On Connect Four, against random playouts, PPA scored 63 % of 686 games at 500 iterations with α =
//! 0.3 and 56 % with 0.1; with 1, 54 % of 98 games at 1,000 iterations.
//!
//! Cazenave begins each search with equal weights. Here weights last for a game, unless `decay` is below 1. If a
//! playout ends with an estimate, the sign of the estimate says who won.
//!
//! PPA is expensive: learning lists the legal plays of each position again.

use super::super::{BoxedPlayout, Move, Parts, Simulation};
use super::choice::{draw, softmax};
use super::learning::{Learner, Learning};
use super::sequences::{Contexts, Sequences, contexts};
use super::table::MoveTable;
use crate::game::{Game, MoveIndex, Player, Value};
use crate::rules::Position;
use crate::support::parameters::{Named, ON_OFF, Part, Range, number, whole};
use crate::support::spec::{Spec, SpecError};

crate::parameters! {
    /// The parameters of [`Ppa`].
    pub struct PpaParameters;
    inner: Spec = Spec::of("uniform"), Range::Part(Part::Playout),
        "the policy that makes the other plays and ends the playout";
    alpha: f32 = 0.3, number(0.0, 100.0, 0.2),
        "how far each move changes the weights";
    epsilon: f32 = 0.0, number(0.0, 1.0, 0.1),
        "how often the inner policy makes the play";
    length: u64 = 1, whole(1, 3, 1),
        "the longest sequence that has a weight, in plays";
    both: bool = false, ON_OFF,
        "whether weights move towards both players' moves, in proportion to their expected scores, instead of only the winner's";
    decay: f32 = 1.0, number(0.0, 1.0, 0.2),
        "the share of all weights that the next move keeps";
}

/// Draws plays by weights that move towards the winner's plays.
pub type Ppa<G> = Learning<G, Adaptation<G>>;

impl<G: Game<Play: MoveIndex>> Ppa<G> {
    /// A policy that falls back on `inner`, which also values the end of a playout.
    pub fn new(parameters: PpaParameters, inner: BoxedPlayout<G>) -> Ppa<G> {
        let sequences = Sequences::new::<G::Play>(parameters.length, 1);
        let weights = Weights { plays: MoveTable::new(), sequences };
        let (plays, ratings, changes) = (Vec::new(), Vec::new(), Vec::new());
        Learning::of(Adaptation { parameters, weights, root: None, plays, ratings, changes }, inner)
    }
}

/// The weights, and how they change.
pub struct Adaptation<G: Game> {
    parameters: PpaParameters,
    weights: Weights<G::Play>,
    /// The root of the search, from which simulations are replayed.
    root: Option<G>,
    /// Buffers for the legal plays, their ratings and the changes to the weights.
    plays: Vec<G::Play>,
    ratings: Vec<f32>,
    changes: Vec<Change<G::Play>>,
}

/// A change to the weight of a play and to the weights of the sequences that it ends.
struct Change<P> {
    made: Move<P>,
    before: Contexts,
    by: f32,
}

/// The weights of plays and of sequences.
struct Weights<P> {
    plays: MoveTable<P, f32>,
    sequences: Sequences<f32>,
}

impl<P: MoveIndex> Weights<P> {
    /// Rates `plays` by `player` after moves with these contexts.
    fn rate(&mut self, player: Player, plays: &[P], before: Contexts, ratings: &mut Vec<f32>) {
        self.sequences.rate(before, player, plays, &mut self.plays, ratings);
    }

    fn apply(&mut self, changes: &[Change<P>]) {
        changes.iter().for_each(|change| self.plays[change.made] += change.by);
        self.sequences
            .learn(changes.iter().map(|&Change { made, before, by }| (before, made.play.index(), by)));
    }
}

impl<G: Game> Adaptation<G> {
    /// The weight, 0…1, that a simulation worth `value` to a player gives to this player's moves.
    fn payoff(&self, value: Value) -> f32 {
        match self.parameters.both {
            true => value.expected_score(),
            false => f32::from(value > Value::DRAW),
        }
    }
}

impl<G: Game<Play: MoveIndex>> Learner<G> for Adaptation<G> {
    fn choose(&mut self, other: G::Play, position: &G, simulation: &mut Simulation<G::Play>) -> G::Play {
        if simulation.random.happens(self.parameters.epsilon) {
            return other;
        }
        let before = contexts(simulation.moves());
        let (plays, random) = simulation.legal_plays(position);
        self.weights.rate(position.to_move(), plays, before, &mut self.ratings);
        plays[draw(&mut self.ratings, 1.0, random)]
    }

    fn learn(&mut self, simulation: &Simulation<G::Play>) {
        let Some(mut position) = self.root.clone() else { return };
        let moves = simulation.moves();
        self.changes.clear();
        for (place, &made) in moves.iter().enumerate() {
            let step = self.parameters.alpha * self.payoff(simulation.value_for(made.player));
            if step > 0.0 {
                let before = contexts(&moves[..place]);
                position.legal_plays(&mut self.plays);
                self.weights.rate(made.player, &self.plays, before, &mut self.ratings);
                softmax(&mut self.ratings, 1.0);
                self.changes.push(Change { made, before, by: step });
                let others = self.plays.iter().zip(&self.ratings);
                self.changes.extend(others.map(|(&play, probability)| {
                    let made = Move { play, ..made };
                    Change { made, before, by: -step * probability }
                }));
            }
            position.play(made.play);
        }
        self.weights.apply(&self.changes);
    }

    fn new_search(&mut self, root: &G) {
        self.root = Some(root.clone());
        let share = self.parameters.decay;
        self.weights.plays.for_each(|weight| *weight *= share);
        self.weights.sequences.decay(share);
    }

    fn new_game(&mut self) {
        self.weights.plays.clear();
        self.weights.sequences.clear();
    }
}

impl Named for Ppa<Position> {
    const NAME: &'static str = "ppa";
    const ABOUT: &'static str = "plays drawn by weights that move towards the winner's plays (PPA)";
    type Parameters = PpaParameters;
    type Context = Parts;

    fn build(parameters: PpaParameters, parts: Parts) -> Result<Ppa<Position>, SpecError> {
        let inner = parts.playout(Self::NAME, &parameters.inner)?;
        Ok(Ppa::new(parameters, inner))
    }
}
