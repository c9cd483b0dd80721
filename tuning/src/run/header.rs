//! What the folder of a run says of itself.

use super::extension::Extension;
use super::fingerprint::Fingerprint;
use super::games::GAMES;
use super::schedule::Schedule;
use super::shard::Shard;
use crate::files::{read_json, write_json};
use anyhow::{Context, Result, bail, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The file with the [`Header`].
pub const HEADER: &str = "run.json";

/// The arguments of a run by name.
pub type Arguments = BTreeMap<String, Value>;

/// The arguments as a `T`.
///
/// # Errors
/// They are broken.
pub fn read_arguments<T: DeserializeOwned>(arguments: &Arguments) -> serde_json::Result<T> {
    serde_json::from_value(Value::Object(arguments.clone().into_iter().collect()))
}

/// What was asked, which part of it is here, and who plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The kind of run: the command of `lab` that plays it.
    pub kind: String,
    /// Its arguments by name.
    pub arguments: Arguments,
    /// The part of each match whose games are here; not written if it is the whole.
    #[serde(default, skip_serializing_if = "Shard::is_whole")]
    pub shard: Shard,
    /// The day on which the run began, in UTC: `2026-11-23`.
    #[serde(default)]
    pub began: String,
    /// How the agents played when it began.
    pub engine: Fingerprint,
    /// Those who went on with it although they play differently, as somebody insisted on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mixed: Vec<Successor>,
    /// Whether the games are about to get the numbers that their matches have in the run since it was extended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) renumbering: bool,
}

/// Agents that went on with the run of others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Successor {
    /// How many lines of the games' file were written before.
    pub games_before: u64,
    /// How they play.
    pub engine: Fingerprint,
}

/// What to do with the games of agents that play differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Builds {
    /// They are refused.
    #[default]
    Same,
    /// They are taken, and `run.json` says so.
    Mixed,
}

/// What is not the same in two headers.
pub(super) enum Difference {
    /// The kinds of run.
    Kind,
    /// An argument: its name, and its two values as text.
    Argument(String, [String; 2]),
    /// The shards, as text.
    Shard([String; 2]),
    /// The agents that play differently.
    Engine(Vec<String>),
}

impl Header {
    /// The header of a part of a run that begins today with agents that play like `engine`. The arguments are an
    /// object in JSON, and all that the games depend on.
    ///
    /// # Errors
    /// Never, for arguments that can be written as JSON.
    pub fn of(kind: &str, arguments: &impl Serialize, shard: Shard, engine: Fingerprint) -> Result<Header> {
        Ok(Header {
            kind: kind.to_string(),
            arguments: serde_json::from_value(serde_json::to_value(arguments)?)?,
            shard,
            began: today(),
            engine,
            mixed: Vec::new(),
            renumbering: false,
        })
    }

    /// Who played last.
    fn last(&self) -> &Fingerprint {
        self.mixed.last().map_or(&self.engine, |successor| &successor.engine)
    }

    fn last_mut(&mut self) -> &mut Fingerprint {
        self.mixed.last_mut().map_or(&mut self.engine, |successor| &mut successor.engine)
    }

    /// Reads what run is in `folder`.
    ///
    /// # Errors
    /// There is none, or its header can't be read or is broken.
    pub fn read(folder: &Path) -> Result<Header> {
        let path = folder.join(HEADER);
        ensure!(path.exists(), "{} holds no run: there is no {HEADER}", folder.display());
        read_json(&path)
    }

    /// Makes this, the header of `schedule`, that of `folder`, or checks that it is already. Of `Builds::Mixed` the
    /// header that is there notes who goes on. If the run there is to be extended, nothing is changed yet: the header
    /// that it will have is returned.
    ///
    /// # Errors
    /// The folder holds something else, or a file can't be read or written.
    pub(super) fn keep(
        &self,
        folder: &Path,
        builds: Builds,
        schedule: &dyn Schedule,
    ) -> Result<Option<(Header, Extension)>> {
        let (path, here) = (folder.join(HEADER), folder.display());
        if !path.exists() {
            let games = fs::metadata(folder.join(GAMES)).map_or(0, |games| games.len());
            ensure!(
                games == 0,
                "{here} has games but no {HEADER} that says what they are; use another folder"
            );
            write_json(&path, self)?;
            return Ok(None);
        }
        let mut there: Header = read_json(&path)?;
        let is_other = there.kind == self.kind && there.arguments != self.arguments;
        let extension = match is_other {
            true => {
                Extension::of(&there, schedule).with_context(|| format!("{here} can't be extended so"))?
            }
            false => None,
        };
        let shorter = extension.as_ref().map(|extension| Header {
            arguments: there.arguments.clone(),
            engine: extension.engine.clone(),
            ..self.clone()
        });
        let changed =
            |name: &str, [before, now]: [String; 2]| format!("'{name}' was {before} and is {now} now");
        let (kind, other) = (&self.kind, &there.kind);
        let is_mixed = match there.difference(shorter.as_ref().unwrap_or(self)) {
            None => false,
            Some(Difference::Kind) => {
                bail!("{here} holds a run of 'lab {other}', not of 'lab {kind}'; use another folder")
            }
            Some(Difference::Argument(name, values)) => bail!(
                "{here} holds a run of 'lab {kind}' with other arguments; use another folder: {}. (A run can be \
                 extended, but neither shortened nor changed.)",
                changed(&name, values)
            ),
            Some(Difference::Shard(values)) => bail!(
                "{here} holds another shard of this run; each needs a folder of its own: {}",
                changed("shard", values)
            ),
            Some(Difference::Engine(_)) if builds == Builds::Mixed => true,
            Some(Difference::Engine(agents)) => bail!(
                "the games in {here} are those of a build that plays differently ({}); go on with the build that \
                 began it, use another folder, or insist with --mixed-builds, which {HEADER} then says",
                shorten(&agents)
            ),
        };
        if is_mixed {
            let games_before = lines(&folder.join(GAMES))?;
            there.mixed.push(Successor { games_before, engine: self.engine.clone() });
        }
        let Some(extension) = extension else {
            if is_mixed {
                write_json(&path, &there)?;
            }
            return Ok(None);
        };
        there.arguments = self.arguments.clone();
        *there.last_mut() = self.engine.clone();
        Ok(Some((there, extension)))
    }

    /// The first thing in which `other` is not the same.
    pub(super) fn difference(&self, other: &Header) -> Option<Difference> {
        if self.kind != other.kind {
            return Some(Difference::Kind);
        }
        let names = self.arguments.keys().chain(other.arguments.keys());
        let [mine, its] = [self, other].map(|header| |name: &String| header.arguments.get(name));
        let show = |value: Option<&Value>| value.map_or("nothing".to_string(), Value::to_string);
        if let Some(name) = names.into_iter().find(|&name| mine(name) != its(name)) {
            return Some(Difference::Argument(name.clone(), [show(mine(name)), show(its(name))]));
        }
        if self.shard != other.shard {
            return Some(Difference::Shard([self, other].map(|header| format!("\"{}\"", header.shard))));
        }
        let agents = self.last().differences(other.last());
        (!agents.is_empty()).then_some(Difference::Engine(agents))
    }
}

/// At most this many agents that play differently are named.
const NAMED: usize = 3;

/// The first few of `names`, and how many more there are.
pub(super) fn shorten(names: &[String]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names[..names.len().min(NAMED)].join(", "))
}

/// How many lines the file at `path` has.
fn lines(path: &Path) -> Result<u64> {
    let file = File::open(path).with_context(|| format!("can't read {}", path.display()))?;
    let mut reader = BufReader::new(file);
    let mut lines = 0;
    while reader.skip_until(b'\n')? > 0 {
        lines += 1;
    }
    Ok(lines)
}

/// Today's date in UTC, `2026-11-23`; nothing if the clock is not set.
fn today() -> String {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
    since_1970.map_or(String::new(), |time| date_of((time.as_secs() / 86_400) as i64))
}

/// The date that is `days` after 1970-01-01, by H. Hinnant's `civil_from_days`: years begin in March there, so
/// that the leap day is a year's last.
fn date_of(days: i64) -> String {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * era + year_of_era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (days, date) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (19_722, "2023-12-31"),
            (20_780, "2026-11-23"),
        ] {
            assert_eq!(date_of(days), date);
        }
    }
}
