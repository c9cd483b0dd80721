//! A policy that learns, on top of another one.

use super::super::{BoxedPlayout, Playout, Simulation};
use crate::game::{Game, Value};

/// The statistics of a policy that learns, and how it chooses plays by them.
pub trait Learner<G: Game> {
    /// The play to make in `position`, where the inner policy would make `other`.
    fn choose(&mut self, other: G::Play, position: &G, simulation: &mut Simulation<G::Play>) -> G::Play;

    /// See [`Playout::learn`].
    fn learn(&mut self, simulation: &Simulation<G::Play>);

    /// See [`Playout::new_search`].
    fn new_search(&mut self, root: &G);

    /// See [`Playout::new_game`].
    fn new_game(&mut self);
}

/// Plays as its learner chooses. The inner policy proposes each play, and ends and values the playout.
pub struct Learning<G: Game, L> {
    learner: L,
    inner: [BoxedPlayout<G>; 1],
}

impl<G: Game, L: Learner<G>> Learning<G, L> {
    pub(super) fn of(learner: L, inner: BoxedPlayout<G>) -> Learning<G, L> {
        Learning { learner, inner: [inner] }
    }
}

impl<G: Game, L: Learner<G>> Playout<G> for Learning<G, L> {
    fn choose(&mut self, position: &G, simulation: &mut Simulation<G::Play>) -> Option<G::Play> {
        let other = self.inner[0].choose(position, simulation)?;
        Some(self.learner.choose(other, position, simulation))
    }

    fn evaluate(&mut self, end: &G, simulation: &mut Simulation<G::Play>) -> Value {
        self.inner[0].evaluate(end, simulation)
    }

    fn inner(&mut self) -> &mut [BoxedPlayout<G>] {
        &mut self.inner
    }

    fn learns(&mut self) -> bool {
        true
    }

    fn learn(&mut self, simulation: &Simulation<G::Play>) {
        self.learner.learn(simulation);
        self.inner[0].learn(simulation);
    }

    fn new_search(&mut self, root: &G) {
        self.learner.new_search(root);
        self.inner[0].new_search(root);
    }

    fn new_game(&mut self) {
        self.learner.new_game();
        self.inner[0].new_game();
    }
}
