//! NST, the N-gram selection technique.
//!
//! NST is like [MAST](super::Mast), but a play is also rated by the average results of the sequences that it ends, with
//! the last move or the last two moves before it. Its rating is the mean of these averages; the average of a sequence
//! counts once the sequence has been seen often enough:
//!
//! ```text
//! T(c) = mean of Q(c), and of Q(b, c) and Q(a, b, c) if they have at least `min_visits` visits
//! ```
//!
//! Tak, Winands, Björnsson, "N-Grams and the Last-Good-Reply Policy Applied in General Game Playing", 2012. Their ε is 0.4.
//! On Connect Four at 500 iterations, against random playouts, NST scored 58 % of 686 games from openings of three
//! stones.
//!
//! To save time, `Q(a, b, c)` is not learned until `Q(b, c)` has `min_visits` visits, and at most 32 plays count in a
//! context: the first to reach `min_visits`, or after a decay the first in the table. The averages of others are
//! learned but do not change the rating (`tuning/EXPERIMENTS.md`, E256), and if `Q(b, c)` no longer counts, `Q(a, b,
//! c)` keeps its weight of a third. In playouts of 300 plies, a ply costs 1.4 to 1.5 times as much as a uniformly
//! random one. Of the additional time, half is spent rating 120 legal plays, three tenths learning, and a sixth finding
//! the highest rating.

use super::super::{BoxedPlayout, Parts, Simulation};
use super::choice::{CHOICES, Choice};
use super::learning::{Learner, Learning};
use super::sequences::{Sequences, contexts};
use super::table::{Average, MoveTable};
use crate::game::{Game, MoveIndex, Player};
use crate::rules::Position;
use crate::support::parameters::{Named, Part, Range, number, whole};
use crate::support::spec::{Spec, SpecError};

crate::parameters! {
    /// The parameters of [`Nst`].
    pub struct NstParameters;
    inner: Spec = Spec::of("uniform"), Range::Part(Part::Playout),
        "the policy that makes the other plays and ends the playout";
    length: u64 = 3, whole(1, 3, 1),
        "the longest sequence that is rated, in plays";
    min_visits: u64 = 7, whole(1, 1_000_000, 5),
        "how many visits a sequence of two or three plays needs to count";
    choice: Choice = Choice::Greedy, CHOICES,
        "the play with the highest rating (greedy), or plays drawn by their ratings (gibbs)";
    epsilon: f32 = 0.1, number(0.0, 1.0, 0.1),
        "greedy: how often the inner policy makes the play";
    temperature: f32 = 0.5, number(0.01, 100.0, 0.1),
        "gibbs: the temperature; near 0 the highest rating always wins, and at higher values ratings matter less";
    unknown: f32 = -1.0, number(-1.0, 1.0, 0.25),
        "the average assumed for plays never made";
    decay: f32 = 0.4, number(0.0, 1.0, 0.2),
        "the share of all visits that the next move keeps";
}

/// Chooses plays by the average results of sequences of up to three plays.
pub type Nst<G> = Learning<G, Averages<G, 3>>;

impl<G: Game<Play: MoveIndex>> Nst<G> {
    /// A policy that falls back on `inner`, which also values the end of a playout.
    pub fn new(parameters: NstParameters, inner: BoxedPlayout<G>) -> Nst<G> {
        Learning::of(Averages::new(parameters), inner)
    }
}

/// The average results of sequences of up to `MAX` plays.
pub struct Averages<G: Game, const MAX: u64> {
    parameters: NstParameters,
    /// The mean value of each play; `unknown` if it has no visits. Kept apart from the visits, because plays are rated
    /// far more often than they are made.
    means: MoveTable<G::Play, f32>,
    visits: MoveTable<G::Play, f32>,
    sequences: Sequences<Average>,
    /// A buffer for the ratings of plays.
    ratings: Vec<f32>,
}

impl<G: Game<Play: MoveIndex>, const MAX: u64> Averages<G, MAX> {
    pub(super) fn new(parameters: NstParameters) -> Averages<G, MAX> {
        let mut means = MoveTable::new();
        means.for_each(|mean| *mean = parameters.unknown);
        let sequences = Sequences::new::<G::Play>(parameters.length.min(MAX), parameters.min_visits);
        Averages { parameters, means, visits: MoveTable::new(), sequences, ratings: Vec::new() }
    }
}

impl<G: Game<Play: MoveIndex>, const MAX: u64> Learner<G> for Averages<G, MAX> {
    fn choose(&mut self, other: G::Play, position: &G, simulation: &mut Simulation<G::Play>) -> G::Play {
        let NstParameters { choice, epsilon, temperature, .. } = self.parameters;
        if choice == Choice::Greedy && simulation.random.happens(epsilon) {
            return other;
        }
        let before = contexts(simulation.moves());
        let (plays, random) = simulation.legal_plays(position);
        self.sequences.rate(before, position.to_move(), plays, &mut self.means, &mut self.ratings);
        choice.choose(plays, &mut self.ratings, other, temperature, random)
    }

    fn learn(&mut self, simulation: &Simulation<G::Play>) {
        let moves = simulation.moves();
        for &made in moves {
            let (visits, mean) = (&mut self.visits[made], &mut self.means[made]);
            let mut average =
                if *visits > 0.0 { Average { visits: *visits, mean: *mean } } else { Average::default() };
            average.add(simulation.value_for(made.player));
            (*visits, *mean) = (average.visits, average.mean);
        }
        self.sequences.learn(moves.iter().enumerate().map(|(place, made)| {
            let value = simulation.value_for(made.player).get();
            (contexts(&moves[..place]), made.play.index(), value)
        }));
    }

    fn new_search(&mut self, _: &G) {
        let NstParameters { decay, unknown, .. } = self.parameters;
        for player in Player::BOTH {
            for (visits, mean) in self.visits.of_mut(player).iter_mut().zip(self.means.of_mut(player)) {
                let mut average = Average { visits: *visits, mean: *mean };
                average.decay(decay);
                *visits = average.visits;
                *mean = if *visits > 0.0 { *mean } else { unknown };
            }
        }
        self.sequences.decay(decay);
    }

    fn new_game(&mut self) {
        self.visits.clear();
        self.means.for_each(|mean| *mean = self.parameters.unknown);
        self.sequences.clear();
    }
}

impl Named for Nst<Position> {
    const NAME: &'static str = "nst";
    const ABOUT: &'static str = "the play whose sequences of up to three plays had the best results (NST)";
    type Parameters = NstParameters;
    type Context = Parts;

    fn build(parameters: NstParameters, parts: Parts) -> Result<Nst<Position>, SpecError> {
        let inner = parts.playout(Self::NAME, &parameters.inner)?;
        Ok(Nst::new(parameters, inner))
    }
}
