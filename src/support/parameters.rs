//! Tables of parameters, for spec strings, sweeps, help and documentation.
//!
//! A search, an agent, a playout policy or a prior declares its parameters once, in its own file, with
//! [`parameters!`](crate::parameters!): name, type, default, range and meaning.
//!
//! ```
//! use halma::agent::Spec;
//! use halma::support::parameters::{Parameters, whole};
//!
//! halma::parameters! {
//!     /// The parameters of a policy.
//!     pub struct Settings;
//!     cap: u64 = 2, whole(0, 100, 2), "maximum plies of a playout";
//! }
//!
//! let mut settings = Settings::default();
//! settings.set("cap", &Spec::of("8")).unwrap();
//! assert_eq!(settings.cap, 8);
//! let error = settings.set("cap", &Spec::of("101")).unwrap_err();
//! assert_eq!(error.to_string(), "cap=101: expected a whole number from 0 to 100");
//! assert_eq!(Settings::table()[0].default, Spec::of("2"));
//! ```

use super::spec::{Spec, SpecError};
use std::fmt;

/// The values that a parameter can take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// A number from `least` to `most`.
    Number {
        /// The smallest allowed value.
        least: f64,
        /// The greatest allowed value.
        most: f64,
        /// The step by which sweeps vary it: large enough for a measurable effect.
        step: f64,
    },
    /// A whole number from `least` to `most`.
    Whole {
        /// The smallest allowed value.
        least: u64,
        /// The greatest allowed value.
        most: u64,
        /// The step by which sweeps vary it: large enough for a measurable effect.
        step: u64,
    },
    /// One of these words.
    Word(&'static [&'static str]),
    /// A part chosen by name, which may have parameters of its own.
    Part(Part),
    /// The path of a file, or this word for the built-in one. Do not let specs from untrusted sources name files.
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
    /// The name in spec strings.
    pub name: &'static str,
    /// The allowed values.
    pub range: Range,
    /// The default value.
    pub default: Spec,
    /// The meaning, in one line.
    pub about: &'static str,
}

/// A set of named parameters, implemented by [`parameters!`](crate::parameters!).
pub trait Parameters: Clone + Default + PartialEq + Send + 'static {
    /// All parameters, in the order of help and documentation.
    fn table() -> Vec<Parameter>;

    /// Sets the parameter `name`.
    ///
    /// # Errors
    /// The parameter does not exist, or the value is outside its range; then nothing changes.
    fn set(&mut self, name: &str, value: &Spec) -> Result<(), SpecError>;
}

crate::parameters! {
    /// For types without parameters.
    pub struct NoParameters;
}

/// A type that a spec can name: an agent, a playout policy, a prior or an evaluation.
pub trait Named: Sized + 'static {
    /// The name in spec strings: lower-case letters, digits and hyphens.
    const NAME: &'static str;
    /// One line of description.
    const ABOUT: &'static str;
    /// The parameters; [`NoParameters`] if there are none.
    type Parameters: Parameters;
    /// What [`build`](Self::build) gets besides the parameters: [`AgentContext`](crate::agent::AgentContext) for an
    /// agent, [`Parts`](crate::playout::Parts) for a playout policy, `()` for a prior or an evaluation.
    type Context;

    /// Builds one with these `parameters`.
    ///
    /// # Errors
    /// A part cannot be built, or a file that a parameter names cannot be used.
    fn build(parameters: Self::Parameters, context: Self::Context) -> Result<Self, SpecError>;
}

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
    /// Reads `value`; `None` if it is outside `range`.
    fn from_spec(value: &Spec, range: &Range) -> Option<Self>;
    /// Writes this value.
    fn to_spec(&self) -> Spec;
}

/// Reads the `value` of the parameter `name`.
///
/// # Errors
/// `value` is outside `range`.
pub fn read<T: ParameterValue>(name: &str, value: &Spec, range: &Range) -> Result<T, SpecError> {
    T::from_spec(value, range)
        .ok_or_else(|| SpecError::new(format!("{name}={value}: expected {}", range.describe())))
}

impl ParameterValue for f32 {
    fn from_spec(value: &Spec, range: &Range) -> Option<f32> {
        let Range::Number { least, most, .. } = *range else { return None };
        let number: f64 = value.plain()?.parse().ok()?;
        (least..=most).contains(&number).then_some(number as f32)
    }

    fn to_spec(&self) -> Spec {
        Spec::of(self.to_string())
    }
}

impl ParameterValue for u64 {
    fn from_spec(value: &Spec, range: &Range) -> Option<u64> {
        let Range::Whole { least, most, .. } = *range else { return None };
        value.plain()?.parse().ok().filter(|number| (least..=most).contains(number))
    }

    fn to_spec(&self) -> Spec {
        Spec::of(self.to_string())
    }
}

/// A path, or the word for the built-in file.
impl ParameterValue for String {
    fn from_spec(value: &Spec, range: &Range) -> Option<String> {
        matches!(range, Range::File(_)).then(|| value.to_string())
    }

    fn to_spec(&self) -> Spec {
        Spec::of(self)
    }
}

/// A part with its parameters.
impl ParameterValue for Spec {
    fn from_spec(value: &Spec, range: &Range) -> Option<Spec> {
        matches!(range, Range::Part(_)).then(|| value.clone())
    }

    fn to_spec(&self) -> Spec {
        self.clone()
    }
}

/// A type with a few values, each of which has a name.
pub trait Words: Copy + PartialEq + 'static {
    /// All values by name.
    const WORDS: &'static [(&'static str, Self)];
}

impl Words for bool {
    const WORDS: &'static [(&'static str, bool)] = &[("on", true), ("off", false)];
}

impl<T: Words> ParameterValue for T {
    fn from_spec(value: &Spec, _range: &Range) -> Option<T> {
        let word = value.plain()?;
        T::WORDS.iter().find(|(name, _)| *name == word).map(|&(_, value)| value)
    }

    fn to_spec(&self) -> Spec {
        let word = T::WORDS.iter().find(|(_, value)| value == self);
        Spec::of(word.map_or("", |&(name, _)| name))
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
                        $crate::support::parameters::ParameterValue::to_spec(&default)
                    },
                    about: $about,
                }),*]
            }

            fn set(
                &mut self,
                name: &str,
                value: &$crate::support::spec::Spec,
            ) -> Result<(), $crate::support::spec::SpecError> {
                match name {
                    $(stringify!($field) => {
                        self.$field = $crate::support::parameters::read(name, value, &$range)?;
                        Ok(())
                    })*
                    _ => {
                        let _ = value;
                        Err($crate::support::spec::SpecError::new(format!("there is no parameter '{name}'")))
                    }
                }
            }
        }
    };
}
