//! The text of an experiment and the positions of its errors.

use crate::play::matches::{SettingError, Settings};
use crate::play::text;
use anyhow::{Result, anyhow};
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

/// Defines the struct that a file is read into: its own fields and those common to all experiments. (serde's `flatten`
/// would lose the positions of errors.)
macro_rules! experiment_text {
    (struct $name:ident { $($(#[$attribute:meta])* $field:ident: $type:ty,)* }) => {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct $name {
            $($(#[$attribute])* $field: $type,)*
            #[serde(default, deserialize_with = "crate::play::whole_number::optional_in_file")]
            seed: Option<u64>,
            openings: Option<toml::Spanned<String>>,
            #[serde(default, deserialize_with = "crate::play::whole_number::optional_positive_in_file")]
            max_plies: Option<u32>,
            #[serde(default, with = "crate::play::text")]
            rules: halma::rules::Rules,
            #[serde(default, deserialize_with = "crate::play::whole_number::in_file")]
            tree_nodes: usize,
        }

        impl $name {
            /// The terms of all games; `seed` overrides the file's.
            fn terms(&self, source: &Document, seed: Option<u64>) -> Result<$crate::play::matches::Terms> {
                let openings = self.openings.as_ref().map_or(Ok(Default::default()), |name| {
                    let openings = $crate::play::openings::Openings::parse(name.get_ref());
                    openings.map_err(|error| source.error(name.span(), format!("{error:#}")))
                })?;
                let usual = $crate::play::matches::Terms::default();
                Ok($crate::play::matches::Terms {
                    seed: seed.or(self.seed).unwrap_or(usual.seed),
                    openings,
                    max_plies: self.max_plies.unwrap_or(usual.max_plies),
                    rules: self.rules,
                    tree_nodes: self.tree_nodes,
                })
            }
        }
    };
}
pub(in crate::runs) use experiment_text;

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
    /// The file can't be read, or is not UTF-8.
    pub fn read(path: &Path) -> Result<Document> {
        Ok(Document::new(path.display().to_string(), text::read(path)?))
    }

    /// A document called `name` in messages.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Document {
        Document { name: name.into(), text: text.into() }
    }

    /// Parses the text as a `T`.
    ///
    /// # Errors
    /// The text is not TOML, or a field of `T` is missing or invalid: `FILE:LINE:COLUMN: the fault`.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        toml::from_str(&self.text).map_err(|error| self.error(error.span().unwrap_or(0..0), error.message()))
    }

    /// The error `message` about the bytes in `span`, as `FILE:LINE:COLUMN: message`, which editors can follow. Line
    /// and column are counted from 1.
    pub fn error(&self, span: Range<usize>, message: impl Display) -> anyhow::Error {
        let (line, column) = self.place(span.start);
        anyhow!("{}:{line}:{column}: {message}", self.name)
    }

    /// Checks that a match with `settings` can be played; an error points at `openings`.
    pub(in crate::runs) fn check(
        &self,
        settings: &Settings,
        openings: Option<&Spanned<String>>,
    ) -> Result<()> {
        let span = openings.map_or(0..0, Spanned::span);
        settings.check().map_err(|error| self.error(span, SettingError::with_keys(&error)))
    }

    /// The line and column, from 1, of the byte at `offset`.
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
        assert!(Document::new("marked.toml", "\u{feff}number = 3\r\n").parse::<Small>().is_ok());
        assert_eq!(Document::new("x", "ab\nüc").error(5..6, "no").to_string(), "x:2:2: no");
    }
}
