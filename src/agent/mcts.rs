//! The engine: Monte Carlo tree search that reuses its tree from move to move.

use super::race::{RacePlayer, SURE, WON, prefer, race_limits};
use super::{Agent, AgentContext, Decision, NoLegalPlay, SavedGame};
use crate::agent::time::Machine;
use crate::evaluation::Fitted;
use crate::game::{Game, Value};
use crate::playout::{BoxedPlayout, Parts};
use crate::prior::BoxedPrior;
use crate::rules::{Play, Position, Rules};
use crate::search::mcts::{Params, SavedTree, Search};
use crate::search::{Candidate, DecidedBy, Limits, Observer, Report, Stop};
use crate::support::clock::Clock;
use crate::support::parameters::{Named, ON_OFF, Parameter, Parameters, Part, Range, Words};
use crate::support::spec::{Spec, SpecError};

/// The approximate CPU seconds it takes to move one place from one tree to another.
const SECONDS_TO_MOVE_A_PLACE: f64 = 30e-9;

/// The share of a move's time that moving the reused tree may take.
const MAX_MOVING: f64 = 0.1;

/// A play to a board that the agent has already had this many times counts as waiting.
const RETURNS: usize = 2;

/// The maximum value that the agent gives up to avoid waiting.
const IMPATIENCE: f32 = 0.1;

/// The game has stalled if the agent's last [`STALLED_PLAYS`] plays have brought its army nearer to the goal's corner by
/// less than [`MIN_GAIN`] columns and rows. In a normal game, plays gain five each.
const STALLED_PLAYS: usize = 4;
/// See [`STALLED_PLAYS`].
const MIN_GAIN: i32 = 8;

/// The maximum value that the agent gives up to make progress in a stalled game.
const COST_OF_PROGRESS: f32 = 0.03;

/// After this many plays in which the army has not come nearer to the goal than before, a positive value falls: perhaps
/// the goal cannot be filled.
const PLAYS_BEFORE_DOUBT: f32 = 40.0;

/// A play's value is trusted if it has at least this share of the best play's visits.
const MIN_VISITS: f32 = 0.02;

crate::parameters! {
    /// The engine's parts, and the parameters that are specific to Halma.
    pub struct EngineParameters;
    playout: Spec = Spec::of("static"), Range::Part(Part::Playout),
        "the policy that values leaves";
    prior: Spec = Spec::of("network"), Range::Part(Part::Prior),
        "how likely each play is to be the best, before search";
    evaluation: Spec = Spec::of("network"), Range::Part(Part::Evaluation),
        "the value of the position at the end of a playout";
    reuse: Reuse = Reuse::Tree, Range::Word(&["tree", "playdata", "off"]),
        "how much of this search's tree the next move reuses: all of it, as much as playdata.txt would hold, or nothing";
    race: bool = true, ON_OFF,
        "whether a race (the armies have passed each other) is searched as a separate puzzle for each side, and a won game \
         against an opponent that is far behind as a puzzle for the winner";
    addendum: bool = true, ON_OFF,
        "whether games under the original rules are searched under the addendum, the only rules known to the networks";
}

/// How much of a search's tree the next move reuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// The tree below the plays made since.
    Tree,
    /// As much of that tree as `playdata.txt` would hold: the agent plays like a program started for each move.
    Playdata,
    /// Nothing.
    Off,
}

impl Words for Reuse {
    const WORDS: &'static [(&'static str, Reuse)] =
        &[("tree", Reuse::Tree), ("playdata", Reuse::Playdata), ("off", Reuse::Off)];
}

/// All parameters of the engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MctsParameters {
    /// The parts, and the parameters that are specific to Halma.
    pub engine: EngineParameters,
    /// The parameters of the search.
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

/// The search of Halma. It calls its parts through pointers, so one compiled search serves all of them. One such call per
/// leaf and one per list of plays have no measurable cost.
type HalmaSearch = Search<Position, BoxedPlayout, BoxedPrior>;

/// The engine.
pub struct MctsAgent {
    parameters: MctsParameters,
    seed: u64,
    /// The parts of the search, until the first move.
    parts: Option<(BoxedPlayout, BoxedPrior)>,
    /// The last search, whose tree is reused while the game continues from it.
    search: Option<HalmaSearch>,
    /// The position after the last play.
    after: Option<Position>,
    /// The last search's decision, if the next search may reuse its tree.
    decided: Option<Play>,
    /// The tree that an earlier process saved.
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
        let parts = Parts::new(registry.clone(), evaluation.clone(), prior.clone());
        let race_player = RacePlayer::new(parts.evaluation()?);
        let (prior, playout) = (parts.prior()?, registry.make_playout(playout, parts)?);
        Ok(MctsAgent { race_player, ..MctsAgent::new(parameters, playout, prior, seed) })
    }
}

impl MctsAgent {
    /// An agent with these parts instead of the ones that `parameters` names. `seed` and the position determine its
    /// random numbers. If the opponent is far behind, the fitted evaluation decides whether the game is won.
    ///
    /// ```
    /// use halma::agent::{MctsAgent, MctsParameters};
    /// use halma::evaluation::Fitted;
    /// use halma::playout::Static;
    /// use halma::prior::Uniform;
    ///
    /// let playout = Box::new(Static::new(Box::new(Fitted)));
    /// let agent = MctsAgent::new(MctsParameters::default(), playout, Box::new(Uniform), 1);
    /// ```
    pub fn new(parameters: MctsParameters, playout: BoxedPlayout, prior: BoxedPrior, seed: u64) -> MctsAgent {
        MctsAgent {
            parameters,
            seed,
            parts: Some((playout, prior)),
            search: None,
            after: None,
            decided: None,
            saved: None,
            race_player: RacePlayer::new(Box::new(Fitted)),
        }
    }

    /// The position as the search sees it: under the addendum's rules, which the networks have learned, unless a play
    /// wins immediately. If there is a legal play under the original rules, there is one under the addendum's.
    fn as_searched(&self, position: &Position) -> Position {
        let mut plays = Vec::new();
        if self.parameters.engine.addendum && position.rules() == Rules::Original {
            position.legal_plays(&mut plays);
            if position.winning_play(&plays).is_none() {
                return position.with_rules(Rules::Addendum);
            }
        }
        *position
    }

    /// Prepares the search of `position`, reusing the last search's subtree below it. Moving that subtree takes a small
    /// share of `limits`.
    fn prepare(&mut self, position: &Position, limits: &Limits) -> &mut HalmaSearch {
        let seed = self.seed ^ position.key();
        let saved = self.saved.take();
        let saved = saved.as_ref().and_then(|tree| tree.below(position));
        let decided = self.decided.take().filter(|_| saved.is_none());
        if let Some((playout, prior)) = self.parts.take() {
            let params = self.parameters.search.clone();
            self.search = Some(Search::with_prior(*position, params, playout, prior, seed));
        } else if let Some(search) = &mut self.search {
            match (decided, places_to_keep(limits)) {
                (Some(play), places @ 1..) => search.advance(play, *position, seed, places),
                _ => search.restart(*position, seed),
            }
        }
        let search = self.search.as_mut().expect("it was made at the first move");
        search.limit_memory(limits.memory);
        if let Some(nodes) = saved {
            // A tree that does not fit leaves the search as it was.
            let _ = search.restore(nodes);
        }
        search
    }

    /// Decides under the rules of `position`.
    fn decide_by_its_rules(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: &dyn Clock,
        observer: Option<Observer<'_, Play>>,
    ) -> Result<Decision, NoLegalPlay> {
        let start = clock.seconds();
        let machine = Machine::default();
        let nodes = if self.reuse() == Reuse::Playdata { machine.nodes_to_save(limits) } else { 0 };
        let raced = match self.parameters.engine.race {
            true => self.race_player.decide(position, &race_limits(limits, &observer), clock),
            false => None,
        };
        let decision = match raced {
            Some(raced) if limits.stop_when_settled || limits.cpu.is_none() => {
                (self.decided, self.saved) = (None, None);
                raced
            }
            // Without early stopping the time is free: search the tree too, since it may prove a win.
            raced => {
                let search = self.prepare(position, limits);
                let limits = limits.less(clock.seconds() - start + machine.seconds_to_save(nodes));
                let report = run(search, raced.as_ref(), &limits, clock, observer);
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

    fn reuse(&self) -> Reuse {
        self.parameters.engine.reuse
    }

    /// Chooses the best play of `report`, except when the agent is ahead and should not wait:
    /// - In a won game that has [stalled](STALLED_PLAYS), chooses, among the plays that are little worse, the one that
    ///   makes the most progress.
    /// - If the best play leads to a board that the agent has already had [`RETURNS`] times, chooses the most visited play
    ///   that is little worse and leads elsewhere.
    ///
    /// Otherwise a game in which each side waits for the other to open its ranks would never end. Tree search sees no
    /// harm in waiting, since it can still make a better play later. If nothing helps, the value falls.
    fn without_waiting(&self, position: &Position, mut report: Report<Play>) -> Option<Decision> {
        let best = *report.best()?;
        if report.proof.is_none() && best.value.get() > 0.0 {
            let waits = |play| self.race_player.returns(position, play) >= RETURNS;
            let min_visits = MIN_VISITS * best.visits as f32;
            let others = |cost| {
                report.candidates.iter().enumerate().filter(move |(_, other)| {
                    let trusted = other.proof.is_none() && other.visits as f32 >= min_visits;
                    trusted && other.value.get() >= best.value.get() - cost && !waits(other.play)
                })
            };
            let gained = self.race_player.gained(position, STALLED_PLAYS);
            let stalled = best.value.get() >= WON && gained.is_some_and(|gained| gained < MIN_GAIN);
            let progress = |play| position.progress(play);
            // Among equals, the first.
            let further = others(COST_OF_PROGRESS)
                .filter(|(_, other)| stalled && progress(other.play) > progress(best.play))
                .min_by_key(|(_, other)| -progress(other.play));
            let other = match further {
                Some((other, _)) => Some((other, DecidedBy::Progress)),
                None if waits(best.play) => {
                    others(IMPATIENCE).next().map(|(other, _)| (other, DecidedBy::Patience))
                }
                None => None,
            };
            if let Some((other, decided_by)) = other {
                report.candidates[..=other].rotate_right(1);
                let Candidate { play, value, .. } = report.candidates[0];
                (report.value, report.principal_variation) = (value, vec![play]);
                report.decided_by = decided_by;
            }
            let waited = self.race_player.plays_since_nearest(position) as f32;
            if waited > PLAYS_BEFORE_DOUBT {
                report.value = Value::new(report.value.get() * PLAYS_BEFORE_DOUBT / waited);
            }
        }
        Some(Decision { play: report.best()?.play, report })
    }
}

/// Runs `search`. An `observer` receives the decision so far, which takes `raced` into account.
fn run(
    search: &mut HalmaSearch,
    raced: Option<&Decision>,
    limits: &Limits,
    clock: &dyn Clock,
    observer: Option<Observer<'_, Play>>,
) -> Report<Play> {
    let Some(Observer { every, tell }) = observer else { return search.run(limits, clock, None) };
    let Some(raced) = raced else { return search.run(limits, clock, Some(Observer { every, tell })) };
    tell(raced.report.clone());
    let mut tell =
        |report| prefer(raced.clone(), report).into_iter().for_each(|decision| tell(decision.report));
    search.run(limits, clock, Some(Observer { every, tell: &mut tell }))
}

/// Removes the proofs from the `report` of a search under the addendum, made for a game under the original rules: a
/// side that ignores the addendum may escape a proved outcome. `decided_by` still says that a proof decided. If the
/// addendum leaves one play but the game's own `position` has several, a rule of the agent decided.
fn without_proofs(mut report: Report<Play>, position: &Position) -> Report<Play> {
    report.proof = None;
    report.candidates.iter_mut().for_each(|candidate| candidate.proof = None);
    if report.decided_by == DecidedBy::Proof {
        report.value = Value::new(report.value.get().clamp(-SURE, SURE));
        report.stop = Stop::Settled;
    }
    if report.decided_by == DecidedBy::OnlyPlay && position.count_plays() > 1 {
        report.decided_by = DecidedBy::Rule;
    }
    report
}

/// The maximum number of places of a tree that are worth moving before a search within `limits`.
fn places_to_keep(limits: &Limits) -> usize {
    limits.seconds().map_or(usize::MAX, |seconds| (seconds * MAX_MOVING / SECONDS_TO_MOVE_A_PLACE) as usize)
}

impl Agent for MctsAgent {
    fn new_game(&mut self) {
        (self.after, self.decided, self.saved) = (None, None, None);
        self.race_player.forget();
        self.search.iter_mut().for_each(Search::new_game);
    }

    fn decide(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: &dyn Clock,
        observer: Option<Observer<'_, Play>>,
    ) -> Result<Decision, NoLegalPlay> {
        if let Some(decision) = Decision::after_the_end(position) {
            self.new_game();
            return decision;
        }
        let searched = self.as_searched(position);
        if searched == *position {
            return self.decide_by_its_rules(position, limits, clock, observer);
        }
        let Decision { play, report } = match observer {
            None => self.decide_by_its_rules(&searched, limits, clock, None),
            Some(Observer { every, tell }) => {
                let tell = &mut |report| tell(without_proofs(report, position));
                self.decide_by_its_rules(&searched, limits, clock, Some(Observer { every, tell }))
            }
        }?;
        Ok(Decision { play, report: without_proofs(report, position) })
    }

    fn save(&self, max_nodes: usize) -> Option<SavedGame> {
        let before = self.after.filter(|_| self.reuse() != Reuse::Off)?;
        let max_nodes = max_nodes.min(SavedGame::MAX_NODES);
        let tree = self.decided.and_then(|play| self.search.as_ref()?.save(play, max_nodes));
        let nodes = tree.map_or_else(Vec::new, |tree| tree.nodes);
        let history = self.race_player.history();
        let boards = history[history.len().saturating_sub(SavedGame::MAX_BOARDS)..].to_vec();
        Some(SavedGame { before, nodes, boards })
    }

    fn restore(&mut self, game: SavedGame) {
        let SavedGame { before, nodes, boards } = game;
        self.saved = Some(SavedTree { before, nodes });
        self.race_player.restore(boards);
    }
}
