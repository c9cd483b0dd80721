//! Strong alpha-beta as an agent: the sparring partner by which the engine is measured.
//!
//! It searches by [iterative deepening](crate::minimax::deepening) with the evaluation that the
//! engine uses until its limits stop it. A race it plays as the engine does.

use super::race::Racer;
use super::{Agent, Decision, NoLegalPlay};
use crate::clock::Clock;
use crate::game::{Game, Outcome, Player, Value};
use crate::halma::{PIECES, Play, Position};
use crate::mcts::parameter::{ON_OFF, parameters, whole};
use crate::mcts::{Candidate, Limits, Report, Stop};
use crate::minimax::deepening::{
    Deepening, Guide, MOST_GUESS, MOST_PLIES, Options, RootPlay, Selective, Watch, is_proof, plies_to_end,
};
use crate::playout::evaluation::{gain, score, squash};

/// Points of the search's values for one unit of the evaluation's score. A row is worth some 10.
const POINTS: f32 = 400.0;

/// Nodes between two looks at the clock: about a twentieth of a millisecond.
const NODES_PER_CLOCK_READ: u64 = 128;

parameters! {
    /// What the agent can be told.
    pub struct AlphaBetaParams;
    depth: u64 = MOST_PLIES as u64, whole(1, MOST_PLIES as u64, 1),
        "plies after which it stops, if the limits have not stopped it before";
    table: u64 = 16, whole(0, 4096, 16),
        "size of the transposition table in MiB";
    race: bool = true, ON_OFF,
        "whether a race, the armies having passed each other, is searched by each side's own plays alone";
}

/// The agent.
#[derive(Clone, Debug)]
pub struct AlphaBeta {
    params: AlphaBetaParams,
    racer: Racer,
    search: Deepening<Position, Judge>,
}

/// How the search is set up for Halma, in points.
const OPTIONS: Options = Options {
    table_bytes: 0,
    killer: 64,
    history: 64,
    selective: Some(Selective {
        ahead_depth: 3,
        ahead: 24,
        pass_depth: 3,
        hope: 16,
        late: 6,
        reduction: 6,
        weak: -96,
    }),
};

impl AlphaBeta {
    /// The agent as `params` say. It lays out its table at once: that takes a while, which no move should
    /// pay for.
    pub fn new(params: AlphaBetaParams) -> AlphaBeta {
        let table_bytes = usize::try_from(params.table << 20).unwrap_or(usize::MAX);
        let search = Deepening::new(Judge, Options { table_bytes, ..OPTIONS });
        AlphaBeta { params, racer: Racer::default(), search }
    }
}

impl Agent for AlphaBeta {
    fn new_game(&mut self) {
        self.search.clear();
        self.racer.forget();
    }

    fn decide(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: &dyn Clock,
    ) -> Result<Decision, NoLegalPlay> {
        let start = clock.seconds();
        if self.params.race
            && let Some(raced) = self.racer.decide(position, limits, clock)
        {
            self.racer.played(position, raced.play);
            return Ok(raced);
        }
        let most_depth = self.params.depth as u8;
        let search = &mut self.search;
        search.start(position);
        let first = search.plays().first().ok_or(NoLegalPlay)?.play;
        let stop = match position.outcome() {
            Some(_) => Stop::Proved,
            None if search.plays().len() == 1 => Stop::Forced,
            None => deepen(search, most_depth, limits, clock, start),
        };
        let report = report(search, position, stop, clock.seconds() - start);
        let play = report.best().map_or(first, |best| best.play);
        self.racer.played(position, play);
        Ok(Decision { play, report })
    }
}

/// Deepens until a limit or a proof stops it.
fn deepen(
    search: &mut Deepening<Position, Judge>,
    most_depth: u8,
    limits: &Limits,
    clock: &dyn Clock,
    start: f64,
) -> Stop {
    let used = || clock.seconds() - start;
    let is_over = |seconds: Option<f64>| seconds.is_some_and(|seconds| used() >= seconds);
    let last_begin = limits.seconds().map(|seconds| seconds * SETTLED_SHARE);
    let every = match limits.clock_every {
        0 => NODES_PER_CLOCK_READ,
        every => every.min(NODES_PER_CLOCK_READ),
    };
    for depth in 1..=most_depth {
        let mut watch = Watch {
            most_nodes: limits.iterations.unwrap_or(u64::MAX),
            every,
            is_over: &mut || is_over(limits.cpu),
        };
        if search.deepen(depth, &mut watch).is_err() {
            let counted = limits.iterations.is_some_and(|most| search.nodes() >= most);
            return if counted { Stop::Iterations } else { Stop::Time };
        }
        let proved = search.line().and_then(|line| plies_to_end(line.value));
        if proved.is_some_and(|plies| plies <= usize::from(depth)) {
            return Stop::Proved;
        }
        if limits.stop_when_settled && is_over(last_begin) {
            return Stop::Settled;
        }
    }
    Stop::Forced
}

/// If it may stop early, no iteration is begun after this share of the time to plan with: most of them
/// would take too long.
const SETTLED_SHARE: f64 = 0.6;

/// What the search has found, in the terms that all agents share.
fn report(
    search: &Deepening<Position, Judge>,
    position: &Position,
    stop: Stop,
    seconds: f64,
) -> Report<Play> {
    let player = position.to_move();
    let judged = |value: i32| match proof(value, player) {
        Some(outcome) => outcome.value_for(player),
        None => sigmoid(value),
    };
    let candidate = |root: &RootPlay<Play>| Candidate {
        play: root.play,
        visits: u32::try_from(root.nodes).unwrap_or(u32::MAX),
        value: root.value.map_or(Value::DRAW, judged),
        prior: 1.0 / search.plays().len() as f32,
        proof: root.value.and_then(|value| proof(value, player)),
    };
    let candidates: Vec<_> = search.plays().iter().map(candidate).collect();
    let (plays, value, depth) =
        search.line().map_or((Vec::new(), 0, 0), |line| (line.plays.clone(), line.value, line.depth));
    let proof = position.outcome().or(proof(value, player));
    Report {
        candidates,
        principal_variation: plays,
        value: proof.map_or(sigmoid(value), |outcome| outcome.value_for(player)),
        proof,
        iterations: search.nodes(),
        inherited: 0,
        nodes: usize::try_from(search.nodes()).unwrap_or(usize::MAX),
        seconds,
        depth: depth.into(),
        stop,
    }
}

/// How the game ends for `player` if its `value` is proved.
fn proof(value: i32, player: Player) -> Option<Outcome> {
    is_proof(value).then_some(Outcome::Win(if value > 0 { player } else { player.opponent() }))
}

/// What alpha-beta is told about Halma.
#[derive(Clone, Copy, Debug)]
struct Judge;

/// What a value of the search is worth between a loss and a win.
fn sigmoid(value: i32) -> Value {
    squash(value as f32 / POINTS)
}

/// A score of the evaluation in the search's points.
fn points(score: f32) -> i32 {
    ((score * POINTS) as i32).clamp(-MOST_GUESS, MOST_GUESS)
}

impl Guide<Position> for Judge {
    #[inline]
    fn evaluate(&self, position: &Position) -> i32 {
        points(score(position, position.to_move()))
    }

    #[inline]
    fn gain(&self, position: &Position, play: Play) -> i32 {
        points(gain(position, play))
    }

    /// Gains leave out the rearmost piece, and how the last pieces are matched to holes.
    #[inline]
    fn doubt(&self, position: &Position) -> i32 {
        let arrived = position.tally(position.to_move()).in_goal();
        if arrived + 6 >= PIECES { 320 } else { 24 }
    }

    #[inline]
    fn slot(&self, play: Play) -> usize {
        play.from.index() << 8 | play.to.index()
    }

    fn slots(&self) -> usize {
        1 << 16
    }

    fn pass(&self, position: &Position) -> Option<Position> {
        Some(position.pass())
    }
}
