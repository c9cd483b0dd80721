//! Positions drawn from recorded games.

use crate::play::record::{Ended, GameRecord, NotedNode};
use crate::runs::{GAMES, RecordedRun};
use anyhow::{Context, Result, ensure};
use halma::game::Game;
use halma::rules::{BLACK, Play, Position, Rules};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

/// A position that was drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawn<'a> {
    /// The number of its pair of games in its run: positions of one pair are alike and go to the same side of a split,
    /// whichever other runs there are.
    pub pair: u64,
    /// The game.
    pub record: &'a GameRecord,
    /// The index of the position's decision in the record's lists.
    pub decision: usize,
    /// The position, under the rules of the addendum.
    pub position: Position,
    /// What was noted of the decision's tree.
    pub tree: &'a [InTree],
}

/// A position in the tree of a search.
#[derive(Clone, Copy, Debug)]
pub struct InTree {
    /// The position.
    pub position: Position,
    /// Iterations that came through it.
    pub visits: u32,
    /// What it was worth to the agent that searched, −1…+1.
    pub value: f32,
}

/// Calls `visit` with every position of each decided game in the folders `runs` and below them in which an agent
/// made a decision. A game that is there twice, in a shard and in the merged run or because a folder was named
/// twice, counts once: else it could be among those that weights are fitted to and those that test them.
///
/// # Errors
/// A folder without a run, a line that is no game of it, a play that is not legal; or there is no
/// decided game at all.
pub fn each(runs: &[impl AsRef<Path>], mut visit: impl FnMut(&Drawn<'_>)) -> Result<()> {
    let mut decided = 0;
    let mut seen = HashSet::new();
    let runs: Vec<Vec<RecordedRun>> =
        runs.iter().map(|run| RecordedRun::all_below(run.as_ref())).collect::<Result<_>>()?;
    for run in runs.iter().flatten() {
        let mut pairs_before = 0;
        for (place, one) in run.matches.iter().enumerate() {
            for record in run.records(place)? {
                let mut record = record?;
                if record.reason == Ended::GoalFilled && seen.insert(fingerprint(&mut record)?) {
                    let pair = pairs_before + record.game / 2;
                    let broken = || format!("in {}: game {}", run.folder.join(GAMES).display(), record.game);
                    walk(&record, pair, &mut visit).with_context(broken)?;
                    decided += 1;
                }
            }
            pairs_before += one.settings.pairs;
        }
    }
    ensure!(decided > 0, "there is no decided game in these folders");
    Ok(())
}

/// A number for a game and what was noted of it, its times to a microsecond too: only copies have the same. Trees are
/// most of a record, and the rest tells enough.
fn fingerprint(record: &mut GameRecord) -> Result<u64> {
    let trees = std::mem::take(&mut record.trees);
    let mut hasher = DefaultHasher::new();
    hasher.write(&serde_json::to_vec(record)?);
    record.trees = trees;
    Ok(hasher.finish())
}

/// Calls `visit` with the positions of one game.
fn walk(record: &GameRecord, pair: u64, visit: &mut impl FnMut(&Drawn<'_>)) -> Result<()> {
    let mut position = Position::initial(BLACK, Rules::Addendum);
    for &play in &record.opening {
        step(&mut position, play)?;
    }
    for (decision, &play) in record.plays.iter().enumerate() {
        let before = position;
        step(&mut position, play)?;
        let nodes = record.trees.get(decision).map_or(&[][..], Vec::as_slice);
        let tree = tree(&position, nodes).with_context(|| format!("decision {decision}"))?;
        visit(&Drawn { pair, record, decision, position: before, tree: &tree });
    }
    Ok(())
}

/// The positions of `nodes`, of a tree that begins at `position`.
fn tree(position: &Position, nodes: &[NotedNode]) -> Result<Vec<InTree>> {
    // Those on the way to the node at hand.
    let mut way = vec![*position];
    let mut found = Vec::with_capacity(nodes.len());
    for &NotedNode(depth, play, visits, value) in nodes {
        ensure!(
            (1..=way.len()).contains(&(depth as usize)),
            "a node of its tree is at depth {depth}, one of at most {} was expected",
            way.len()
        );
        way.truncate(depth as usize);
        let mut position = way[way.len() - 1];
        step(&mut position, play)?;
        way.push(position);
        found.push(InTree { position, visits, value });
    }
    Ok(found)
}

fn step(position: &mut Position, play: Play) -> Result<()> {
    // Every play is legal under the original rules; the addendum's allow less.
    ensure!(position.with_rules(Rules::Original).is_legal(play), "{play} is not legal");
    position.play(play);
    Ok(())
}
