//! Quality-based rewards: the value of a playout also depends on how clearly it was won.
//!
//! ```text
//! value = ±(1 − weight + weight / (1 + e^(−λ)))      λ = (margin − mean) / deviation
//! ```
//!
//! with + for the winner and − for the loser. The margin is the loser's distance from its goal minus the winner's, in
//! columns plus rows, when the game ends; mean and deviation are those of the playouts since the search began. Pepels,
//! Tak, Lanctot, Winands, "Quality-based Rewards for Monte-Carlo Tree Search Simulations", 2014, with their
//! terminal-state quality, scaled so that no value leaves −1…+1. The slope of their sigmoid is 1 here, and both players'
//! margins have one mean.
//!
//! Only wins are graded. The value of a playout that ends earlier, by its cap or a cut-off, stays as it is and may
//! exceed that of a clear win, so the inner policy should play to the end.

use super::super::{BoxedPlayout, Parts, Playout, Simulation};
use crate::game::{Game, Outcome, Player, Value};
use crate::rules::{Play, Position};
use crate::support::math::exp;
use crate::support::parameters::{Named, Part, Range, number};
use crate::support::spec::{Spec, SpecError};

crate::parameters! {
    /// The parameters of [`Quality`].
    pub struct QualityParameters;
    inner: Spec = "forward-jump(cap=4000)".parse().expect("a spec"), Range::Part(Part::Playout),
        "the policy that plays, and whose wins are graded";
    weight: f32 = 0.5, number(0.0, 1.0, 0.1),
        "how much of a win's value depends on its margin";
}

/// Grades the outcomes of the inner policy by how clearly they were won.
pub struct Quality {
    weight: f32,
    inner: [BoxedPlayout; 1],
    margins: Moments,
    /// The margins since the last simulation ended, which do not count yet.
    recent: Vec<f32>,
}

impl Quality {
    /// A policy in which the margin makes up the share `weight` of the value of a win.
    pub fn new(weight: f32, inner: BoxedPlayout) -> Quality {
        Quality { weight, inner: [inner], margins: Moments::default(), recent: Vec::new() }
    }

    /// The value for `winner` of winning by the margin in `end`.
    fn win(&mut self, end: &Position, winner: Player) -> Value {
        let distance = |side| end.tally(side).distance() as f32;
        let margin = distance(winner.opponent()) - distance(winner);
        let graded = 1.0 / (1.0 + exp(-self.margins.standardised(margin)));
        self.recent.push(margin);
        Value::new(1.0 - self.weight + self.weight * graded)
    }
}

impl Playout<Position> for Quality {
    fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        self.inner[0].choose(position, simulation)
    }

    fn evaluate(&mut self, end: &Position, simulation: &mut Simulation<Play>) -> Value {
        self.inner[0].evaluate(end, simulation)
    }

    fn value(&mut self, leaf: &Position, simulation: &mut Simulation<Play>) -> Value {
        let player = leaf.to_move();
        let mut end = *leaf;
        let for_player = |value: Value, side| if side == player { value } else { -value };
        match self.inner[0].play_out(&mut end, simulation) {
            Some(Outcome::Win(winner)) => for_player(self.win(&end, winner), winner),
            Some(Outcome::Draw) => Value::DRAW,
            None => for_player(self.evaluate(&end, simulation), end.to_move()),
        }
    }

    fn learns(&mut self) -> bool {
        true
    }

    fn learn(&mut self, simulation: &Simulation<Play>) {
        self.recent.drain(..).for_each(|margin| self.margins.add(margin));
        self.inner[0].learn(simulation);
    }

    fn new_search(&mut self, root: &Position) {
        self.margins = Moments::default();
        self.recent.clear();
        self.inner[0].new_search(root);
    }

    fn inner(&mut self) -> &mut [BoxedPlayout] {
        &mut self.inner
    }
}

impl Named for Quality {
    const NAME: &'static str = "quality";
    const ABOUT: &'static str =
        "another policy's playouts, in which a clear win is worth more than a narrow one";
    type Parameters = QualityParameters;
    type Context = Parts;

    fn build(parameters: QualityParameters, parts: Parts) -> Result<Quality, SpecError> {
        parts.check_values_are_used(Self::NAME)?;
        Ok(Quality::new(parameters.weight, parts.playout(Self::NAME, &parameters.inner)?))
    }
}

/// The mean and deviation of the numbers so far, by Welford's method.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    count: f32,
    mean: f32,
    squares: f32,
}

impl Moments {
    fn add(&mut self, number: f32) {
        self.count += 1.0;
        let from_mean = number - self.mean;
        self.mean += from_mean / self.count;
        self.squares += from_mean * (number - self.mean);
    }

    /// How many deviations `number` lies above the mean; 0 as long as all numbers are equal.
    fn standardised(&self, number: f32) -> f32 {
        let deviation = (self.squares / self.count.max(1.0)).sqrt();
        if deviation > 0.0 { (number - self.mean) / deviation } else { 0.0 }
    }
}
