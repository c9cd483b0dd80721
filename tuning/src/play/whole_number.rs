//! Whole numbers on command lines and in files, with or without an exponent: `20000` or `2e4`.

use serde::Deserialize;
use serde::de::{Deserializer, Error};

/// Parses a whole number with or without an exponent.
///
/// # Errors
/// `text` is not a number, has a fraction, or does not fit a `T`.
pub fn whole<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let number = text.parse::<u64>().map_err(|_| text.parse::<f64>());
    let number = number.or_else(|float| from_float(float.unwrap_or(f64::NAN)))?;
    fit(number).map_err(str::to_string)
}

/// Parses a whole number above 0.
///
/// # Errors
/// The same as for [`whole`], or the number is 0.
pub fn positive<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    match whole::<u64>(text)? {
        0 => Err(TOO_SMALL.to_string()),
        number => fit(number).map_err(str::to_string),
    }
}

/// `number` as a `T`, which may be a type without 0.
fn fit<T: TryFrom<u64>>(number: u64) -> Result<T, &'static str> {
    T::try_from(number).map_err(|_| if number == 0 { TOO_SMALL } else { TOO_LARGE })
}

const TOO_SMALL: &str = "expected 1 or more";
const TOO_LARGE: &str = "the number is too large";
const EXPECTED: &str = "expected a whole number, such as 20000 or 2e4";

/// Above this, a float may stand for any of several whole numbers.
const MAX_EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;

fn from_float(number: f64) -> Result<u64, &'static str> {
    match number {
        _ if number > MAX_EXACT => Err(TOO_LARGE),
        _ if number >= 0.0 && number.fract() == 0.0 => Ok(number as u64),
        _ => Err(EXPECTED),
    }
}

/// A number in a file: TOML has integers and floats.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a whole number, such as 20000 or 2e4")]
enum Number {
    Whole(u64),
    Float(f64),
}

/// Reads a whole number from a file, for serde: `games = 20000` or `games = 2e4`.
///
/// # Errors
/// The same as for [`whole`].
pub fn in_file<'de, D: Deserializer<'de>, T: TryFrom<u64>>(deserializer: D) -> Result<T, D::Error> {
    let number = match Number::deserialize(deserializer)? {
        Number::Whole(number) => number,
        Number::Float(number) => from_float(number).map_err(D::Error::custom)?,
    };
    fit(number).map_err(D::Error::custom)
}

/// Reads an optional whole number.
///
/// # Errors
/// The same as for [`whole`].
pub fn optional_in_file<'de, D: Deserializer<'de>, T: TryFrom<u64>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    in_file(deserializer).map(Some)
}

/// Reads an optional whole number above 0.
///
/// # Errors
/// The same as for [`positive`].
pub fn optional_positive_in_file<'de, D: Deserializer<'de>, T: TryFrom<u64>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    match in_file(deserializer)? {
        0 => Err(D::Error::custom(TOO_SMALL)),
        number => fit(number).map(Some).map_err(D::Error::custom),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_with_and_without_an_exponent() {
        for (text, number) in [
            ("0", 0),
            ("1500", 1500),
            ("1e4", 10_000),
            ("1E4", 10_000),
            ("1e+4", 10_000),
            ("1.5e3", 1500),
            ("0.25e2", 25),
            ("120e-1", 12),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(whole::<u64>(text), Ok(number), "{text}");
        }
        for text in ["", "e", "e4", "1e", "-1", "-1e4", "1e4e4", "1_000", "NaN", "1 e4", "1.5e0", "1e-1"] {
            assert_eq!(whole::<u64>(text), Err(EXPECTED.to_string()), "{text}");
        }
        for text in ["1e20", "18446744073709551616", "1e999", "inf"] {
            assert_eq!(whole::<u64>(text), Err(TOO_LARGE.to_string()), "{text}");
        }
        assert_eq!(whole::<u16>("6.5536e4"), Err(TOO_LARGE.to_string()));
        assert_eq!(positive::<u16>("6.5535e4"), Ok(65_535));
        assert_eq!(positive::<u64>("0e3"), Err("expected 1 or more".to_string()));
    }
}
