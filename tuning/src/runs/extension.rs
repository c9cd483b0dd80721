//! A run that goes on beyond its end: with more games, or with more matches.
//!
//! The same list of games results as if the longer run had been asked for at once, so matches may get other
//! numbers: a sweep's new value stands between the old ones. Then the file of the games is written anew. It and the
//! header can't be replaced in one step, so these are the steps, and whoever is killed between two of them, the next
//! one to claim the folder knows what is left to do:
//!
//! 1. the games with their new numbers go into [`RENUMBERED`](super::folder::RENUMBERED), and nothing else changes;
//! 2. the header becomes that of the longer run, marked as `renumbering`;
//! 3. the new file of the games takes the place of the old one;
//! 4. the mark is removed.

use super::fingerprint::Fingerprint;
use super::schedule::{Arguments, Match, Schedule};
use crate::play::agents;
use crate::play::matches::Settings;
use anyhow::{Context, Result};
use halma::homework::files::append;
use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// How a run becomes a longer one.
pub(super) struct Extension {
    /// The new number of each match; empty if all keep theirs.
    numbers: BTreeMap<u64, u64>,
    /// How the agents of the shorter run play now.
    pub engine: Fingerprint,
}

impl Extension {
    /// How the run with the arguments `before` becomes that of `schedule`, which has others; `None` if it is
    /// no part of it.
    ///
    /// # Errors
    /// Other arguments would extend it; or its agents can't be made.
    pub fn of(before: &Arguments, schedule: &dyn Schedule) -> Result<Option<Extension>> {
        let Some(shorter) = schedule.extends(before)? else { return Ok(None) };
        let old = shorter.round(&[])?;
        // Rounds that follow from games are as many matches each, and only more of them can be added.
        let numbers = match schedule.rounds() == 1 && shorter.rounds() == 1 {
            true => renumber(&old, &schedule.round(&[])?),
            false => Some(BTreeMap::new()),
        };
        let Some(numbers) = numbers else { return Ok(None) };
        Ok(Some(Extension { numbers, engine: Fingerprint::of(&old, agents::registry())? }))
    }

    /// Whether every match keeps its number.
    pub fn keeps_numbers(&self) -> bool {
        self.numbers.iter().all(|(old, new)| old == new)
    }

    /// Writes the games in `games` with their new numbers to the file at `path`.
    ///
    /// # Errors
    /// A file can't be read or written, or a line is no game of the shorter run.
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
            let (new, rest) = renumbered.with_context(|| format!("line {number} is no game of this run"))?;
            let line = [format!("{MATCH}{new}").as_bytes(), rest].concat();
            append(&mut out, &line).with_context(cant_write)?;
        }
        Ok(())
    }

    /// The new number of the match in `line`, and what follows the old one there.
    fn renumbered<'a>(&self, line: &'a [u8]) -> Option<(u64, &'a [u8])> {
        let rest = line.strip_prefix(MATCH.as_bytes())?;
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let old: u64 = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
        Some((*self.numbers.get(&old)?, &rest[digits..]))
    }
}

/// How the line of a game begins.
const MATCH: &str = "{\"match\":";

/// The number, from 1, that each match of `old` has in `new`, with as many games or more; `None` if one is not there.
fn renumber(old: &[Match], new: &[Match]) -> Option<BTreeMap<u64, u64>> {
    let but_pairs = |one: &Match| format!("{:?}", Settings { pairs: 0, ..one.settings.clone() });
    let mut places: BTreeMap<String, VecDeque<(u64, u64)>> = BTreeMap::new();
    for (number, one) in (1..).zip(new) {
        places.entry(but_pairs(one)).or_default().push_back((number, one.settings.pairs));
    }
    let place = |(number, one): (u64, &Match)| {
        let (new, pairs) = places.get_mut(&but_pairs(one))?.pop_front()?;
        (one.settings.pairs <= pairs).then_some((number, new))
    };
    (1..).zip(old).map(place).collect()
}
