//! Arguments of the commands that play runs.

use super::JobsArgs;
use super::strict::StrictArgs;
use crate::bench::speed;
use crate::play::game::MAX_PLIES;
use crate::play::matches::{Settings, Terms};
use crate::play::openings::Openings;
use crate::play::text::{self, rules_parser};
use crate::play::time_control::TimeControlArgs;
use crate::play::whole_number::{positive, whole};
use crate::runs::{Builds, Shard};
use anyhow::Result;
use halma::rules::Rules;
use std::path::{Path, PathBuf};

/// Everything that games depend on, except the agents and the number of games.
#[derive(clap::Args)]
pub struct GamesArgs {
    #[command(flatten)]
    limit: TimeControlArgs,
    /// Seed of the openings and agents
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u64>)]
    seed: u64,
    /// Openings: 'start', 'random:MIN-MAX' (that many random plies, mostly forward), 'balanced:MIN-MAX' (the same,
    /// redrawn until neither side is ahead), or a file with one opening per line, such as '2,0 4,2; 13,15 11,13'
    #[arg(long, default_value_t = Openings::default().to_string(), value_name = "OPENINGS")]
    openings: String,
    /// Declare a game a draw after this many plies
    #[arg(long, default_value_t = MAX_PLIES as u32, value_name = "N", value_parser = positive::<u32>)]
    max_plies: u32,
    /// Rules of the games
    #[arg(long, value_name = "RULES", default_value = "addendum", value_parser = rules_parser())]
    rules: Rules,
    /// Record up to this many nodes of each search's tree for 'train evaluation': the most visited ones below the
    /// chosen play, except those the opponent's own search covers. A node takes 30 bytes. Programs, races, proofs and
    /// agents with a 'reuse' other than 'tree' record none
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = whole::<usize>)]
    tree_nodes: usize,
}

impl GamesArgs {
    /// The settings of a match of `a` and `b` over `games` games, rounded up to pairs. They have no sequential test and
    /// are not checked yet.
    ///
    /// # Errors
    /// No limit is given, or the openings can't be read.
    pub fn settings(&self, a: &str, b: &str, games: u64) -> Result<Settings> {
        let limit = self.limit.controls()?;
        let openings = Openings::parse(&self.openings)?;
        let Self { seed, max_plies, rules, tree_nodes, .. } = *self;
        let terms = Terms { seed, openings, max_plies, rules, tree_nodes };
        Ok(Settings::new([a, b], games.div_ceil(2), limit, terms))
    }
}

/// How a run is played and stored; no game depends on it.
#[derive(clap::Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    /// Folder for the games and the result [default: runs/NAME for a run described by NAME.toml, else none]. The same
    /// command continues an interrupted run there, and a command for a longer run extends it
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Play only part I of N of the games, into a folder of its own; 'lab merge' combines the parts
    #[arg(long, value_name = "I/N", requires = "out", default_value_t)]
    pub shard: Shard,
    #[command(flatten)]
    pub(crate) builds: BuildsArgs,
    /// Keep this line of text with the run, in its reports and exports; further notes are added to it
    #[arg(long, value_name = "TEXT", value_parser = line_of_text)]
    pub(crate) note: Option<String>,
    /// Multiply limits in seconds by REFERENCE divided by this machine's speed, measured first with the same number of
    /// --jobs. REFERENCE is the speed of another machine in iterations/s, or a file with the output of 'lab bench'
    /// there
    #[arg(long, value_name = "REFERENCE", value_parser = reference)]
    pub(crate) scale_time: Option<f64>,
    /// Keep each game, with the programs that it starts, on a core of its own
    #[arg(long)]
    pub(crate) pin: bool,
    #[command(flatten)]
    pub(crate) strict: StrictArgs,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// Parses a speed, or reads it from the output of `lab bench`, for clap.
fn reference(given: &str) -> Result<f64, String> {
    const EXPECTED: &str =
        "expected a speed in iterations/s, such as 350000, or a file with the output of 'lab bench'";
    let in_file = |lines: String| {
        let speed = lines.lines().find_map(|line| line.strip_prefix(speed::NAME)?.strip_prefix('\t'))?;
        speed.split('\t').next()?.parse().ok()
    };
    let speed = match given.parse() {
        Ok(speed) => Some(speed),
        Err(_) => in_file(text::read(Path::new(given)).map_err(|error| format!("{error:#}; {EXPECTED}"))?),
    };
    speed.filter(|&speed| speed > 0.0 && f64::is_finite(speed)).ok_or_else(|| EXPECTED.to_string())
}

/// Parses a line of text, for clap.
fn line_of_text(text: &str) -> Result<String, &'static str> {
    match text.trim() {
        "" => Err("expected some text"),
        _ if text.contains(char::is_control) => Err("expected one line of text without control characters"),
        line => Ok(line.to_string()),
    }
}

/// Whether to continue with games of another build.
#[derive(clap::Args)]
pub struct BuildsArgs {
    /// Accept games of a build that plays differently, and record that in run.json
    #[arg(long)]
    mixed_builds: bool,
}

impl BuildsArgs {
    pub(crate) fn choice(&self) -> Builds {
        if self.mixed_builds { Builds::Mixed } else { Builds::Same }
    }
}
