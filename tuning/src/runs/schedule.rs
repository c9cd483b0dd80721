//! What the kinds of runs say of themselves.

use crate::play::matches::{Count, Settings};
use anyhow::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Display;

/// The arguments of a run by name.
pub type Arguments = BTreeMap<String, Value>;

/// The arguments as a `T`.
///
/// # Errors
/// They are broken.
pub fn read_arguments<T: DeserializeOwned>(arguments: &Arguments) -> serde_json::Result<T> {
    serde_json::from_value(Value::Object(arguments.clone().into_iter().collect()))
}

/// Which matches are played, and what follows from them.
///
/// The matches come in rounds: those of a round follow from the arguments and the games of the rounds
/// before. Their games can be played in any order.
pub trait Schedule {
    /// How many rounds there are.
    fn rounds(&self) -> u64 {
        1
    }

    /// The matches of the next round, after those whose games have been counted.
    ///
    /// # Errors
    /// The arguments are none that the command would take.
    fn round(&self, counts: &[Count]) -> Result<Vec<Match>>;

    /// What all matches together have come to.
    ///
    /// # Errors
    /// A picture can't be drawn.
    fn conclude(&self, counts: &[Count]) -> Result<Conclusion>;

    /// The run with these arguments, if this one goes on where it ends: if all games of that one, as they were
    /// played, are games of this one too. What [`round`](Self::round) tells of a single round need not be compared.
    ///
    /// # Errors
    /// It can't be extended by these arguments, but by others, which the message names.
    fn extends(&self, before: &Arguments) -> Result<Option<Box<dyn Schedule>>>;
}

/// One match of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// What it is called in messages and reports.
    pub name: String,
    /// What it is made of.
    pub settings: Settings,
}

/// The result of a run, ready to be shown.
#[derive(Clone, Debug)]
pub struct Conclusion {
    /// For people to read.
    pub text: String,
    /// For programs: the contents of `result.json`, but for the line break at the end.
    pub json: String,
    /// What else is left in the folder: names and contents of files.
    pub files: Vec<(&'static str, Vec<u8>)>,
}

impl Conclusion {
    /// The result alone.
    ///
    /// # Errors
    /// Never, for what can be written as JSON.
    pub fn of<T: Display + Serialize>(result: &T) -> Result<Conclusion> {
        let json = serde_json::to_string_pretty(result)?;
        Ok(Conclusion { text: result.to_string(), json, files: Vec::new() })
    }

    /// Adds an entry at the end of the JSON, which is an object with entries.
    pub(super) fn add(&mut self, name: &str, value: &impl Serialize) -> Result<()> {
        // A line break in a text is written as \n: those in between are all of the layout.
        let value = serde_json::to_string_pretty(value)?.replace('\n', "\n  ");
        let entries = self.json.strip_suffix('}').unwrap_or(&self.json).trim_end();
        self.json = format!("{entries},\n  \"{name}\": {value}\n}}");
        Ok(())
    }
}

/// A match is the smallest run.
impl Schedule for Settings {
    fn round(&self, _: &[Count]) -> Result<Vec<Match>> {
        let odds =
            if self.limit.common().is_some() { String::new() } else { format!(", {}", self.limit.label()) };
        Ok(vec![Match { name: format!("{} against {}{odds}", self.a, self.b), settings: self.clone() }])
    }

    fn conclude(&self, counts: &[Count]) -> Result<Conclusion> {
        Conclusion::of(&counts.first().cloned().unwrap_or_default().summary(self))
    }

    /// The same match with fewer games.
    fn extends(&self, before: &Arguments) -> Result<Option<Box<dyn Schedule>>> {
        Ok(read_arguments::<Settings>(before).ok().map(|before| Box::new(before) as Box<dyn Schedule>))
    }
}
