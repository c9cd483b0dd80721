//! Strong alpha-beta over any [`Game`]: the techniques of chess programs, as far as they pay in a race
//! game with a hundred plays a position.
//!
//! - *Iterative deepening* ([`Deepening::deepen`]): depth 1, 2, 3, … until time is over; each
//!   iteration orders the plays of the next.
//! - *Principal variation search* (Marsland and Campbell 1982): the first play of a position is
//!   searched with the full window, the others only asked whether they are better.
//! - *Aspiration windows*: the root is searched around the value of the last iteration.
//! - A *transposition table*, a *prior*, *killers* and *history* put the plays in order.
//! - *Reductions*: late plays, bad ones and unlikely ones are searched less deeply, and again in full if they surprise.
//! - *Pruning* near the leaves: plays whose estimated gain can't bring them near the window are left out
//!   (*futility*); a side that is far ahead is cut off (*reverse futility*), and so is one that is well off
//!   even if it passes (*null move*).
//!
//! What is not in the rules (evaluation, gains and priors of plays, passing) comes from a [`Guide`]. Pruning and
//! reductions never make a false proof: a position counts as lost only if every play has been searched
//! and loses.

mod expand;
mod ordering;
mod root;
mod score;
mod search;
mod table;

pub use root::{Line, RootPlay};
pub use score::{MOST_GUESS, MOST_PLIES, is_proof, plies_to_end};

use crate::game::Game;
use ordering::{Experience, Ranked};
use table::Table;

/// What the search knows of a game beyond its rules.
pub trait Guide<G: Game> {
    /// What `position`, which is not over, is worth to the player to move, within ±[`MOST_GUESS`]. The
    /// unit is about a fiftieth of a play's typical gain.
    fn evaluate(&mut self, position: &G) -> i32;

    /// About how much `play` changes [`evaluate`](Self::evaluate) for the player to move in `position`:
    /// the value after it, for the same player, less the value before it.
    fn gain(&self, position: &G, play: G::Play) -> i32;

    /// By how much the gain may be wrong. With one ply left, plays that are further below the window are
    /// not searched.
    fn gain_error(&self, position: &G) -> i32;

    /// How likely each of `plays` is the best one in `position`: the scores of a [prior](crate::prior::Prior) into `scores`,
    /// in the same order. Only differences count.
    fn prior_scores(&mut self, position: &G, plays: &[G::Play], scores: &mut Vec<i8>) {
        let _ = position;
        scores.clear();
        scores.resize(plays.len(), 0);
    }

    /// A number below [`slots`](Self::slots) that plays of the same kind share.
    fn slot(&self, play: G::Play) -> usize {
        let _ = play;
        0
    }

    /// How many slots there are.
    fn slots(&self) -> usize {
        1
    }

    /// `position` with the turn handed over; `None` if having the turn may be a disadvantage there.
    fn pass(&self, position: &G) -> Option<G> {
        let _ = position;
        None
    }
}

/// How the search is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The size of the transposition table in bytes.
    pub table_bytes: usize,
    /// Taken from a play's rank for each point of prior score by which it is behind the likeliest one.
    pub prior_weight: i32,
    /// Added to the rank of a play that has refuted a sister position.
    pub killer: i32,
    /// Divides the history count, up to 2¹⁴, that is added to a play's rank; at least 1.
    pub history: i32,
    /// Which plays to reduce and to leave out. Without it the value is that of minimax to the same depth,
    /// except that positions without a play are lost and repeated ones are leaves.
    pub selective: Option<Selective>,
}

/// What is left out, and what is reduced. Values are in the unit of the [`Guide`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selective {
    /// Reverse futility: with at most this many plies left …
    pub reverse_futility_depth: i32,
    /// … a side whose score is ahead of β by this for each ply left is cut off.
    pub reverse_futility: i32,
    /// Null move: tried with at least this many plies left.
    pub null_move_depth: i32,
    /// Futility: with at most three plies left, a play is left out if its gain, the gain's
    /// [error](Guide::gain_error) and this for each ply after it do not reach α.
    pub futility: i32,
    /// Late move pruning: with two or three plies left, only the first `late_moves · depth²` plays are
    /// searched.
    pub late_moves: i32,
    /// Sixteenths of `log₂ depth · log₂ number`, by which the number-th play is reduced.
    pub reduction: i32,
    /// Plays that gain less than this are reduced by one ply more.
    pub bad_gain: i32,
    /// Below the root, plays that are behind the likeliest one by more points of prior score than this are reduced by one
    /// ply more.
    pub most_behind: i32,
}

/// When [`Deepening::deepen`] is to give up.
pub struct Watch<'a> {
    /// The most nodes to visit since [`Deepening::start`].
    pub most_nodes: u64,
    /// The nodes between two calls of `is_over`.
    pub every: u64,
    /// Whether time is over.
    pub is_over: &'a mut dyn FnMut() -> bool,
}

/// The search has been told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// A search by iterative deepening, which keeps its table and history from root to root.
#[derive(Clone, Debug)]
pub struct Deepening<G: Game, D> {
    guide: D,
    params: Params,
    table: Table<G::Play>,
    experience: Experience<G::Play>,
    /// Buffers: one list of plays and one line of best play for each ply.
    lists: Vec<Vec<Ranked<G::Play>>>,
    lines: Vec<Vec<G::Play>>,
    plays: Vec<G::Play>,
    scores: Vec<i8>,
    /// The keys of the positions from the root to here.
    path: Vec<u64>,
    root: Option<root::Root<G>>,
    nodes: u64,
}

impl<G: Game, D: Guide<G>> Deepening<G, D> {
    /// A search that knows nothing yet.
    pub fn new(guide: D, params: Params) -> Deepening<G, D> {
        let experience = Experience::new(guide.slots());
        Deepening {
            guide,
            params,
            table: Table::new(params.table_bytes),
            experience,
            lists: vec![Vec::new(); MOST_PLIES + 1],
            lines: vec![Vec::new(); MOST_PLIES + 2],
            plays: Vec::new(),
            scores: Vec::new(),
            path: Vec::new(),
            root: None,
            nodes: 0,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
        self.experience.clear();
        self.root = None;
    }

    /// Positions visited since [`start`](Self::start).
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}
