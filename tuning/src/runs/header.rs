//! What the folder of a run says of itself.

use super::extension::Extension;
use super::fingerprint::Fingerprint;
use super::folder::{GAMES, HEADER};
use super::schedule::{Arguments, Schedule};
use super::session::Session;
use super::shard::Shard;
use crate::runs::files::{read_json, write_json};
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

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
    /// Which programs played it, when and where.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sessions: Vec<Session>,
    /// Whether the games are about to get the numbers that their matches have in the run since it was extended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) renumbering: bool,
}

/// Where a result comes from.
#[derive(Serialize)]
pub(super) struct Provenance<'a> {
    engine: &'a Fingerprint,
    #[serde(skip_serializing_if = "<[Successor]>::is_empty")]
    mixed: &'a [Successor],
    sessions: &'a [Session],
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
        let session = Session::here();
        Ok(Header {
            kind: kind.to_string(),
            arguments: serde_json::from_value(serde_json::to_value(arguments)?)?,
            shard,
            began: session.began.split('T').next().unwrap_or_default().to_string(),
            engine,
            mixed: Vec::new(),
            sessions: vec![session],
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
            write_json(&path, self)?;
            return Ok(None);
        }
        let mut there: Header = read_json(&path)?;
        let is_other = there.kind == self.kind && there.arguments != self.arguments;
        let extension = match is_other {
            true => Extension::of(&there.arguments, schedule)
                .with_context(|| format!("{here} can't be extended so"))?,
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
        let games_before = lines(&folder.join(GAMES))?;
        there.sessions.extend(self.new_sessions(&there, games_before));
        Ok(Some((there, extension)))
    }

    /// The sessions that `there`, with so many games, has not had.
    fn new_sessions(&self, there: &Header, games: u64) -> Vec<Session> {
        let with = |session: &Session, games_before| Session { games_before, ..session.clone() };
        let known = |session: &&Session| there.sessions.iter().any(|one| with(one, 0) == with(session, 0));
        let new = self.sessions.iter().filter(|session| !known(session));
        new.map(|session| with(session, session.games_before.max(games))).collect()
    }

    /// The session to be noted in the header `there` when the first game is played by this one's: that of another
    /// program or on another machine than the last one.
    pub(super) fn new_session(&self, there: &Header) -> Option<Session> {
        let session = self.sessions.last()?;
        let same = there.sessions.last().is_some_and(|last| last.has_origin_of(session));
        (!same).then(|| session.clone())
    }

    /// Notes in the header of `folder` that `session` goes on there.
    pub(super) fn note_session(folder: &Path, session: Session) -> Result<()> {
        let mut header = Header::read(folder)?;
        let games_before = lines(&folder.join(GAMES))?;
        header.sessions.push(Session { games_before, ..session });
        write_json(&folder.join(HEADER), &header)
    }

    /// What a result says of where it comes from.
    pub(super) fn provenance(&self) -> Provenance<'_> {
        Provenance { engine: &self.engine, mixed: &self.mixed, sessions: &self.sessions }
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
