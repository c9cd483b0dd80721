//! Which engine played.
//!
//! A match that one build began and another went on with would be neither's if the two play
//! differently; so `run.json` says how the build plays, in two numbers that fixed searches give
//! in some hundredths of a second. What depends on more iterations than those searches have, they
//! can't see.

use crate::checksum::{self, FEW_ITERATIONS};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// How a build plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Engine {
    /// Tree search: the checksum that `lab bench --checksum` prints, but of shorter searches.
    pub checksum: String,
    /// The same for the other agents and the random openings.
    pub others: String,
}

impl Engine {
    /// This build. The first call takes the time of some searches.
    ///
    /// # Errors
    /// If an agent can't be made or finds no play.
    pub fn of_this_build() -> Result<&'static Engine> {
        static THIS: OnceLock<Engine> = OnceLock::new();
        if let Some(engine) = THIS.get() {
            return Ok(engine);
        }
        let engine = Engine {
            checksum: format!("{:016x}", checksum::of_fixed_searches(FEW_ITERATIONS)?),
            others: format!("{:016x}", checksum::of_other_play()?),
        };
        Ok(THIS.get_or_init(|| engine))
    }
}
