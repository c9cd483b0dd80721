//! Stores values in files as the text that the engine prints and parses, for `#[serde(with = "text")]`: a
//! play as `x,y x,y`, rules by their name. [`list`] does so for several values, [`option`] for an optional
//! one. [`read`] reads text that a user wrote.

use anyhow::{Context, Result, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use halma::rules::Rules;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::{self, Display};
use std::fs::File;
use std::io::Read;
use std::marker::PhantomData;
use std::path::Path;
use std::str::FromStr;

/// The maximum size of a text that is read, in bytes.
const MAX_READ: u64 = 64 << 20;

/// Reads the text in the file at `path`, which may be a pipe.
///
/// # Errors
/// The file can't be read, is larger than 64 MiB (as an endless device is), or is not UTF-8.
pub fn read(path: &Path) -> Result<String> {
    let read = || {
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_READ + 1).read_to_end(&mut bytes)?;
        ensure!(bytes.len() as u64 <= MAX_READ, "larger than {} MiB", MAX_READ >> 20);
        String::from_utf8(bytes).context("not UTF-8")
    };
    read().with_context(|| format!("can't read {}", path.display()))
}

/// The rules by name, for clap.
pub fn rules_parser() -> impl TypedValueParser<Value = Rules> {
    PossibleValuesParser::new(["addendum", "original"]).try_map(|name| name.parse::<Rules>())
}

/// A value parsed from its text. Files of games contain many of them, so no text is copied.
struct Parsed<T>(T);

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Parsed<T>, D::Error> {
        deserializer.deserialize_str(Parser(PhantomData)).map(Parsed)
    }
}

struct Parser<T>(PhantomData<T>);

impl<T: FromStr<Err: Display>> Visitor<'_> for Parser<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(|error| E::custom(format!("'{text}': {error}")))
    }
}

/// Writes the value's text.
pub fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Parses a value.
pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Parsed::deserialize(deserializer).map(|Parsed(value)| value)
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
        let list = Vec::<Parsed<T>>::deserialize(deserializer)?;
        Ok(list.into_iter().map(|Parsed(value)| value).collect())
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
        Ok(Option::<Parsed<T>>::deserialize(deserializer)?.map(|Parsed(value)| value))
    }
}
