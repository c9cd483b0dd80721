//! Combines the shards of a run in one folder.

use super::folder::HEADER;
use super::games::{GamePlace, OwnGames};
use super::header::{Builds, Difference, Header, MAX_NAMED, Successor};
use super::planned::PlannedRun;
use super::recorded::RecordedRun;
use super::schedule::Conclusion;
use super::session::Session;
use super::shard::Shard;
use super::text::first_few;
use crate::runs::files::write_json;
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;
use std::path::Path;

/// Combines `parts`, the shards of a run, in `out`, which becomes the folder of the whole run.
///
/// `out` may already hold the same games, or those of the run before its shards were extended, so a merge can be
/// repeated, or continued after being killed. With `Builds::Mixed` the shards may come from builds that play
/// differently; the header then lists all of them.
///
/// # Errors
/// `parts` are not all the shards of one run, each finished and given once; `out` holds something else; or a file can't
/// be read or written.
pub fn merge(out: &Path, parts: &[RecordedRun], builds: Builds) -> Result<Conclusion> {
    let first = parts.first().context("there is nothing to merge")?;
    check_same(first, parts, builds)?;
    check_shards(first, parts)?;
    let mut header = header_of_all(first, parts);
    let run = PlannedRun::to_merge(header.clone())?;
    let rounds = run.schedule.rounds();
    parts.iter().try_for_each(|part| check_complete(part, rounds, run.first_round.len() as u64))?;
    parts.iter().try_for_each(check_games)?;
    let mut own = OwnGames::claim(out, &header, &run, Builds::Any)?;
    gather(&mut own, out, parts)?;
    // All games are those of the parts, and so are the builds and sessions.
    header.notes = Header::read(out)?.notes;
    write_json(&out.join(HEADER), &header)?;
    let merged = RecordedRun::open(out)?;
    let counts: Vec<_> = (0..merged.matches.len()).map(|place| merged.count(place)).collect::<Result<_>>()?;
    run.conclude(&counts, Some(out))
}

/// Copies the games of all parts to `own`, the games in `out`.
fn gather(own: &mut OwnGames, out: &Path, parts: &[RecordedRun]) -> Result<()> {
    let from = parts.iter().flat_map(|part| part.games.places().map(move |place| (place, part)));
    let from: BTreeMap<GamePlace, &RecordedRun> = from.collect();
    let line = |place: GamePlace| from.get(&place).map_or(Ok(None), |part| part.games.line(place));
    for place in own.games.places() {
        ensure!(
            own.games.line(place)? == line(place)?,
            "{} holds a different game {}; merge into another folder",
            out.display(),
            place.1
        );
    }
    let there: Vec<GamePlace> = own.games.places().collect();
    for &place in from.keys().filter(|place| there.binary_search(place).is_err()) {
        own.append_line(&line(place)?.unwrap_or_default())?;
    }
    Ok(())
}

/// The header of the whole run: the earliest start date of its parts, and all their notes, builds and sessions.
fn header_of_all(first: &RecordedRun, parts: &[RecordedRun]) -> Header {
    let mut whole = Header { shard: Shard::WHOLE, sessions: Vec::new(), ..first.header.clone() };
    let mut games_before = 0;
    for part in parts {
        let Header { began, notes, engine, mixed, sessions, .. } = &part.header;
        whole.began = whole.began.min(began.clone());
        whole.note_all(notes);
        let all = std::iter::once((0, engine)).chain(mixed.iter().map(|one| (one.games_before, &one.engine)));
        for (before, engine) in all {
            let known = whole.engine == *engine || whole.mixed.iter().any(|one| one.engine == *engine);
            if !known {
                let games_before = games_before + before;
                whole.mixed.push(Successor { games_before, engine: engine.clone() });
            }
        }
        let in_all = |session: &Session| Session {
            games_before: games_before + session.games_before,
            ..session.clone()
        };
        whole.sessions.extend(sessions.iter().map(in_all));
        games_before += part.games.places().count() as u64;
    }
    whole
}

/// Checks that all parts are of one run.
fn check_same(first: &RecordedRun, parts: &[RecordedRun], builds: Builds) -> Result<()> {
    for part in parts {
        let same_part = Header { shard: first.header.shard, ..part.header.clone() };
        let (name, [one, other]) = match first.header.difference(&same_part) {
            None => continue,
            Some(Difference::Argument(name, values)) => (name, values),
            Some(Difference::Engine(_)) if builds != Builds::Same => continue,
            Some(Difference::Engine(agents)) => bail!(
                "the shards in {1} and {2} were played by builds that play differently ({0}); play one of them \
                 again, or pass --mixed-builds, which the merged run records",
                first_few(&agents, MAX_NAMED, ", "),
                first.folder.display(),
                part.folder.display()
            ),
            Some(_) => ("kind".to_string(), [&first.header, &part.header].map(|header| header.kind.clone())),
        };
        let (first, part) = (first.folder.display(), part.folder.display());
        bail!("these are not shards of one run: '{name}' is {one} in {first} and {other} in {part}");
    }
    Ok(())
}

/// Checks that `parts` are all the shards of the run, each given once.
fn check_shards(first: &RecordedRun, parts: &[RecordedRun]) -> Result<()> {
    let count = first.header.shard.count();
    let mut found: BTreeMap<Shard, &Path> = BTreeMap::new();
    for part in parts {
        let (shard, first, here) = (part.header.shard, first.folder.display(), part.folder.display());
        ensure!(shard.count() == count, "{here} is shard {shard}, but {first} is one of {count} shards");
        if let Some(other) = found.insert(shard, &part.folder) {
            bail!("shard {shard} appears twice: in {} and in {here}", other.display());
        }
    }
    let all = (1..=count).filter_map(|index| Shard::new(index, count));
    let missing = all.filter(|shard| !found.contains_key(shard)).map(|shard| shard.to_string());
    // The list of all missing shards may not fit into memory.
    let missing: Vec<String> = missing.take(MAX_NAMED).collect();
    let number = count - found.len() as u64;
    ensure!(number == 0, "{number} of {count} shards are missing: {}", missing.join(", "));
    Ok(())
}

/// Reads all games of a shard, so that an invalid game is found before anything is written.
fn check_games(part: &RecordedRun) -> Result<()> {
    (0..part.matches.len()).try_for_each(|place| part.records(place)?.try_for_each(|record| record.map(drop)))
}

/// Checks that a shard has played all its games: `rounds` rounds of `each` matches. A sequential test in one piece may
/// have been decided earlier.
fn check_complete(part: &RecordedRun, rounds: u64, each: u64) -> Result<()> {
    let shard = part.header.shard;
    if shard.is_whole() && part.has_ended() && part.matches.iter().all(|one| one.settings.sprt.is_some()) {
        return Ok(());
    }
    let ended = part.matches.len() as u64 / each;
    ensure!(
        ended == rounds,
        "shard {shard} in {} has reached round {ended} of {rounds}; finish it first",
        part.folder.display()
    );
    let pairs = part.matches.iter().map(|one| one.settings.pairs);
    let games = |(number, pairs)| shard.games(pairs).map(move |game| (number, game));
    let expected: u64 = pairs.clone().map(|pairs| shard.count_games(pairs)).sum();
    let there: Vec<GamePlace> = part.games.places().collect();
    let missing = (1..).zip(pairs).flat_map(games).find(|place| there.binary_search(place).is_err());
    missing.map_or(Ok(()), |(number, game)| {
        bail!(
            "shard {shard} in {} has {} of {} games (game {game} of match {number} is missing); finish it first",
            part.folder.display(),
            there.len(),
            expected
        )
    })
}
