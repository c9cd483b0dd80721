//! What lies in the folder of a run.

/// The file with the [`Header`](super::Header).
pub const HEADER: &str = "run.json";

/// The file with the games: a line for each.
pub const GAMES: &str = "games.jsonl";

/// The games with their new numbers, until they take the place of those before the run was extended.
pub(super) const RENUMBERED: &str = "games.renumbered.jsonl";

/// The file with the result, once all games have ended.
pub const RESULT: &str = "result.json";
