//! What can be told in a spec string: parameters with their ranges, and tables of them.

use crate::playout;
use std::fmt;

/// What values a parameter can take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// A number from `least` to `most`, of which sweeps try every `step`-th.
    Number {
        /// The least value allowed.
        least: f64,
        /// The greatest value allowed.
        most: f64,
        /// A step that makes a difference worth measuring.
        step: f64,
    },
    /// A whole number from `least` to `most`.
    Whole {
        /// The least value allowed.
        least: u64,
        /// The greatest value allowed.
        most: u64,
        /// A step that makes a difference worth measuring.
        step: u64,
    },
    /// One of these words.
    Word(&'static [&'static str]),
    /// The name of a registered playout policy.
    Policy,
}

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// What spec strings call it.
    pub name: &'static str,
    /// The values it can take.
    pub range: Range,
    /// One line of meaning.
    pub about: &'static str,
}

/// Why a parameter could not be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParamError {
    /// There is no parameter of this name.
    Unknown {
        /// The name.
        name: String,
    },
    /// The text is no value of this parameter.
    BadValue {
        /// The parameter.
        name: &'static str,
        /// The text.
        value: String,
        /// What it should have been.
        expected: String,
    },
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamError::Unknown { name } => write!(f, "there is no parameter '{name}'"),
            ParamError::BadValue { name, value, expected } => {
                write!(f, "{name}={value}: expected {expected}")
            }
        }
    }
}

impl std::error::Error for ParamError {}

impl Range {
    /// The values in words, for messages and documentation.
    pub fn describe(&self) -> String {
        match self {
            Range::Number { least, most, .. } => format!("a number from {least} to {most}"),
            Range::Whole { least, most, .. } => format!("a whole number from {least} to {most}"),
            Range::Word(words) => format!("one of {}", words.join(", ")),
            Range::Policy => {
                let names: Vec<&str> = playout::names().iter().map(|&(name, _)| name).collect();
                format!("one of {}", names.join(", "))
            }
        }
    }
}

/// A type that a parameter can have.
pub(crate) trait Setting: Sized {
    /// The value that `text` says, if it is in `range`.
    fn parse(text: &str, range: &Range) -> Option<Self>;
    /// The text that says this value.
    fn print(&self) -> String;
}

/// The value of the parameter called `name` that `text` says.
///
/// # Errors
/// It is none in `range`.
pub(crate) fn read<T: Setting>(name: &'static str, text: &str, range: &Range) -> Result<T, ParamError> {
    T::parse(text, range).ok_or_else(|| ParamError::BadValue {
        name,
        value: text.to_string(),
        expected: range.describe(),
    })
}

impl Setting for f32 {
    fn parse(text: &str, range: &Range) -> Option<f32> {
        let Range::Number { least, most, .. } = *range else { return None };
        let number: f64 = text.parse().ok()?;
        (number >= least && number <= most).then_some(number as f32)
    }

    fn print(&self) -> String {
        self.to_string()
    }
}

impl Setting for u64 {
    fn parse(text: &str, range: &Range) -> Option<u64> {
        let Range::Whole { least, most, .. } = *range else { return None };
        let number: u64 = text.parse().ok()?;
        (least..=most).contains(&number).then_some(number)
    }

    fn print(&self) -> String {
        self.to_string()
    }
}

impl Setting for bool {
    fn parse(text: &str, _range: &Range) -> Option<bool> {
        match text {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        }
    }

    fn print(&self) -> String {
        if *self { "on" } else { "off" }.to_string()
    }
}

impl Setting for &'static str {
    fn parse(text: &str, _range: &Range) -> Option<&'static str> {
        playout::names().iter().map(|&(name, _)| name).find(|&name| name == text)
    }

    fn print(&self) -> String {
        self.to_string()
    }
}

/// A number, which sweeps try by steps.
pub(crate) const fn number(least: f64, most: f64, step: f64) -> Range {
    Range::Number { least, most, step }
}

/// A whole number, which sweeps try by steps.
pub(crate) const fn whole(least: u64, most: u64, step: u64) -> Range {
    Range::Whole { least, most, step }
}

/// Something that is on or off.
pub(crate) const ON_OFF: Range = Range::Word(&["on", "off"]);

/// Makes a struct of parameters: its defaults, its table, reading and writing by name.
///
/// Each line is `field: type = default, range, "one line of meaning";`.
macro_rules! parameters {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident;
        $($field:ident: $type:ty = $default:expr, $range:expr, $about:literal;)*
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq)]
        $visibility struct $name {
            $(#[doc = $about] pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> $name {
                $name { $($field: $default),* }
            }
        }

        impl $name {
            /// Every parameter, in the order in which they are best explained.
            pub const TABLE: &'static [$crate::mcts::Parameter] =
                &[$($crate::mcts::Parameter { name: stringify!($field), range: $range, about: $about }),*];

            /// Sets the parameter called `name` to the value that `text` says.
            ///
            /// # Errors
            /// An unknown name, or a text that is no value in the parameter's range.
            pub fn set(&mut self, name: &str, text: &str) -> Result<(), $crate::mcts::ParamError> {
                match name {
                    $(stringify!($field) => {
                        self.$field = $crate::mcts::parameter::read(stringify!($field), text, &$range)?;
                        Ok(())
                    })*
                    _ => Err($crate::mcts::ParamError::Unknown { name: name.to_string() }),
                }
            }

            /// The value of the parameter called `name`, as [`set`](Self::set) reads it.
            pub fn get(&self, name: &str) -> Option<String> {
                match name {
                    $(stringify!($field) => Some($crate::mcts::parameter::Setting::print(&self.$field)),)*
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use parameters;
