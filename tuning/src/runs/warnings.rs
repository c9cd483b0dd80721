//! Warnings that do not stop a run.

use super::fingerprint::{Fingerprint, ITERATIONS};
use super::schedule::Match;
use super::text::first_few;
use crate::play::entrant::is_program;
use crate::play::matches::Settings;
use halma::agent::Registry;
use std::collections::BTreeMap;

/// The maximum number of agents named in a warning.
const MAX_NAMED: usize = 4;

/// The maximum number of openings compared.
const MAX_OPENINGS: u64 = 10_000;

/// The maximum number of balanced openings among them, each of which takes several searches to draw.
const MAX_BALANCED: u64 = 20;

/// A sentence for each oddity in `matches`: an agent that plays itself, agents that are identical or play alike, and
/// openings that repeat.
pub(super) fn warnings(matches: &[Match], fingerprint: &Fingerprint, registry: &Registry) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for warning in matches.iter().filter_map(against_itself) {
        if !found.contains(&warning) {
            found.push(warning);
        }
    }
    found.extend(repeated_openings(matches));
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

/// The warning for the match whose openings repeat most; `None` if fewer than 1 % of its pairs repeat an opening, as
/// may happen by chance.
fn repeated_openings(matches: &[Match]) -> Option<String> {
    let mut left = MAX_OPENINGS;
    let mut counted: Vec<&Settings> = Vec::new();
    let mut worst: Option<(u64, u64, &str)> = None;
    for Match { settings, .. } in matches {
        // The matches of a sweep share their openings.
        let has_same = |other: &&Settings| other.terms == settings.terms && other.pairs >= settings.pairs;
        if counted.iter().any(has_same) {
            continue;
        }
        counted.push(settings);
        let cost = if settings.terms.openings.is_balanced() { MAX_OPENINGS / MAX_BALANCED } else { 1 };
        let pairs = settings.pairs.min(left / cost);
        if pairs == 0 {
            continue;
        }
        left -= cost * pairs;
        let openings = settings.count_openings(pairs);
        let first = if pairs < settings.pairs { "the first " } else { "" };
        let share = |openings: u64, pairs: u64| openings as f64 / pairs as f64;
        if 100 * openings <= 99 * pairs
            && worst.is_none_or(|worst| share(openings, pairs) < share(worst.0, worst.1))
        {
            worst = Some((openings, pairs, first));
        }
    }
    worst.map(|(openings, pairs, first)| {
        let plural = if openings == 1 { "" } else { "s" };
        format!(
            "openings repeat: {first}{pairs} pairs of games have only {openings} distinct opening{plural}. Pairs that \
             repeat another one play for play count only once"
        )
    })
}
