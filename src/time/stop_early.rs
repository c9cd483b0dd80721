//! When a search may stop before its time is over.
//!
//! Two rules, after Baier & Winands ("Time Management for Monte-Carlo Tree Search in Go", 2012): a search
//! that *can't* change its choice any more stops (STOP); and the time planned shrinks if the choice is
//! *unlikely* to change, and grows if it is open (UNST, CLOSE, BEHIND).

/// How the choice at the root stands. Proved losses are left out: they are never chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lead {
    /// Visits to the most visited play.
    pub first: u32,
    /// Visits to the next one.
    pub second: u32,
    /// Whether the most visited play is also the one of highest value among the most visited.
    pub agreed: bool,
    /// Whether the choice has changed in the last 30 % of the iterations.
    pub recent: bool,
}

/// The most stable choice takes this part of the planned time.
const STABLE: f64 = 0.6;

/// The least stable choice takes this many times the planned time.
pub(super) const UNSTABLE: f64 = 2.0;

/// A change is recent if it happened in this last part of the iterations done so far.
const RECENT: f64 = 0.3;

/// Whether a choice that last changed after `changed` of `iterations` has changed recently.
pub fn is_recent(changed: u64, iterations: u64) -> bool {
    ((iterations - changed) as f64) < RECENT * iterations as f64
}

impl Lead {
    /// Whether the choice stays even if all `remaining` iterations go to the second play. A play may be
    /// chosen if it has at least the part `final_visits`, 0…1, of the most visits.
    pub fn is_settled(&self, final_visits: f32, remaining: u64) -> bool {
        f64::from(self.first) * f64::from(final_visits) > f64::from(self.second) + remaining as f64
    }

    /// The time that the choice deserves, as a multiple of the planned time: 0.6 if the second play has no
    /// visits; 2 if both have equally many, if the most visited play is not that of highest value, or if the
    /// choice has changed recently. `instability`, 0…1, is how much of this counts.
    pub fn patience(&self, instability: f32) -> f64 {
        let open = self.recent || !self.agreed;
        let rivalry = if open { 1.0 } else { f64::from(self.second) / f64::from(self.first.max(1)) };
        1.0 + f64::from(instability) * (STABLE + (UNSTABLE - STABLE) * rivalry - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLEAR: Lead = Lead { first: 1000, second: 0, agreed: true, recent: false };

    #[test]
    fn patience_grows_with_the_second_play_and_with_instability() {
        assert_eq!(CLEAR.patience(1.0), STABLE);
        assert_eq!(CLEAR.patience(0.0), 1.0);
        let half = Lead { second: 500, ..CLEAR }.patience(1.0);
        assert!((half - (STABLE + UNSTABLE) / 2.0).abs() < 1e-9);
        for open in
            [Lead { second: 1000, ..CLEAR }, Lead { agreed: false, ..CLEAR }, Lead { recent: true, ..CLEAR }]
        {
            assert_eq!(open.patience(1.0), UNSTABLE);
        }
    }

    #[test]
    fn a_choice_that_cannot_be_overtaken_is_settled() {
        let lead = Lead { second: 300, ..CLEAR };
        assert!(lead.is_settled(0.7, 399) && !lead.is_settled(0.7, 400));
        assert!(lead.is_settled(1.0, 699) && !lead.is_settled(1.0, 700));
    }

    #[test]
    fn a_change_is_recent_for_a_while() {
        assert!(is_recent(100, 100) && is_recent(100, 142));
        assert!(!is_recent(100, 143) && !is_recent(0, 100));
    }
}
