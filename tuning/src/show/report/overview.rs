//! The result of a run beyond its matches: ratings, best settings, tuned parameters.

use super::contest::Contest;
use super::elo::EloAxis;
use super::words::points;
use crate::figures::plot::Figure;
use crate::play::matches::Count;
use crate::runs::RecordedRun;
use crate::runs::sweep::{self, Sweep, SweepResult};
use crate::runs::tournament::{Lost, Standings, Tournament};
use crate::runs::tune::{self, Tune, Tuned};
use anyhow::{Context, Result};
use std::ops::Range;

/// A run of several matches.
pub(super) struct Overview {
    /// The run's folder below the reported one; empty if they are the same.
    pub name: String,
    /// The indices of its matches among all matches on the page.
    pub contests: Range<usize>,
    /// The numbers of finished and of planned games.
    pub games: [u64; 2],
    /// Its result so far.
    pub outcome: RunOutcome,
}

/// The result of a run.
pub(super) enum RunOutcome {
    /// A tournament, and the index of each forfeited game in the list of its match.
    Tournament(Standings, Vec<usize>),
    Sweep(SweepResult),
    Tune(Tune, Tuned),
}

/// The points of one agent against another.
pub(super) struct CrossCell {
    pub points: String,
    /// `points of games`; empty on the diagonal.
    pub title: String,
    /// `a` for more than half of the points, else `b`; `self` on the diagonal.
    pub class: &'static str,
    /// How far the agent's share of the points is from a half, 0…100.
    pub strength: f64,
}

impl Overview {
    /// The overview of `run`; `None` if it is a single match. `contests` are the run's matches, and `first` is the
    /// index of the first one on the page.
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
                let counts = run.joint_counts.as_ref().unwrap_or(&counts);
                let whole =
                    counts.iter().take_while(|count| count.results.len() as u64 == tune.pairs).count();
                let tuned = Tuned::of(&tune, &counts[..whole])?;
                RunOutcome::Tune(tune, tuned)
            }
            _ => return Ok(None),
        };
        let ended = contests.iter().map(|contest| contest.games.len() as u64).sum();
        let planned = match &outcome {
            RunOutcome::Tune(tune, _) => {
                run.header.shard.count_games(tune.pairs).saturating_mul(tune.iterations)
            }
            _ => contests.iter().map(|contest| contest.games_planned).sum(),
        };
        Ok(Some(Overview { name, contests: first..first + contests.len(), games: [ended, planned], outcome }))
    }

    /// Its heading and the text of links to it.
    pub fn title(&self) -> &'static str {
        match self.outcome {
            RunOutcome::Tournament(..) => "Ratings",
            RunOutcome::Sweep(_) => "Verdict",
            RunOutcome::Tune(..) => "Tuning",
        }
    }

    /// Its plots.
    pub fn figures(&self) -> Result<Vec<Figure>> {
        match &self.outcome {
            RunOutcome::Tournament(..) => Ok(Vec::new()),
            RunOutcome::Sweep(result) => {
                let plots = sweep::plots(result).into_iter().map(|(_, plot)| plot.figures());
                Ok(plots.collect::<Result<Vec<_>>>()?.concat())
            }
            RunOutcome::Tune(tune, tuned) => tune::plot(tune, tuned).figures(),
        }
    }

    /// The axis of its Elo differences.
    pub fn axis(&self) -> EloAxis {
        match &self.outcome {
            RunOutcome::Tournament(standings, _) => {
                EloAxis::of(standings.standings.iter().map(|one| one.elo_interval))
            }
            RunOutcome::Sweep(result) => EloAxis::of(result.rows.iter().map(|row| row.elo_interval)),
            RunOutcome::Tune(..) => EloAxis::of([].into_iter()),
        }
    }
}

impl CrossCell {
    /// The cells of row `row` of the cross table.
    pub fn line(standings: &Standings, row: &usize) -> Vec<CrossCell> {
        let cells = standings.cross_table[*row].iter().zip(&standings.cross_games[*row]);
        cells.map(|(&won, &games)| CrossCell::of(won, games)).collect()
    }

    fn of(won: Option<f64>, games: u64) -> CrossCell {
        let Some(won) = won else {
            return CrossCell {
                points: "·".to_string(), title: String::new(), class: "self", strength: 0.0
            };
        };
        let lead = 2.0 * won / games.max(1) as f64 - 1.0;
        CrossCell {
            points: points(won),
            title: format!("{} of {games}", points(won)),
            class: if lead > 0.0 { "a" } else { "b" },
            strength: if games > 0 { 100.0 * lead.abs() } else { 0.0 },
        }
    }
}
