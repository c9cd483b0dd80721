//! What a run as a whole has come to, beyond its matches.

use super::contest::Contest;
use crate::play::matches::Count;
use crate::runs::RecordedRun;
use crate::runs::sweep::{Sweep, SweepResult};
use crate::runs::tournament::{Lost, Standings, Tournament};
use crate::runs::tune::{Tune, Tuned};
use anyhow::{Context, Result};
use std::ops::Range;

/// A run with more to say than its matches have.
pub(super) struct Overview {
    /// The run's folder below the one that is reported; empty if it is that one.
    pub name: String,
    /// The places of its matches among all of the page.
    pub contests: Range<usize>,
    /// Games that have ended, and those that are planned.
    pub games: [u64; 2],
    /// What it has come to so far.
    pub outcome: RunOutcome,
}

/// What a run has come to.
pub(super) enum RunOutcome {
    /// A tournament's ratings, and for each game that was not lost on the board its place in the list of its match.
    Tournament(Standings, Vec<usize>),
    /// A sweep's settings, and which may be the best.
    Sweep(SweepResult),
    /// A tuning run's parameters.
    Tune(Tune, Tuned),
}

impl Overview {
    /// What `run` has come to by its matches `contests`, which begin at the place `first` of the page; `None` if it
    /// is a single match.
    ///
    /// # Errors
    /// The run's arguments are broken.
    pub fn of(
        name: String,
        run: &RecordedRun,
        first: usize,
        contests: &[Contest],
    ) -> Result<Option<Overview>> {
        let counts: Vec<Count> = contests.iter().filter_map(|contest| contest.count.clone()).collect();
        let context = || format!("in {}", run.folder.display());
        let outcome = match run.header.kind.as_str() {
            "tournament" => {
                let tournament: Tournament = run.header.arguments_as().with_context(context)?;
                let standings = tournament.standings(&counts)?;
                let place = |lost: &Lost| {
                    let mut games = contests[lost.match_number - 1].games.iter();
                    games.position(|game| game.number == lost.forfeit.game).unwrap_or(0)
                };
                let places = standings.lost.iter().map(place).collect();
                RunOutcome::Tournament(standings, places)
            }
            "sweep" => {
                let sweep: Sweep = run.header.arguments_as().with_context(context)?;
                RunOutcome::Sweep(SweepResult::of(&sweep, &counts))
            }
            "tune" => {
                let tune: Tune = run.header.arguments_as().with_context(context)?;
                let whole = counts.iter().take_while(|count| count.pairs.pairs() == tune.pairs).count();
                let tuned = Tuned::of(&tune, &counts[..whole])?;
                RunOutcome::Tune(tune, tuned)
            }
            _ => return Ok(None),
        };
        let ended = contests.iter().map(|contest| contest.games.len() as u64).sum();
        let planned = match &outcome {
            RunOutcome::Tune(tune, _) => 2 * tune.pairs * tune.iterations,
            _ => contests.iter().map(|contest| contest.games_planned).sum(),
        };
        Ok(Some(Overview { name, contests: first..first + contests.len(), games: [ended, planned], outcome }))
    }
}
