//! The interface of each kind of run: its matches, and the result of their games.

use crate::play::matches::{Count, Settings};
use anyhow::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Display;

/// The arguments of a run by name.
pub type Arguments = BTreeMap<String, Value>;

/// Reads the arguments as a `T`.
///
/// # Errors
/// They don't fit `T`.
pub fn read_arguments<T: DeserializeOwned>(arguments: &Arguments) -> serde_json::Result<T> {
    serde_json::from_value(Value::Object(arguments.clone().into_iter().collect()))
}

/// The matches of a run and its result.
///
/// Matches come in rounds. The matches of a round follow from the arguments and from the games of earlier rounds;
/// their games can be played in any order.
pub trait Schedule {
    /// The number of rounds.
    fn rounds(&self) -> u64 {
        1
    }

    /// The matches of the round that follows the matches already counted.
    ///
    /// # Errors
    /// The arguments are invalid.
    fn round(&self, counts: &[Count]) -> Result<Vec<Match>>;

    /// The result of all matches.
    ///
    /// # Errors
    /// A plot can't be drawn.
    fn conclude(&self, counts: &[Count]) -> Result<Conclusion>;

    /// The run with the arguments `before`, if this run extends it: every game of that run is also a game of this
    /// one. Schedules with one round need not compare their matches; the caller does.
    ///
    /// # Errors
    /// These arguments can't extend that run, but others can; the message says which.
    fn extends(&self, before: &Arguments) -> Result<Option<Box<dyn Schedule>>>;
}

/// One match of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// Its name in messages and reports.
    pub name: String,
    /// Its agents, limits, and number of games.
    pub settings: Settings,
}

/// The result of a run, ready to be printed and stored.
#[derive(Clone, Debug)]
pub struct Conclusion {
    /// The text to print.
    pub text: String,
    /// The contents of `result.json`, without the final line break.
    pub json: String,
    /// The names and contents of the other files to write.
    pub files: Vec<(&'static str, Vec<u8>)>,
}

impl Conclusion {
    /// A result without further files.
    ///
    /// # Errors
    /// The result can't be written as JSON.
    pub fn of<T: Display + Serialize>(result: &T) -> Result<Conclusion> {
        let json = serde_json::to_string_pretty(result)?;
        Ok(Conclusion { text: result.to_string(), json, files: Vec::new() })
    }

    /// Adds an entry at the end of the JSON object, which must not be empty.
    pub(super) fn add(&mut self, name: &str, value: &impl Serialize) -> Result<()> {
        // Strings escape line breaks as \n, so every real line break belongs to the layout.
        let value = serde_json::to_string_pretty(value)?.replace('\n', "\n  ");
        let entries = self.json.strip_suffix('}').unwrap_or(&self.json).trim_end();
        self.json = format!("{entries},\n  \"{name}\": {value}\n}}");
        Ok(())
    }
}

/// The smallest run: a single match.
impl Schedule for Settings {
    fn round(&self, _: &[Count]) -> Result<Vec<Match>> {
        let odds =
            if self.limit.common().is_some() { String::new() } else { format!(", {}", self.limit.label()) };
        Ok(vec![Match { name: format!("{} against {}{odds}", self.a, self.b), settings: self.clone() }])
    }

    fn conclude(&self, counts: &[Count]) -> Result<Conclusion> {
        Conclusion::of(&counts.first().cloned().unwrap_or_default().summary(self))
    }

    /// Extends the same match with fewer games.
    fn extends(&self, before: &Arguments) -> Result<Option<Box<dyn Schedule>>> {
        Ok(read_arguments::<Settings>(before).ok().map(|before| Box::new(before) as Box<dyn Schedule>))
    }
}
