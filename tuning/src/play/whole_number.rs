//! Whole numbers as people write them: `20000`, and also `2e4`.

use serde::de::{self, Deserializer, Unexpected, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// No number that fits has more digits, whatever the exponent says.
const MOST_DIGITS: usize = 40;

/// Reads a whole number, 0 or more, in digits or with an exponent, such as `1500`, `1e4` or `1.5e3`. Exact: no
/// floating point is involved.
///
/// # Errors
/// It is no number, has a fraction, or is more than a `T` holds.
pub fn whole<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let number = match text.parse::<u64>() {
        Ok(number) => Ok(number),
        Err(_) => digits(text).and_then(|digits| digits.parse().map_err(|_| TOO_MANY.to_string())),
    };
    number.and_then(|number| T::try_from(number).map_err(|_| TOO_MANY.to_string()))
}

/// The same for numbers from 1 on.
///
/// # Errors
/// Those of [`whole`]; or it is 0.
pub fn positive<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    match whole::<u64>(text)? {
        0 => Err("expected 1 or more".to_string()),
        number => T::try_from(number).map_err(|_| TOO_MANY.to_string()),
    }
}

const TOO_MANY: &str = "more than fits";
const NO_NUMBER: &str = "expected a whole number, such as 20000 or 2e4";

/// The digits of the number that `text` writes with an exponent, without those that are 0 in front.
fn digits(text: &str) -> Result<String, String> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let of_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let right = of_digits(whole) && of_digits(fraction) && of_digits(unsigned) && !unsigned.is_empty();
    if !right || whole.is_empty() || mantissa.ends_with('.') {
        return Err(NO_NUMBER.to_string());
    }
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0');
    if digits.is_empty() {
        return Ok("0".to_string());
    }
    // An exponent that does not even fit is of one sign or the other, and that is all that matters.
    let far = if exponent.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
    let point = exponent.parse().unwrap_or(far).clamp(i64::MIN / 2, i64::MAX / 2) - fraction.len() as i64;
    if point < 0 {
        let dropped = usize::try_from(-point).unwrap_or(usize::MAX).min(digits.len());
        let (kept, rest) = digits.split_at(digits.len() - dropped);
        let exact = rest.bytes().all(|digit| digit == b'0') && !kept.is_empty();
        return if exact { Ok(kept.to_string()) } else { Err(format!("not a whole number: {NO_NUMBER}")) };
    }
    match usize::try_from(point).ok().filter(|&zeros| digits.len().saturating_add(zeros) <= MOST_DIGITS) {
        Some(zeros) => Ok(format!("{digits}{}", "0".repeat(zeros))),
        None => Err(TOO_MANY.to_string()),
    }
}

/// Reads a number of a file in the same way: `games = 20000`, or `games = 2e4`. For serde.
///
/// # Errors
/// Those of [`whole`].
pub fn in_file<'de, D: Deserializer<'de>, T: TryFrom<u64>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(InFile(PhantomData))
}

/// The same for a number that may be left out.
///
/// # Errors
/// Those of [`whole`].
pub fn optional_in_file<'de, D: Deserializer<'de>, T: TryFrom<u64>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    in_file(deserializer).map(Some)
}

struct InFile<T>(PhantomData<T>);

impl<T: TryFrom<u64>> Visitor<'_> for InFile<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, such as 20000 or 2e4, that is not too large or too small")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
        T::try_from(number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
        let fitting = u64::try_from(number).ok().and_then(|number| T::try_from(number).ok());
        fitting.ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<T, E> {
        // The shortest digits that are this number are those that were written.
        whole(&format!("{number:e}")).map_err(|_| E::invalid_value(Unexpected::Float(number), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_read_exactly() {
        for (text, number) in [
            ("0", 0),
            ("1500", 1500),
            ("1e4", 10_000),
            ("1E4", 10_000),
            ("1e+4", 10_000),
            ("1.5e3", 1500),
            ("0.25e2", 25),
            ("120e-1", 12),
            ("0e99999999999999999999", 0),
            ("18446744073709551615", u64::MAX),
            ("1.8446744073709551615e19", u64::MAX),
        ] {
            assert_eq!(whole::<u64>(text), Ok(number), "{text}");
        }
        for text in ["1.5e0", "15e-1", "1e-1", "1e-99999999999999999999", "1.25e1"] {
            assert!(whole::<u64>(text).is_err_and(|error| error.contains("not a whole number")), "{text}");
        }
        for text in ["1e20", "18446744073709551616", "1e99999999999999999999", "1.8446744073709551616e19"] {
            assert_eq!(whole::<u64>(text), Err("more than fits".to_string()), "{text}");
        }
        for text in
            ["", "e", "e4", "1e", "1e+", "1.e4", ".5e1", "-1", "-1e4", "1e4e4", "1_000", "inf", "NaN", "1 e4"]
        {
            assert_eq!(whole::<u64>(text), Err(NO_NUMBER.to_string()), "{text}");
        }
        assert_eq!(whole::<u16>("6.5536e4"), Err("more than fits".to_string()));
        assert_eq!(positive::<u16>("6.5535e4"), Ok(65_535));
        assert_eq!(positive::<u64>("0e3"), Err("expected 1 or more".to_string()));
    }
}
