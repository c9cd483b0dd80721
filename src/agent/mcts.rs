//! Monte Carlo tree search as an agent that reuses its tree from move to move.

use super::race::{RacePlayer, prefer, race_limits};
use super::{Agent, AgentContext, Decision, NoLegalPlay, SavedGame};
use crate::agent::time::Machine;
use crate::game::Game;
use crate::playout::{Parts, Playout};
use crate::prior::Prior;
use crate::rules::{Play, Position};
use crate::search::mcts::{Params, SavedTree, Search};
use crate::search::{Candidate, DecidedBy, Limits, Observer, Report};
use crate::support::clock::Clock;
use crate::support::parameters::{Named, ON_OFF, Parameter, Parameters, Part, Range, Words};
use crate::support::spec::{Spec, SpecError};

/// About how many CPU seconds it takes to move one place of a tree into another tree.
const SECONDS_TO_MOVE_A_PLACE: f64 = 30e-9;

/// The part of a move's time that moving the reused tree may take.
const MOST_MOVING: f64 = 0.1;

/// How often our pieces may already have stood on a board before returning there counts as waiting.
const RETURNS: usize = 2;

/// How much value a play may give up to avoid waiting.
const IMPATIENCE: f32 = 0.1;

/// A play's value is trusted if it has this part of the best play's visits.
const LEAST_VISITS: f32 = 0.02;

crate::parameters! {
    /// The agent's parameters beside those of its search: its parts, and what only Halma has.
    pub struct EngineParameters;
    playout: Spec = Spec::of("static"), Range::Part(Part::Playout),
        "the policy that says what a leaf is worth";
    prior: Spec = Spec::of("network"), Range::Part(Part::Prior),
        "what says how likely each play is to be the best, before search";
    evaluation: Spec = Spec::of("network"), Range::Part(Part::Evaluation),
        "what says how good a position is as it stands, at the end of playouts";
    reuse: Reuse = Reuse::Tree, Range::Word(&["tree", "playdata", "off"]),
        "what the next move reuses of this one's search: its tree, what playdata.txt would hold, or nothing";
    race: bool = true, ON_OFF,
        "whether a race, the armies having passed each other, is searched by each side's own plays alone";
}

/// What a search reuses from the move before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// The tree below the plays made since.
    Tree,
    /// As much of that tree as `playdata.txt` would hold: the plays are then those of a program that is
    /// started anew for each move.
    Playdata,
    /// Nothing.
    Off,
}

impl Words for Reuse {
    const WORDS: &'static [(&'static str, Reuse)] =
        &[("tree", Reuse::Tree), ("playdata", Reuse::Playdata), ("off", Reuse::Off)];
}

/// All parameters of the engine: [`EngineParameters`] and the search's [`Params`] in one table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MctsParameters {
    /// The parts, and what only Halma has.
    pub engine: EngineParameters,
    /// The search.
    pub search: Params,
}

impl Parameters for MctsParameters {
    fn table() -> Vec<Parameter> {
        [EngineParameters::table(), Params::table()].concat()
    }

    fn set(&mut self, name: &str, value: &Spec) -> Result<(), SpecError> {
        match EngineParameters::table().iter().any(|parameter| parameter.name == name) {
            true => self.engine.set(name, value),
            false => self.search.set(name, value),
        }
    }
}

/// A playout policy of any type.
pub type BoxedPlayout = Box<dyn Playout<Position> + Send>;
/// A prior of any type.
pub type BoxedPrior = Box<dyn Prior<Position> + Send>;

/// The search of Halma. Its parts are called through pointers, so that one compiled search serves all of
/// them: one call per leaf and one per list of plays cost nothing that can be measured.
type HalmaSearch = Search<Position, BoxedPlayout, BoxedPrior>;

/// The engine.
pub struct MctsAgent {
    parameters: MctsParameters,
    seed: u64,
    /// The parts of the search, until it is made.
    parts: Option<(BoxedPlayout, BoxedPrior)>,
    /// The last search, whose tree is reused as long as the game goes on from it.
    search: Option<HalmaSearch>,
    /// The position after the play made last.
    after: Option<Position>,
    /// The play that the last search decided on, if the next search may reuse its tree.
    decided: Option<Play>,
    /// What an earlier process has saved of this game.
    saved: Option<SavedTree<Position>>,
    race_player: RacePlayer,
}

impl Named for MctsAgent {
    const NAME: &'static str = "mcts";
    const ABOUT: &'static str = "Monte Carlo tree search: the engine";
    type Parameters = MctsParameters;
    type Context = AgentContext;

    fn build(parameters: MctsParameters, context: AgentContext) -> Result<MctsAgent, SpecError> {
        let AgentContext { registry, seed } = context;
        let EngineParameters { playout, prior, evaluation, .. } = &parameters.engine;
        let parts =
            Parts { evaluation: registry.make_evaluation(evaluation)?, prior: registry.make_prior(prior)? };
        let playout = registry.make_playout(playout, parts)?;
        let prior = registry.make_prior(prior)?;
        Ok(MctsAgent::new(parameters, playout, prior, seed))
    }
}

impl MctsAgent {
    /// An agent that searches with `parameters`, but with these parts instead of those the parameters name.
    /// Its random numbers follow from `seed` and the position.
    pub fn new(parameters: MctsParameters, playout: BoxedPlayout, prior: BoxedPrior, seed: u64) -> MctsAgent {
        MctsAgent {
            parameters,
            seed,
            parts: Some((playout, prior)),
            search: None,
            after: None,
            decided: None,
            saved: None,
            race_player: RacePlayer::default(),
        }
    }

    /// The search of `position`, with what earlier searches know of it; moving that takes a small part of
    /// `limits`.
    fn prepare(&mut self, position: &Position, limits: &Limits) -> &mut HalmaSearch {
        let seed = self.seed ^ position.key();
        let saved = self.saved.take();
        let saved = saved.as_ref().and_then(|tree| tree.below(position));
        let decided = self.decided.take().filter(|_| saved.is_none());
        if let Some((playout, prior)) = self.parts.take() {
            let params = self.parameters.search.clone();
            self.search = Some(Search::with_prior(*position, params, playout, prior, seed));
        } else if let Some(search) = &mut self.search {
            match decided {
                Some(play) => search.advance(play, *position, seed, places_to_keep(limits)),
                None => search.restart(*position, seed),
            }
        }
        let search = self.search.as_mut().expect("made of the parts at the first move");
        search.limit_memory(limits.memory);
        if let Some(nodes) = saved {
            // What does not fit leaves the search as it was.
            let _ = search.restore(nodes);
        }
        search
    }

    fn reuse(&self) -> Reuse {
        self.parameters.engine.reuse
    }

    /// The best play of `report`. If a side is ahead and its pieces have already stood [`RETURNS`] times
    /// where this play puts them, then the most visited play that is little worse and leads elsewhere.
    ///
    /// A game in which both sides wait for the other to open its ranks would go on for ever. Tree search
    /// sees no harm in waiting: a better play may always come later.
    fn without_waiting(&self, position: &Position, mut report: Report<Play>) -> Option<Decision> {
        let best = *report.best()?;
        let waits = |play| self.race_player.times_been(position, play) >= RETURNS;
        if report.proof.is_none() && best.value.get() > 0.0 && waits(best.play) {
            let (least_value, least_visits) =
                (best.value.get() - IMPATIENCE, LEAST_VISITS * best.visits as f32);
            let other = report.candidates.iter().position(|other| {
                let trusted = other.proof.is_none() && other.visits as f32 >= least_visits;
                trusted && other.value.get() >= least_value && !waits(other.play)
            });
            if let Some(other) = other {
                report.candidates[..=other].rotate_right(1);
                let Candidate { play, value, .. } = report.candidates[0];
                (report.value, report.principal_variation) = (value, vec![play]);
                report.decided_by = DecidedBy::Patience;
            }
        }
        Some(Decision { play: report.best()?.play, report })
    }
}

/// Searches, and tells `observer` what would be decided now, by the race player if it has `raced`.
fn run_observed(
    search: &mut HalmaSearch,
    raced: Option<&Decision>,
    limits: &Limits,
    clock: &dyn Clock,
    observer: Observer<'_, Play>,
) -> Report<Play> {
    let Observer { every, tell } = observer;
    if let Some(raced) = raced {
        tell(raced.report.clone());
    }
    let mut tell = |report| match raced.cloned() {
        Some(raced) => prefer(raced, report).into_iter().for_each(|decision| tell(decision.report)),
        None => tell(report),
    };
    search.run(limits, clock, Some(Observer { every, tell: &mut tell }))
}

/// How many places of a tree are worth moving before a search of `limits`.
fn places_to_keep(limits: &Limits) -> usize {
    limits.seconds().map_or(usize::MAX, |seconds| (seconds * MOST_MOVING / SECONDS_TO_MOVE_A_PLACE) as usize)
}

impl Agent for MctsAgent {
    fn new_game(&mut self) {
        (self.after, self.decided, self.saved) = (None, None, None);
        self.race_player.forget();
    }

    fn decide(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: &dyn Clock,
        observer: Option<Observer<'_, Play>>,
    ) -> Result<Decision, NoLegalPlay> {
        let start = clock.seconds();
        let machine = Machine::default();
        let nodes = if self.reuse() == Reuse::Playdata { machine.nodes_to_save(limits) } else { 0 };
        let limits = limits.less(machine.seconds_to_save(nodes));
        let races = self.parameters.engine.race;
        let raced = if races {
            self.race_player.decide(position, &race_limits(&limits, &observer), clock)
        } else {
            None
        };
        let decision = match raced {
            Some(raced) if limits.stop_when_settled || limits.cpu.is_none() => {
                (self.decided, self.saved) = (None, None);
                raced
            }
            // Without early stopping the time is free: search the tree too, since it may prove a win.
            raced => {
                let search = self.prepare(position, &limits);
                let limits = limits.less(clock.seconds() - start);
                let report = match observer {
                    Some(observer) => run_observed(search, raced.as_ref(), &limits, clock, observer),
                    None => search.run(&limits, clock, None),
                };
                let decision = match raced {
                    Some(raced) => prefer(raced, report),
                    None => self.without_waiting(position, report),
                };
                let decision = decision.ok_or(NoLegalPlay)?;
                let is_open = decision.report.proof.is_none();
                self.decided = Some(decision.play).filter(|_| is_open && self.reuse() != Reuse::Off);
                decision
            }
        };
        self.race_player.played(position, decision.play);
        let mut after = *position;
        after.play(decision.play);
        self.after = Some(after);
        if self.reuse() == Reuse::Playdata {
            let saved = self.save(nodes);
            self.new_game();
            saved.into_iter().for_each(|saved| self.restore(saved));
        }
        Ok(decision)
    }

    fn save(&self, most: usize) -> Option<SavedGame> {
        let before = self.after.filter(|_| self.reuse() != Reuse::Off)?;
        let most = most.min(SavedGame::MOST_NODES);
        let tree = self.decided.and_then(|play| self.search.as_ref()?.save(play, most));
        let nodes = tree.map_or_else(Vec::new, |tree| tree.nodes);
        let been = self.race_player.been();
        let boards = been[been.len().saturating_sub(SavedGame::MOST_BOARDS)..].to_vec();
        Some(SavedGame { before, nodes, boards })
    }

    fn restore(&mut self, game: SavedGame) {
        let SavedGame { before, nodes, boards } = game;
        self.saved = Some(SavedTree { before, nodes });
        self.race_player.restore(boards);
    }
}
