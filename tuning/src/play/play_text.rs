//! Plays in JSON: as the text `x,y x,y`, which people and other programs read too.

use halma::rules::Play;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

fn parse<E: Error>(text: &str) -> Result<Play, E> {
    text.parse().map_err(|error| E::custom(format!("'{text}' is no play: {error}")))
}

/// For `#[serde(with = …)]` on a play.
pub mod one {
    use super::*;

    /// Writes the play.
    pub fn serialize<S: Serializer>(play: &Play, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(play)
    }

    /// Reads a play.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Play, D::Error> {
        parse(&String::deserialize(deserializer)?)
    }
}

/// For `#[serde(with = …)]` on a list of plays.
pub mod list {
    use super::*;

    /// Writes the plays.
    pub fn serialize<S: Serializer>(plays: &[Play], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(plays.iter().map(Play::to_string))
    }

    /// Reads plays.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Play>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        texts.iter().map(|text| parse(text)).collect()
    }
}

/// For `#[serde(with = …)]` on a play that may be missing.
pub mod option {
    use super::*;

    /// Writes the play.
    pub fn serialize<S: Serializer>(play: &Option<Play>, serializer: S) -> Result<S::Ok, S::Error> {
        play.map(|play| play.to_string()).serialize(serializer)
    }

    /// Reads a play.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Play>, D::Error> {
        Option::<String>::deserialize(deserializer)?.map(|text| parse(&text)).transpose()
    }
}
