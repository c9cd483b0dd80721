//! The search core against the crates `minimax` and `mcts`: iterations per second on one thread.
//!
//! All three search the same positions (Connect Four on a bitboard, and Halma) under the same rules, value leaves with
//! the same code, and run equally many iterations of UCT from an empty tree. Building and freeing the tree counts.
//!
//! The first table compares the cores on equal trees: one leaf per iteration, no transpositions, the same formula with
//! the same constant at every node, each play tried once before any is tried twice, and children made at a node's
//! second visit. What remains different is the storage of the tree and the loop around it. The second table compares
//! the crates with this engine's search at its defaults: leaf batches, transpositions and wider exploration at the root
//! build a different tree with the same number of iterations.
//!
//! The exploration constant of `minimax` is built in: `√(2·log₂N/n)` for values in 0…1, which is `c = 2·√(2/ln 2)` in
//! this engine's units. All three use it ([`C`]). Some differences remain:
//!
//! - By default, `minimax` makes the children of a node at its first visit; the second table measures that.
//! - This engine and `minimax` prove wins and losses; `mcts` does not, which saves work. This engine looks for a win
//!   before a node gets children, while `minimax` finds it when it visits the child.
//! - `mcts` lists the plays of a leaf before it values the leaf, while the others list them when the leaf gets
//!   children.
//! - The crates break ties at random, while this engine breaks them by the order of plays.
//!
//! `cargo bench -p halma-benches --bench search` first checks that all three find the same plays, and then runs them in
//! turns, so that other load on the machine hardly affects the ratios. With `-- --test`, each search runs once.

#[path = "../../tests/support/connect_four.rs"]
mod connect_four;

use connect_four::{ConnectFour, Drop};
use halma::evaluation::Fitted;
use halma::game::{Game, Outcome, Player, Value};
use halma::playout::{Playout, SampledJump, SampledJumpParameters, Simulation};
use halma::rules::{BLACK, Play, Position, Rules};
use halma::search::Limits;
use halma::search::mcts::{Params, Search, Selection};
use halma::support::clock::{Clock, ProcessClock};
use halma::support::random::Random;
use mcts::tree_policy::UCTPolicy;
use minimax::Strategy;
use rand_for_minimax::{rngs::SmallRng, seq::IndexedRandom};
use std::cell::RefCell;
use std::hint::black_box;
use std::marker::PhantomData;

/// Iterations of one search.
const ITERATIONS: u32 = 100_000;

/// The exploration constant of `minimax`, in this engine's units.
const C: f32 = 3.397;

/// A game that all three search.
trait BenchGame: Game<Play: Send + Sync> + Send + Sync {
    /// Values leaves. A search that cannot keep a judge copies it for each leaf.
    type Judge: Playout<Self> + Clone + Send + Sync;

    type List: IntoIterator<Item = Self::Play> + AsRef<[Self::Play]> + Default;

    fn judge() -> Self::Judge;

    fn list(&self) -> Self::List;
}

/// Playouts of Connect Four: random plays to the end.
#[derive(Clone)]
struct ToTheEnd;

impl Playout<ConnectFour> for ToTheEnd {
    #[inline]
    fn evaluate(&mut self, end: &ConnectFour, simulation: &mut Simulation<Drop>) -> Value {
        end.random_playout(&mut simulation.random).value_for(end.to_move())
    }
}

impl BenchGame for ConnectFour {
    type Judge = ToTheEnd;
    type List = smallvec::SmallVec<[Drop; 8]>;

    fn judge() -> ToTheEnd {
        ToTheEnd
    }

    #[inline]
    fn list(&self) -> Self::List {
        let mut plays = smallvec::SmallVec::new();
        self.for_each_play(|play| plays.push(play));
        plays
    }
}

/// Playouts of Halma: four plies, then the evaluation. The value is turned into a random win or loss with the same
/// expectation, because `minimax` counts whole points.
#[derive(Clone)]
struct FourPlies;

/// Playouts of `cap` plies. Making a policy allocates nothing, so it can be done for each leaf.
fn jumps(cap: u64) -> SampledJump {
    let parameters = SampledJumpParameters { cap, leaving: 0, sample: 3 };
    SampledJump::new(parameters, Box::new(Fitted))
}

impl Playout<Position> for FourPlies {
    #[inline]
    fn evaluate(&mut self, end: &Position, simulation: &mut Simulation<Play>) -> Value {
        let expected = jumps(4).value(end, simulation).expected_score();
        if simulation.random.happens(expected) { Value::WIN } else { Value::LOSS }
    }
}

/// The value of `leaf`, with random numbers from `random`.
#[inline]
fn value_of<G: BenchGame>(judge: &mut G::Judge, leaf: &G, random: &mut Random) -> Value {
    let mut simulation = Simulation::new(0);
    simulation.random = random.clone();
    let value = judge.value(leaf, &mut simulation);
    *random = simulation.random;
    value
}

impl BenchGame for Position {
    type Judge = FourPlies;
    type List = Vec<halma::rules::Play>;

    fn judge() -> FourPlies {
        FourPlies
    }

    #[inline]
    fn list(&self) -> Self::List {
        let mut plays = Vec::with_capacity(128);
        self.legal_plays(&mut plays);
        plays
    }
}

/// Settings with which this engine's search builds the crates' tree.
fn equal_tree() -> Params {
    Params { leaf_batch: 1, transpositions: false, c_root: 1.0, c_breadth: 0.0, ..usual_tree() }
}

/// The crates' formula, with all other settings at their defaults.
fn usual_tree() -> Params {
    Params { select: Selection::Uct, c: C, fpu: -10.0, ..Params::default() }
}

fn ours<G: BenchGame>(root: &G, iterations: u32, params: Params) -> Option<G::Play> {
    let mut search = Search::new(root.clone(), params, G::judge(), 1);
    let report = search.run(&Limits::iterations(u64::from(iterations)), &ProcessClock, None);
    report.best().map(|best| best.play)
}

/// A game as `minimax` sees it.
struct ForMinimax<G>(PhantomData<G>);

impl<G: BenchGame> minimax::Game for ForMinimax<G> {
    type S = G;
    type M = G::Play;

    #[inline]
    fn generate_moves(state: &G, moves: &mut Vec<G::Play>) -> Option<minimax::Winner> {
        let winner = Self::get_winner(state);
        if winner.is_none() {
            state.legal_plays(moves);
        }
        winner
    }

    #[inline]
    fn apply(state: &mut G, play: G::Play) -> Option<G> {
        let mut next = state.clone();
        next.play(play);
        Some(next)
    }

    #[inline]
    fn get_winner(state: &G) -> Option<minimax::Winner> {
        state.outcome().map(|outcome| match outcome {
            Outcome::Draw => minimax::Winner::Draw,
            Outcome::Win(player) if player == state.to_move() => minimax::Winner::PlayerToMove,
            Outcome::Win(_) => minimax::Winner::PlayerJustMoved,
        })
    }
}

thread_local! {
    /// Random numbers for `minimax`, whose rollouts cannot keep a source. A new source for every rollout, as in the crate
    /// itself, would be slower.
    static RANDOM: RefCell<Random> = RefCell::new(Random::new(1));
}

/// Values leaves for `minimax`.
struct Rollouts<G: BenchGame>(G::Judge);

impl<G: BenchGame> minimax::RolloutPolicy for Rollouts<G> {
    type G = ForMinimax<G>;

    /// Only the crate's own rollouts call this.
    fn random_move(
        &self,
        state: &mut G,
        plays: &mut Vec<G::Play>,
        random: &mut SmallRng,
    ) -> Result<G::Play, minimax::Winner> {
        match <Self::G as minimax::Game>::generate_moves(state, plays) {
            Some(winner) => Err(winner),
            None => plays.choose(random).copied().ok_or(minimax::Winner::PlayerJustMoved),
        }
    }

    /// Points for the player who has just moved. ±`i32::MAX`, for a game that is over, proves the node.
    #[inline]
    fn rollout(&self, _options: &minimax::MCTSOptions, state: &G) -> i32 {
        match <Self::G as minimax::Game>::get_winner(state) {
            Some(minimax::Winner::PlayerJustMoved) => return i32::MAX,
            Some(minimax::Winner::PlayerToMove) => return -i32::MAX,
            Some(minimax::Winner::Draw) => return 0,
            None => {}
        }
        -RANDOM.with_borrow_mut(|random| value_of(&mut self.0.clone(), state, random)).get() as i32
    }
}

/// `minimax`, set to make a node's children after `before_expanding` rollouts (0 by default).
fn minimax<G: BenchGame + 'static>(root: &G, iterations: u32, before_expanding: u32) -> Option<G::Play> {
    let options =
        minimax::MCTSOptions::default().with_num_threads(1).with_rollouts_before_expanding(before_expanding);
    let policy = Box::new(Rollouts::<G>(G::judge()));
    let mut search = minimax::MonteCarloTreeSearch::<ForMinimax<G>>::new_with_policy(options, policy);
    search.set_max_rollouts(iterations);
    search.choose_move(root)
}

/// A position as `mcts` sees it.
#[derive(Clone)]
struct ForMcts<G>(G);

impl<G: BenchGame> mcts::GameState for ForMcts<G> {
    type Move = G::Play;
    type Player = Player;
    type MoveList = G::List;

    #[inline]
    fn current_player(&self) -> Player {
        self.0.to_move()
    }

    #[inline]
    fn available_moves(&self) -> G::List {
        if self.0.outcome().is_some() { G::List::default() } else { self.0.list() }
    }

    #[inline]
    fn make_move(&mut self, play: &G::Play) {
        self.0.play(*play);
    }
}

struct Worker<G: BenchGame> {
    judge: G::Judge,
    random: Random,
}

impl<G: BenchGame> Default for Worker<G> {
    fn default() -> Worker<G> {
        Worker { judge: G::judge(), random: Random::new(1) }
    }
}

/// The setup of `mcts`: plain UCT without virtual loss or transpositions.
struct Spec<G>(PhantomData<G>);

impl<G: BenchGame> mcts::MCTS for Spec<G> {
    type State = ForMcts<G>;
    type Eval = Leaves<G>;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = Worker<G>;
}

/// `mcts` counts in integers, this many to a point.
const POINT: f32 = 1000.0;

/// Values leaves for `mcts`, from player one's point of view.
struct Leaves<G>(PhantomData<G>);

impl<G: BenchGame> mcts::Evaluator<Spec<G>> for Leaves<G> {
    type StateEvaluation = i64;

    #[inline]
    fn evaluate_new_state(
        &self,
        state: &ForMcts<G>,
        moves: &G::List,
        handle: Option<mcts::SearchHandle<Spec<G>>>,
    ) -> (Vec<()>, i64) {
        // A game that is not over has plays.
        let outcome = if moves.as_ref().is_empty() { state.0.outcome() } else { None };
        let value = match (outcome, handle) {
            (Some(outcome), _) => outcome.value_for(Player::One).get(),
            (None, Some(mut handle)) => {
                let worker = &mut handle.thread_data().extra_data;
                value_of(&mut worker.judge, &state.0, &mut worker.random).for_player_one(state.0.to_move())
            }
            // The root, before the search.
            (None, None) => 0.0,
        };
        (vec![(); moves.as_ref().len()], (value * POINT) as i64)
    }

    #[inline]
    fn evaluate_existing_state(
        &self,
        _state: &ForMcts<G>,
        known: &i64,
        _handle: mcts::SearchHandle<Spec<G>>,
    ) -> i64 {
        // Only finished games are valued again.
        *known
    }

    #[inline]
    fn interpret_evaluation_for_player(&self, evaluation: &i64, player: &Player) -> i64 {
        if *player == Player::One { *evaluation } else { -evaluation }
    }
}

fn mcts<G: BenchGame>(root: &G, iterations: u32, c: f32) -> Option<G::Play> {
    // The formula of `mcts` has a factor of 2.
    let policy = UCTPolicy::new(f64::from(c * POINT / 2.0));
    let (spec, leaves) = (Spec(PhantomData), Leaves(PhantomData));
    let mut manager = mcts::MCTSManager::new(ForMcts(root.clone()), spec, leaves, policy, ());
    manager.playout_n(u64::from(iterations));
    manager.best_move()
}

/// Checks that all three find the best play.
fn check() {
    // The centre is the only winning first play. In the second position the mover wins at once; in the third it must stop
    // three in a row.
    for (columns, best) in [(&[][..], 3), (&[3, 0, 3, 0, 3, 1], 3), (&[0, 3, 0, 3, 1, 3], 3)] {
        let (root, best) = (ConnectFour::after(columns), Some(Drop(best)));
        assert_eq!(ours(&root, ITERATIONS, equal_tree()), best, "ours, equal tree, after {columns:?}");
        assert_eq!(ours(&root, ITERATIONS, usual_tree()), best, "ours after {columns:?}");
        assert_eq!(minimax(&root, ITERATIONS, 0), best, "minimax after {columns:?}");
        assert_eq!(minimax(&root, ITERATIONS, 1), best, "minimax, lazy, after {columns:?}");
        assert_eq!(mcts(&root, ITERATIONS, C), best, "mcts after {columns:?}");
    }
}

/// How many times each search of a table runs.
const ROUNDS: usize = 21;

/// Runs the searches in turns, and prints the rate of each and its time relative to the first one's.
fn compare(title: &str, rounds: usize, searches: [(&str, &dyn Fn()); 3]) {
    let mut seconds = [const { Vec::new() }; 3];
    for _ in 0..rounds {
        for (times, (_, search)) in seconds.iter_mut().zip(&searches) {
            let start = ProcessClock.seconds();
            search();
            times.push(ProcessClock.seconds() - start);
        }
    }
    println!("{title}: {rounds} rounds, by CPU time");
    for ((name, _), times) in searches.iter().zip(&seconds) {
        let rate = f64::from(ITERATIONS) / quartiles(times.iter().copied())[1] / 1e6;
        let [low, median, high] =
            quartiles(times.iter().zip(&seconds[0]).map(|(theirs, ours)| theirs / ours));
        println!("  {name:<22} {rate:>7.3} M iterations/s   {median:.2} times our time ({low:.2}–{high:.2})");
    }
}

/// The lower quartile, the median and the upper quartile.
fn quartiles(figures: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| figures[(figures.len() - 1) * quarter / 4])
}

fn compare_on<G: BenchGame + 'static>(title: &str, rounds: usize, root: &G) {
    let equal: &dyn Fn() = &|| _ = black_box(ours(root, ITERATIONS, equal_tree()));
    let usual: &dyn Fn() = &|| _ = black_box(ours(root, ITERATIONS, usual_tree()));
    let minimax_lazy: &dyn Fn() = &|| _ = black_box(minimax(root, ITERATIONS, 1));
    let minimax_eager: &dyn Fn() = &|| _ = black_box(minimax(root, ITERATIONS, 0));
    let mcts: &dyn Fn() = &|| _ = black_box(mcts(root, ITERATIONS, C));
    compare(
        &format!("{title}, equal trees"),
        rounds,
        [("ours", equal), ("minimax", minimax_lazy), ("mcts", mcts)],
    );
    compare(
        &format!("{title}, default trees with as many iterations"),
        rounds,
        [("ours, default", usual), ("ours, equal tree", equal), ("minimax, default", minimax_eager)],
    );
}

/// A Halma position after 60 plies of greedy play.
fn midgame() -> Position {
    let mut position = Position::initial(BLACK, Rules::Addendum);
    jumps(60).play_out(&mut position, &mut Simulation::new(1));
    position
}

fn main() {
    check();
    let rounds = if std::env::args().any(|argument| argument == "--test") { 1 } else { ROUNDS };
    compare_on("Connect Four, from the empty board", rounds, &ConnectFour::default());
    compare_on("Halma, from the middle game", rounds, &midgame());
}
