//! Tables of parameters: what spec strings, sweeps, help and documentation know of them.
//!
//! A search, an agent, a playout policy or a prior declares its parameters once, in its own file, with
//! [`parameters!`](crate::parameters!): name, type, default, range and meaning.
//!
//! ```
//! use halma::support::parameters::{Parameters, whole};
//!
//! halma::parameters! {
//!     /// The parameters of a policy.
//!     pub struct Settings;
//!     cap: u64 = 2, whole(0, 100, 2), "plies of a playout before the evaluation speaks";
//! }
//!
//! let mut settings = Settings::default();
//! settings.set("cap", "8").unwrap();
//! assert_eq!(settings.cap, 8);
//! let error = settings.set("cap", "101").unwrap_err();
//! assert_eq!(error.to_string(), "cap=101: expected a whole number from 0 to 100");
//! assert_eq!(Settings::table()[0].default, "2");
//! ```

use std::fmt;

/// What values a parameter can take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// A number from `least` to `most`; sweeps vary it by `step`.
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
    /// A part that is chosen by name, and may have parameters of its own.
    Part(Part),
    /// The path of a file, or this word for what comes with the program. Who makes agents of specs from
    /// elsewhere should not let them name files.
    File(&'static str),
}

/// The parts of an agent that can be exchanged by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// What a leaf is worth: [`Playout`](crate::playout::Playout).
    Playout,
    /// How likely each play is the best, before search: [`Prior`](crate::prior::Prior).
    Prior,
    /// What a position is worth as it stands: [`Evaluation`](crate::evaluation::Evaluation).
    Evaluation,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Part::Playout => "playout policy",
            Part::Prior => "prior",
            Part::Evaluation => "evaluation",
        })
    }
}

/// One parameter, a row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in spec strings.
    pub name: &'static str,
    /// The values it can take.
    pub range: Range,
    /// Its default value as text.
    pub default: String,
    /// One line of meaning.
    pub about: &'static str,
}

/// A set of parameters, each set by name. [`parameters!`](crate::parameters!) implements it.
pub trait Parameters: Clone + Default + PartialEq + Send + 'static {
    /// Every parameter, in the order for help and documentation.
    fn table() -> Vec<Parameter>;

    /// Sets the parameter called `name` to the value in `text`.
    ///
    /// # Errors
    /// An unknown name, or a text that is no value in the parameter's range; then nothing changes.
    fn set(&mut self, name: &str, text: &str) -> Result<(), ParameterError>;

    /// The value of the parameter called `name`, as [`set`](Self::set) reads it.
    fn get(&self, name: &str) -> Option<String>;
}

crate::parameters! {
    /// For types without parameters.
    pub struct NoParameters;
}

/// Something that a spec string can name, with parameters of its own.
///
/// What it uses beside its parameters depends on what it is: a playout policy is given an
/// [`Evaluation`](crate::evaluation::Evaluation), which it may ask at the end of a playout, and a prior too if
/// it uses [`Parts`](crate::playout::Parts); a prior and an evaluation use nothing; an agent is given the seed
/// from which all that is random in it follows.
pub trait Named: Sized + 'static {
    /// Its name in spec strings: small letters, digits and hyphens.
    const NAME: &'static str;
    /// One line on what it does.
    const ABOUT: &'static str;
    /// Its parameters; [`NoParameters`] if it has none.
    type Parameters: Parameters;
    /// What it is made from beside its parameters.
    type Uses;

    /// Makes one with these `parameters`.
    fn new(parameters: Self::Parameters, uses: Self::Uses) -> Self;
}

/// Why a parameter could not be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterError {
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
    /// The file that the parameter names is of no use.
    BadFile {
        /// The parameter.
        name: &'static str,
        /// The path.
        path: String,
        /// What is wrong with the file.
        fault: String,
    },
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterError::Unknown { name } => write!(f, "there is no parameter '{name}'"),
            ParameterError::BadValue { name, value, expected } => {
                write!(f, "{name}={value}: expected {expected}")
            }
            ParameterError::BadFile { name, path, fault } => write!(f, "{name}={path}: {fault}"),
        }
    }
}

impl std::error::Error for ParameterError {}

impl Range {
    /// The values in words, for messages and documentation.
    pub fn describe(&self) -> String {
        match self {
            Range::Number { least, most, .. } => format!("a number from {least} to {most}"),
            Range::Whole { least, most, .. } => format!("a whole number from {least} to {most}"),
            Range::Word(words) => format!("one of {}", words.join(", ")),
            Range::Part(part) => format!("any {part}"),
            Range::File(built_in) => format!("{built_in}, or the path of a file"),
        }
    }
}

/// A type that a parameter can have.
pub trait ParameterValue: Sized {
    /// The value in `text`, if it is in `range`.
    fn parse(text: &str, range: &Range) -> Option<Self>;
    /// This value as text.
    fn print(&self) -> String;
}

/// Reads the value of the parameter called `name` from `text`.
///
/// # Errors
/// `text` is no value in `range`.
pub fn read<T: ParameterValue>(name: &'static str, text: &str, range: &Range) -> Result<T, ParameterError> {
    T::parse(text, range).ok_or_else(|| ParameterError::BadValue {
        name,
        value: text.to_string(),
        expected: range.describe(),
    })
}

impl ParameterValue for f32 {
    fn parse(text: &str, range: &Range) -> Option<f32> {
        let Range::Number { least, most, .. } = *range else { return None };
        let number: f64 = text.parse().ok()?;
        (number >= least && number <= most).then_some(number as f32)
    }

    fn print(&self) -> String {
        self.to_string()
    }
}

impl ParameterValue for u64 {
    fn parse(text: &str, range: &Range) -> Option<u64> {
        let Range::Whole { least, most, .. } = *range else { return None };
        let number: u64 = text.parse().ok()?;
        (least..=most).contains(&number).then_some(number)
    }

    fn print(&self) -> String {
        self.to_string()
    }
}

impl ParameterValue for String {
    fn parse(text: &str, range: &Range) -> Option<String> {
        (matches!(range, Range::File(_)) && !text.is_empty()).then(|| text.to_string())
    }

    fn print(&self) -> String {
        self.clone()
    }
}

impl ParameterValue for bool {
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

/// The range of a number, which sweeps vary by `step`.
pub const fn number(least: f64, most: f64, step: f64) -> Range {
    Range::Number { least, most, step }
}

/// The range of a whole number, which sweeps vary by `step`.
pub const fn whole(least: u64, most: u64, step: u64) -> Range {
    Range::Whole { least, most, step }
}

/// The range of a switch: on or off.
pub const ON_OFF: Range = Range::Word(&["on", "off"]);

/// Declares a struct of parameters that implements [`Parameters`](crate::support::parameters::Parameters).
///
/// Each line is `field: type = default, range, "one line of meaning";`. A type is `f32`, `u64`, `bool`, `String`
/// (a file), or any other that implements [`ParameterValue`](crate::support::parameters::ParameterValue).
#[macro_export]
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

        impl $crate::support::parameters::Parameters for $name {
            fn table() -> Vec<$crate::support::parameters::Parameter> {
                vec![$($crate::support::parameters::Parameter {
                    name: stringify!($field),
                    range: $range,
                    default: {
                        let default: $type = $default;
                        $crate::support::parameters::ParameterValue::print(&default)
                    },
                    about: $about,
                }),*]
            }

            fn set(&mut self, name: &str, text: &str) -> Result<(), $crate::support::parameters::ParameterError> {
                match name {
                    $(stringify!($field) => {
                        self.$field = $crate::support::parameters::read(stringify!($field), text, &$range)?;
                        Ok(())
                    })*
                    _ => {
                        let _ = text;
                        Err($crate::support::parameters::ParameterError::Unknown { name: name.to_string() })
                    }
                }
            }

            fn get(&self, name: &str) -> Option<String> {
                match name {
                    $(stringify!($field) => Some($crate::support::parameters::ParameterValue::print(&self.$field)),)*
                    _ => None,
                }
            }
        }
    };
}
