//! What a run is not told to stop for, but its user should know before looking at figures.

use super::fingerprint::{Fingerprint, ITERATIONS};
use super::schedule::Match;
use super::shard::Shard;
use crate::play::entrants::is_program;
use crate::play::matches::Settings;
use crate::play::openings::Openings;
use halma::agent::Registry;
use std::collections::BTreeMap;

/// At most this many agents of a group are named.
const NAMED: usize = 4;

/// What is odd about these matches, or this part of them, one sentence each: a sequential test that ends no shard,
/// agents that play against themselves, that are the same but for their spelling or that play alike, and fewer openings
/// than pairs of games.
pub fn cautions(
    matches: &[Match],
    shard: Shard,
    fingerprint: &Fingerprint,
    registry: &Registry,
) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let tested = matches.iter().find(|one| one.settings.sprt.is_some() && !shard.is_whole());
    found.extend(tested.map(|one| {
        let games = shard.count_games(one.settings.pairs);
        format!(
            "a shard does not stop early: all its {games} games are played, and 'lab merge' judges the sequential test"
        )
    }));
    for one in matches {
        for caution in [against_itself(one), too_few_openings(one)].into_iter().flatten() {
            if !found.contains(&caution) {
                found.push(caution);
            }
        }
    }
    let mut groups: BTreeMap<(bool, &str), Vec<&str>> = BTreeMap::new();
    for (spec, checksum) in &fingerprint.agents {
        // The checksums of a program and of an agent have nothing to do with each other.
        groups.entry((is_program(spec), checksum)).or_default().push(spec);
    }
    found.extend(groups.values().filter(|specs| specs.len() > 1).map(|specs| alike(specs, registry)));
    found
}

/// What to say of agents that play alike on fixed positions.
fn alike(specs: &[&str], registry: &Registry) -> String {
    let complete = |spec: &str| spec.parse().and_then(|spec| registry.complete(&spec)).ok();
    let same = specs.windows(2).all(|two| complete(two[0]) == complete(two[1]));
    let more = specs.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let names: Vec<String> = specs.iter().take(NAMED).map(|spec| format!("'{spec}'")).collect();
    let names = names.join(" and ");
    match same {
        _ if specs.iter().all(|spec| is_program(spec)) => {
            format!("{names}{more} run the same files, byte for byte")
        }
        true => format!("{names}{more} are the same agent, spelled differently"),
        false => format!(
            "{names}{more} decide alike on fixed positions with {ITERATIONS} iterations: the difference between them \
             shows only in longer searches, or is never used"
        ),
    }
}

fn against_itself(one: &Match) -> Option<String> {
    let Settings { a, b, limit, .. } = &one.settings;
    let even = a == b && limit.common().is_some();
    even.then(|| format!("'{a}' plays against itself: neither side is the better one"))
}

fn too_few_openings(one: &Match) -> Option<String> {
    let pairs = one.settings.pairs;
    let openings = match &one.settings.terms.openings {
        Openings::Random { .. } | Openings::Balanced { .. } => return None,
        Openings::Start => 1,
        Openings::List(list) => list.len() as u64,
    };
    (openings < pairs).then(|| {
        format!(
            "openings are played again: there are {openings} for {pairs} pairs of games. Agents that leave nothing to \
             chance then play the same games again, and the intervals are too narrow"
        )
    })
}
