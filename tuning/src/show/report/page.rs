//! The page: the values that fill its template, and the data that its scripts read.

use super::contest::{Contest, ListedGame};
use super::errorbar::EloAxis;
use super::overview_views::{OverviewView, Part};
use super::replay::Replay;
use super::source::{Picture, Whole};
use super::views::MatchView;
use crate::figures::drawing;
use anyhow::Result;
use askama::Template;
use serde::Serialize;
use std::num::NonZeroU64;

/// The styles, general ones first.
const STYLES: [&str; 6] = [
    include_str!("page/base.css"),
    include_str!("page/tables.css"),
    include_str!("page/result.css"),
    include_str!("page/game.css"),
    include_str!("page/plots.css"),
    drawing::STYLE,
];

/// The scripts. Each uses names of those before it.
const SCRIPTS: [&str; 7] = [
    drawing::SCRIPT,
    include_str!("page/curve.js"),
    include_str!("page/game-list.js"),
    include_str!("page/lists.js"),
    include_str!("page/player.js"),
    include_str!("page/keys.js"),
    include_str!("page/start.js"),
];

/// The page's template.
#[derive(Template)]
#[template(path = "page.html", escape = "html")]
struct Page<'a> {
    title: &'a str,
    /// After how many seconds a browser loads it again.
    refresh: Option<NonZeroU64>,
    board: String,
    data: String,
    axis_end: f64,
    overviews: Vec<OverviewView<'a>>,
    pictures: &'a [Picture],
    matches: Vec<MatchView<'a>>,
    games: usize,
    replays: usize,
}

impl Page<'_> {
    /// The matches that have a line in the table of matches; steps of tuning have one of their own.
    fn listed(&self) -> Vec<&MatchView<'_>> {
        let of_tuning =
            |one: &MatchView<'_>| self.overviews.iter().any(|overview| overview.has_step(one.place));
        self.matches.iter().filter(|one| !of_tuning(one)).collect()
    }

    /// Whether there are plots of matches.
    fn has_plots(&self) -> bool {
        self.matches.iter().any(|one| !one.plots.is_empty())
    }

    /// Whether there is a table of matches: with one match alone there is nothing to choose.
    fn has_table(&self) -> bool {
        self.matches.len() > 1 && !self.listed().is_empty()
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
pub(super) struct GameData<'a> {
    number: u64,
    black: usize,
    winner: Option<usize>,
    reason: &'a str,
    plies: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<&'a Replay>,
}

impl GameData<'_> {
    pub fn new(game: &ListedGame) -> GameData<'_> {
        let &ListedGame { number, black, winner, ref reason, plies, ref replay, .. } = game;
        let winner = winner.map(|winner| winner as usize);
        GameData { number, black: black as usize, winner, reason, plies, replay: replay.as_ref() }
    }
}

/// The data as JSON that may stand in a script element: without `<`, which could end the element.
fn data(contests: &[Contest]) -> Result<String> {
    let data = Data { camps: drawing::camps(), matches: contests.iter().map(MatchData::new).collect() };
    Ok(serde_json::to_string(&data)?.replace('<', "\\u003c"))
}

/// The page about `run`, called `title`, which browsers load again after `refresh` seconds.
///
/// # Errors
/// A plot can't be drawn.
pub(super) fn render(title: &str, run: &Whole, refresh: Option<NonZeroU64>) -> Result<String> {
    let Whole { contests, overviews, pictures, .. } = run;
    let summaries = contests.iter().filter_map(|contest| contest.summary.as_ref());
    let axis = EloAxis::of(summaries.map(|summary| summary.elo_interval));
    let matches = contests.iter().enumerate();
    let matches: Result<Vec<MatchView<'_>>> =
        matches.map(|(place, contest)| MatchView::new(place, contest, axis)).collect();
    let overviews: Result<Vec<OverviewView<'_>>> = overviews.iter().map(OverviewView::new).collect();
    let games = || contests.iter().flat_map(|contest| &contest.games);
    let page = Page {
        title,
        refresh,
        board: drawing::empty()?,
        data: data(contests)?,
        axis_end: axis.end,
        overviews: overviews?,
        pictures,
        matches: matches?,
        games: games().count(),
        replays: games().filter(|game| game.replay.is_some()).count(),
    };
    Ok(page.render()?)
}
