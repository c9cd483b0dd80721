//! What is written down of a game: one line of JSON in `games.jsonl`.

use super::work::Work;
use crate::play::play_text;
use halma::agent::Decision;
use halma::game::{Player, Value};
use halma::rules::{BLACK, Play};
use halma::search::mcts::SavedNode;
use serde::{Deserialize, Serialize};

/// At most this many plays of a decision are written down …
const MOST_CANDIDATES: usize = 4;
/// … and only those with this part of the visits or more: the others say little and cost bytes.
const LEAST_SHARE: f32 = 0.05;

/// One of the two agents of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Contestant {
    /// The one named first.
    A = 0,
    /// The one named second.
    B = 1,
}

impl Contestant {
    /// Both, in order.
    pub const BOTH: [Contestant; 2] = [Contestant::A, Contestant::B];

    /// The other one.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// The winner has filled its goal.
    GoalFilled,
    /// The loser had no legal play.
    NoLegalPlay,
    /// The loser made an illegal play.
    IllegalPlay,
    /// The loser used more than its time for the game; a program, than its time for the move.
    TimeForfeit,
    /// The loser is a program that crashed, hung, had too much memory or left no play that can be read.
    ProgramFault,
    /// A draw: the limit of plies was reached.
    PlyLimit,
}

/// A play that a search looked at; in the file a list of three, `["9,9 13,13",180,0.904]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NotedPlay(
    /// The play.
    #[serde(with = "play_text::one")]
    pub Play,
    /// Iterations that began with it, reused ones included.
    pub u32,
    /// What it was worth to the agent to move, −1…+1, to a thousandth.
    pub f32,
);

/// Up to four plays of `candidates`, those with at least 5 % of the visits.
fn best_few(candidates: &[halma::search::Candidate<Play>]) -> Vec<NotedPlay> {
    let all: f32 = candidates.iter().map(|candidate| candidate.visits as f32).sum();
    candidates
        .iter()
        .take(MOST_CANDIDATES)
        .filter(|candidate| candidate.visits > 0 && candidate.visits as f32 >= LEAST_SHARE * all)
        .map(|candidate| NotedPlay(candidate.play, candidate.visits, to_a_thousandth(candidate.value.get())))
        .collect()
}

/// A node of a search's tree; in the file a list of four, `[2,"9,9 13,13",180,0.904]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NotedNode(
    /// Plies from the position after the play decided on, at least 1.
    pub u32,
    /// The play that leads there.
    #[serde(with = "play_text::one")]
    pub Play,
    /// Iterations that came through it, reused ones included.
    pub u32,
    /// What it was worth to the agent that decided, −1…+1, to a thousandth; −1 or +1 if that is proved.
    pub f32,
);

/// Short in the file, and more than searches know.
fn to_a_thousandth(value: f32) -> f32 {
    (value * 1e3).round() / 1e3
}

/// A game that has ended.
///
/// The lists from `plays` on have one entry for each decision, the opening's plays not included.
/// Black made the first play of the opening (or of the game, if the opening is empty); the players
/// take turns, so whose decision one is follows from its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The number of its match in the run, from 1.
    #[serde(rename = "match")]
    pub match_number: u64,
    /// Its number in the match, from 0. Games 2k and 2k+1 are a pair.
    pub game: u64,
    /// The number from which the agents' seeds follow.
    pub seed: u64,
    /// Who was Black.
    pub black: Contestant,
    /// Who won; nobody, if it was a draw.
    pub winner: Option<Contestant>,
    /// Why it ended.
    pub reason: Ended,
    /// The illegal play that ended it, if one did. (None if the agent had no answer at all.)
    #[serde(default, skip_serializing_if = "Option::is_none", with = "play_text::option")]
    pub illegal_play: Option<Play>,
    /// What the program did wrong that lost the game, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// How many decisions of A and of B took longer than they might have.
    pub overdrafts: [u32; 2],
    /// The plays before the first decision.
    #[serde(with = "play_text::list")]
    pub opening: Vec<Play>,
    /// The plays decided on.
    #[serde(with = "play_text::list")]
    pub plays: Vec<Play>,
    /// CPU seconds that each decision took.
    pub seconds: Vec<f64>,
    /// What the agent to move thought the position was worth to it, −1…+1.
    pub values: Vec<f32>,
    /// Iterations of each tree search.
    pub iterations: Vec<u64>,
    /// Nodes that alpha-beta or minimax visited; files of older builds have none.
    #[serde(default)]
    pub nodes: Vec<u64>,
    /// Boards that the race player looked at; files of older builds have none.
    #[serde(default)]
    pub boards: Vec<u64>,
    /// Visits reused from earlier searches.
    pub reused: Vec<u32>,
    /// The plays that each search liked best, at most four, in its order; none if the agent does
    /// not search.
    pub candidates: Vec<Vec<NotedPlay>>,
    /// Of each search the most visited nodes below the play decided on, each followed by its own descendants, without
    /// those from the opponent's answer on if the search that follows has nodes of its own. Empty if nobody asked for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trees: Vec<Vec<NotedNode>>,
}

impl GameRecord {
    /// A game after its opening, as yet a draw.
    pub(super) fn begun(game: u64, seed: u64, opening: Vec<Play>) -> GameRecord {
        GameRecord {
            match_number: 1,
            game,
            seed,
            black: Contestant::black_in(game),
            winner: None,
            reason: Ended::PlyLimit,
            illegal_play: None,
            fault: None,
            overdrafts: [0; 2],
            opening,
            plays: Vec::new(),
            seconds: Vec::new(),
            values: Vec::new(),
            iterations: Vec::new(),
            nodes: Vec::new(),
            boards: Vec::new(),
            reused: Vec::new(),
            candidates: Vec::new(),
            trees: Vec::new(),
        }
    }

    /// Writes down a decision that took `seconds`.
    pub(super) fn add(&mut self, decision: &Decision, seconds: f64) {
        self.plays.push(decision.play);
        // Microseconds: what the clock is good for, and short in the file.
        self.seconds.push((seconds * 1e6).round() / 1e6);
        self.values.push(decision.report.value.get());
        self.iterations.push(decision.report.iterations);
        self.nodes.push(decision.report.visited);
        self.boards.push(decision.report.race.as_ref().map_or(0, |race| race.boards));
        self.reused.push(decision.report.reused);
        self.candidates.push(best_few(&decision.report.candidates));
    }

    /// Writes down nodes of the last decision's tree, which `side` made: see [`trees`](Self::trees).
    pub(super) fn add_tree(&mut self, side: Player, nodes: &[SavedNode<Play>]) {
        // The search of who answered knows more of what is below the answer.
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

    /// Whether every list has one entry for each decision.
    pub fn is_complete(&self) -> bool {
        let GameRecord { seconds, values, iterations, reused, candidates, .. } = self;
        let lengths = [seconds.len(), values.len(), iterations.len(), reused.len(), candidates.len()];
        let optional = [self.nodes.len(), self.boards.len(), self.trees.len()];
        lengths == [self.plays.len(); 5]
            && optional.iter().all(|&length| [0, self.plays.len()].contains(&length))
    }

    /// What the searches of a decision did.
    pub fn work(&self, decision: usize) -> Work {
        let of = |list: &[u64]| list.get(decision).copied().unwrap_or(0);
        Work { iterations: of(&self.iterations), nodes: of(&self.nodes), boards: of(&self.boards) }
    }

    /// What the visits of a decision's candidates are parts of: the visits of its tree, or the nodes of
    /// alpha-beta.
    pub fn all_visits(&self, decision: usize) -> u64 {
        match self.work(decision) {
            Work { iterations: 0, nodes, .. } if nodes > 0 => nodes,
            Work { iterations, .. } => iterations + u64::from(self.reused[decision]),
        }
    }

    /// The agent that decided on `plays[decision]`.
    pub fn decider(&self, decision: usize) -> Contestant {
        let black_moves = (self.opening.len() + decision).is_multiple_of(2);
        if black_moves { self.black } else { self.black.opponent() }
    }

    /// The agent that plays `side`.
    pub fn contestant(&self, side: Player) -> Contestant {
        if side == BLACK { self.black } else { self.black.opponent() }
    }

    /// What A got for it, in half points: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(&self) -> u8 {
        match self.winner {
            Some(Contestant::A) => 2,
            None => 1,
            Some(Contestant::B) => 0,
        }
    }

    /// What the side that moved first, Black, got for it, in half points.
    pub fn first_mover_half_points(&self) -> u8 {
        if self.black == Contestant::A { self.half_points() } else { 2 - self.half_points() }
    }

    /// How many plies it had, the opening's included.
    pub fn plies(&self) -> usize {
        self.opening.len() + self.plays.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halma::game::{Outcome, Value};
    use halma::search::Report;

    fn candidate(play: &str, visits: u32, value: f32) -> halma::search::Candidate<Play> {
        let play = play.parse().expect("a play");
        halma::search::Candidate { play, visits, value: Value::new(value), prior: Some(0.1), proof: None }
    }

    #[test]
    fn the_best_few_plays_are_kept_and_those_hardly_visited_left_out() {
        let visits = [500, 300, 40, 100, 50, 10];
        let plays: Vec<_> =
            (0..6).map(|y| candidate(&format!("3,{y} 4,{y}"), visits[y], 0.123_456)).collect();
        let kept = best_few(&plays);
        assert_eq!(kept.iter().map(|kept| kept.1).collect::<Vec<_>>(), [500, 300, 100]);
        assert_eq!(serde_json::to_string(&kept[0]).unwrap(), r#"["3,0 4,0",500,0.123]"#);
        assert!(best_few(&[candidate("3,0 4,0", 0, 0.0)]).is_empty(), "an agent that does not search");
    }

    #[test]
    fn of_a_tree_the_answer_and_what_is_below_it_are_left_out() {
        let play = |text: &str| text.parse().expect("a play");
        let decision = |text| Decision { play: play(text), report: Report::unsearched(play(text)) };
        let node = |depth, text, proof| SavedNode { depth, play: play(text), visits: 9, mean: 0.25, proof };
        let mut record = GameRecord::begun(0, 1, Vec::new());
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
        assert!(record.is_complete());
        record.trees = of_all;
        record.add_tree(Player::One, &[]);
        assert_eq!(record.trees[0].len(), 4, "of an answer without a tree");
    }
}
