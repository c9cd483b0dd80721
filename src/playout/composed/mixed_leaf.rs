//! The average of a leaf's evaluation and the result of a playout.
//!
//! ```text
//! value = (1 − λ) · evaluation(leaf) + λ · value of the playout
//! ```
//!
//! Silver et al., "Mastering the Game of Go with Deep Neural Networks and Tree Search", 2016, with λ = 0.5.

use super::super::{BoxedPlayout, Parts, Playout, Simulation};
use crate::evaluation::Evaluation;
use crate::game::{Game, Value};
use crate::rules::{Play, Position};
use crate::support::parameters::{Named, Part, Range, number};
use crate::support::spec::{Spec, SpecError};

crate::parameters! {
    /// The parameters of [`MixedLeaf`].
    pub struct MixedLeafParameters;
    inner: Spec = Spec::of("uniform"), Range::Part(Part::Playout),
        "the policy that plays on from the leaf";
    lambda: f32 = 0.5, number(0.0, 1.0, 0.1),
        "the share of the playout in the value; the evaluation of the leaf has the rest";
}

/// Averages the evaluation of the leaf and the value of the inner policy.
pub struct MixedLeaf {
    lambda: f32,
    inner: [BoxedPlayout; 1],
    evaluation: Box<dyn Evaluation>,
}

impl MixedLeaf {
    /// A policy that gives playouts of `inner` the weight `lambda`, and `evaluation` the rest.
    pub fn new(lambda: f32, evaluation: Box<dyn Evaluation>, inner: BoxedPlayout) -> MixedLeaf {
        MixedLeaf { lambda, inner: [inner], evaluation }
    }
}

impl Playout<Position> for MixedLeaf {
    fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        self.inner[0].choose(position, simulation)
    }

    fn evaluate(&mut self, end: &Position, simulation: &mut Simulation<Play>) -> Value {
        self.inner[0].evaluate(end, simulation)
    }

    fn value(&mut self, leaf: &Position, simulation: &mut Simulation<Play>) -> Value {
        let evaluation = self.evaluation.value(leaf, leaf.to_move()).get();
        let playout = self.inner[0].value(leaf, simulation).get();
        Value::new((1.0 - self.lambda) * evaluation + self.lambda * playout)
    }

    fn prepares(&self) -> bool {
        self.evaluation.prepares()
    }

    fn prepare(&mut self, leaves: &[Position]) {
        self.evaluation.prepare(leaves);
    }

    fn inner(&mut self) -> &mut [BoxedPlayout] {
        &mut self.inner
    }
}

impl Named for MixedLeaf {
    const NAME: &'static str = "mixed-leaf";
    const ABOUT: &'static str =
        "the average of the leaf's evaluation and the value of another policy's playout";
    type Parameters = MixedLeafParameters;
    type Context = Parts;

    fn build(parameters: MixedLeafParameters, parts: Parts) -> Result<MixedLeaf, SpecError> {
        parts.check_values_are_used(Self::NAME)?;
        let inner = parts.playout_for_values(Self::NAME, &parameters.inner)?;
        Ok(MixedLeaf::new(parameters.lambda, parts.evaluation()?, inner))
    }
}
