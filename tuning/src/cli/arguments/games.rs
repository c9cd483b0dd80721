//! Arguments of the commands that let agents of the library play: on what the games depend, and how
//! the run goes.

use super::JobsArgs;
use crate::play::matches::{Settings, Terms};
use crate::play::openings::Openings;
use crate::play::text::rules_parser;
use crate::play::time_control::TimeControlArgs;
use crate::play::whole_number::{positive, whole};
use crate::runs::{Builds, Shard};
use anyhow::Result;
use halma::rules::Rules;
use std::path::PathBuf;

/// On what games depend, but for who plays and how often.
#[derive(clap::Args)]
pub struct GamesArgs {
    #[command(flatten)]
    limit: TimeControlArgs,
    /// The number from which openings and agents' seeds follow.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Where games begin: 'start', 'random:LEAST-MOST' plies (which go forward by and large), 'balanced:LEAST-MOST' (the
    /// same, drawn again until neither side is ahead), or a file with one opening a line, such as
    /// '2,0 4,2; 13,15 11,13'.
    #[arg(long, default_value = "random:4-10", value_name = "OPENINGS")]
    openings: String,
    /// A game of this many plies is a draw.
    #[arg(long, default_value_t = 400, value_name = "N", value_parser = positive::<u32>)]
    max_plies: u32,
    /// The rules of the games.
    #[arg(long, value_name = "RULES", default_value = "addendum", value_parser = rules_parser())]
    rules: Rules,
    /// Write down at most this many nodes of each search's tree, those visited most below the play decided on, for
    /// 'train evaluation'. The answer and what is below it are left to the opponent's search. A node takes 30 bytes;
    /// there are none of programs, races, proofs and agents with another 'reuse' than 'tree'.
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = whole::<usize>)]
    tree_nodes: usize,
}

impl GamesArgs {
    /// The match of `a` and `b` over `games` games, rounded up to pairs, without sequential test; not
    /// yet checked.
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

/// How a run goes; no game depends on it.
#[derive(clap::Args)]
pub struct RunArgs {
    #[command(flatten)]
    jobs: JobsArgs,
    /// Where to keep the games [default: of a run that a file describes runs/ and the file's name, else nowhere].
    /// Started again with the same arguments, or asked for more games, the run goes on there.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Play part I of N of the games only, into a folder of its own; 'lab merge' puts the parts together.
    #[arg(long, value_name = "I/N", requires = "out", default_value_t)]
    pub shard: Shard,
    /// What to do with games of another build.
    #[command(flatten)]
    pub builds: BuildsArgs,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// What to do with games of another build.
#[derive(clap::Args)]
pub struct BuildsArgs {
    /// Take the games that are there though a build played them that plays differently; run.json then says so.
    #[arg(long)]
    mixed_builds: bool,
}

impl BuildsArgs {
    /// What was asked.
    pub fn builds(&self) -> Builds {
        if self.mixed_builds { Builds::Mixed } else { Builds::Same }
    }
}

impl RunArgs {
    /// How many games to play at the same time.
    pub fn jobs(&self) -> usize {
        self.jobs.threads()
    }
}
