//! Positions drawn from recorded games.

use crate::play::record::{Ended, GameRecord, NotedNode};
use crate::runs::{GAMES, RecordedRun};
use anyhow::{Context, Result, ensure};
use halma::game::Game;
use halma::rules::{BLACK, Play, Position, Rules};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

/// A position in which an agent made a decision.
#[derive(Clone, Copy, Debug)]
pub struct Drawn<'a> {
    /// The index of the game's folder among the folders given.
    pub folder: usize,
    /// The number of the game's pair in its run. A pair's games have similar positions, so a split into training and test
    /// games must not separate them.
    pub pair: u64,
    /// The game.
    pub record: &'a GameRecord,
    /// The index of the decision in the game's record.
    pub decision: usize,
    /// The position, under the addendum's rules.
    pub position: Position,
    /// The recorded nodes of the decision's search tree.
    pub tree: &'a [InTree],
}

/// A position in a search tree.
#[derive(Clone, Copy, Debug)]
pub struct InTree {
    /// The position.
    pub position: Position,
    /// The number of iterations that passed through it.
    pub visits: u32,
    /// Its value for the searching agent, −1…+1.
    pub value: f32,
}

/// Calls `visit` for every decision of an agent in the games of `runs` that ended with a filled goal. Each of these
/// folders holds a run or has runs below it.
///
/// A game that occurs twice (in a shard and in the merged run, or because a folder is named twice) counts once:
/// otherwise it could be both a training game and a test game.
///
/// # Errors
/// A folder contains no run, a game is damaged, a play is illegal, or no game ended with a filled goal.
pub fn each(runs: &[impl AsRef<Path>], mut visit: impl FnMut(&Drawn<'_>)) -> Result<()> {
    let mut decided = 0;
    let mut seen = HashSet::new();
    let runs: Vec<Vec<RecordedRun>> =
        runs.iter().map(|run| RecordedRun::all_below(run.as_ref())).collect::<Result<_>>()?;
    let with_folders = runs.iter().enumerate().flat_map(|(at, runs)| runs.iter().map(move |run| (at, run)));
    for (folder, run) in with_folders {
        let mut pairs_before = 0;
        for (place, one) in run.matches.iter().enumerate() {
            for record in run.records(place)? {
                let mut record = record?;
                if record.reason == Ended::GoalFilled && seen.insert(fingerprint(&mut record)?) {
                    let pair = pairs_before + record.game / 2;
                    let broken = || format!("in {}: game {}", run.folder.join(GAMES).display(), record.game);
                    walk(&record, folder, pair, &mut visit).with_context(broken)?;
                    decided += 1;
                }
            }
            pairs_before += one.settings.pairs;
        }
    }
    ensure!(decided > 0, "no game in these folders ended with a filled goal");
    Ok(())
}

/// A hash of a game's record. The record includes times to the microsecond, so only copies have the same hash. Trees are
/// left out: they are most of the record and add no distinction.
fn fingerprint(record: &mut GameRecord) -> Result<u64> {
    let trees = std::mem::take(&mut record.trees);
    let mut hasher = DefaultHasher::new();
    hasher.write(&serde_json::to_vec(record)?);
    record.trees = trees;
    Ok(hasher.finish())
}

/// Calls `visit` for the decisions of one game.
fn walk(record: &GameRecord, folder: usize, pair: u64, visit: &mut impl FnMut(&Drawn<'_>)) -> Result<()> {
    let mut position = Position::initial(BLACK, Rules::Addendum);
    for &play in &record.opening {
        step(&mut position, play)?;
    }
    for (decision, &play) in record.plays.iter().enumerate() {
        let before = position;
        step(&mut position, play)?;
        let nodes = record.trees.get(decision).map_or(&[][..], Vec::as_slice);
        let tree = tree(&position, nodes).with_context(|| format!("decision {decision}"))?;
        visit(&Drawn { folder, pair, record, decision, position: before, tree: &tree });
    }
    Ok(())
}

/// The positions of the `nodes` of a tree with root `position`.
fn tree(position: &Position, nodes: &[NotedNode]) -> Result<Vec<InTree>> {
    // The positions from the root to the current node.
    let mut path = vec![*position];
    let mut found = Vec::with_capacity(nodes.len());
    for &NotedNode(depth, play, visits, value) in nodes {
        ensure!(
            (1..=path.len()).contains(&(depth as usize)),
            "a tree node has depth {depth}; expected 1 to {}",
            path.len()
        );
        path.truncate(depth as usize);
        let mut position = path[path.len() - 1];
        step(&mut position, play)?;
        path.push(position);
        found.push(InTree { position, visits, value });
    }
    Ok(found)
}

fn step(position: &mut Position, play: Play) -> Result<()> {
    // The sides may play under different rules. The original rules allow every play that the others allow.
    ensure!(position.with_rules(Rules::Original).is_legal(play), "{play} is not legal");
    position.play(play);
    Ok(())
}
