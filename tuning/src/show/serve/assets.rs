//! The page and its files, compiled in.
//!
//! Scripts are modules. The report's scripts are plain scripts, which see each other's names, so here those that both
//! pages use are one module, `shared.js`.

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

const FILES: [Asset; 22] = [
    style("base.css", include_str!("../report/page/base.css")),
    style("game.css", include_str!("../report/page/game.css")),
    style("result.css", include_str!("../report/page/result.css")),
    style("tables.css", include_str!("../report/page/tables.css")),
    style("board.css", drawing::STYLE),
    style("serve.css", include_str!("page/serve.css")),
    script(
        "shared.js",
        concat!(
            include_str!("../../figures/drawing/board.js"),
            include_str!("../report/page/curve.js"),
            include_str!("../report/page/game-list.js"),
            include_str!("../report/page/lists.js"),
            include_str!("../report/page/player.js"),
            include_str!("../report/page/keys.js"),
            "export { Board, Curve, MARGIN, Player, SIDE, byId, centre, coordinates, ends, html, listCandidates, ",
            "listen, mark, press, setAddress, signed, squares, svg, written };\n",
        ),
    ),
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
