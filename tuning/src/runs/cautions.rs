//! Warnings that do not stop a run.

use super::fingerprint::{Fingerprint, ITERATIONS};
use super::schedule::Match;
use super::shard::Shard;
use super::text::first_few;
use crate::play::entrant::is_program;
use crate::play::matches::Settings;
use crate::play::openings::Openings;
use halma::agent::Registry;
use std::collections::BTreeMap;

/// The maximum number of agents named in a warning.
const MAX_NAMED: usize = 4;

/// A sentence for each oddity in `matches`: a sequential test in a shard, an agent that plays itself, agents that are
/// identical or play alike, and fewer openings than pairs of games.
pub(super) fn cautions(
    matches: &[Match],
    shard: Shard,
    fingerprint: &Fingerprint,
    registry: &Registry,
) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let tested = matches.iter().find(|one| one.settings.sprt.is_some() && !shard.is_whole());
    found.extend(tested.map(|one| {
        let games = shard.count_games(one.settings.pairs);
        format!("a shard does not stop early: it plays all its {games} games, and 'lab merge' applies the sequential test")
    }));
    for one in matches {
        for caution in [against_itself(one), too_few_openings(one)].into_iter().flatten() {
            if !found.contains(&caution) {
                found.push(caution);
            }
        }
    }
    // A program's checksum covers its files and an agent's its play, so the two are never compared.
    let mut groups: BTreeMap<(bool, &str), Vec<&str>> = BTreeMap::new();
    for (spec, checksum) in &fingerprint.agents {
        groups.entry((is_program(spec), checksum)).or_default().push(spec);
    }
    found.extend(groups.values().filter(|specs| specs.len() > 1).map(|specs| alike(specs, registry)));
    found
}

/// The warning for `specs` with equal fingerprints.
fn alike(specs: &[&str], registry: &Registry) -> String {
    let complete = |spec: &str| spec.parse().and_then(|spec| registry.complete(&spec)).ok();
    let same = specs.windows(2).all(|two| complete(two[0]) == complete(two[1]));
    let names: Vec<String> = specs.iter().map(|spec| format!("'{spec}'")).collect();
    let names = first_few(&names, MAX_NAMED, " and ");
    if specs.iter().all(|spec| is_program(spec)) {
        format!("{names} run identical files")
    } else if same {
        format!("{names} are the same agent spelled differently")
    } else {
        format!(
            "{names} choose the same plays on fixed positions with {ITERATIONS} iterations: they differ only in \
             longer searches, or not at all"
        )
    }
}

fn against_itself(one: &Match) -> Option<String> {
    let Settings { a, b, limit, .. } = &one.settings;
    let even = a == b && limit.common().is_some();
    even.then(|| format!("'{a}' plays against itself: neither side is stronger"))
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
            "openings repeat: there are {openings} for {pairs} pairs of games. Deterministic agents then repeat \
             their games, and the intervals are too narrow"
        )
    })
}
