//! A file that people write, and the places of its errors.

use crate::play::matches::{Settings, Terms};
use crate::play::openings::Openings;
use anyhow::{Context, Result, anyhow};
use halma::rules::Rules;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::fs;
use std::num::NonZeroU32;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

/// A game of this many plies is a draw, unless the file says otherwise.
const MAX_PLIES: u32 = 400;

/// The text of a TOML file, and its name in messages.
#[derive(Clone, Debug)]
pub struct Document {
    name: String,
    text: String,
}

impl Document {
    /// Reads a file.
    ///
    /// # Errors
    /// It can't be read, or is not UTF-8.
    pub fn read(path: &Path) -> Result<Document> {
        let text = fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
        Ok(Document::new(path.display().to_string(), text))
    }

    /// A text from elsewhere, called `name`.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Document {
        Document { name: name.into(), text: text.into() }
    }

    /// Parses the text as a `T`.
    ///
    /// # Errors
    /// It is no TOML, or no `T`: as `FILE:LINE:COLUMN: what is wrong`.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        toml::from_str(&self.text).map_err(|error| self.error(error.span().unwrap_or(0..0), error.message()))
    }

    /// The error `message` about the bytes in `span`: `FILE:LINE:COLUMN: message`, with line
    /// and column from 1, in the form that editors know how to follow.
    pub fn error(&self, span: Range<usize>, message: impl Display) -> anyhow::Error {
        let (line, column) = self.place(span.start);
        anyhow!("{}:{line}:{column}: {message}", self.name)
    }

    /// The terms of all games, from the file's entries or the defaults.
    ///
    /// # Errors
    /// There are no such openings.
    pub fn terms(
        &self,
        seed: u64,
        openings: Option<&Spanned<String>>,
        max_plies: Option<NonZeroU32>,
        rules: Rules,
        tree_nodes: usize,
    ) -> Result<Terms> {
        let read = |name: &Spanned<String>| {
            Openings::parse(name.get_ref()).map_err(|error| self.error(name.span(), format!("{error:#}")))
        };
        let openings = openings.map_or(Ok(Openings::default()), read)?;
        let max_plies = max_plies.map_or(MAX_PLIES, NonZeroU32::get);
        Ok(Terms { seed, openings, max_plies, rules, tree_nodes })
    }

    /// Checks that a match with `settings` can be played; an error points at the openings, `name`.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self, settings: &Settings, name: Option<&Spanned<String>>) -> Result<()> {
        let span = name.map_or(0..0, Spanned::span);
        settings.check().map_err(|error| self.error(span, format!("{error:#}")))
    }

    /// Line and column, from 1, of the byte at `offset`.
    fn place(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset).unwrap_or(&self.text);
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        (1 + before.matches('\n').count(), 1 + before[start..].chars().count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Small {
        #[serde(rename = "number")]
        _number: u8,
    }

    #[test]
    fn errors_have_line_and_column() {
        let message = |text: &str| match Document::new("some.toml", text).parse::<Small>() {
            Ok(small) => panic!("{small:?}"),
            Err(error) => error.to_string(),
        };
        assert!(message("number = 1\n\n  nonsense").starts_with("some.toml:3:"), "{}", message("nonsense"));
        assert!(message("# é\nnumber = 300").starts_with("some.toml:2:10: "));
        assert!(message("number = 3\nother = 'x'").starts_with("some.toml:2:1: unknown field `other`"));
        assert!(message("").starts_with("some.toml:1:1: missing field `number`"));
        assert_eq!(Document::new("x", "ab\nüc").error(5..6, "no").to_string(), "x:2:2: no");
    }
}
