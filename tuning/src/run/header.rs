//! What the folder of a run says of itself.

use super::engine::Engine;
use super::games::GAMES;
use super::shard::Shard;
use crate::files::{read_json, write_json};
use anyhow::{Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The file with the [`Header`].
pub const HEADER: &str = "run.json";

/// What was asked, which part of it is here, and which engine plays. Two runs with equal headers have the
/// same games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The kind of run: the command of `lab` that plays it.
    pub kind: String,
    /// Its arguments by name.
    pub arguments: BTreeMap<String, Value>,
    /// The part of each match whose games are here; not written if it is the whole.
    #[serde(default, skip_serializing_if = "Shard::is_whole")]
    pub shard: Shard,
    /// The engine that plays.
    pub engine: Engine,
}

/// What is not the same in two headers.
pub(super) enum Difference {
    /// The kinds of run.
    Kind,
    /// An argument: its name, and its two values as text.
    Argument(String, [String; 2]),
    /// The shards, as text.
    Shard([String; 2]),
    /// The engines, as text.
    Engine([String; 2]),
}

impl Header {
    /// The header of a part of a run, played by this build. The arguments are an object in JSON, and all that
    /// the games depend on.
    ///
    /// # Errors
    /// The fixed searches that tell builds apart can't be made.
    pub fn of(kind: &str, arguments: &impl Serialize, shard: Shard) -> Result<Header> {
        let arguments = serde_json::from_value(serde_json::to_value(arguments)?)?;
        Ok(Header { kind: kind.to_string(), arguments, shard, engine: Engine::of_this_build()?.clone() })
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

    /// Makes this the header of `folder`, or checks that it is already.
    ///
    /// # Errors
    /// The folder holds something else, or a file can't be read or written.
    pub(super) fn keep(&self, folder: &Path) -> Result<()> {
        let (path, here) = (folder.join(HEADER), folder.display());
        if !path.exists() {
            let games = fs::metadata(folder.join(GAMES)).map_or(0, |games| games.len());
            ensure!(
                games == 0,
                "{here} has games but no {HEADER} that says what they are; use another folder"
            );
            return write_json(&path, self);
        }
        let there: Header = read_json(&path)?;
        let changed =
            |name: &str, [before, now]: [String; 2]| format!("'{name}' was {before} and is {now} now");
        let (kind, other) = (&self.kind, &there.kind);
        match there.difference(self) {
            None => Ok(()),
            Some(Difference::Kind) => {
                bail!("{here} holds a run of 'lab {other}', not of 'lab {kind}'; use another folder")
            }
            Some(Difference::Argument(name, values)) => bail!(
                "{here} holds a run of 'lab {kind}' with other arguments; use another folder: {}",
                changed(&name, values)
            ),
            Some(Difference::Shard(values)) => bail!(
                "{here} holds another shard of this run; each needs a folder of its own: {}",
                changed("shard", values)
            ),
            Some(Difference::Engine(_)) => bail!(
                "the games in {here} are those of an engine that plays differently; go on with the build that \
                 began it, or use another folder"
            ),
        }
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
        let engine = |header: &Header| serde_json::to_string(&header.engine).unwrap_or_default();
        (self.engine != other.engine).then(|| Difference::Engine([self, other].map(engine)))
    }
}
