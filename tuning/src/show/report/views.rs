//! What the page's template shows of matches: figures ready to be written, and places on drawings.

use super::contest::Contest;
use super::errorbar::{Bar, EloAxis};
use super::plots::plots;
use super::words::{elo, elo_interval, minus, percent, percents};
use crate::figures::plot::Figure;
use crate::play::matches::{AgentFigures, Summary};
use anyhow::Result;

/// A match, as the page shows it.
pub(super) struct MatchView<'a> {
    /// Its place among the page's matches.
    pub place: usize,
    pub name: &'a str,
    pub names: &'a [String; 2],
    pub facts: &'a [(&'static str, String)],
    pub outcomes: [usize; 3],
    /// The outcomes in per cent.
    pub widths: [f64; 3],
    pub planned: u64,
    pub games: usize,
    pub result: Option<ResultView<'a>>,
    pub plots: Vec<Figure>,
}

/// A match's result, in words and as a bar.
pub(super) struct ResultView<'a> {
    pub summary: &'a Summary,
    pub elo: EloView,
    pub score: String,
    pub los: String,
    /// Normalized Elo with its interval.
    pub normalized: String,
    pub first_mover: String,
    pub first_mover_range: String,
    pub sprt: Option<String>,
    pub pairs: [u64; 5],
    pub agents: [(char, &'a AgentFigures, f64); 2],
}

/// An Elo difference.
pub(super) struct EloView {
    /// The estimate, or the interval where there is none.
    pub estimate: String,
    /// The 95 % interval, if it is not the estimate already.
    pub interval: String,
    pub bar: Bar,
}

impl EloView {
    pub fn new(difference: f64, interval: crate::stats::Interval, axis: EloAxis) -> EloView {
        let (bar, range) = (axis.bar(difference, interval), elo_interval(interval));
        let known = difference.is_finite() && (interval.from.is_finite() || interval.to.is_finite());
        let (estimate, interval) = if known { (elo(difference), range) } else { (range, String::new()) };
        EloView { estimate, interval, bar }
    }

    /// Both in words.
    pub fn told(&self) -> String {
        let EloView { estimate, interval, .. } = self;
        if interval.is_empty() { estimate.clone() } else { format!("{estimate}, 95 %: {interval}") }
    }
}

impl<'a> MatchView<'a> {
    pub fn new(place: usize, contest: &'a Contest, axis: EloAxis) -> Result<MatchView<'a>> {
        let outcomes = contest.outcomes();
        let games = contest.games.len();
        let result = contest.summary.as_ref().map(|summary| ResultView::new(summary, axis));
        // A step of tuning, without a result, has too few games for plots; a referee's log has enough.
        let of_tuning = result.is_none() && contest.count.is_some();
        Ok(MatchView {
            place,
            name: &contest.name,
            names: &contest.names,
            facts: &contest.facts,
            outcomes,
            widths: outcomes.map(|count| 100.0 * count as f64 / games.max(1) as f64),
            planned: contest.games_planned,
            games,
            result,
            plots: if of_tuning { Vec::new() } else { plots(contest)? },
        })
    }
}

impl<'a> ResultView<'a> {
    pub fn new(summary: &'a Summary, axis: EloAxis) -> ResultView<'a> {
        let [a, b] = &summary.agents;
        let milliseconds = |agent: &AgentFigures| 1e3 * agent.seconds / agent.decisions.max(1) as f64;
        ResultView {
            summary,
            elo: EloView::new(summary.elo, summary.elo_interval, axis),
            score: percent(summary.score),
            los: percent(summary.los),
            normalized: EloView::new(summary.normalized_elo, summary.normalized_elo_interval, axis).told(),
            first_mover: percent(summary.first_mover.score),
            first_mover_range: summary.first_mover.score_interval.map(percents).unwrap_or_default(),
            sprt: summary.sprt_text().map(minus),
            pairs: summary.pairs.counts(),
            agents: [('A', a, milliseconds(a)), ('B', b, milliseconds(b))],
        }
    }
}
