//! One axis of a plot.

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

/// A linear or logarithmic axis from one number to another, with a label at each tick.
///
/// [`plotters`] chooses its own ticks; here they can be the values that were tried.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotAxis {
    from: f64,
    to: f64,
    log: bool,
    ticks: Vec<(f64, String)>,
}

impl PlotAxis {
    /// A linear axis.
    pub fn linear(from: f64, to: f64, ticks: Vec<(f64, String)>) -> PlotAxis {
        // A single value gets room on both sides.
        let (from, to) = if from < to { (from, to) } else { (from - 0.5, to + 0.5) };
        PlotAxis { from, to, log: false, ticks }
    }

    /// A linear axis with about `number` round ticks.
    pub fn round(from: f64, to: f64, number: usize) -> PlotAxis {
        PlotAxis::linear(from, to, round_ticks(from, to, number, 0.0))
    }

    /// An axis of counts, with at most about `number` round ticks, all at whole numbers.
    pub fn counts(from: f64, to: f64, number: usize) -> PlotAxis {
        PlotAxis::linear(from, to, round_ticks(from, to, number, 1.0))
    }

    /// A logarithmic axis; all numbers must be above 0.
    pub fn log(from: f64, to: f64, ticks: Vec<(f64, String)>) -> PlotAxis {
        let (from, to) = if from < to { (from, to) } else { (from / 2.0, to * 2.0) };
        PlotAxis { from, to, log: true, ticks }
    }

    /// An axis with the `labels` at 0, 1, 2, …
    pub fn even(labels: Vec<String>) -> PlotAxis {
        let to = labels.len() as f64 - 0.5;
        let ticks = labels.into_iter().enumerate().map(|(place, label)| (place as f64, label)).collect();
        PlotAxis { from: -0.5, to, log: false, ticks }
    }

    /// The axis extended at both ends by `share` of its length.
    pub fn widened(self, share: f64) -> PlotAxis {
        let (from, to) = (self.shifted(self.from, -share), self.shifted(self.to, share));
        PlotAxis { from, to, ..self }
    }

    /// The number that lies `share` of the axis's length beyond `value`.
    pub fn shifted(&self, value: f64, share: f64) -> f64 {
        if self.log {
            value * (self.to / self.from).powf(share)
        } else {
            value + (self.to - self.from) * share
        }
    }

    /// The number at the start.
    pub fn start(&self) -> f64 {
        self.from
    }

    /// The number at the end.
    pub fn end(&self) -> f64 {
        self.to
    }

    /// The position of `value` on the axis, from 0 at its start to 1 at its end.
    pub fn share(&self, value: f64) -> f64 {
        if self.log {
            (value / self.from).ln() / (self.to / self.from).ln()
        } else {
            (value - self.from) / (self.to - self.from)
        }
    }
}

/// About `number` ticks from `from` to `to`, at multiples of 1, 2 or 5 times a power of ten; fewer if they would be
/// less than `min_step` apart.
fn round_ticks(from: f64, to: f64, number: usize, min_step: f64) -> Vec<(f64, String)> {
    let rough = ((to - from) / number.max(1) as f64).max(min_step);
    if !(rough > 0.0 && rough.is_finite()) {
        return vec![(from, from.to_string())];
    }
    let power = rough.log10().floor();
    let unit = 10f64.powf(power);
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * unit >= rough).unwrap_or(10.0);
    let step = factor * unit;
    let digits = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
    let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
    let label = |tick: f64| match step {
        _ if tick == 0.0 => "0".to_string(),
        1e6.. => format!("{}M", tick / 1e6),
        1e3.. if to >= 1e4 => format!("{}k", tick / 1e3),
        _ => format!("{tick:.digits$}"),
    };
    let tick = |place: i64| place as f64 * step;
    (first..=last).map(tick).map(|tick| (tick, label(tick).replace('-', "−"))).collect()
}

impl Ranged for PlotAxis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, &value: &f64, (from, to): (i32, i32)) -> i32 {
        from + (f64::from(to - from) * self.share(value).clamp(-1.0, 2.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.iter().map(|&(value, _)| value).collect()
    }

    fn range(&self) -> Range<f64> {
        self.from..self.to
    }
}

impl ValueFormatter<f64> for PlotAxis {
    fn format_ext(&self, value: &f64) -> String {
        self.ticks.iter().find(|(tick, _)| tick == value).map_or(String::new(), |(_, label)| label.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        let labels = |from, to, number| -> Vec<String> {
            round_ticks(from, to, number, 0.0).into_iter().map(|(_, label)| label).collect()
        };
        assert_eq!(labels(0.0, 100.0, 5), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(1.93, 2.21, 3), ["2.0", "2.1", "2.2"]);
        assert_eq!(labels(0.0, 20_000.0, 4), ["0", "5k", "10k", "15k", "20k"]);
        assert_eq!(labels(-1.0, 1.0, 2), ["−1", "0", "1"]);
        assert_eq!(labels(3.0, 3.0, 4), ["3"]);
        assert_eq!(round_ticks(0.0, 1.06, 5, 1.0), [(0.0, "0".to_string()), (1.0, "1".to_string())]);
    }

    #[test]
    fn values_map_to_their_places() {
        let log = PlotAxis::log(0.25, 4.0, Vec::new());
        assert_eq!([0.25, 1.0, 4.0].map(|value| log.map(&value, (100, 300))), [100, 200, 300]);
        assert_eq!(log.shifted(1.0, 0.25), 2.0);
        let linear = PlotAxis::linear(-1.0, 1.0, vec![(0.0, "zero".to_string())]);
        assert_eq!([-1.0, 0.0, 1.0].map(|value| linear.map(&value, (50, 0))), [50, 25, 0]);
        assert_eq!(linear.format_ext(&0.0), "zero");
        let even = PlotAxis::even(["a", "b"].map(String::from).to_vec());
        assert_eq!([0.0, 1.0].map(|value| even.map(&value, (0, 100))), [25, 75]);
        assert_eq!(PlotAxis::log(2.0, 2.0, Vec::new()).share(2.0), 0.5);
        assert_eq!(PlotAxis::linear(2.0, 2.0, Vec::new()).widened(0.1).share(2.0), 0.5);
    }
}
