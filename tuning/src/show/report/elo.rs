//! Elo differences with their intervals, in words and as bars on a common axis. `±` would be wrong for an interval that
//! is not symmetric, such as that of a one-sided result.

use super::words::minus;
use crate::stats::{Interval, elo_range};

/// The width of a bar's drawing, in its own units.
const WIDTH: f64 = 240.0;
/// The empty space at both ends.
const EDGE: f64 = 8.0;

/// An axis that is symmetric around 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct EloAxis {
    /// The upper end of the axis, in Elo points.
    pub end: f64,
}

/// An Elo difference: its text, and the coordinates of its bar in the drawing.
pub(super) struct EloView {
    /// The estimate; the interval if there is no estimate.
    pub estimate: String,
    /// The 95 % interval; empty if `estimate` already shows it.
    pub interval: String,
    pub zero: f64,
    pub from: f64,
    pub to: f64,
    pub at: f64,
    /// Whether there is an estimate and it lies on the axis.
    pub is_on_axis: bool,
    /// Whether the interval extends below the axis.
    pub open_below: bool,
    /// Whether the interval extends above the axis.
    pub open_above: bool,
    /// `up` if the interval lies above 0, `down` if below, else `even`.
    pub class: &'static str,
}

impl EloAxis {
    /// An axis that covers all finite ends of `intervals`, but at most 800 points each way.
    pub fn of(intervals: impl Iterator<Item = Interval>) -> EloAxis {
        let ends = intervals.flat_map(|interval| [interval.from, interval.to]).filter(|end| end.is_finite());
        let most = ends.fold(50.0, |most: f64, end| most.max(end.abs()));
        let steps = [50.0, 100.0, 150.0, 200.0, 300.0, 400.0, 600.0];
        EloAxis { end: steps.into_iter().find(|&step| step >= most).unwrap_or(800.0) }
    }

    /// The coordinate of `elo` in the drawing. A difference beyond the axis is placed at its end.
    fn place(self, elo: f64) -> f64 {
        let part = (elo.clamp(-self.end, self.end) / self.end + 1.0) / 2.0;
        EDGE + part * (WIDTH - 2.0 * EDGE)
    }

    /// A difference with its 95 % interval.
    pub fn view(self, difference: &f64, interval: &Interval) -> EloView {
        let (difference, Interval { from, to }) = (*difference, *interval);
        let range = minus(elo_range(*interval));
        let known = difference.is_finite() && (from.is_finite() || to.is_finite());
        // Adding 0 turns −0 into 0.
        let estimate = minus(format!("{:+.0}", difference + 0.0));
        let (estimate, text) = if known { (estimate, range) } else { (range, String::new()) };
        EloView {
            estimate,
            interval: text,
            zero: self.place(0.0),
            from: self.place(from),
            to: self.place(to),
            at: self.place(difference),
            is_on_axis: known && difference.abs() <= self.end,
            open_below: from < -self.end,
            open_above: to > self.end,
            class: match (from > 0.0, to < 0.0) {
                (true, _) => "up",
                (_, true) => "down",
                _ => "even",
            },
        }
    }
}

impl EloView {
    /// The estimate and the interval.
    pub fn text(&self) -> String {
        let EloView { estimate, interval, .. } = self;
        if interval.is_empty() { estimate.clone() } else { format!("{estimate}, 95 %: {interval}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_covers_all_finite_ends_and_bars_stay_on_it() {
        let axis = EloAxis::of(
            [Interval { from: -120.0, to: 70.0 }, Interval { from: 10.0, to: f64::INFINITY }].into_iter(),
        );
        assert_eq!(axis.end, 150.0);
        assert_eq!((axis.place(-150.0), axis.place(0.0), axis.place(f64::INFINITY)), (8.0, 120.0, 232.0));
        assert_eq!(EloAxis::of([].into_iter()).end, 50.0);
        let view = axis.view(&0.0, &Interval { from: f64::NEG_INFINITY, to: f64::INFINITY });
        assert!(!view.is_on_axis, "without games there is no estimate to draw");
    }
}
