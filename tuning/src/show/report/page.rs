//! The page: the values for its template, and the data for its scripts.

use super::contest::Contest;
use super::elo::EloAxis;
use super::overview::{CrossCell, Overview, RunOutcome};
use super::plots::plots;
use super::source::{Picture, Reported};
use super::words;
use crate::figures::drawing;
use crate::figures::plot::Figure;
use crate::runs::tournament::ENOUGH_PAIRS;
use anyhow::Result;
use askama::Template;
use serde::Serialize;
use std::num::NonZeroU64;

/// The maximum number of forfeited games that are listed.
const MAX_LOST: usize = 500;

/// The styles, general ones first.
const STYLES: [&str; 6] = [
    include_str!("page/base.css"),
    include_str!("page/tables.css"),
    include_str!("page/result.css"),
    include_str!("page/game.css"),
    include_str!("page/plots.css"),
    drawing::STYLE,
];

/// The scripts. Later ones use names from earlier ones.
const SCRIPTS: [&str; 7] = [
    drawing::SCRIPT,
    include_str!("page/curve.js"),
    include_str!("page/game-list.js"),
    include_str!("page/lists.js"),
    include_str!("page/player.js"),
    include_str!("page/keys.js"),
    include_str!("page/start.js"),
];

#[derive(Template)]
#[template(path = "page.html", escape = "html")]
struct Page<'a> {
    title: &'a str,
    /// The browser reloads the page after this many seconds.
    refresh: Option<NonZeroU64>,
    board: String,
    data: String,
    axis: EloAxis,
    overviews: &'a [Overview],
    /// The plots of each overview.
    figures: Vec<Vec<Figure>>,
    pictures: &'a [Picture],
    contests: &'a [Contest],
    /// The plots of each contest.
    plots: Vec<Vec<Figure>>,
    games: usize,
    replays: usize,
}

impl Page<'_> {
    /// The contests in the table of matches, with their indices. Tuning steps have a table of their own.
    fn listed(&self) -> Vec<(usize, &Contest)> {
        self.contests.iter().enumerate().filter(|(_, contest)| !contest.is_tuning_step()).collect()
    }

    /// Whether there is a table of matches.
    fn has_table(&self) -> bool {
        self.contests.len() > 1 && !self.listed().is_empty()
    }

    fn has_plots(&self) -> bool {
        self.plots.iter().any(|plots| !plots.is_empty())
    }
}

/// The data for the scripts, as JSON for a script element: without `<`, which could end the element.
fn data(contests: &[Contest]) -> Result<String> {
    #[derive(Serialize)]
    struct Data<'a> {
        /// The squares of both camps, where the pieces start.
        camps: [Vec<String>; 2],
        matches: &'a [Contest],
    }
    let data = Data { camps: drawing::camps(), matches: contests };
    Ok(serde_json::to_string(&data)?.replace('<', "\\u003c"))
}

/// The page about `run`, called `title`. Browsers reload it after `refresh` seconds.
pub(super) fn render(title: &str, run: &Reported, refresh: Option<NonZeroU64>) -> Result<String> {
    let Reported { contests, overviews, pictures, .. } = run;
    let summaries = contests.iter().filter_map(|contest| contest.summary.as_ref());
    let games = || contests.iter().flat_map(|contest| &contest.games);
    let page = Page {
        title,
        refresh,
        board: drawing::empty()?,
        data: data(contests)?,
        axis: EloAxis::of(summaries.map(|summary| summary.estimate.elo_interval)),
        overviews,
        figures: overviews.iter().map(Overview::figures).collect::<Result<_>>()?,
        pictures,
        contests,
        plots: contests.iter().map(plots).collect::<Result<_>>()?,
        games: games().count(),
        replays: games().filter(|game| game.replay.is_some()).count(),
    };
    Ok(page.render()?)
}
