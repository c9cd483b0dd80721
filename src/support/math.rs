//! Logarithms and exponentials that are the same on every machine.

use std::f32::consts::{LN_2, SQRT_2};

/// The natural logarithm of `x` ≥ 1, with a relative error below 10⁻⁶.
///
/// The standard library's logarithm may differ in the last bit between machines, and searches must be repeatable
/// everywhere. With x = m·2ᵉ, √½ ≤ m < √2 and s = (m−1)/(m+1): ln x = e·ln 2 + 2·(s + s³/3 + s⁵/5 + …).
pub fn ln(x: f32) -> f32 {
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

/// The exponential of `x`, clamped to −80 … 80, with a relative error below 6·10⁻⁶. The standard library's function is
/// not used, for the same reason as in [`ln`].
///
/// With x = k·ln 2 + r, |r| ≤ ½·ln 2: eˣ = 2ᵏ·(1 + r + r²/2! + r³/3! + …).
#[inline]
pub fn exp(x: f32) -> f32 {
    let x = x.clamp(-80.0, 80.0);
    // An f32 this large has no fraction, so adding it rounds, and the lowest bits of the sum are k. Loops with additions
    // are vectorized; loops with `round` and conversions are not.
    const LARGE: f32 = 3.0 * (1 << 22) as f32;
    let shifted = x / LN_2 + LARGE;
    let k = shifted - LARGE;
    let r = x - k * LN_2;
    let series =
        1.0 + r * (1.0 + r / 2.0 * (1.0 + r / 3.0 * (1.0 + r / 4.0 * (1.0 + r / 5.0 * (1.0 + r / 6.0)))));
    series * f32::from_bits((shifted.to_bits() + 127) << 23)
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
        for x in (-80_000..80_000).map(|step| step as f32 / 1000.0) {
            let (own, std) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((own - std).abs() <= 6e-6 * std, "e to the {x}: {own} for {std}");
        }
    }
}
