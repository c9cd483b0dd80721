//! Playout policies: how the search values a leaf.
//!
//! A [`Playout`] values a leaf of the tree. It may play to the end, for a few plies, or not at all, and it may learn
//! from the simulations of a search. It does not rate plays for the search, which is the job of a
//! [`Prior`](crate::prior::Prior): two policies differ only in the values of leaves.
//!
//! No plies:
//! - [`Static`]: just the evaluation; the default.
//!
//! Jumps for a few plies, then the evaluation:
//! - [`ForwardJump`]: the furthest jump of the whole army.
//! - [`SampledJump`]: the furthest jump of a few random pieces, which is cheaper in long playouts.
//! - [`EpsilonJump`]: the furthest jump of the whole army, or sometimes a play drawn by its progress.
//!
//! Random plays:
//! - [`Uniform`]: for a few plies, then the evaluation.
//! - [`ToTheEnd`]: to the end, for any game.
//!
//! Plays that did well in the search so far, on top of another policy, for any game:
//! - [`Mast`], [`Nst`], [`Lgrf`], [`Ppa`].
//!
//! Composed of other policies:
//! - [`Corrective`]: no play that the evaluation dislikes.
//! - [`Decisive`]: a winning play is always made; for any game.
//! - [`Cutoff`]: the playout ends once one side is clearly ahead.
//! - [`Mixed`]: one policy first, then another; for any game.
//! - [`Mixture`]: chance decides which of two policies makes each play; for any game.
//! - [`MixedLeaf`]: the average of the leaf's evaluation and the value of the playout.
//! - [`Quality`]: a clear win is worth more than a narrow one.
//!
//! Plays chosen by the prior or the evaluation for a few plies, then the evaluation:
//! - [`Likeliest`]: the play that the prior rates highest.
//! - [`GreedyEvaluation`]: the play with the best evaluation.
//! - [`PlayoutSearch`]: the play that a two-ply alpha-beta search finds.
//!
//! # The walk of a playout
//!
//! ```text
//! Search::evaluate          search/mcts/iteration.rs
//!   Playout::value          playout/mod.rs
//!     play_out              playout/mod.rs             ply by ply
//!       choose              playout/forward_jump.rs    choose a play, up to the cap
//!         furthest_forward  playout/forward_jump.rs
//!           furthest_jump   rules/furthest.rs
//!       Simulation::play    playout/simulation.rs
//!         Position::play    rules/position.rs
//!     evaluate              playout/forward_jump.rs    value the last position
//! ```
//!
//! # Writing a policy
//!
//! A policy implements [`Playout`], which plays on from a leaf and values the end, and [`Named`]: its name, its
//! parameters and its constructor. It is built from the agent's [`Parts`]. In this example, both sides make the most
//! advancing play for `cap` plies:
//!
//! ```
//! use halma::evaluation::Evaluation;
//! use halma::agent::SpecError;
//! use halma::playout::{Parts, Playout, Simulation};
//! use halma::support::parameters::{Named, whole};
//! use halma::{Game, Limits, Play, Position, ProcessClock, Registry, Value};
//!
//! halma::parameters! {
//!     /// The parameters of the policy.
//!     pub struct OwnParameters;
//!     cap: u64 = 2, whole(0, 100, 2), "plies of a playout before the evaluation";
//! }
//!
//! /// Both sides make the most advancing play.
//! struct Own {
//!     parameters: OwnParameters,
//!     evaluation: Box<dyn Evaluation>,
//! }
//!
//! impl Playout<Position> for Own {
//!     fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
//!         if simulation.plies() == self.parameters.cap {
//!             return None;
//!         }
//!         let (plays, _) = simulation.legal_plays(position);
//!         plays.iter().copied().max_by_key(|&play| position.progress(play))
//!     }
//!
//!     fn evaluate(&mut self, end: &Position, _: &mut Simulation<Play>) -> Value {
//!         self.evaluation.value(end, end.to_move())
//!     }
//! }
//!
//! impl Named for Own {
//!     const NAME: &'static str = "own";
//!     const ABOUT: &'static str = "up to the cap, the most advancing play; then the evaluation";
//!     type Parameters = OwnParameters;
//!     type Context = Parts;
//!
//!     fn build(parameters: OwnParameters, parts: Parts) -> Result<Own, SpecError> {
//!         Ok(Own { parameters, evaluation: parts.evaluation()? })
//!     }
//! }
//!
//! let registry = Registry::default().playout::<Own>();
//! let mut agent = registry.make_agent(&"mcts(playout=own(cap=4))".parse().unwrap(), 1).unwrap();
//! let decision = agent.decide(&Position::default(), &Limits::iterations(200), &ProcessClock, None).unwrap();
//! assert_eq!(decision.report.iterations, 200);
//! ```
//!
//! The section "Your own policy" in `tuning/README.md` shows how to build a separate crate from
//! `tuning/examples/own_policy.rs`, a policy that learns. The helpers that policies share are public:
//!
//! - [`goes_on`] and [`MAX_CAP`]: when a playout ends;
//! - [`Simulation::legal_plays`], which are listed once for policies that are built on each other;
//! - [`furthest_forward`], and [`furthest_jump`](crate::rules::furthest_jump) for an army,
//!   [`furthest_jump_of_four`](crate::rules::furthest_jump_of_four) for four pieces,
//!   [`furthest_jump_of`](crate::rules::furthest_jump_of) and [`furthest_step`](crate::rules::furthest_step) for one;
//! - [`MoveTable`] and [`Average`]: statistics about each play;
//! - [`highest`] and [`draw`]: choosing a play by ratings.
//!
//! A policy can be built on others. [`Mixture`] uses the plays of its inner policies ([`Parts::playout`]),
//! [`MixedLeaf`] the values ([`Parts::playout_for_values`]). A policy that does not value a leaf by the end of a
//! playout has no effect inside one that uses only its plays. [`Parts::check_values_are_used`] refuses to build it
//! there.

mod composed;
mod epsilon_jump;
mod forward_jump;
mod greedy_evaluation;
mod learned;
mod likeliest;
mod lookahead;
mod parts;
mod playout_search;
mod roster;
mod sampled_jump;
mod simulation;
mod static_leaf;
mod to_the_end;
mod uniform;

pub use composed::{
    Corrective, CorrectiveParameters, Cutoff, CutoffParameters, Decisive, DecisiveParameters, Mixed,
    MixedLeaf, MixedLeafParameters, MixedParameters, Mixture, MixtureParameters, Quality, QualityParameters,
};
pub use epsilon_jump::{EpsilonJump, EpsilonJumpParameters};
pub use forward_jump::{ForwardJump, ForwardJumpParameters, furthest_forward};
pub use greedy_evaluation::{GreedyEvaluation, GreedyEvaluationParameters};
pub use learned::{
    Average, Choice, Lgrf, LgrfParameters, Mast, MastParameters, MoveTable, Nst, NstParameters, Ppa,
    PpaParameters, draw, highest,
};
pub use likeliest::{Likeliest, LikeliestParameters};
pub use parts::Parts;
pub use playout_search::{PlayoutSearch, PlayoutSearchParameters};
pub use sampled_jump::{SampledJump, SampledJumpParameters};
pub use simulation::{Move, Simulation};
pub use static_leaf::Static;
pub use to_the_end::ToTheEnd;
pub use uniform::{Uniform, UniformParameters};

use crate::game::{Game, Outcome, Value};
use crate::rules::{Play, Position};

#[cfg(doc)]
use crate::{evaluation::Evaluation, support::parameters::Named};

/// Values the leaves of a search, by playing on or not.
///
/// A policy implements [`evaluate`](Self::evaluate), and [`choose`](Self::choose) if it plays on; the loop that makes
/// the plays is the same for all, so policies can be built on others. A policy that learns from simulations also
/// implements [`learns`](Self::learns), [`learn`](Self::learn) and [`new_game`](Self::new_game).
///
/// ```
/// use halma::evaluation::Fitted;
/// use halma::playout::{Playout, Simulation, Static};
/// use halma::{Position, Value};
///
/// let mut policy = Static::new(Box::new(Fitted));
/// let value = policy.value(&Position::default(), &mut Simulation::new(1));
/// assert!(value > Value::LOSS && value < Value::WIN);
/// ```
///
/// # The life of a policy
///
/// An agent keeps its policy for as long as it exists. The calls come in this order; those in brackets only reach a
/// policy that learns:
///
/// ```text
/// new_game                   another game begins; not called before the first one
///   new_search               a search from a new root begins
///     value                  a leaf of the tree is valued:
///       choose …             a ply of its playout
///       evaluate             its end, unless the game is over
///     [learn]                the simulation has ended
/// ```
///
/// Several leaves that are evaluated together (`leaf_batch`) have a simulation each. A simulation that ends with a
/// proof or an outcome in the tree has no playout, but the policy still learns from it. If the race solver alone
/// decides the play, there is no search.
///
/// A policy that another one is built on is tried once while it is built, on the initial position: `new_search`,
/// `choose`, `new_game` ([`Parts::playout`]).
///
/// How long a policy can learn depends on the program:
///
/// - In matches, tournaments, sweeps and tuning, each game has new agents, so what they learn lasts for one game.
/// - `lab serve` and `lab analyse` make a new agent for each search.
/// - `homework` and `lab agent` are started for each move. `playdata.txt` keeps a part of the tree for the next move,
///   but nothing that a policy has learned. `mcts(reuse=playdata)`, which plays like these programs within one process,
///   calls [`new_game`](Self::new_game) after each move.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a playout policy for `{G}`",
    note = "implement `Playout<{G}>`: `evaluate` values the end of a playout, `choose` chooses its plays",
    note = "`halma::playout` explains how to write a policy"
)]
pub trait Playout<G: Game> {
    /// The value of `end` for its player to move. A playout has ended there without deciding the game.
    fn evaluate(&mut self, end: &G, simulation: &mut Simulation<G::Play>) -> Value;

    /// The next play of a playout that has reached `position`, which is not over. `None` ends the playout there, and is
    /// the only answer if there is no legal play.
    ///
    /// [`Simulation::plies`] counts the plies of the playout so far.
    #[inline]
    fn choose(&mut self, position: &G, simulation: &mut Simulation<G::Play>) -> Option<G::Play> {
        let _ = (position, simulation);
        None
    }

    /// Plays on from `position`, which is not over, to the end of the playout. Returns the outcome if the game is over
    /// there.
    #[inline]
    fn play_out(&mut self, position: &mut G, simulation: &mut Simulation<G::Play>) -> Option<Outcome> {
        simulation.begin_playout();
        while let Some(play) = self.choose(position, simulation) {
            debug_assert!(
                simulation.legal_plays(position).0.contains(&play),
                "the playout policy chose {play}, which is not a legal play"
            );
            simulation.play(position, play);
            let outcome = position.outcome();
            if outcome.is_some() {
                return outcome;
            }
        }
        None
    }

    /// The value of `leaf`, which is not over, for its player to move: the outcome of a playout, or an estimate of it.
    ///
    /// All random numbers must come from the simulation. If no playout drew any, the search trusts the values more and
    /// backs up several new siblings nearer to the best of them (parameter `leaf_best`).
    #[inline]
    fn value(&mut self, leaf: &G, simulation: &mut Simulation<G::Play>) -> Value {
        let player = leaf.to_move();
        let mut end = leaf.clone();
        match self.play_out(&mut end, simulation) {
            Some(outcome) => outcome.value_for(player),
            None if end.to_move() == player => self.evaluate(&end, simulation),
            None => -self.evaluate(&end, simulation),
        }
    }

    /// Whether [`prepare`](Self::prepare) uses the leaves that it receives. Called when a search begins at a new root.
    fn prepares(&self) -> bool {
        false
    }

    /// Receives leaves that are about to be [valued](Self::value) one by one (`leaf_batch`): see
    /// [`Evaluation::prepare`].
    fn prepare(&mut self, leaves: &[G]) {
        let _ = leaves;
    }

    /// The policies that this one is built on. By default, the methods below pass their calls on to them, and a method
    /// that is overridden must do the same.
    fn inner(&mut self) -> &mut [BoxedPlayout<G>] {
        &mut []
    }

    /// Whether the policy learns. If not, simulations cost nothing more: they record their moves only if the search's
    /// selection formula learns from them. Called when a search begins at a new root.
    fn learns(&mut self) -> bool {
        self.inner().iter_mut().any(|inner| inner.learns())
    }

    /// Learns from a simulation that has ended: its [moves](Simulation::moves) in the tree and in the playout, and the
    /// [value](Simulation::value_for) of its leaf. Called once for each leaf, if the policy [learns](Self::learns).
    fn learn(&mut self, simulation: &Simulation<G::Play>) {
        self.inner().iter_mut().for_each(|inner| inner.learn(simulation));
    }

    /// Begins a search of `root`, with a new tree or with one kept from the last move. Statistics that should decay from
    /// move to move decay here.
    fn new_search(&mut self, root: &G) {
        self.inner().iter_mut().for_each(|inner| inner.new_search(root));
    }

    /// Begins another game: forgets what was learned.
    fn new_game(&mut self) {
        self.inner().iter_mut().for_each(|inner| inner.new_game());
    }
}

/// A playout policy of any type.
pub type BoxedPlayout<G = Position> = Box<dyn Playout<G> + Send>;

impl<G: Game, P: Playout<G> + ?Sized> Playout<G> for Box<P> {
    fn evaluate(&mut self, end: &G, simulation: &mut Simulation<G::Play>) -> Value {
        (**self).evaluate(end, simulation)
    }

    fn choose(&mut self, position: &G, simulation: &mut Simulation<G::Play>) -> Option<G::Play> {
        (**self).choose(position, simulation)
    }

    fn play_out(&mut self, position: &mut G, simulation: &mut Simulation<G::Play>) -> Option<Outcome> {
        (**self).play_out(position, simulation)
    }

    #[inline]
    fn value(&mut self, leaf: &G, simulation: &mut Simulation<G::Play>) -> Value {
        (**self).value(leaf, simulation)
    }

    fn prepares(&self) -> bool {
        (**self).prepares()
    }

    fn prepare(&mut self, leaves: &[G]) {
        (**self).prepare(leaves);
    }

    fn inner(&mut self) -> &mut [BoxedPlayout<G>] {
        (**self).inner()
    }

    fn learns(&mut self) -> bool {
        (**self).learns()
    }

    fn learn(&mut self, simulation: &Simulation<G::Play>) {
        (**self).learn(simulation);
    }

    fn new_search(&mut self, root: &G) {
        (**self).new_search(root);
    }

    fn new_game(&mut self) {
        (**self).new_game();
    }
}

/// The maximum cap of a policy for Halma, in plies. Playouts by jumps from the start take about 300 plies; the cap bounds
/// the time on boards where neither side can win.
pub const MAX_CAP: u64 = 4000;

/// Whether a playout goes on at `position`: for at most `cap` plies, and `leaving` more while the side to move must leave
/// its camp.
///
/// A side that must leave its camp has few plays, half of them forced, and evaluations do not see how well it gets out.
/// Hence the extra plies.
#[inline]
pub fn goes_on(position: &Position, simulation: &Simulation<Play>, cap: u64, leaving: u64) -> bool {
    let plies = simulation.plies();
    plies < cap || (plies < cap + leaving && position.must_leave(position.to_move()))
}
