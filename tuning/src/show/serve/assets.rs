//! The page and its files, compiled in.
//!
//! Scripts are modules. Those that the report has too are written once, as plain scripts that know each other's
//! names; here each gets lines that say which names it takes from others and which it gives.

use super::levels::LEVELS;
use crate::figures::drawing;
use crate::show::report::shared;
use anyhow::Result;
use askama::Template;

/// A file of the page.
pub(super) struct Asset {
    name: &'static str,
    /// What it is.
    pub kind: &'static str,
    /// What it says.
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

/// All files.
const FILES: [Asset; 18] = [
    style("base.css", shared::BASE_STYLE),
    style("game.css", shared::GAME_STYLE),
    style("result.css", shared::RESULT_STYLE),
    style("tables.css", shared::TABLES_STYLE),
    style("board.css", drawing::STYLE),
    style("serve.css", include_str!("page/serve.css")),
    script(
        "board.js",
        concat!(
            include_str!("../../figures/drawing/board.js"),
            "\nexport { Board, SIDE, MARGIN, svg, html, squares, named, written };\n"
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
        "list.js",
        concat!(
            "import { html } from './board.js';\n",
            include_str!("../report/page/list.js"),
            "\nexport { List, mark };\n"
        ),
    ),
    script(
        "player.js",
        concat!(
            "import { Board, html, written } from './board.js';\n\
        import { Curve } from './curve.js';\nimport { List, mark } from './list.js';\n",
            include_str!("../report/page/player.js"),
            "\nexport { Player, byId, falls, listCandidates, listPlays, markPlay, signed };\n"
        ),
    ),
    script("keys.js", concat!(include_str!("../report/page/keys.js"), "\nexport { listen };\n")),
    script("server.js", include_str!("page/server.js")),
    script("line.js", include_str!("page/line.js")),
    script("table.js", include_str!("page/table.js")),
    script("play.js", include_str!("page/play.js")),
    script("analyse.js", include_str!("page/analyse.js")),
    script("runs.js", include_str!("page/runs.js")),
    script("start.js", include_str!("page/start.js")),
];

/// The file called `name`.
pub(super) fn file(name: &str) -> Option<&'static Asset> {
    static ALL: [Asset; FILES.len()] = FILES;
    ALL.iter().find(|file| file.name == name)
}

/// The page's template.
#[derive(Template)]
#[template(path = "serve.html", escape = "html")]
struct Page {
    gradients: String,
    board: String,
    levels: [super::levels::Level; LEVELS.len()],
    styles: Vec<&'static str>,
    // The list of games, which the report's pages share, speaks of these.
    games: usize,
    replays: usize,
}

/// The page.
///
/// # Errors
/// None that a string could give.
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
