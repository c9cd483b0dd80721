//! How the page writes figures. A difference is always shown with its interval: half an interval's width, after a
//! `±`, would be wrong wherever the interval is not symmetrical, as that of a one-sided result.

use crate::stats::Interval;

/// A difference in Elo points: `+12`, `−7`, `+∞`.
pub(super) fn elo(difference: f64) -> String {
    if difference.is_infinite() {
        return if difference > 0.0 { "+∞" } else { "−∞" }.to_string();
    }
    minus(format!("{:+.0}", difference + 0.0))
}

/// An interval of Elo differences: `−30 … +54`, `above +147`, `below −20`.
pub(super) fn elo_interval(Interval { from, to }: Interval) -> String {
    match (from.is_finite(), to.is_finite()) {
        (true, true) => format!("{} … {}", elo(from), elo(to)),
        (true, false) => format!("above {}", elo(from)),
        (false, true) => format!("below {}", elo(to)),
        (false, false) => "too few games to tell".to_string(),
    }
}

/// A share, 0…1, as `62.5 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// An interval of shares, as `47.0 … 75.1 %`.
pub(super) fn percents(Interval { from, to }: Interval) -> String {
    format!("{:.1} … {:.1} %", 100.0 * from, 100.0 * to)
}

/// Points: whole or with a half.
pub(super) fn points(points: f64) -> String {
    let whole = points.trunc();
    match (points.fract() == 0.0, whole == 0.0) {
        (true, _) => format!("{whole}"),
        (false, true) => "½".to_string(),
        (false, false) => format!("{whole}½"),
    }
}

/// Some text with the typographical minus sign, which is as wide as a plus.
pub(super) fn minus(text: String) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_written_with_both_ends_of_its_interval_if_it_has_them() {
        let interval = |from, to| elo_interval(Interval { from, to });
        assert_eq!((elo(301.3), elo(-7.4), elo(-0.0)), ("+301".into(), "−7".into(), "+0".into()));
        assert_eq!(interval(147.2, 1408.0), "+147 … +1408");
        assert_eq!(interval(-30.0, f64::INFINITY), "above −30");
        assert_eq!(interval(f64::NEG_INFINITY, 20.0), "below +20");
        assert_eq!(interval(f64::NEG_INFINITY, f64::INFINITY), "too few games to tell");
        assert_eq!([0.0, 0.5, 3.0, 3.5].map(points), ["0", "½", "3", "3½"]);
    }
}
