//! The formulas by which a child is chosen: what it is worth to the player to move, `Q` in −1…+1, against how
//! little is known of it.
//!
//! ```text
//! UCT    Q + c · √(ln N / n)            UCB1: Auer, Cesa-Bianchi, Fischer 2002;
//!                                       on trees: Kocsis, Szepesvári 2006
//! PUCT   Q + c · P · √N / (1 + n)       Rosin 2011; in this form: Silver et al. 2017
//! ```
//!
//! with `N` visits to the parent and its transpositions, `n` to the child, and `P` the child's prior. `c` is wider
//! at the root, where nothing comes after a wrong choice (`c_root`), and where there are many plays, of which
//! each has but a small prior (`c_breadth`). For PUCT it grows with the parent's visits: a node that is seldom
//! visited is to be evaluated soon, one with many visits can afford doubts.
//!
//! ```text
//! c · (1 + N/500)^c_growth
//! ```
//!
//! In AlphaZero (Silver et al. 2018) and KataGo it grows like the logarithm of the visits, which was 31 Elo weaker here
//! than an exponent of 0.39 with 20,000 iterations, and as strong with fewer (E203). More growth than that: E221.
//!
//! `Q` is the mean of the values backed up through the child. A child without visits takes the
//! parent's less `fpu` for its own (first-play urgency: Gelly, Wang 2006), and for UCT counts as visited
//! once, so that 100 plays need not all be tried before one is tried again. (Papers count values in
//! 0…1: their `c` is half of ours.)
//!
//! The factor that depends on the child alone, `1/√n` or `P/(1+n)`, is kept with it in the tree
//! (`ChildGroup::weights`), and the factors that depend on the parent alone are looked up in two tables. So choosing
//! takes no division, no root and no logarithm, for which every step down would wait.

use super::params::{Params, Selection};
use std::f32::consts::{LN_2, SQRT_2};

/// The visits at which a node's exploration begins to grow: KataGo's.
const GROWTH_BASE: f32 = 500.0;

/// The table of exploration has 2⁵ places from each power of two of visits to the next; between places it is read along
/// a straight line. So exploration is exact for up to 64 visits, and within 10⁻⁴ of its size for more.
const BITS_BY_VISITS: u32 = 5;

/// The bits of a mantissa below those that choose the place: how far it is to the next one.
const BITS_BETWEEN: u32 = f32::MANTISSA_DIGITS - 1 - BITS_BY_VISITS;

/// Fewer plays than this have their breadth in a table.
const FEW_PLAYS: u16 = 512;

/// How much is explored: the second term of the formulas.
#[derive(Clone, Debug)]
pub(crate) struct Formula {
    params: Params,
    by_visits: Vec<f32>,
    by_plays: Vec<f32>,
}

impl Formula {
    /// The formula that `params` describe.
    pub fn new(params: &Params) -> Formula {
        Formula {
            params: params.clone(),
            by_visits: (0..=place_by_visits(u32::MAX).0 + 1)
                .map(|place| exploration(params, visits_at(place)))
                .collect(),
            by_plays: (0..FEW_PLAYS).map(|plays| breadth(params, plays.into())).collect(),
        }
    }

    /// What a child without visits counts for whose parent has this `mean` for the player to move.
    #[inline]
    pub fn urgency(&self, mean: f32) -> f32 {
        mean - self.params.fpu
    }

    /// How much exploring a child of this `prior` deserves after so many `visits`: the factor that depends on
    /// the child alone.
    #[inline]
    pub fn weight(&self, prior: f32, visits: u32) -> f32 {
        match self.params.select {
            Selection::Puct => prior / (visits as f32 + 1.0),
            Selection::Uct => 1.0 / (visits.max(1) as f32).sqrt(),
        }
    }

    /// The factor that is the same for all children of a node with so many `visits` and `legal` plays.
    #[inline]
    pub fn exploration(&self, is_root: bool, legal: usize, visits: u32) -> f32 {
        let params = &self.params;
        let by_plays = self.by_plays.get(legal).copied();
        let width = if is_root { params.c_root } else { 1.0 };
        let (place, share) = place_by_visits(visits);
        let (before, after) = (self.by_visits[place], self.by_visits[place + 1]);
        width * by_plays.unwrap_or_else(|| breadth(params, legal)) * (before + share * (after - before))
    }
}

/// The place for so many `visits` in the table of exploration, and how far they are from there to the next, 0…1.
#[inline]
fn place_by_visits(visits: u32) -> (usize, f32) {
    let above_one = (visits.max(1) as f32).to_bits() - 1f32.to_bits();
    let between = above_one & ((1 << BITS_BETWEEN) - 1);
    ((above_one >> BITS_BETWEEN) as usize, between as f32 / (1 << BITS_BETWEEN) as f32)
}

/// The visits that have this `place` in the table of exploration.
fn visits_at(place: usize) -> f32 {
    f32::from_bits(1f32.to_bits() + ((place as u32) << BITS_BETWEEN))
}

/// How much to explore below a node after so many `visits`, at least one.
fn exploration(params: &Params, visits: f32) -> f32 {
    match params.select {
        Selection::Puct => params.c * exp(params.c_growth * ln(1.0 + visits / GROWTH_BASE)) * visits.sqrt(),
        Selection::Uct => params.c * ln(visits).sqrt(),
    }
}

/// How much wider than where there are a hundred plays to explore where there are `legal`.
fn breadth(params: &Params, legal: usize) -> f32 {
    1.0 + params.c_breadth * ((legal as f32 / 100.0).sqrt() - 1.0)
}

/// The natural logarithm of `x` ≥ 1, to within 10⁻⁶ of its size.
///
/// The standard library's may differ in the last bit from one machine to the next, and then so
/// would searches that are meant to be repeatable. With x = m·2ᵉ, √½ ≤ m < √2 and
/// s = (m−1)/(m+1): ln x = e·ln 2 + 2·(s + s³/3 + s⁵/5 + …).
fn ln(x: f32) -> f32 {
    let bits = x.to_bits();
    let mut exponent = (bits >> 23) as i32 - 127;
    let mut mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
    if mantissa > SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let series =
        s * (2.0 + square * (2.0 / 3.0 + square * (2.0 / 5.0 + square * (2.0 / 7.0 + square * (2.0 / 9.0)))));
    exponent as f32 * LN_2 + series
}

/// The exponential of `x`, 0 ≤ x < 20, to within 3·10⁻⁶ of its size; for the same reason our own.
///
/// With x = k·ln 2 + r, |r| ≤ ½·ln 2: eˣ = 2ᵏ·(1 + r + r²/2! + r³/3! + …).
fn exp(x: f32) -> f32 {
    let k = (x / LN_2).round();
    let r = x - k * LN_2;
    let series =
        1.0 + r * (1.0 + r / 2.0 * (1.0 + r / 3.0 * (1.0 + r / 4.0 * (1.0 + r / 5.0 * (1.0 + r / 6.0)))));
    series * f32::from_bits(((k as i32 + 127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_close() {
        for x in (1..1000).chain((1000..4_000_000_000u32).step_by(999_983)) {
            let (own, std) = (f64::from(ln(x as f32)), f64::from(x).ln());
            assert!((own - std).abs() <= 2e-6 * std.max(0.1), "ln {x}: {own} for {std}");
        }
    }

    #[test]
    fn the_exponential_is_close() {
        for x in (0..200_000).map(|step| step as f32 / 10_000.0) {
            let (own, std) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((own - std).abs() <= 3e-6 * std, "e to the {x}: {own} for {std}");
        }
    }

    #[test]
    fn exploration_is_looked_up_closely() {
        for (select, c_growth) in
            [(Selection::Puct, 0.55), (Selection::Puct, 1.0), (Selection::Puct, 0.0), (Selection::Uct, 0.0)]
        {
            let params = Params { select, c_growth, ..Params::default() };
            let formula = Formula::new(&params);
            for visits in (1..70_000).chain((70_000..=u32::MAX).step_by(99_991)).chain([u32::MAX]) {
                let exact = exploration(&params, visits as f32);
                let found = formula.exploration(false, 100, visits);
                let most = if visits <= 64 { 1e-6 } else { 1e-4 };
                assert!((found - exact).abs() <= most * exact, "{visits} visits: {found} for {exact}");
            }
        }
    }
}
