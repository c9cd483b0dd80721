//! Speed: the median of several measurements after a warm-up.

use halma::support::clock::Clock;

/// The number of measurements. A median of five tolerates two disturbed measurements.
const REPEATS: usize = 5;

/// The time of the warm-up, as a share of the time of the measurements.
const WARM_UP: f64 = 0.1;

/// Measures rates, each for about the same time.
#[derive(Clone, Copy)]
pub struct Meter<'a> {
    /// The clock.
    pub clock: &'a dyn Clock,
    /// The seconds for each rate, without the warm-up.
    pub seconds: f64,
}

impl Meter<'_> {
    /// The items that `round` processes in a second. `round` is called repeatedly, and returns the number of items it has
    /// processed. A call should take much less time than a measurement, `seconds` / 5, because it is never interrupted.
    pub fn rate(&self, mut round: impl FnMut() -> u64) -> f64 {
        self.once(self.seconds * WARM_UP, &mut round);
        let mut rates: [f64; REPEATS] =
            std::array::from_fn(|_| self.once(self.seconds / REPEATS as f64, &mut round));
        rates.sort_by(f64::total_cmp);
        rates[REPEATS / 2]
    }

    /// A measurement of `seconds` or a little more. A clock reading costs about a microsecond, so the time between two
    /// readings doubles until it is about a 32nd of `seconds`.
    fn once(&self, seconds: f64, round: &mut impl FnMut() -> u64) -> f64 {
        let start = self.clock.seconds();
        let (mut items, mut rounds, mut before) = (0, 1, 0.0);
        loop {
            for _ in 0..rounds {
                items += round();
            }
            let elapsed = self.clock.seconds() - start;
            if elapsed >= seconds && elapsed > 0.0 {
                return items as f64 / elapsed;
            }
            if elapsed - before < seconds / 32.0 {
                rounds *= 2;
            }
            before = elapsed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halma::support::clock::FakeClock;

    #[test]
    fn a_rate_is_items_per_second() {
        let clock = FakeClock::new();
        let rate = Meter { clock: &clock, seconds: 1.0 }.rate(|| {
            clock.advance(0.001);
            3
        });
        assert!((rate - 3000.0).abs() < 1e-6, "{rate}");
        assert!((1.1..1.3).contains(&clock.seconds()), "took {} seconds with the warm-up", clock.seconds());
        assert!(clock.reads() < 400, "{} readings", clock.reads());
    }

    #[test]
    fn two_disturbed_measurements_of_five_do_not_matter() {
        let clock = FakeClock::new();
        let mut rounds = 0;
        let rate = Meter { clock: &clock, seconds: 1.0 }.rate(|| {
            rounds += 1;
            clock.advance(if matches!(rounds, 150 | 350) { 0.2 } else { 0.001 });
            1
        });
        assert!((rate - 1000.0).abs() < 1e-6, "{rate}");
    }

    #[test]
    fn a_round_may_take_longer_than_the_requested_time() {
        let clock = FakeClock::new();
        let rate = Meter { clock: &clock, seconds: 0.01 }.rate(|| {
            clock.advance(2.0);
            1
        });
        assert_eq!(rate, 0.5);
    }
}
