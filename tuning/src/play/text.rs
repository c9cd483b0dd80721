//! Stores values in files as the text that the engine prints and parses, for `#[serde(with = "text")]`: a
//! play as `x,y x,y`, rules by their name. [`list`] does so for several values, [`option`] for an optional
//! one.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use halma::rules::Rules;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::Display;
use std::str::FromStr;

/// The rules by name, for clap.
pub fn rules_parser() -> impl TypedValueParser<Value = Rules> {
    PossibleValuesParser::new(["addendum", "original"]).try_map(|name| name.parse::<Rules>())
}

fn parse<T: FromStr<Err: Display>, E: Error>(text: &str) -> Result<T, E> {
    text.parse().map_err(|error| E::custom(format!("'{text}': {error}")))
}

/// Writes the value's text.
pub fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Parses a value.
pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    parse(&String::deserialize(deserializer)?)
}

/// For a list of values.
pub mod list {
    use super::*;

    /// Writes each value's text.
    pub fn serialize<T: Display, S: Serializer>(values: &[T], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(T::to_string))
    }

    /// Parses a list of values.
    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        Vec::<String>::deserialize(deserializer)?.iter().map(|text| parse(text)).collect()
    }
}

/// For an optional value.
pub mod option {
    use super::*;

    /// Writes the value's text.
    pub fn serialize<T: Display, S: Serializer>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        value.as_ref().map(T::to_string).serialize(serializer)
    }

    /// Parses a value.
    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        Option::<String>::deserialize(deserializer)?.map(|text| parse(&text)).transpose()
    }
}
