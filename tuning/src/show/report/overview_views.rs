//! What the page's template shows of whole runs: a tournament's ratings, a sweep's verdict, a tuning run's parameters.

use super::errorbar::EloAxis;
use super::overview::{Overview, RunOutcome};
use super::views::EloView;
use super::words::{percent, percents, points};
use crate::figures::plot::Figure;
use crate::play::matches::FirstMover;
use crate::runs::sweep::{self, BestSetting, SweepResult};
use crate::runs::tournament::{ENOUGH_PAIRS, Lost, Standing, Standings};
use crate::runs::tune::{self, Iteration, Tune, Tuned};
use anyhow::Result;
use std::ops::Range;

/// At most this many games that were not lost on the board are listed.
const MOST_LOST: usize = 500;

/// A run as a whole.
pub(super) struct OverviewView<'a> {
    /// Its folder below the one that is reported; empty if it is that.
    pub name: &'a str,
    /// What the page's links call it.
    pub link: &'static str,
    /// Games that have ended, and those that are planned.
    pub games: [u64; 2],
    pub part: Part<'a>,
}

/// What there is to show of it.
pub(super) enum Part<'a> {
    Tournament(TournamentView<'a>),
    Sweep(SweepView<'a>),
    Tune(TuneView<'a>),
}

/// A tournament: ratings and who beat whom.
pub(super) struct TournamentView<'a> {
    pub ratings: Vec<RatingView<'a>>,
    pub with_prior: bool,
    /// What it was worth to move first.
    pub first_mover: FirstMover,
    /// The fewest pairs of games of two agents, if they are too few for the intervals.
    pub too_few_pairs: Option<u64>,
    pub cross: Vec<CrossLine<'a>>,
    pub lost: Vec<LostView<'a>>,
    /// How many more such games there are.
    pub more_lost: usize,
}

/// A game that an agent lost otherwise than on the board.
pub(super) struct LostView<'a> {
    pub lost: &'a Lost,
    /// The place of its match among the page's.
    pub place: usize,
    /// Its place in the list of that match.
    pub game: usize,
    pub why: String,
}

/// An agent's rating.
pub(super) struct RatingView<'a> {
    pub standing: &'a Standing,
    pub elo: EloView,
    /// The lead over the next line, with its interval.
    pub lead: Option<EloView>,
    pub points: String,
}

/// An agent's line of the cross table.
pub(super) struct CrossLine<'a> {
    pub agent: &'a str,
    pub cells: Vec<CrossCell>,
}

/// The points of one agent against another.
pub(super) struct CrossCell {
    pub points: String,
    /// `points of games`, or nothing on the diagonal.
    pub told: String,
    /// `a` if it has more than half of the points, `b` if less.
    pub class: &'static str,
    /// How far from half of them, 0…100.
    pub strength: f64,
}

/// A sweep: which settings may be the best.
pub(super) struct SweepView<'a> {
    pub result: &'a SweepResult,
    pub verdicts: Vec<VerdictView<'a>>,
    /// What it was worth to move first, at each budget.
    pub first_mover: Vec<(String, FirstMover)>,
    /// A line for each setting, if each met several opponents.
    pub rows: Vec<RowView>,
    pub figures: Vec<Figure>,
}

/// A sweep's verdict at a budget.
pub(super) struct VerdictView<'a> {
    pub verdict: &'a BestSetting,
    pub score: String,
    /// All others that may be the best.
    pub rivals: Vec<&'a str>,
    /// What is known of it and the opponent, if there is one.
    pub opponent: Option<String>,
}

/// A setting's results against all others.
pub(super) struct RowView {
    pub budget: String,
    pub name: String,
    pub games: u64,
    pub outcomes: [u64; 3],
    pub score: String,
    pub scores: String,
    pub elo: EloView,
    pub los: String,
}

/// A tuning run.
pub(super) struct TuneView<'a> {
    pub tune: &'a Tune,
    pub tuned: &'a Tuned,
    pub limit: String,
    pub figures: Vec<Figure>,
    pub steps: Vec<StepView<'a>>,
    /// Their matches' places among the page's.
    places: Range<usize>,
}

/// An iteration of it.
pub(super) struct StepView<'a> {
    /// The place of its match among the page's.
    pub place: usize,
    pub step: &'a Iteration,
    pub values: Vec<String>,
    pub result: String,
}

impl<'a> OverviewView<'a> {
    pub fn new(overview: &'a Overview) -> Result<OverviewView<'a>> {
        let (link, part) = match &overview.outcome {
            RunOutcome::Tournament(standings, places) => {
                let view = TournamentView::new(standings, places, overview.contests.start);
                ("Ratings", Part::Tournament(view))
            }
            RunOutcome::Sweep(result) => ("Verdict", Part::Sweep(SweepView::new(result)?)),
            RunOutcome::Tune(tune, tuned) => {
                ("Tuning", Part::Tune(TuneView::new(tune, tuned, overview.contests.start)?))
            }
        };
        Ok(OverviewView { name: &overview.name, link, games: overview.games, part })
    }

    /// Its plots.
    pub fn figures(&self) -> &[Figure] {
        match &self.part {
            Part::Tournament(_) => &[],
            Part::Sweep(view) => &view.figures,
            Part::Tune(view) => &view.figures,
        }
    }

    /// Whether it is a tuning run that shows the match at this place of the page as one of its steps.
    pub fn has_step(&self, place: usize) -> bool {
        matches!(&self.part, Part::Tune(view) if view.places.contains(&place))
    }
}

impl<'a> TournamentView<'a> {
    /// The view of `standings`, whose first match is the page's match number `first`; the games that were not lost on
    /// the board are at `places` in their lists.
    fn new(standings: &'a Standings, places: &[usize], first: usize) -> TournamentView<'a> {
        let lines = &standings.standings;
        let axis = EloAxis::of(lines.iter().map(|one| one.elo_interval));
        let rating = |standing: &'a Standing| {
            let lead = standing.lead.zip(standing.lead_interval);
            RatingView {
                standing,
                elo: EloView::new(standing.elo, standing.elo_interval, axis),
                lead: lead.map(|(lead, interval)| EloView::new(lead, interval, axis)),
                points: points(standing.points),
            }
        };
        let cross = |(row, (cells, games)): (&'a Standing, (&Vec<Option<f64>>, &Vec<u64>))| {
            let cells = cells.iter().zip(games).map(|(&won, &games)| CrossCell::new(won, games));
            CrossLine { agent: &row.agent, cells: cells.collect() }
        };
        let lost = standings.lost.iter().zip(places);
        let lost = lost.map(|(lost, &game)| LostView {
            lost,
            place: first + lost.match_number - 1,
            game,
            why: lost.forfeit.to_string(),
        });
        let table = standings.cross_table.iter().zip(&standings.cross_games);
        TournamentView {
            ratings: lines.iter().map(rating).collect(),
            with_prior: standings.with_prior,
            first_mover: standings.first_mover,
            too_few_pairs: Some(standings.fewest_pairs).filter(|&pairs| pairs < ENOUGH_PAIRS),
            cross: lines.iter().zip(table).map(cross).collect(),
            lost: lost.take(MOST_LOST).collect(),
            more_lost: standings.lost.len().saturating_sub(MOST_LOST),
        }
    }
}

impl CrossCell {
    fn new(won: Option<f64>, games: u64) -> CrossCell {
        let Some(won) = won else {
            return CrossCell { points: "·".to_string(), told: String::new(), class: "self", strength: 0.0 };
        };
        let lead = 2.0 * won / games.max(1) as f64 - 1.0;
        let points = points(won);
        let told = format!("{points} of {games}");
        let class = if lead > 0.0 { "a" } else { "b" };
        CrossCell { points, told, class, strength: if games > 0 { 100.0 * lead.abs() } else { 0.0 } }
    }
}

impl<'a> SweepView<'a> {
    fn new(result: &'a SweepResult) -> Result<SweepView<'a>> {
        let sweep = &result.sweep;
        let axis = EloAxis::of(result.rows.iter().map(|row| row.elo_interval));
        let row = |row: &sweep::Row| RowView {
            budget: sweep.budgets[row.budget].limit.label(),
            name: sweep.name(row.setting),
            games: row.games,
            outcomes: [row.wins, row.draws, row.losses],
            score: percent(row.score),
            scores: percents(row.score_interval),
            elo: EloView::new(row.elo, row.elo_interval, axis),
            los: percent(row.los),
        };
        let each_other = sweep.opponent.is_none();
        let budgets = sweep.budgets.iter().map(|budget| budget.limit.label());
        Ok(SweepView {
            result,
            verdicts: result.verdicts.iter().map(VerdictView::new).collect(),
            first_mover: budgets.zip(result.first_mover.iter().copied()).collect(),
            rows: result.rows.iter().filter(|_| each_other).map(row).collect(),
            figures: sweep_figures(result)?,
        })
    }
}

impl VerdictView<'_> {
    fn new(verdict: &BestSetting) -> VerdictView<'_> {
        let rivals = verdict.contenders.iter().filter(|&name| *name != verdict.best);
        let opponent = verdict.p_not_better_than_opponent.map(|p| match p < 0.05 {
            true => {
                format!("better (p = {})", if p < 1e-4 { "0.0001 or less".into() } else { format!("{p:.4}") })
            }
            false => "not proved better".to_string(),
        });
        VerdictView {
            verdict,
            score: percent(verdict.score),
            rivals: rivals.map(String::as_str).collect(),
            opponent,
        }
    }
}

impl<'a> TuneView<'a> {
    /// The view of `tune`, whose first iteration is the page's match number `first`.
    fn new(tune: &'a Tune, tuned: &'a Tuned, first: usize) -> Result<TuneView<'a>> {
        let step = |(at, step): (usize, &'a Iteration)| {
            let digits = |value: &f64| {
                let text = format!("{value:.4}");
                text.trim_end_matches('0').trim_end_matches('.').to_string()
            };
            StepView {
                place: first + at,
                step,
                values: step.values.iter().map(digits).collect(),
                // Points of the one side less those of the other in all pairs.
                result: super::words::minus(format!("{:+}", step.result * step.pairs.pairs() as f64)),
            }
        };
        Ok(TuneView {
            tune,
            tuned,
            limit: tune.budget.label(),
            figures: tune::plot(tune, tuned).figures()?,
            steps: tuned.steps.iter().enumerate().map(step).collect(),
            places: first..first + tuned.steps.len(),
        })
    }
}

/// The plots of a sweep, each panel by itself.
fn sweep_figures(result: &SweepResult) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (_, plot) in sweep::plots(result) {
        figures.extend(plot.figures()?);
    }
    Ok(figures)
}
