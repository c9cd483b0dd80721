//! The page: the values that fill its template.

use super::contest::{Contest, ListedGame};
use super::errorbar::{Bar, EloAxis};
use super::plots::{Plot, plots};
use super::replay::Replay;
use super::source::{RunPlot, Whole};
use crate::drawing;
use crate::matches::{AgentFigures, Summary};
use crate::statistics::Interval;
use crate::tournament::Standing;
use anyhow::Result;
use askama::Template;
use halma::game::Player;
use halma::rules::{BLACK, WHITE, camp};
use serde::Serialize;

/// The page's template.
#[derive(Template)]
#[template(path = "page.html", escape = "html")]
struct Page<'a> {
    title: &'a str,
    styles: [&'static str; 2],
    scripts: [&'static str; 4],
    board: String,
    data: String,
    axis_end: f64,
    ratings: Vec<RatingView<'a>>,
    pictures: &'a [RunPlot],
    matches: Vec<MatchView<'a>>,
    games: usize,
    replays: usize,
}

/// An agent's rating, as the page shows it.
struct RatingView<'a> {
    standing: &'a Standing,
    elo: String,
    lead: String,
    bar: Bar,
}

/// The ratings' lines, with bars on an axis of their own.
fn rating_views(standings: &[Standing]) -> Vec<RatingView<'_>> {
    let interval = |one: &Standing| Interval { from: one.elo - one.elo_error, to: one.elo + one.elo_error };
    let axis = EloAxis::of(standings.iter().map(interval));
    standings
        .iter()
        .map(|standing| RatingView::new(standing, axis.bar(standing.elo, interval(standing))))
        .collect()
}

impl RatingView<'_> {
    fn new(standing: &Standing, bar: Bar) -> RatingView<'_> {
        let with_error = |elo: f64, error: f64| format!("{elo:+.1} ± {error:.1}").replace('-', "−");
        let lead = standing.lead.zip(standing.lead_error);
        RatingView {
            standing,
            elo: with_error(standing.elo, standing.elo_error),
            lead: lead.map_or(String::new(), |(lead, error)| with_error(lead, error)),
            bar,
        }
    }
}

/// A match, as the page shows it.
struct MatchView<'a> {
    name: &'a str,
    names: &'a [String; 2],
    facts: &'a [(&'static str, String)],
    outcomes: [usize; 3],
    widths: [f64; 3],
    planned: u64,
    games: usize,
    result: Option<ResultView<'a>>,
    plots: Vec<Plot>,
}

/// A match's result, in words and as a bar.
struct ResultView<'a> {
    summary: &'a Summary,
    elo: String,
    score: String,
    los: String,
    sprt: Option<String>,
    bar: Bar,
    pairs: [u64; 5],
    agents: [(char, &'a AgentFigures, f64); 2],
}

impl<'a> MatchView<'a> {
    fn new(contest: &'a Contest, axis: EloAxis) -> Result<MatchView<'a>> {
        let outcomes = contest.outcomes();
        let games = contest.games.len();
        Ok(MatchView {
            name: &contest.name,
            names: &contest.names,
            facts: &contest.facts,
            outcomes,
            widths: outcomes.map(|count| 100.0 * count as f64 / games.max(1) as f64),
            planned: contest.games_planned,
            games,
            result: contest.summary.as_ref().map(|summary| ResultView::new(summary, axis)),
            plots: plots(contest)?,
        })
    }
}

impl<'a> ResultView<'a> {
    fn new(summary: &'a Summary, axis: EloAxis) -> ResultView<'a> {
        let [a, b] = &summary.agents;
        let milliseconds = |agent: &AgentFigures| 1e3 * agent.seconds / agent.decisions.max(1) as f64;
        ResultView {
            summary,
            elo: summary.elo_text().replace('-', "−"),
            score: format!("{:.1} %", 100.0 * summary.score),
            los: format!("{:.1} %", 100.0 * summary.los),
            sprt: summary.sprt_text(),
            bar: axis.bar(summary.elo, summary.elo_interval),
            pairs: summary.pairs.counts(),
            agents: [('A', a, milliseconds(a)), ('B', b, milliseconds(b))],
        }
    }
}

/// What the scripts read.
#[derive(Serialize)]
struct Data<'a> {
    /// The squares of both camps: where the pieces start.
    camps: [Vec<String>; 2],
    matches: Vec<MatchData<'a>>,
}

#[derive(Serialize)]
struct MatchData<'a> {
    name: &'a str,
    names: &'a [String; 2],
    games: Vec<GameData<'a>>,
}

impl MatchData<'_> {
    fn new(contest: &Contest) -> MatchData<'_> {
        let games = contest.games.iter().map(GameData::new).collect();
        MatchData { name: &contest.name, names: &contest.names, games }
    }
}

/// A game: 0 stands for A and 1 for B.
#[derive(Serialize)]
struct GameData<'a> {
    number: u64,
    black: usize,
    winner: Option<usize>,
    reason: &'a str,
    plies: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<&'a Replay>,
}

impl GameData<'_> {
    fn new(game: &ListedGame) -> GameData<'_> {
        let &ListedGame { number, black, winner, ref reason, plies, ref replay, .. } = game;
        let winner = winner.map(|winner| winner as usize);
        GameData { number, black: black as usize, winner, reason, plies, replay: replay.as_ref() }
    }
}

/// The data as JSON that may stand in a script element: without `<`, which could end the element.
fn data(contests: &[Contest]) -> Result<String> {
    let squares =
        |side: Player| camp(side).into_iter().map(|at| format!("{:x}{:x}", at.x(), at.y())).collect();
    let data = Data {
        camps: [squares(BLACK), squares(WHITE)],
        matches: contests.iter().map(MatchData::new).collect(),
    };
    Ok(serde_json::to_string(&data)?.replace('<', "\\u003c"))
}

/// The page about `run`, called `title`.
///
/// # Errors
/// A plot can't be drawn.
pub(super) fn render(title: &str, run: &Whole) -> Result<String> {
    let Whole { contests, standings, pictures } = run;
    let summaries = contests.iter().filter_map(|contest| contest.summary.as_ref());
    let axis = EloAxis::of(summaries.map(|summary| summary.elo_interval));
    let matches: Result<Vec<MatchView<'_>>> =
        contests.iter().map(|contest| MatchView::new(contest, axis)).collect();
    let games = || contests.iter().flat_map(|contest| &contest.games);
    let page = Page {
        title,
        styles: [include_str!("page.css"), drawing::STYLE],
        scripts: [
            include_str!("board.js"),
            include_str!("curve.js"),
            include_str!("list.js"),
            include_str!("player.js"),
        ],
        board: drawing::empty()?,
        data: data(contests)?,
        axis_end: axis.end,
        ratings: rating_views(standings),
        pictures,
        matches: matches?,
        games: games().count(),
        replays: games().filter(|game| game.replay.is_some()).count(),
    };
    Ok(page.render()?)
}
