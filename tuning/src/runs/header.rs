//! `run.json`: which run a folder holds, and which builds played it.

use super::extension::Extension;
use super::fingerprint::Fingerprint;
use super::folder::{GAMES, HEADER};
use super::planned::PlannedRun;
use super::schedule::{Arguments, read_arguments};
use super::session::{Session, TimeScale};
use super::shard::Shard;
use super::text::first_few;
use crate::runs::files::{open, read_json, write_json};
use anyhow::{Context, Error, Result, anyhow, ensure};
use memchr::memchr_iter;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The arguments that may change when a run is extended.
const EXTENDABLE: [&str; 8] =
    ["agents", "axes", "budgets", "gauntlet", "iterations", "odds", "pairs", "settings"];

/// The maximum number of agents named in a message.
pub(super) const MAX_NAMED: usize = 3;

/// The arguments of a run, its shard in this folder, and the builds that played it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The kind of run: the command of `lab` that plays it.
    pub kind: String,
    /// Its arguments by name.
    pub arguments: Arguments,
    /// The shard whose games are in this folder; omitted for a whole run.
    #[serde(default, skip_serializing_if = "Shard::is_whole", with = "crate::play::text")]
    pub shard: Shard,
    /// The day on which the run began, in UTC: `2026-11-23`.
    #[serde(default)]
    pub began: String,
    /// Users' notes on the run, without control characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// If limits in seconds are scaled: the speed, in iterations per second, of the machine that they are meant for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_time: Option<f64>,
    /// How the agents played when the run began.
    pub engine: Fingerprint,
    /// Builds that continued this run under `--mixed-builds`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mixed: Vec<Successor>,
    /// Which programs played it, when and where.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sessions: Vec<Session>,
    /// Whether an extension still has to renumber the games: see [`Extension`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) renumbering: bool,
}

/// The origin of a result.
#[derive(Serialize)]
pub(super) struct Provenance<'a> {
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    engine: &'a Fingerprint,
    #[serde(skip_serializing_if = "<[Successor]>::is_empty")]
    mixed: &'a [Successor],
    sessions: &'a [Session],
}

/// A build that continued a run although its agents play differently.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Successor {
    /// The number of games that earlier builds had played.
    pub games_before: u64,
    /// How its agents play.
    pub engine: Fingerprint,
}

/// Whether games of a build that plays differently are accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Builds {
    /// No.
    #[default]
    Same,
    /// Yes, and `run.json` records it.
    Mixed,
    /// Yes, and nothing is recorded: for the folder of a merge, which compares the games themselves.
    Any,
}

/// The games in a folder can't be continued, because the agents play differently now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherPlay {
    /// The folder.
    pub folder: PathBuf,
    /// The agents that play differently, and the files that have changed.
    pub changed: String,
}

impl fmt::Display for OtherPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} holds games of a build that plays differently ({}); continue with the build that began the run, use \
             another folder, or pass --mixed-builds, which {HEADER} records",
            self.folder.display(),
            self.changed
        )
    }
}

impl std::error::Error for OtherPlay {}

/// The first difference between two headers; values are given as text.
pub(super) enum Difference {
    Kind,
    Argument(String, [String; 2]),
    Shard([String; 2]),
    /// The agents that play differently.
    Engine(Vec<String>),
}

impl Header {
    /// The header of a run that begins now, with agents that play like `engine`.
    pub(super) fn new(kind: &str, arguments: Arguments, shard: Shard, engine: Fingerprint) -> Header {
        let session = Session::here();
        Header {
            kind: kind.to_string(),
            arguments,
            shard,
            began: session.began.split('T').next().unwrap_or_default().to_string(),
            notes: Vec::new(),
            scale_time: None,
            engine,
            mixed: Vec::new(),
            sessions: vec![session],
            renumbering: false,
        }
    }

    /// How the agents played last.
    fn last(&self) -> &Fingerprint {
        self.mixed.last().map_or(&self.engine, |successor| &successor.engine)
    }

    fn last_mut(&mut self) -> &mut Fingerprint {
        self.mixed.last_mut().map_or(&mut self.engine, |successor| &mut successor.engine)
    }

    /// Reads the header in `folder`.
    ///
    /// # Errors
    /// The folder holds no run, or its header can't be read or is invalid.
    pub fn read(folder: &Path) -> Result<Header> {
        let path = folder.join(HEADER);
        ensure!(path.exists(), "{} holds no run: there is no {HEADER}", folder.display());
        read_json(&path)
    }

    /// The arguments as a `T`.
    ///
    /// # Errors
    /// They don't fit `T`.
    pub fn arguments_as<T: DeserializeOwned>(&self) -> Result<T> {
        read_arguments(&self.arguments)
            .with_context(|| format!("the arguments of this run of 'lab {}' are broken", self.kind))
    }

    /// Writes this header of `run` to `folder`, or checks that the folder's header describes the same run.
    ///
    /// If the run in the folder is to be extended, its files stay unchanged and its extended header is returned.
    pub(super) fn keep(
        &self,
        folder: &Path,
        builds: Builds,
        run: &PlannedRun,
    ) -> Result<Option<(Header, Extension)>> {
        let (path, here) = (folder.join(HEADER), folder.display());
        if !path.exists() {
            write_json(&path, self)?;
            return Ok(None);
        }
        let mut there: Header = read_json(&path)?;
        let is_other = there.kind == self.kind && there.arguments != self.arguments;
        let extension = match is_other {
            true => Extension::of(&there.arguments, run, builds)
                .with_context(|| format!("{here}: these arguments can't extend its run"))?,
            false => None,
        };
        let shorter = extension.as_ref().map(|extension| Header {
            arguments: there.arguments.clone(),
            engine: extension.engine.clone(),
            ..self.clone()
        });
        let is_mixed = match there.difference(shorter.as_ref().unwrap_or(self)) {
            None => false,
            Some(Difference::Engine(_)) if builds == Builds::Any => false,
            Some(Difference::Engine(_)) if builds == Builds::Mixed => true,
            Some(difference) => return Err(self.refusal(&there, &difference, folder)),
        };
        if is_mixed {
            let games_before = count_lines(&folder.join(GAMES))?;
            there.mixed.push(Successor { games_before, engine: self.engine.clone() });
        }
        let is_noted = there.note_all(&self.notes);
        let Some(extension) = extension else {
            if is_mixed || is_noted {
                write_json(&path, &there)?;
            }
            return Ok(None);
        };
        there.arguments = self.arguments.clone();
        if builds != Builds::Any {
            *there.last_mut() = self.engine.clone();
            let games_before = count_lines(&folder.join(GAMES))?;
            there.sessions.extend(self.new_sessions(&there, games_before));
        }
        Ok(Some((there, extension)))
    }

    /// Adds those of `notes` that are new. Returns whether there were any.
    pub(super) fn note_all(&mut self, notes: &[String]) -> bool {
        let before = self.notes.len();
        for note in notes {
            if !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
        self.notes.len() > before
    }

    /// Why this run can't continue in `folder`, whose header is `there`.
    pub(super) fn refusal(&self, there: &Header, difference: &Difference, folder: &Path) -> Error {
        let (here, kind, other) = (folder.display(), &self.kind, &there.kind);
        let changed = |name: &str, [before, now]: &[String; 2]| match (name, before.as_str()) {
            ("gauntlet", "nothing") => {
                "the run was a full round robin and can't become a gauntlet".to_string()
            }
            _ => format!("'{name}' was {before} and is now {now}"),
        };
        match difference {
            Difference::Kind => {
                anyhow!("{here} holds a run of 'lab {other}', not of 'lab {kind}'; use another folder")
            }
            Difference::Argument(name, values) => anyhow!(
                "{here} holds a run of 'lab {kind}' with other arguments; use another folder: {}. (A run can be \
                 extended, but neither shortened nor changed.)",
                changed(name, values)
            ),
            Difference::Shard(values) => anyhow!(
                "{here} holds another shard of this run; give each shard its own folder: {}",
                changed("shard", values)
            ),
            Difference::Engine(changed) => Error::new(OtherPlay {
                folder: folder.to_path_buf(),
                changed: first_few(changed, MAX_NAMED, ", "),
            }),
        }
    }

    /// The sessions of this header that are missing from `there`, the header of a run with `games` games.
    fn new_sessions(&self, there: &Header, games: u64) -> Vec<Session> {
        let with = |session: &Session, games_before| Session { games_before, ..session.clone() };
        let known = |session: &&Session| there.sessions.iter().any(|one| with(one, 0) == with(session, 0));
        let new = self.sessions.iter().filter(|session| !known(session));
        new.map(|session| with(session, session.games_before.max(games))).collect()
    }

    /// This header's session, unless the last one of `there` ran the same build on the same machine.
    pub(super) fn new_session(&self, there: &Header) -> Option<Session> {
        let session = self.sessions.last()?;
        let same = there.sessions.last().is_some_and(|last| last.has_origin_of(session));
        (!same).then(|| session.clone())
    }

    /// Records in the header of `folder` that `session` plays there.
    pub(super) fn note_session(folder: &Path, session: Session) -> Result<()> {
        let mut header = Header::read(folder)?;
        let games_before = count_lines(&folder.join(GAMES))?;
        header.sessions.push(Session { games_before, ..session });
        write_json(&folder.join(HEADER), &header)
    }

    pub(super) fn provenance(&self) -> Provenance<'_> {
        Provenance { notes: &self.notes, engine: &self.engine, mixed: &self.mixed, sessions: &self.sessions }
    }

    /// Appends the factors of `--scale-time` and the notes to `text`, a result.
    pub(super) fn annotate(&self, text: &mut String) {
        let scales = self.sessions.iter().filter_map(|session| session.time_scale);
        let factors: BTreeSet<String> = scales.map(TimeScale::factor_text).collect();
        if !factors.is_empty() {
            *text += &format!("\ntimes      {} by --scale-time", Vec::from_iter(factors).join(" and "));
        }
        self.notes.iter().for_each(|note| *text += &format!("\nnote       {note}"));
    }

    /// The first difference from `other`.
    pub(super) fn difference(&self, other: &Header) -> Option<Difference> {
        if self.kind != other.kind {
            return Some(Difference::Kind);
        }
        let names = self.arguments.keys().chain(other.arguments.keys());
        let [mine, its] = [self, other].map(|header| |name: &String| header.arguments.get(name));
        let show = |value: Option<&Value>| value.map_or("nothing".to_string(), Value::to_string);
        let differing = names.filter(|&name| mine(name) != its(name));
        // An argument that may change is blamed only if no other one differs.
        if let Some(name) = differing.min_by_key(|name| EXTENDABLE.contains(&name.as_str())) {
            return Some(Difference::Argument(name.clone(), [show(mine(name)), show(its(name))]));
        }
        if self.scale_time != other.scale_time {
            let show =
                |header: &Header| header.scale_time.map_or("nothing".to_string(), |speed| speed.to_string());
            return Some(Difference::Argument("scale-time".to_string(), [self, other].map(show)));
        }
        if self.shard != other.shard {
            return Some(Difference::Shard([self, other].map(|header| format!("\"{}\"", header.shard))));
        }
        let agents = self.last().differences(other.last());
        (!agents.is_empty()).then_some(Difference::Engine(agents))
    }
}

/// The number of complete lines. The last line is incomplete if the run was killed while writing it.
fn count_lines(path: &Path) -> Result<u64> {
    let mut reader = BufReader::new(open(path)?);
    let mut lines = 0;
    loop {
        let bytes = reader.fill_buf()?;
        let length = bytes.len();
        if length == 0 {
            return Ok(lines);
        }
        lines += memchr_iter(b'\n', bytes).count() as u64;
        reader.consume(length);
    }
}
