//! The record of a game: one line of JSON in `games.jsonl`, and in the log of `lab referee`.

mod check;

pub use check::from_line;

use super::game::GameSetup;
use super::matches::Work;
use super::text;
use halma::agent::Decision;
use halma::game::{Game, Player, Value};
use halma::rules::{BLACK, Play, Position, Rules, Square, WHITE};
use halma::search::Candidate;
use halma::search::mcts::SavedNode;
use serde::{Deserialize, Serialize};

/// The maximum number of candidates recorded for a decision …
pub const MAX_CANDIDATES: usize = 4;
/// … and the minimum share of the visits for each. Candidates with fewer visits say little and cost space.
const MIN_SHARE: f32 = 0.05;

/// One of the two sides of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Contestant {
    /// The entrant named first; Black in the log of `lab referee`.
    A = 0,
    /// The entrant named second; White in the log of `lab referee`.
    B = 1,
}

impl Contestant {
    /// A and B.
    pub const BOTH: [Contestant; 2] = [Contestant::A, Contestant::B];

    /// The other side.
    pub fn opponent(self) -> Contestant {
        match self {
            Contestant::A => Contestant::B,
            Contestant::B => Contestant::A,
        }
    }

    /// Who plays Black in game number `game`: A in the first game of a pair, B in the second.
    pub fn black_in(game: u64) -> Contestant {
        if game.is_multiple_of(2) { Contestant::A } else { Contestant::B }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// The winner has filled its goal.
    GoalFilled,
    /// The loser had no legal play.
    NoLegalPlay,
    /// The loser made an illegal play, or no play at all.
    IllegalPlay,
    /// The loser used up its time.
    TimeForfeit,
    /// The loser is a program that crashed, hung, exceeded its resources or wrote no readable play.
    ProgramFault,
    /// A draw: the game reached the ply limit.
    PlyLimit,
    /// The game reached the ply limit, and the winner had more time left. Only `lab referee` and `lab grade`
    /// use this rule.
    MoreTimeLeft,
}

impl Ended {
    /// Whether the loser is to blame: it made an illegal play, lost on time, or is a faulty program.
    pub fn is_forfeit(self) -> bool {
        matches!(self, Ended::IllegalPlay | Ended::TimeForfeit | Ended::ProgramFault)
    }

    /// The name in files: `goal-filled`.
    pub fn name(self) -> &'static str {
        match self {
            Ended::GoalFilled => "goal-filled",
            Ended::NoLegalPlay => "no-legal-play",
            Ended::IllegalPlay => "illegal-play",
            Ended::TimeForfeit => "time-forfeit",
            Ended::ProgramFault => "program-fault",
            Ended::PlyLimit => "ply-limit",
            Ended::MoreTimeLeft => "more-time-left",
        }
    }
}

/// A play that a search considered; in files a list of three, `["9,9 13,13",180,0.904]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NotedPlay(
    /// The play.
    #[serde(with = "text")]
    pub Play,
    /// Its visits, reused ones included.
    pub u32,
    /// Its value for the side to move, −1…+1, rounded to a thousandth.
    pub f32,
);

fn best_few(candidates: &[Candidate<Play>]) -> Vec<NotedPlay> {
    let all: f32 = candidates.iter().map(|candidate| candidate.visits as f32).sum();
    candidates
        .iter()
        .take(MAX_CANDIDATES)
        .filter(|candidate| candidate.visits > 0 && candidate.visits as f32 >= MIN_SHARE * all)
        .map(|candidate| NotedPlay(candidate.play, candidate.visits, to_a_thousandth(candidate.value.get())))
        .collect()
}

/// A node of a search's tree; in files a list of four, `[2,"9,9 13,13",180,0.904]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NotedNode(
    /// Plies after the play decided on, at least 1.
    pub u32,
    /// The play that leads to the node.
    #[serde(with = "text")]
    pub Play,
    /// Its visits, reused ones included.
    pub u32,
    /// Its value for the side that decided, −1…+1, rounded to a thousandth; −1 or +1 if it is proved.
    pub f32,
);

/// Rounds to three decimals, which is shorter in files and still more precise than any search.
fn to_a_thousandth(value: f32) -> f32 {
    (value * 1e3).round() / 1e3
}

/// Rounds to microseconds.
pub(super) fn to_microseconds(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// One run of a program, for a single play.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProgramRun {
    /// CPU seconds of the program and everything it started.
    pub cpu: f64,
    /// Real seconds.
    pub wall: f64,
    /// The CPU seconds left for the rest of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<f64>,
    /// The squares that the piece touched; empty if the program is at fault.
    #[serde(with = "text::list")]
    pub hops: Vec<Square>,
    /// The end of its standard error.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// The kind of fault, if this run lost the game: `crashed`, `hangs`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// A finished game.
///
/// The lists from `plays` to `candidates` have one entry for each decision; the opening's plays are not
/// decisions. The sides take turns, so the index of a decision determines its side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The number of its match in the run, from 1.
    #[serde(rename = "match")]
    pub match_number: u64,
    /// Its number in the match, from 0. Games 2k and 2k+1 are a pair.
    pub game: u64,
    /// The seed from which the agents' seeds are derived.
    pub seed: u64,
    /// Who played Black.
    pub black: Contestant,
    /// Whether White moved first, as `lab referee` and `lab grade` allow.
    #[serde(default, skip_serializing_if = "is_false")]
    pub white_first: bool,
    /// The winner; `None` for a draw.
    pub winner: Option<Contestant>,
    /// Why the game ended.
    pub reason: Ended,
    /// The illegal play that ended the game. A program's illegal play is in `fault`.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "text::option")]
    pub illegal_play: Option<Play>,
    /// A description of the loser's fault, including the time used if that was too much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// How many decisions of A and of B exceeded their limit.
    pub overdrafts: [u32; 2],
    /// The name of the machine on which it was played; missing in files of older builds and in the referee's log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The plays before the first decision.
    #[serde(with = "text::list")]
    pub opening: Vec<Play>,
    /// The plays decided on.
    #[serde(with = "text::list")]
    pub plays: Vec<Play>,
    /// CPU seconds of each decision.
    pub seconds: Vec<f64>,
    /// The value that the decider gave the position, −1…+1; 0 if nothing was searched: see [`value`](Self::value).
    pub values: Vec<f32>,
    /// Iterations of each tree search.
    pub iterations: Vec<u64>,
    /// Nodes visited by alpha-beta or minimax; missing in files of older builds.
    #[serde(default)]
    pub nodes: Vec<u64>,
    /// Boards searched by the race player; missing in files of older builds.
    #[serde(default)]
    pub boards: Vec<u64>,
    /// Visits reused from earlier searches.
    pub reused: Vec<u32>,
    /// The best plays of each search, at most four, best first; empty for agents that do not search.
    pub candidates: Vec<Vec<NotedPlay>>,
    /// The most visited nodes of each search below the play decided on, each followed by its descendants. If
    /// the next search has nodes of its own, the opponent's answer and its descendants are left out. Empty
    /// unless requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trees: Vec<Vec<NotedNode>>,
    /// Every run of a program, including a run at fault. Only in the log of `lab referee`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<ProgramRun>,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl GameRecord {
    /// The record of a game after its opening.
    pub(super) fn new(setup: &GameSetup) -> GameRecord {
        let opening_is_even = setup.opening.len().is_multiple_of(2);
        GameRecord {
            match_number: 1,
            game: setup.number,
            seed: setup.seed,
            black: setup.black,
            white_first: (setup.start.to_move() == WHITE) == opening_is_even,
            winner: None,
            reason: Ended::PlyLimit,
            illegal_play: None,
            fault: None,
            overdrafts: [0; 2],
            host: None,
            opening: setup.opening.clone(),
            plays: Vec::new(),
            seconds: Vec::new(),
            values: Vec::new(),
            iterations: Vec::new(),
            nodes: Vec::new(),
            boards: Vec::new(),
            reused: Vec::new(),
            candidates: Vec::new(),
            trees: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Records a decision that took `seconds`.
    pub(super) fn add(&mut self, decision: &Decision, seconds: f64) {
        self.plays.push(decision.play);
        self.seconds.push(to_microseconds(seconds));
        self.values.push(decision.report.value.get());
        self.iterations.push(decision.report.iterations);
        self.nodes.push(decision.report.visited);
        self.boards.push(decision.report.race.as_ref().map_or(0, |race| race.boards));
        self.reused.push(decision.report.reused);
        self.candidates.push(best_few(&decision.report.candidates));
    }

    /// Records nodes of the tree of the last decision, which was made by `side`: see [`trees`](Self::trees).
    pub(super) fn add_tree(&mut self, side: Player, nodes: &[SavedNode<Play>]) {
        // The search that found the answer knows more about the positions below it.
        if let (Some(before), Some(&answer), false) =
            (self.trees.last_mut(), self.plays.last(), nodes.is_empty())
        {
            let is_answer = |node: &NotedNode| node.0 == 1 && node.1 == answer;
            if let Some(begin) = before.iter().position(is_answer) {
                let below = before[begin + 1..].iter().take_while(|node| node.0 > 1).count();
                before.drain(begin..=begin + below);
            }
        }
        let noted = |node: &SavedNode<Play>| {
            let SavedNode { depth, play, visits, mean, proof } = *node;
            let value =
                proof.map_or(Value::new(mean), |proof| proof.value_for(Player::One)).for_player_one(side);
            NotedNode(depth, play, visits, to_a_thousandth(value))
        };
        self.trees.push(nodes.iter().map(noted).collect());
    }

    /// The value that the decider gave the position; `None` if nothing was searched, in which case `values` has exactly
    /// 0.
    pub fn value(&self, decision: usize) -> Option<f32> {
        let value = self.values[decision];
        let is_unsearched = value == 0.0 && self.work(decision).is_none();
        (!is_unsearched).then_some(value)
    }

    /// The work of a decision's searches.
    pub fn work(&self, decision: usize) -> Work {
        let of = |list: &[u64]| list.get(decision).copied().unwrap_or(0);
        Work { iterations: of(&self.iterations), nodes: of(&self.nodes), boards: of(&self.boards) }
    }

    /// The visits of a decision's tree, or the nodes of alpha-beta. The visits of its candidates add up to at
    /// most this.
    pub fn all_visits(&self, decision: usize) -> u64 {
        match self.work(decision) {
            Work { iterations: 0, nodes, .. } if nodes > 0 => nodes,
            Work { iterations, .. } => iterations + u64::from(self.reused[decision]),
        }
    }

    /// The position before the first play, under the original rules, which allow every play that other rules allow.
    pub fn start(&self) -> Position {
        Position::initial(if self.white_first { WHITE } else { BLACK }, Rules::Original)
    }

    /// The side that decided on `plays[decision]`.
    pub fn decider(&self, decision: usize) -> Contestant {
        let first = self.contestant(if self.white_first { WHITE } else { BLACK });
        if (self.opening.len() + decision).is_multiple_of(2) { first } else { first.opponent() }
    }

    /// Who plays `side`.
    pub fn contestant(&self, side: Player) -> Contestant {
        if side == BLACK { self.black } else { self.black.opponent() }
    }

    /// A's half points: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(&self) -> u8 {
        match self.winner {
            Some(Contestant::A) => 2,
            None => 1,
            Some(Contestant::B) => 0,
        }
    }

    /// Black's half points. Black moves first in matches.
    pub fn first_mover_half_points(&self) -> u8 {
        if self.black == Contestant::A { self.half_points() } else { 2 - self.half_points() }
    }

    /// The number of plies, including the opening.
    pub fn plies(&self) -> usize {
        self.opening.len() + self.plays.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::time_control::TimeControl;
    use halma::game::{Outcome, Value};
    use halma::search::Report;

    fn candidate(play: &str, visits: u32, value: f32) -> Candidate<Play> {
        let play = play.parse().expect("a play");
        Candidate { play, visits, value: Value::new(value), prior: Some(0.1), proof: None }
    }

    #[test]
    fn the_best_few_plays_are_kept_unless_hardly_visited() {
        let visits = [500, 300, 40, 100, 50, 10];
        let plays: Vec<_> =
            (0..6).map(|y| candidate(&format!("3,{y} 4,{y}"), visits[y], 0.123_456)).collect();
        let kept = best_few(&plays);
        assert_eq!(kept.iter().map(|kept| kept.1).collect::<Vec<_>>(), [500, 300, 100]);
        assert_eq!(serde_json::to_string(&kept[0]).unwrap(), r#"["3,0 4,0",500,0.123]"#);
        assert!(best_few(&[candidate("3,0 4,0", 0, 0.0)]).is_empty(), "an agent that does not search");
    }

    #[test]
    fn the_answer_and_its_descendants_are_removed_from_a_tree() {
        let play = |text: &str| text.parse().expect("a play");
        let decision = |text| Decision { play: play(text), report: Report::unsearched(play(text)) };
        let node = |depth, text, proof| SavedNode { depth, play: play(text), visits: 9, mean: 0.25, proof };
        let start = Position::initial(BLACK, Rules::Addendum);
        let mut record = GameRecord::new(&GameSetup::new(start, TimeControl::Iterations(1).into()));
        record.add(&decision("0,4 0,5"), 0.0);
        let lost = Some(Outcome::Win(Player::One));
        let (one, two, three) =
            (node(1, "15,11 15,10", None), node(2, "0,5 0,6", lost), node(1, "15,10 15,9", None));
        record.add_tree(Player::Two, &[one, two, three, node(2, "0,5 0,7", None)]);
        let of_one = [NotedNode(1, one.play, 9, -0.25), NotedNode(2, two.play, 9, -1.0)];
        assert_eq!(record.trees[0][..2], of_one);
        record.add(&decision("15,10 15,9"), 0.0);
        let of_all = record.trees.clone();
        record.add_tree(Player::One, &[one]);
        assert_eq!(record.trees, [of_one.to_vec(), vec![NotedNode(1, one.play, 9, 0.25)]]);
        record.trees = of_all;
        record.add_tree(Player::One, &[]);
        assert_eq!(record.trees[0].len(), 4, "an answer without a tree removes nothing");
    }
}
