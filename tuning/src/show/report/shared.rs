//! The style and scripts of this page that other pages have too. A script knows the names of those before it.

/// Colours, letters, cards, and the page's frame.
pub const BASE_STYLE: &str = include_str!("page/base.css");
/// Tables.
pub const TABLES_STYLE: &str = include_str!("page/tables.css");
/// A match's result.
pub const RESULT_STYLE: &str = include_str!("page/result.css");
/// The games: their list, the board with its buttons, and what the search thought.
pub const GAME_STYLE: &str = include_str!("page/game.css");

/// `Curve`: the value curve of a game. Needs the board's script.
pub const CURVE_SCRIPT: &str = include_str!("page/curve.js");
/// `List`: the list of games.
pub const LIST_SCRIPT: &str = include_str!("page/list.js");
/// `Player`: the game shown.
pub const PLAYER_SCRIPT: &str = include_str!("page/player.js");
/// `listen`: the keyboard.
pub const KEYS_SCRIPT: &str = include_str!("page/keys.js");
