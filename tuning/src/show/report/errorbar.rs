//! Elo differences with their intervals, as bars on one axis.

use crate::stats::Interval;

/// The width of the drawing, in its own units.
const WIDTH: f64 = 240.0;
/// The empty space at each end.
const EDGE: f64 = 8.0;

/// An axis that is symmetric around 0, for all bars of a page.
#[derive(Clone, Copy, Debug)]
pub(super) struct EloAxis {
    /// Where it ends, in Elo points.
    pub end: f64,
}

/// A bar's places on the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bar {
    /// Where 0 is.
    pub zero: f64,
    /// The lower end.
    pub from: f64,
    /// The upper end.
    pub to: f64,
    /// The estimate.
    pub at: f64,
    /// Whether the estimate is on the axis at all.
    pub finite: bool,
    /// Whether the interval goes on below the axis.
    pub open_below: bool,
    /// Whether the interval goes on above the axis.
    pub open_above: bool,
    /// `up` if the interval lies above 0, `down` if below, else `even`.
    pub class: &'static str,
}

impl EloAxis {
    /// An axis that has all finite ends of `intervals`.
    pub fn of(intervals: impl Iterator<Item = Interval>) -> EloAxis {
        let ends = intervals.flat_map(|interval| [interval.from, interval.to]).filter(|end| end.is_finite());
        let most = ends.fold(50.0, |most: f64, end| most.max(end.abs()));
        let steps = [50.0, 100.0, 150.0, 200.0, 300.0, 400.0, 600.0];
        EloAxis { end: steps.into_iter().find(|&step| step >= most).unwrap_or(800.0) }
    }

    /// The place of `elo`, which may lie beyond the axis.
    fn place(self, elo: f64) -> f64 {
        let part = (elo.clamp(-self.end, self.end) / self.end + 1.0) / 2.0;
        EDGE + part * (WIDTH - 2.0 * EDGE)
    }

    /// The bar of an Elo difference with its 95 % interval.
    pub fn bar(self, elo: f64, interval: Interval) -> Bar {
        let Interval { from, to } = interval;
        Bar {
            zero: self.place(0.0),
            from: self.place(from),
            to: self.place(to),
            at: self.place(elo),
            finite: elo.abs() <= self.end,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_has_all_finite_ends_and_bars_stay_on_it() {
        let axis = EloAxis::of(
            [Interval { from: -120.0, to: 70.0 }, Interval { from: 10.0, to: f64::INFINITY }].into_iter(),
        );
        assert_eq!(axis.end, 150.0);
        assert_eq!((axis.place(-150.0), axis.place(0.0), axis.place(f64::INFINITY)), (8.0, 120.0, 232.0));
        assert_eq!(EloAxis::of([].into_iter()).end, 50.0);
    }
}
