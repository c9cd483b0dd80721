//! Strong alpha-beta: the sparring partner that the engine is measured against.
//!
//! It searches with [iterative deepening](crate::search::alphabeta) and the engine's evaluation and prior until its
//! limits stop it, and plays races as the engine does.

use super::race::{RacePlayer, race_limits};
use super::{Agent, AgentContext, Decision, NoLegalPlay};
use crate::evaluation::{Evaluation, gain, squash};
use crate::game::{Game, MoveIndex, Outcome, Player, Value};
use crate::prior::BoxedPrior;
use crate::rules::{PIECES, Play, Position};
use crate::search::alphabeta::{
    Deepening, Guide, MAX_GUESS, MAX_PLIES, RootPlay, Selective, Settings, Watch, is_proof, plies_to_end,
};
use crate::search::{Candidate, DecidedBy, Limits, Observer, Report, Stop};
use crate::support::clock::Clock;
use crate::support::math::ln;
use crate::support::parameters::{Named, ON_OFF, Part, Range, whole};
use crate::support::spec::{Spec, SpecError};

/// Search points per unit of the evaluation's score. A row is worth about 10 points.
const POINTS: f32 = 400.0;

/// The number of nodes between two readings of the clock, which are about 0.05 ms apart.
const NODES_PER_CLOCK_READ: u64 = 128;

crate::parameters! {
    /// The parameters of [`AlphaBeta`].
    pub struct AlphaBetaParameters;
    depth: u64 = MAX_PLIES as u64, whole(1, MAX_PLIES as u64, 1),
        "maximum search depth in plies";
    table: u64 = 16, whole(0, 4096, 16),
        "size of the transposition table in MiB";
    evaluation: Spec = Spec::of("network"), Range::Part(Part::Evaluation),
        "the value of positions";
    prior: Spec = Spec::of("network"), Range::Part(Part::Prior),
        "how likely each play is to be the best, which orders and reduces plays";
    race: bool = true, ON_OFF,
        "whether a race (the armies have passed each other) is searched as a separate puzzle for each side, and a won game \
         against an opponent that is far behind as a puzzle for the winner";
}

/// The alpha-beta agent.
pub struct AlphaBeta {
    params: AlphaBetaParameters,
    race_player: RacePlayer,
    search: Deepening<Position, Advice>,
}

/// The move-ordering penalty of a play, in points per nat by which its prior is below the likeliest play's.
const NAT: f32 = 55.0;

/// A play is reduced if it is less likely than the likeliest play by more nats than this.
const MAX_NATS: f32 = 2.6;

/// The settings for Halma, in search points. A difference of 1 in the prior's score is `nats` nats.
fn settings(table_bytes: usize, nats: f32) -> Settings {
    Settings {
        table_bytes,
        prior_weight: (NAT * nats).round() as i32,
        killer: 64,
        history: 64,
        selective: Some(Selective {
            reverse_futility_depth: 3,
            reverse_futility: 20,
            null_move_depth: 3,
            futility: 16,
            late_moves: 6,
            reduction: 6,
            bad_gain: -96,
            max_behind: (MAX_NATS / nats).round() as i32,
        }),
    }
}

impl Named for AlphaBeta {
    const NAME: &'static str = "alphabeta";
    const ABOUT: &'static str =
        "strong alpha-beta with the engine's evaluation and prior: the sparring partner";
    type Parameters = AlphaBetaParameters;
    type Context = AgentContext;

    /// Allocates the table here, so that no move pays for it.
    fn build(params: AlphaBetaParameters, context: AgentContext) -> Result<AlphaBeta, SpecError> {
        let evaluation = context.registry.make_evaluation(&params.evaluation)?;
        let prior = context.registry.make_prior(&params.prior)?;
        let table_bytes = usize::try_from(params.table << 20).unwrap_or(usize::MAX);
        let settings = settings(table_bytes, ln(prior.base()));
        let search = Deepening::new(Advice { evaluation, prior }, settings);
        let race_player = RacePlayer::new(context.registry.make_evaluation(&params.evaluation)?);
        Ok(AlphaBeta { params, race_player, search })
    }
}

impl Agent for AlphaBeta {
    fn new_game(&mut self) {
        self.search.clear();
        self.race_player.forget();
    }

    fn decide(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: &dyn Clock,
        mut observer: Option<Observer<'_, Play>>,
    ) -> Result<Decision, NoLegalPlay> {
        if let Some(decision) = Decision::after_the_end(position) {
            return decision;
        }
        let start = clock.seconds();
        if self.params.race
            && let Some(raced) = self.race_player.decide(position, &race_limits(limits, &observer), clock)
        {
            self.race_player.played(position, raced.play);
            return Ok(raced);
        }
        let max_depth = self.params.depth as u8;
        let search = &mut self.search;
        search.start(position);
        let first = search.root_plays().first().ok_or(NoLegalPlay)?.play;
        let mut next = 0.0;
        let tell = |search: &Deepening<Position, Advice>| {
            let Some(observer) = &mut observer else { return };
            let seconds = clock.seconds() - start;
            if seconds >= next {
                (observer.tell)(report(search, position, Stop::Time, seconds));
                next = seconds + observer.every;
            }
        };
        let stop = match search.root_plays().len() {
            1 => Stop::Forced,
            _ => deepen(search, max_depth, limits, clock, start, tell),
        };
        let report = report(search, position, stop, clock.seconds() - start);
        let play = report.best().map_or(first, |best| best.play);
        self.race_player.played(position, play);
        Ok(Decision { play, report })
    }
}

/// Searches one ply deeper each time, until a limit or a proof stops it. Calls `tell` after each depth.
fn deepen(
    search: &mut Deepening<Position, Advice>,
    max_depth: u8,
    limits: &Limits,
    clock: &dyn Clock,
    start: f64,
    mut tell: impl FnMut(&Deepening<Position, Advice>),
) -> Stop {
    let used = || clock.seconds() - start;
    let is_over = |seconds: Option<f64>| seconds.is_some_and(|seconds| used() >= seconds);
    let last_start = limits.seconds().map(|seconds| seconds * SETTLED_SHARE);
    let every = match limits.clock_every {
        0 => NODES_PER_CLOCK_READ,
        every => every.min(NODES_PER_CLOCK_READ),
    };
    for depth in 1..=max_depth {
        let mut watch = Watch {
            max_nodes: limits.iterations.unwrap_or(u64::MAX),
            every,
            is_over: &mut || clock.is_cancelled() || is_over(limits.cpu),
        };
        if search.deepen(depth, &mut watch).is_err() {
            let counted = limits.iterations.is_some_and(|max| search.nodes() >= max);
            return if counted { Stop::Iterations } else { Stop::Time };
        }
        tell(search);
        let proved = search.line().and_then(|line| plies_to_end(line.value));
        if proved.is_some_and(|plies| plies <= usize::from(depth)) {
            return Stop::Proved;
        }
        if limits.stop_when_settled && is_over(last_start) {
            return Stop::Settled;
        }
    }
    Stop::Depth
}

/// With early stopping, no iteration starts after this share of the planned time, because most would take too long.
const SETTLED_SHARE: f64 = 0.6;

/// Converts the search's results to a report.
fn report(
    search: &Deepening<Position, Advice>,
    position: &Position,
    stop: Stop,
    seconds: f64,
) -> Report<Play> {
    let player = position.to_move();
    let value_of = |value: i32| match proof(value, player) {
        Some(outcome) => outcome.value_for(player),
        None => sigmoid(value),
    };
    let candidate = |root: &RootPlay<Play>| Candidate {
        play: root.play,
        visits: u32::try_from(root.nodes).unwrap_or(u32::MAX),
        value: root.value.map_or(Value::DRAW, value_of),
        prior: None,
        proof: root.value.and_then(|value| proof(value, player)),
    };
    let candidates: Vec<_> = search.root_plays().iter().map(candidate).collect();
    let (plays, value, depth) =
        search.line().map_or((Vec::new(), 0, 0), |line| (line.plays.clone(), line.value, line.depth));
    let proof = proof(value, player);
    let decided_by = match (proof, stop) {
        (Some(_), _) => DecidedBy::Proof,
        (None, Stop::Forced) => DecidedBy::OnlyPlay,
        (None, _) => DecidedBy::Depth,
    };
    Report {
        decided_by,
        race: None,
        candidates,
        principal_variation: plays,
        value: value_of(value),
        proof,
        iterations: 0,
        visited: search.nodes(),
        reused: 0,
        nodes: 0,
        seconds,
        depth: depth.into(),
        stop,
    }
}

/// The outcome that the `value` for `player` proves, if any.
fn proof(value: i32, player: Player) -> Option<Outcome> {
    is_proof(value).then_some(Outcome::Win(if value > 0 { player } else { player.opponent() }))
}

/// The knowledge of Halma that guides the search.
struct Advice {
    evaluation: Box<dyn Evaluation>,
    prior: BoxedPrior,
}

/// Converts search points to a value between loss and win.
fn sigmoid(value: i32) -> Value {
    squash(value as f32 / POINTS)
}

/// Converts the evaluation's score to search points.
fn points(score: f32) -> i32 {
    ((score * POINTS) as i32).clamp(-MAX_GUESS, MAX_GUESS)
}

impl Guide<Position> for Advice {
    #[inline]
    fn evaluate(&mut self, position: &Position) -> i32 {
        points(self.evaluation.score(position, position.to_move()))
    }

    #[inline]
    fn gain(&self, position: &Position, play: Play) -> i32 {
        points(gain(position, play))
    }

    /// Gains ignore the rearmost piece, the matching of the last pieces to holes, and the network's correction. For a few
    /// plays in a hundred, the gain exceeds the estimate by more than this.
    #[inline]
    fn gain_error(&self, position: &Position) -> i32 {
        let arrived = position.tally(position.to_move()).in_goal();
        if arrived + 6 >= PIECES { 320 } else { 55 }
    }

    fn prior_scores(&mut self, position: &Position, plays: &[Play], scores: &mut Vec<i8>) {
        self.prior.scores(position, plays, scores);
    }

    #[inline]
    fn slot(&self, play: Play) -> usize {
        play.index()
    }

    fn slots(&self) -> usize {
        Play::COUNT
    }

    fn pass(&self, position: &Position) -> Option<Position> {
        Some(position.pass())
    }
}
