//! Text shared by the results of runs.

use crate::play::agents;
use crate::play::matches::Terms;
use crate::play::time_control::TimeControl;

/// The command for a match with the same `terms` and fresh games. The match tests whether `a` is stronger than `b`.
pub(super) fn verification(a: &str, b: &str, limit: TimeControl, terms: &Terms) -> String {
    let Terms { seed, openings, max_plies, rules, .. } = terms;
    let (program, limit, seed) = (agents::program_name(), limit.name(), seed.wrapping_add(1));
    let [a, b] = [a, b].map(shell_words::quote);
    let mut command = format!("{program} match {a} {b} --{limit} --sprt 0 10 --seed {seed}");
    let usual = Terms::default();
    if *openings != usual.openings {
        command += &format!(" --openings {openings}");
    }
    if *max_plies != usual.max_plies {
        command += &format!(" --max-plies {max_plies}");
    }
    if *rules != usual.rules {
        command += &format!(" --rules {rules}");
    }
    command
}

/// The first `max` of `names` and the number of others: `a or b or 3 more`, if the separator is `" or "`.
pub(super) fn first_few(names: &[String], max: usize, separator: &str) -> String {
    let mut text = names[..names.len().min(max)].join(separator);
    if names.len() > max {
        let last = if separator == ", " { " and " } else { separator };
        text += &format!("{last}{} more", names.len() - max);
    }
    text
}
