//! Extending a run with more games or more matches.
//!
//! The result is the list of games the longer run would have had from the start, so matches may get new numbers: for
//! example, a sweep's new value may stand between old ones. The games are then rewritten. The games and the header are
//! two files that can't be replaced in one step, so an extension takes four steps. If the process dies between two of
//! them, the next one to claim the folder finishes the job:
//!
//! 1. the games are written with their new numbers to [`RENUMBERED`](super::folder::RENUMBERED);
//! 2. the header becomes that of the longer run, marked `renumbering`;
//! 3. the renumbered file replaces the old one;
//! 4. the mark is removed.

use super::entrant_files::EntrantFiles;
use super::fingerprint::Fingerprint;
use super::header::Builds;
use super::planned::PlannedRun;
use super::schedule::{Arguments, Match};
use crate::play::agents;
use crate::play::matches::Settings;
use anyhow::{Context, Result};
use halma::support::files::append;
use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The first bytes of a game's line.
const MATCH: &str = "{\"match\":";

/// The extension of a run to a longer one.
pub(super) struct Extension {
    /// The new number of each match; empty for a run of several rounds, whose matches keep their numbers.
    numbers: BTreeMap<u64, u64>,
    /// How the agents of the shorter run play in this build.
    pub engine: Fingerprint,
}

impl Extension {
    /// The extension of the run with the arguments `before` to `run`; `None` if `run` does not extend it. With
    /// `Builds::Any`, the shorter run needs no fingerprint of its own.
    pub fn of(before: &Arguments, run: &PlannedRun, builds: Builds) -> Result<Option<Extension>> {
        let Some(shorter) = run.schedule.extends(before)? else { return Ok(None) };
        let old = shorter.round(&[])?;
        // A run of several rounds only gains rounds at its end, so its matches keep their numbers.
        let numbers = match run.schedule.rounds() == 1 && shorter.rounds() == 1 {
            true => renumber(&old, &run.first_round),
            false => Some(BTreeMap::new()),
        };
        let Some(numbers) = numbers else { return Ok(None) };
        let engine = if builds == Builds::Any {
            run.header.engine.clone()
        } else {
            let files = EntrantFiles::of_matches(&old, agents::registry())?;
            Fingerprint::of(&old, agents::registry(), &files)?
        };
        Ok(Some(Extension { numbers, engine }))
    }

    pub fn keeps_numbers(&self) -> bool {
        self.numbers.iter().all(|(old, new)| old == new)
    }

    /// Writes the games in `games` with their new numbers to the file at `path`.
    pub fn write_renumbered(&self, games: &File, path: &Path) -> Result<()> {
        let cant_write = || format!("can't write {}", path.display());
        let mut out = File::create(path).with_context(cant_write)?;
        let mut reader = BufReader::new(games);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            reader.read_until(b'\n', &mut line)?;
            if !line.ends_with(b"\n") {
                break;
            }
            let renumbered = self.renumbered(&line);
            let (new, rest) = renumbered.with_context(|| format!("line {number}: not a game of this run"))?;
            let line = [format!("{MATCH}{new}").as_bytes(), rest].concat();
            append(&mut out, &line).with_context(cant_write)?;
        }
        Ok(())
    }

    /// The new match number of `line`, and the bytes that follow the old one.
    fn renumbered<'a>(&self, line: &'a [u8]) -> Option<(u64, &'a [u8])> {
        let rest = line.strip_prefix(MATCH.as_bytes())?;
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let old: u64 = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
        Some((*self.numbers.get(&old)?, &rest[digits..]))
    }
}

/// The number in `new`, from 1, of each match of `old`; `None` if a match is missing there or has fewer games.
fn renumber(old: &[Match], new: &[Match]) -> Option<BTreeMap<u64, u64>> {
    let without_pairs = |one: &Match| format!("{:?}", Settings { pairs: 0, ..one.settings.clone() });
    let mut places: BTreeMap<String, VecDeque<(u64, u64)>> = BTreeMap::new();
    for (number, one) in (1..).zip(new) {
        places.entry(without_pairs(one)).or_default().push_back((number, one.settings.pairs));
    }
    let place = |(number, one): (u64, &Match)| {
        let (new, pairs) = places.get_mut(&without_pairs(one))?.pop_front()?;
        (one.settings.pairs <= pairs).then_some((number, new))
    };
    (1..).zip(old).map(place).collect()
}
