//! The shards of a run put together in one folder.

use super::games::{GamePlace, OwnGames};
use super::header::{Builds, Difference, Header, Successor, shorten};
use super::recorded::Recorded;
use super::schedule::Schedule;
use super::session::Session;
use super::shard::Shard;
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;
use std::path::Path;

/// Puts the shards of the run of `schedule` together in the folder `out`, which becomes that of the whole run, but for its
/// result: that is what [`play`](super::play()) leaves when it finds all games there.
///
/// `out` may be there already, if it holds nothing but the same games, or those of the run before all its shards
/// were extended: merging twice is merging once, and a merge that was killed can be given again. Of `Builds::Mixed` the shards may have been played by builds
/// that play differently; the header then has all of them.
///
/// # Errors
/// These are not all shards of one run, each once and complete; `out` holds something else; or a file can't
/// be read or written.
pub fn merge(out: &Path, parts: &[Recorded], schedule: &dyn Schedule, builds: Builds) -> Result<()> {
    let first = parts.first().context("there is nothing to merge")?;
    check_same(first, parts, builds)?;
    check_shards(first, parts)?;
    parts.iter().try_for_each(check_complete)?;
    let mut own = OwnGames::claim(out, &header_of_all(first, parts), builds, schedule)?;
    let from = parts.iter().flat_map(|part| part.games.places().map(move |place| (place, part)));
    let from: BTreeMap<GamePlace, &Recorded> = from.collect();
    let line = |place: GamePlace| from.get(&place).map_or(Ok(None), |part| part.games.line(place));
    for place in own.games.places() {
        ensure!(
            own.games.line(place)? == line(place)?,
            "{} has a game {} of its own, which merging would replace; merge into another folder",
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

/// The header of the whole: it began when its first part did, and whoever played a part played in it.
fn header_of_all(first: &Recorded, parts: &[Recorded]) -> Header {
    let mut whole = Header { shard: Shard::WHOLE, sessions: Vec::new(), ..first.header.clone() };
    let mut games_before = 0;
    for part in parts {
        let Header { began, engine, mixed, sessions, .. } = &part.header;
        whole.began = whole.began.min(began.clone());
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

/// Whether all parts are of one run.
fn check_same(first: &Recorded, parts: &[Recorded], builds: Builds) -> Result<()> {
    for part in parts {
        let same_part = Header { shard: first.header.shard, ..part.header.clone() };
        let (name, [one, other]) = match first.header.difference(&same_part) {
            None => continue,
            Some(Difference::Argument(name, values)) => (name, values),
            Some(Difference::Engine(_)) if builds == Builds::Mixed => continue,
            Some(Difference::Engine(agents)) => bail!(
                "these shards were played by builds that play differently ({}): that in {} and that in {}; play \
                 one of them again, or insist with --mixed-builds, which the merged run then says",
                shorten(&agents),
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

/// Whether these are all shards of the run, each once.
fn check_shards(first: &Recorded, parts: &[Recorded]) -> Result<()> {
    let count = first.header.shard.count();
    let mut found: BTreeMap<Shard, &Path> = BTreeMap::new();
    for part in parts {
        let (shard, first, here) = (part.header.shard, first.folder.display(), part.folder.display());
        ensure!(shard.count() == count, "{here} is shard {shard}, but {first} is one of {count}");
        if let Some(other) = found.insert(shard, &part.folder) {
            bail!("shard {shard} is there twice: in {} and in {here}", other.display());
        }
    }
    let all = (1..=count).filter_map(|index| Shard::new(index, count));
    let missing = all.filter(|shard| !found.contains_key(shard)).map(|shard| shard.to_string());
    let missing: Vec<String> = missing.take(10).collect();
    ensure!(missing.is_empty(), "shards are missing: {}", missing.join(", "));
    Ok(())
}

/// Whether all games of a shard have been played.
fn check_complete(part: &Recorded) -> Result<()> {
    let shard = part.header.shard;
    let pairs = part.matches.iter().map(|one| one.settings.pairs);
    let games = |(number, pairs)| shard.games(pairs).map(move |game| (number, game));
    let expected: u64 = pairs.clone().map(|pairs| shard.count_games(pairs)).sum();
    let there: Vec<GamePlace> = part.games.places().collect();
    let missing = (1..).zip(pairs).flat_map(games).find(|place| there.binary_search(place).is_err());
    missing.map_or(Ok(()), |(number, game)| {
        bail!(
            "shard {shard} in {} has {} of {} games (game {game} of match {number} is missing): run it again to its end",
            part.folder.display(),
            there.len(),
            expected
        )
    })
}
