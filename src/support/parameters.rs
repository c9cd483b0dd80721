//! Tables of parameters, for spec strings, sweeps, help and documentation.
//!
//! Each agent, playout policy, prior and evaluation declares its parameters once, in its own file, with
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
    /// A number from `min` to `max`.
    Number {
        /// The smallest allowed value.
        min: f64,
        /// The largest allowed value.
        max: f64,
        /// A step for tuning, large enough for a measurable effect.
        step: f64,
    },
    /// A whole number from `min` to `max`.
    Whole {
        /// The smallest allowed value.
        min: u64,
        /// The largest allowed value.
        max: u64,
        /// A step for tuning, large enough for a measurable effect.
        step: u64,
    },
    /// One of these words.
    Word(&'static [&'static str]),
    /// A part chosen by name, which may have parameters of its own.
    Part(Part),
    /// The path of a file, or this name for the built-in one. Do not let untrusted specs name files.
    File(&'static str),
}

/// The exchangeable parts of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Values a leaf of the tree: [`Playout`](crate::playout::Playout).
    Playout,
    /// Estimates before search how likely each play is to be the best: [`Prior`](crate::prior::Prior).
    Prior,
    /// Values a position statically: [`Evaluation`](crate::evaluation::Evaluation).
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of parameters",
    note = "declare it with `halma::parameters!`, or use `NoParameters`"
)]
pub trait Parameters: Clone + Default + PartialEq + Send + 'static {
    /// All parameters, in the order in which help and documentation list them.
    fn table() -> Vec<Parameter>;

    /// Sets the parameter `name`.
    ///
    /// # Errors
    /// The parameter does not exist, or the value is outside its range. Then nothing changes.
    fn set(&mut self, name: &str, value: &Spec) -> Result<(), SpecError>;
}

crate::parameters! {
    /// The parameters of a type that has none.
    pub struct NoParameters;
}

/// A type that a spec can name: an agent, a playout policy, a prior or an evaluation. A registry accepts no other
/// types:
///
/// ```compile_fail,E0277
/// use halma::playout::{Playout, Simulation};
/// use halma::{Play, Position, Registry, Value};
///
/// struct Even;
///
/// impl Playout<Position> for Even {
///     fn evaluate(&mut self, _: &Position, _: &mut Simulation<Play>) -> Value {
///         Value::DRAW
///     }
/// }
///
/// let _ = Registry::default().playout::<Even>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no name for specs",
    note = "implement `Named`: its name, its parameters (`NoParameters` if there are none) and its constructor"
)]
pub trait Named: Sized + 'static {
    /// The name in spec strings: lower-case letters, digits and hyphens. Registering a type with any other name does
    /// not compile:
    ///
    /// ```compile_fail,E0080
    /// # use halma::agent::SpecError;
    /// # use halma::evaluation::Evaluation;
    /// # use halma::support::parameters::{Named, NoParameters};
    /// # use halma::{Player, Position, Registry};
    /// struct Even;
    /// # impl Evaluation for Even { fn score(&mut self, _: &Position, _: Player) -> f32 { 0.0 } }
    ///
    /// impl Named for Even {
    ///     const NAME: &'static str = "Always Even";
    ///     const ABOUT: &'static str = "always even";
    ///     type Parameters = NoParameters;
    ///     type Context = ();
    ///
    ///     fn build(_: NoParameters, (): ()) -> Result<Even, SpecError> {
    ///         Ok(Even)
    ///     }
    /// }
    ///
    /// Registry::default().evaluation::<Even>();
    /// ```
    const NAME: &'static str;
    /// One line of description.
    const ABOUT: &'static str;
    /// The parameters; [`NoParameters`] if there are none.
    type Parameters: Parameters;
    /// The other argument of [`build`](Self::build): [`AgentContext`](crate::agent::AgentContext) for an agent,
    /// [`Parts`](crate::playout::Parts) for a playout policy, `()` for a prior or an evaluation.
    type Context;

    /// Builds a value with these `parameters`.
    ///
    /// # Errors
    /// A part can't be built, or a file that a parameter names can't be used.
    fn build(parameters: Self::Parameters, context: Self::Context) -> Result<Self, SpecError>;
}

impl Range {
    /// The allowed values in words, for messages and documentation.
    pub fn describe(&self) -> String {
        match self {
            Range::Number { min: f64::NEG_INFINITY, max: f64::INFINITY, .. } => "a number".to_string(),
            Range::Number { min, max, .. } => format!("a number from {min} to {max}"),
            Range::Whole { min, max, .. } => format!("a whole number from {min} to {max}"),
            Range::Word(words) => format!("one of {}", words.join(", ")),
            Range::Part(part) => format!("any {part}"),
            Range::File(built_in) => format!("{built_in}, or the path of a file"),
        }
    }
}

/// A type that a parameter can have.
#[diagnostic::on_unimplemented(
    message = "a parameter cannot have the type `{Self}`",
    note = "use `f32` with `number`, `u64` with `whole`, `bool` with `ON_OFF`, `Spec` with `Range::Part`, `String` with \
        `Range::File`, or an enum that implements `Words` with `Range::Word`"
)]
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
        let Range::Number { min, max, .. } = *range else { return None };
        let number: f64 = value.plain()?.parse().ok()?;
        (min..=max).contains(&number).then_some(number as f32)
    }

    fn to_spec(&self) -> Spec {
        Spec::of(self.to_string())
    }
}

impl ParameterValue for u64 {
    fn from_spec(value: &Spec, range: &Range) -> Option<u64> {
        let Range::Whole { min, max, .. } = *range else { return None };
        value.plain()?.parse().ok().filter(|number| (min..=max).contains(number))
    }

    fn to_spec(&self) -> Spec {
        Spec::of(self.to_string())
    }
}

/// A path, or the name of the built-in file.
impl ParameterValue for String {
    fn from_spec(value: &Spec, range: &Range) -> Option<String> {
        if matches!(range, Range::File(_)) { value.plain().map(String::from) } else { None }
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

/// A type with a few named values.
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

/// A [`Range::Number`].
pub const fn number(min: f64, max: f64, step: f64) -> Range {
    Range::Number { min, max, step }
}

/// A [`Range::Whole`].
pub const fn whole(min: u64, max: u64, step: u64) -> Range {
    Range::Whole { min, max, step }
}

/// The range of a switch: on or off.
pub const ON_OFF: Range = Range::Word(&["on", "off"]);

/// Declares a struct of parameters that implements [`Parameters`](crate::support::parameters::Parameters).
///
/// Each line is `field: type = default, range, "meaning in one line";`. The type must implement
/// [`ParameterValue`](crate::support::parameters::ParameterValue); `f32`, `u64`, `bool` and `String` (a file) do. A
/// line without a range does not compile:
///
/// ```compile_fail
/// halma::parameters! {
///     /// The parameters of a policy.
///     pub struct Settings;
///     cap: u64 = 2, "maximum plies of a playout";
/// }
/// ```
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
    ($($other:tt)*) => {
        compile_error!(
            "expected `pub struct Name;` and then for each parameter a line \
             `field: type = default, range, \"meaning in one line\";`"
        );
    };
}
