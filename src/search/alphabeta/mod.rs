//! Strong alpha-beta over any [`Game`]: the techniques of chess programs that pay in a race game with a hundred plays in
//! each position.
//!
//! - *Iterative deepening* ([`Deepening::deepen`]): depth 1, 2, 3, … until time is up. Each iteration orders the plays
//!   of the next.
//! - *Principal variation search* (Marsland and Campbell 1982): the first play of a position is searched with the full
//!   window, the others with one that only shows whether they are better.
//! - *Aspiration windows*: the root is searched with a window around the value of the last iteration.
//! - A *transposition table*, a *prior*, *killers* and *history* order the plays.
//! - *Reductions*: late, bad and unlikely plays are searched less deeply, and then again in full if they do well.
//! - *Pruning* near the leaves: a play is skipped if its estimated gain cannot reach the window (*futility*); a node is
//!   cut off if the side to move is far ahead (*reverse futility*), or well off even after passing (*null move*).
//!
//! Knowledge beyond the rules (evaluation, gains and priors of plays, passing) comes from a [`Guide`]. Pruning and
//! reductions never prove anything false: a position counts as lost only if every play was searched and loses.
//!
//! `root.rs` runs one iteration; `node.rs` searches a position below the root, and `plays.rs` its plays; `ordering.rs`
//! decides which plays come first.

mod node;
mod ordering;
mod plays;
mod root;
mod score;
mod table;

pub use root::{Line, RootPlay};
pub use score::{MAX_GUESS, MAX_PLIES, is_proof, plies_to_end};

use crate::game::Game;
use ordering::{Experience, Ranked};
use table::Table;

/// Knowledge about a game beyond its rules.
pub trait Guide<G: Game> {
    /// The value of `position`, which is not over, for the player to move, within ±[`MAX_GUESS`]. A typical play gains
    /// about 50.
    fn evaluate(&mut self, position: &G) -> i32;

    /// An estimate of how much `play` changes [`evaluate`](Self::evaluate) for the player who makes it: the value
    /// afterwards minus the value before.
    fn gain(&self, position: &G, play: G::Play) -> i32;

    /// How far [`gain`](Self::gain) may be off. With one ply left, a play that falls short of the window by more than
    /// this is not searched.
    fn gain_error(&self, position: &G) -> i32;

    /// Fills `scores` with the [prior](crate::prior::Prior) score of each of `plays` in `position`. Only differences
    /// count.
    fn prior_scores(&mut self, position: &G, plays: &[G::Play], scores: &mut Vec<i8>);

    /// The slot of `play` in the history table: less than [`slots`](Self::slots). Similar plays may share a slot.
    fn slot(&self, play: G::Play) -> usize {
        let _ = play;
        0
    }

    /// The number of slots.
    fn slots(&self) -> usize {
        1
    }

    /// `position` with the other player to move; `None` if having the turn may be a disadvantage.
    fn pass(&self, position: &G) -> Option<G> {
        let _ = position;
        None
    }
}

/// The settings of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The size of the transposition table in bytes.
    pub table_bytes: usize,
    /// How much a play's rank falls for each point that its prior score is below the best one.
    pub prior_weight: i32,
    /// The rank bonus of a play that refuted another position at the same ply.
    pub killer: i32,
    /// A play's history count, up to 2¹⁴, is divided by this and added to its rank. At least 1.
    pub history: i32,
    /// Pruning and reductions. If `None`, the value is that of minimax to the same depth, except that positions without
    /// a play are lost and repeated ones are leaves.
    pub selective: Option<Selective>,
}

/// The parameters of pruning and reductions. Values are in the unit of [`Guide::evaluate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selective {
    /// Reverse futility applies with at most this many plies left.
    pub reverse_futility_depth: i32,
    /// Reverse futility cuts a node off if its static evaluation exceeds β by at least this for each ply left.
    pub reverse_futility: i32,
    /// A null move is tried with at least this many plies left.
    pub null_move_depth: i32,
    /// Futility: with at most three plies left, a play is skipped if the static evaluation, plus the play's gain, plus
    /// the gain's [error](Guide::gain_error), plus this for each ply after the play, does not exceed α.
    pub futility: i32,
    /// Late move pruning: with two or three plies left, a null window searches only the first `late_moves · depth²`
    /// plays, unless all of them lose.
    pub late_moves: i32,
    /// The n-th play is reduced by this many sixteenths of `log₂ depth · log₂ n`.
    pub reduction: i32,
    /// A play that gains less than this is reduced by one more ply.
    pub bad_gain: i32,
    /// Below the root, a play whose prior score is more than this many points below the likeliest play's is reduced by
    /// one more ply.
    pub max_behind: i32,
}

/// The conditions that stop [`Deepening::deepen`].
pub struct Watch<'a> {
    /// The maximum number of nodes to visit, counted from [`Deepening::start`].
    pub max_nodes: u64,
    /// The number of nodes between two calls to `is_over`.
    pub every: u64,
    /// Whether the time is up.
    pub is_over: &'a mut dyn FnMut() -> bool,
}

/// A [`Watch`] stopped the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// A search by iterative deepening that keeps its table and history from one root to the next.
#[derive(Clone, Debug)]
pub struct Deepening<G: Game, D> {
    guide: D,
    settings: Settings,
    table: Table<G::Play>,
    experience: Experience<G::Play>,
    /// A list of plays for each ply.
    lists: Vec<Vec<Ranked<G::Play>>>,
    /// A line of best play for each ply.
    lines: Vec<Vec<G::Play>>,
    plays: Vec<G::Play>,
    scores: Vec<i8>,
    /// The keys of the positions from the root to the current one.
    path: Vec<u64>,
    root: Option<root::Root<G>>,
    nodes: u64,
}

impl<G: Game, D: Guide<G>> Deepening<G, D> {
    /// A search with an empty table.
    pub fn new(guide: D, settings: Settings) -> Deepening<G, D> {
        let experience = Experience::new(guide.slots());
        Deepening {
            guide,
            settings,
            table: Table::new(settings.table_bytes),
            experience,
            lists: vec![Vec::new(); MAX_PLIES + 1],
            lines: vec![Vec::new(); MAX_PLIES + 2],
            plays: Vec::new(),
            scores: Vec::new(),
            path: Vec::new(),
            root: None,
            nodes: 0,
        }
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
        self.experience.clear();
        self.root = None;
    }

    /// The number of positions visited since [`start`](Self::start).
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}
