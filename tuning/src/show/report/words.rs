//! Numbers as text for the page. Templates pass all arguments by reference.

use crate::play::matches::AgentFigures;
use crate::runs::sweep::{BestSetting, SweepResult, SweepRow};
use crate::runs::tune::Iteration;
use crate::stats::Interval;
use std::borrow::Borrow;

/// A share from 0 to 1: `62.5 %`.
pub(super) fn percent(share: impl Borrow<f64>) -> String {
    format!("{:.1} %", 100.0 * share.borrow())
}

/// An interval of shares: `47.0 … 75.1 %`.
pub(super) fn percents(interval: impl Borrow<Interval>) -> String {
    let Interval { from, to } = interval.borrow();
    format!("{:.1} … {:.1} %", 100.0 * from, 100.0 * to)
}

/// A number of points, with halves: `3½`.
pub(super) fn points(points: impl Borrow<f64>) -> String {
    let points = points.borrow();
    let whole = points.trunc();
    match (points.fract() == 0.0, whole == 0.0) {
        (true, _) => format!("{whole}"),
        (false, true) => "½".to_string(),
        (false, false) => format!("{whole}½"),
    }
}

/// Text with the typographical minus sign, which is as wide as a plus.
pub(super) fn minus(text: impl AsRef<str>) -> String {
    text.as_ref().replace('-', "−")
}

/// A tuned value, with at most four decimal places: `0.25`.
pub(super) fn value(value: &f64) -> String {
    format!("{value:.4}").trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Milliseconds per move; a dash if none was made.
pub(super) fn milliseconds(agent: &AgentFigures) -> String {
    match agent.decisions {
        0 => "–".to_string(),
        decisions => format!("{:.2}", 1e3 * agent.seconds / decisions as f64),
    }
}

/// The name of a row's setting.
pub(super) fn setting(result: &SweepResult, row: &SweepRow) -> String {
    result.sweep.name(row.setting)
}

/// The result of a tuning step: the points of one side minus those of the other. It is a whole number, because each
/// game adds 1, 0 or −1.
pub(super) fn lead(step: &Iteration) -> String {
    minus(format!("{:+}", (step.result * step.pairs.pairs() as f64).round() + 0.0))
}

/// Whether the best setting of a sweep is better than the opponent.
pub(super) fn against_opponent(verdict: &BestSetting) -> String {
    match verdict.p_not_better_than_opponent {
        None => String::new(),
        Some(p) if p < 1e-4 => "better (p ≤ 0.0001)".to_string(),
        Some(p) if p < 0.05 => format!("better (p = {p:.4})"),
        Some(_) => "not shown to be better".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::tune::Opposites;
    use crate::stats::PairCounts;

    #[test]
    fn points_show_halves() {
        assert_eq!([0.0, 0.5, 3.0, 3.5].map(points), ["0", "½", "3", "3½"]);
    }

    #[test]
    fn the_lead_of_a_step_is_a_whole_number() {
        for (counts, text) in [([1, 0, 1, 1, 0], "−1"), ([1, 0, 0, 0, 1], "+0"), ([0, 0, 1, 2, 1], "+4")] {
            let pairs = PairCounts::new(counts);
            let opposites = Opposites { signs: Vec::new(), plus: Vec::new(), minus: Vec::new() };
            let result = 4.0 * pairs.mean() - 2.0;
            assert_eq!(lead(&Iteration { iteration: 1, opposites, pairs, result, values: Vec::new() }), text);
        }
    }
}
