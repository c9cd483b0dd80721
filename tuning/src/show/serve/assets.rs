//! The page and its files, compiled in.
//!
//! Scripts are modules. The report's scripts are plain scripts, which see each other's names; here each gets the
//! imports and exports that make it a module.

use super::levels::{LEVELS, Level};
use crate::figures::drawing;
use anyhow::Result;
use askama::Template;

/// A file of the page.
pub(super) struct Asset {
    name: &'static str,
    /// Its MIME type.
    pub kind: &'static str,
    /// Its contents.
    pub text: &'static str,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

const fn script(name: &'static str, text: &'static str) -> Asset {
    Asset { name, kind: SCRIPT, text }
}

const fn style(name: &'static str, text: &'static str) -> Asset {
    Asset { name, kind: STYLE, text }
}

const FILES: [Asset; 27] = [
    style("base.css", include_str!("../report/page/base.css")),
    style("game.css", include_str!("../report/page/game.css")),
    style("result.css", include_str!("../report/page/result.css")),
    style("tables.css", include_str!("../report/page/tables.css")),
    style("board.css", drawing::STYLE),
    style("serve.css", include_str!("page/serve.css")),
    script(
        "board.js",
        concat!(
            include_str!("../../figures/drawing/board.js"),
            "\nexport { Board, MARGIN, SIDE, centre, coordinates, ends, html, squares, svg, written };\n"
        ),
    ),
    script(
        "curve.js",
        concat!(
            "import { svg } from './board.js';\n",
            include_str!("../report/page/curve.js"),
            "\nexport { Curve };\n"
        ),
    ),
    script(
        "game-list.js",
        concat!(
            "import { html } from './board.js';\n",
            include_str!("../report/page/game-list.js"),
            "\nexport { GameList, mark };\n"
        ),
    ),
    script(
        "lists.js",
        concat!(
            "import { html, squares, written } from './board.js';\nimport { mark } from './game-list.js';\n",
            include_str!("../report/page/lists.js"),
            "\nexport { fallText, listCandidates, listPlays, markPlay, signed };\n"
        ),
    ),
    script(
        "player.js",
        concat!(
            "import { Board, html } from './board.js';\nimport { Curve } from './curve.js';\n",
            "import { GameList, mark } from './game-list.js';\n",
            "import { fallText, listCandidates, listPlays, markPlay } from './lists.js';\n",
            include_str!("../report/page/player.js"),
            "\nexport { Player, byId };\n"
        ),
    ),
    script("keys.js", concat!(include_str!("../report/page/keys.js"), "\nexport { listen, press };\n")),
    script("server.js", include_str!("page/server.js")),
    script("tree.js", include_str!("page/tree.js")),
    script("interactive-board.js", include_str!("page/interactive-board.js")),
    script("errors.js", include_str!("page/errors.js")),
    script("editor.js", include_str!("page/editor.js")),
    script("new-game.js", include_str!("page/new-game.js")),
    script("review.js", include_str!("page/review.js")),
    script("rules.js", include_str!("page/rules.js")),
    script("sound.js", include_str!("page/sound.js")),
    script("game-view.js", include_str!("page/game-view.js")),
    script("play.js", include_str!("page/play.js")),
    script("verdict.js", include_str!("page/verdict.js")),
    script("analyse.js", include_str!("page/analyse.js")),
    script("runs.js", include_str!("page/runs.js")),
    script("start.js", include_str!("page/start.js")),
];

/// The file called `name`.
pub(super) fn file(name: &str) -> Option<&'static Asset> {
    static ALL: [Asset; FILES.len()] = FILES;
    ALL.iter().find(|file| file.name == name)
}

#[derive(Template)]
#[template(path = "serve.html", escape = "html")]
struct Page {
    gradients: String,
    board: String,
    levels: [Level; LEVELS.len()],
    styles: Vec<&'static str>,
    // The template that lists games is shared with the report and needs these.
    games: usize,
    replays: usize,
}

/// The page.
pub(super) fn page() -> Result<String> {
    let styles = FILES.iter().filter(|file| file.kind == STYLE).map(|file| file.name);
    let page = Page {
        gradients: drawing::gradients()?,
        board: drawing::empty_without_gradients()?,
        levels: LEVELS,
        styles: styles.collect(),
        games: 0,
        replays: 0,
    };
    Ok(page.render()?)
}
