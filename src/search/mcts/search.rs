//! The search as a whole, and the loop that runs iterations until a limit is reached.

use super::iteration::Step;
use super::params::Params;
use super::ranking::Ranking;
use super::selection::Selector;
use super::stability::Stability;
use super::tree::{NodeId, Tree};
use crate::game::Game;
use crate::playout::{Playout, Simulation};
use crate::prior::{Prior, Uniform};
use crate::search::{Limits, Observer, Report, Stop};
use crate::support::clock::Clock;

/// The maximum number of iterations between two readings of the clock, unless [`Limits`] say otherwise. A reading takes
/// about 1 µs, an iteration about 2 µs, so readings cost less than 1 %.
const CLOCK_EVERY: u64 = 64;

/// Visits are counted in 32 bits.
const MAX_ITERATIONS: u64 = u32::MAX as u64 - 1;

/// A Monte Carlo tree search from one position.
///
/// The tree stays between calls of [`run`](Self::run), which continue where the last one stopped.
///
/// ```
/// use halma::evaluation::Fitted;
/// use halma::playout::Static;
/// use halma::search::Limits;
/// use halma::search::mcts::{Params, Search};
/// use halma::support::clock::ProcessClock;
/// use halma::{Position, prior};
///
/// let playout = Static::new(Box::new(Fitted));
/// let prior = prior::Fitted::default();
/// let mut search = Search::with_prior(Position::default(), Params::default(), playout, prior, 1);
/// let report = search.run(&Limits::iterations(500), &ProcessClock, None);
/// assert_eq!(report.iterations, 500);
/// println!("{} is worth {}", report.best().unwrap().play, report.value);
/// ```
#[derive(Clone, Debug)]
pub struct Search<G: Game, L, R = Uniform> {
    pub(super) root: G,
    pub(super) tree: Tree<G::Play>,
    /// An earlier tree, kept for its memory: when the game goes on, the tree moves into it.
    pub(super) spare: Option<Tree<G::Play>>,
    pub(super) ranking: Ranking<G::Play>,
    pub(super) params: Params,
    /// The memory for the tree and for the selection formula's statistics, in bytes.
    pub(super) memory: usize,
    pub(super) selector: Selector<G::Play>,
    pub(super) playout: L,
    pub(super) policy_learns: bool,
    /// Whether the policy uses leaves that it sees in advance.
    pub(super) policy_prepares: bool,
    pub(super) prior: R,
    pub(super) simulation: Simulation<G::Play>,
    pub(super) path: Vec<Step>,
    pub(super) depth: usize,
}

impl<G: Game, L: Playout<G>> Search<G, L> {
    /// A search with a uniform prior: see [`with_prior`](Self::with_prior).
    pub fn new(root: G, params: Params, playout: L, seed: u64) -> Search<G, L> {
        Search::with_prior(root, params, playout, Uniform, seed)
    }
}

impl<G: Game, L: Playout<G>, R: Prior<G>> Search<G, L, R> {
    /// A search from `root`, in which `playout` values leaves and `prior` rates plays. The same `seed` and number of
    /// iterations in one [`run`](Self::run) give the same tree.
    ///
    /// A `root` where the game is over is not searched: its outcome counts as proved.
    pub fn with_prior(root: G, params: Params, playout: L, prior: R, seed: u64) -> Search<G, L, R> {
        let memory = params.memory_bytes();
        let mut search = Search {
            tree: new_tree(&params, memory),
            spare: None,
            ranking: Ranking::new(prior.base()),
            selector: Selector::new(&params),
            params,
            memory,
            playout,
            policy_learns: false,
            policy_prepares: false,
            prior,
            simulation: Simulation::new(seed),
            path: Vec::new(),
            depth: 0,
            root: root.clone(),
        };
        search.begin(root, seed);
        search.expand_root();
        search
    }

    /// Starts again from `root` with `seed`, like [`with_prior`](Self::with_prior), but keeps the memory: allocating it
    /// again can take longer than the search.
    pub fn restart(&mut self, root: G, seed: u64) {
        self.tree.clear();
        self.selector.clear();
        self.begin(root, seed);
        self.expand_root();
    }

    /// Makes `root` the root of the tree, and begins a search with this `seed`.
    pub(super) fn begin(&mut self, root: G, seed: u64) {
        let simulation = Simulation::new(seed);
        self.policy_learns = self.playout.learns();
        self.policy_prepares = self.playout.prepares();
        let recording = self.policy_learns || self.params.select.is_rule();
        self.simulation = if recording { simulation.recording() } else { simulation };
        self.playout.new_search(&root);
        self.depth = 0;
        self.root = root;
    }

    /// Begins another game: the policy forgets what it has learned.
    pub fn new_game(&mut self) {
        self.playout.new_game();
    }

    pub(super) fn expand_root(&mut self) {
        let root = self.root.clone();
        self.expand(NodeId::ROOT, &root);
        if let Some(outcome) = root.outcome() {
            self.tree.prove(NodeId::ROOT, outcome, root.to_move());
        }
    }

    pub(super) fn child_by_play(&self, id: NodeId, play: G::Play) -> Option<NodeId> {
        self.tree.children(id).find(|&child| self.tree.node(child).play == Some(play))
    }

    /// From now on, limits the memory of the tree and of the selection formula's statistics to `bytes` or to the
    /// `memory` parameter, whichever is less.
    pub fn limit_memory(&mut self, bytes: Option<usize>) {
        let max = self.params.memory_bytes();
        self.memory = bytes.map_or(max, |bytes| bytes.min(max));
        self.tree.arena.set_limit(self.params.select.tree_bytes(self.memory));
        self.selector.limit_memory(self.memory);
    }

    /// Searches until a limit is reached, and reports.
    ///
    /// An `observer` gets interim reports when the clock is read, which happens only with a time limit.
    ///
    /// An iteration limit can split a batch of new children, so the tree of two runs may differ from the tree of one run
    /// with as many iterations.
    pub fn run(
        &mut self,
        limits: &Limits,
        clock: &dyn Clock,
        mut observer: Option<Observer<'_, G::Play>>,
    ) -> Report<G::Play> {
        let reused = self.tree.visits(NodeId::ROOT);
        let mut progress = Progress {
            limits,
            clock,
            start: clock.seconds(),
            elapsed: 0.0,
            iterations: 0,
            max: limits.iterations.unwrap_or(u64::MAX).min(MAX_ITERATIONS - u64::from(reused)),
            stability: Stability::new(self.root.to_move(), self.params.final_visits),
        };
        let mut next_report = observer.as_ref().map_or(f64::INFINITY, |observer| observer.every);
        let clock_every = if limits.clock_every == 0 { CLOCK_EVERY } else { limits.clock_every };
        let stop = loop {
            let remaining = match self.remaining(&mut progress) {
                Ok(remaining) => remaining,
                Err(stop) => break stop,
            };
            let Progress { iterations, max, elapsed, .. } = progress;
            if let Some(observer) = observer.as_mut().filter(|_| elapsed >= next_report) {
                (observer.tell)(self.report(iterations, reused, elapsed, Stop::Time));
                next_report = elapsed + observer.every;
            }
            // At most half of the remaining iterations, so that the clock is read more and more often towards the end.
            let batch = if iterations == 0 { 2 } else { (remaining / 2).clamp(1, clock_every) };
            let done = iterations + batch.min(max - iterations);
            // A batch of new children may run past `done`, but not past the end, and not past the first reading of the
            // clock, which shows how long an iteration takes.
            let end = if limits.cpu.is_some() && iterations == 0 { done } else { iterations + remaining };
            while progress.iterations < done && !clock.is_cancelled() {
                progress.iterations += self.iterate(end - progress.iterations);
            }
        };
        self.report(progress.iterations, reused, clock.seconds() - progress.start, stop)
    }

    /// How many more iterations the limits allow, at least one; or why the run is over.
    fn remaining(&self, progress: &mut Progress) -> Result<u64, Stop> {
        let root = self.tree.node(NodeId::ROOT);
        let &mut Progress { limits, iterations, max, .. } = progress;
        if root.legal() <= 1 {
            return Err(Stop::Forced);
        }
        if root.proof.is_some() {
            return Err(Stop::Proved);
        }
        if progress.clock.is_cancelled() {
            return Err(Stop::Time);
        }
        if iterations >= max {
            return Err(Stop::Iterations);
        }
        let mut remaining = max - iterations;
        if let Some(cpu) = limits.cpu {
            if iterations > 0 || cpu <= 0.0 {
                progress.elapsed = progress.clock.seconds() - progress.start;
            }
            let elapsed = progress.elapsed;
            let per_iteration = elapsed / iterations.max(1) as f64;
            if elapsed + per_iteration >= cpu {
                return Err(Stop::Time);
            }
            // How long an iteration takes is not known until the first ones are done.
            if iterations > 0 {
                if let Some(planned) = limits.planned {
                    let lead = progress.stability.lead(&self.tree, iterations);
                    if elapsed >= planned * lead.time_factor(self.params.instability) {
                        return Err(Stop::Time);
                    }
                }
                if per_iteration > 0.0 {
                    remaining = remaining.min(((cpu - elapsed) / per_iteration) as u64);
                }
            }
        }
        if limits.stop_when_settled {
            let lead = progress.stability.lead(&self.tree, iterations);
            if lead.is_settled(self.params.final_visits, remaining) {
                return Err(Stop::Settled);
            }
        }
        Ok(remaining)
    }
}

/// The progress of a run.
struct Progress<'a> {
    limits: &'a Limits,
    clock: &'a dyn Clock,
    /// The clock's reading when the run began.
    start: f64,
    /// The seconds between `start` and the last reading.
    elapsed: f64,
    iterations: u64,
    /// The maximum number of iterations.
    max: u64,
    stability: Stability,
}

/// A tree of just the root, for a search that may take `memory` bytes.
pub(super) fn new_tree<P: Copy>(params: &Params, memory: usize) -> Tree<P> {
    Tree::new(params.select.tree_bytes(memory), params)
}
