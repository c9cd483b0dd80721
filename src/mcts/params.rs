//! The one table of parameters: spec strings, sweeps and documentation all come from it.

use crate::playout;
use std::fmt;

/// How a child to descend into is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Predictor + UCB: exploration follows the priors (Rosin 2011; Silver et al. 2017).
    Puct,
    /// UCB1 applied to trees: exploration by visit counts alone (Auer et al. 2002; Kocsis,
    /// Szepesvári 2006).
    Uct,
}

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
trait Setting: Sized {
    fn parse(text: &str, range: &Range) -> Option<Self>;
    fn print(&self) -> String;
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

impl Setting for Selection {
    fn parse(text: &str, _range: &Range) -> Option<Selection> {
        match text {
            "puct" => Some(Selection::Puct),
            "uct" => Some(Selection::Uct),
            _ => None,
        }
    }

    fn print(&self) -> String {
        match self {
            Selection::Puct => "puct".to_string(),
            Selection::Uct => "uct".to_string(),
        }
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

macro_rules! parameters {
    ($($field:ident: $type:ty = $default:expr, $range:expr, $about:literal;)*) => {
        /// The settings of the search and of its playouts.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Params {
            $(#[doc = $about] pub $field: $type,)*
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($field: $default),* }
            }
        }

        impl Params {
            /// Every parameter, in the order in which they are best explained.
            pub const TABLE: &'static [Parameter] =
                &[$(Parameter { name: stringify!($field), range: $range, about: $about }),*];

            /// Sets the parameter called `name` to the value that `text` says.
            ///
            /// # Errors
            /// An unknown name, or a text that is no value in the parameter's range.
            pub fn set(&mut self, name: &str, text: &str) -> Result<(), ParamError> {
                match name {
                    $(stringify!($field) => {
                        let range: Range = $range;
                        self.$field = Setting::parse(text, &range).ok_or_else(|| ParamError::BadValue {
                            name: stringify!($field),
                            value: text.to_string(),
                            expected: range.describe(),
                        })?;
                        Ok(())
                    })*
                    _ => Err(ParamError::Unknown { name: name.to_string() }),
                }
            }

            /// The value of the parameter called `name`, as [`set`](Self::set) reads it.
            pub fn get(&self, name: &str) -> Option<String> {
                match name {
                    $(stringify!($field) => Some(self.$field.print()),)*
                    _ => None,
                }
            }
        }
    };
}

const fn number(least: f64, most: f64, step: f64) -> Range {
    Range::Number { least, most, step }
}

const fn whole(least: u64, most: u64, step: u64) -> Range {
    Range::Whole { least, most, step }
}

parameters! {
    select: Selection = Selection::Puct, Range::Word(&["puct", "uct"]),
        "how a child is chosen: by prior (puct) or by visit counts alone (uct)";
    c: f32 = 0.6, number(0.0, 100.0, 0.1),
        "exploration constant, for values in -1…+1";
    growth: f32 = 0.3, number(0.0, 10.0, 0.15),
        "puct: how much more is explored at a node with many visits, N: 1 + growth ln(1 + N/500) times as much";
    root: f32 = 1.5, number(0.0, 100.0, 0.25),
        "how many times as much is explored at the root as elsewhere";
    breadth: f32 = 0.5, number(0.0, 1.0, 0.25),
        "how much more is explored where there are many plays: 0 not at all, 1 in proportion to their number's root";
    fpu: f32 = 0.1, number(-10.0, 10.0, 0.1),
        "first-play urgency: an unvisited child counts as this much worse than its parent's mean";
    lean: f32 = 1.25, number(1.0, 10.0, 0.05),
        "priors: one more step of promise makes a play this many times as likely; 1.35 is what was fitted";
    minimax: f32 = 0.0, number(0.0, 1.0, 0.1),
        "the part that minimax over static values has in a node's value, beside the playouts' mean";
    graph: bool = true, Range::Word(&["on", "off"]),
        "whether plays that lead to one position in different orders share what is searched below it";
    siblings: u64 = 4, whole(1, 4, 1),
        "how many new children, at the most, are judged in one go";
    pick: f32 = 0.7, number(0.0, 1.0, 0.1),
        "the play of highest value is decided on among those with at least this part of the most visits; 1 is the most visited";
    doubt: f32 = 1.0, number(0.0, 1.0, 0.5),
        "in a game's time: how much a doubtful choice lengthens a search and a clear one shortens it";
    playout: &'static str = "forward-jump", Range::Policy,
        "the policy that judges leaves";
    cap: u64 = 2, whole(0, 4000, 2),
        "plies of a playout before the evaluation speaks; 4000 is to the end";
    leaving: u64 = 4, whole(0, 4000, 2),
        "forward-jump: plies more than the cap as long as the side to move has to leave its camp";
    epsilon: f32 = 0.0, number(0.0, 1.0, 0.05),
        "forward-jump: the chance of a random play at each ply";
    sample: u64 = 19, whole(1, 19, 1),
        "forward-jump: pieces, drawn at random, looked at for one play; 19 are all, and chance decides only where none of them gets forward";
    memory: u64 = 1024, whole(1, 65536, 256),
        "MiB the tree may take, and half as much again when it goes on to the next move; the search goes on without expanding when they are used up";
    inherit: bool = true, Range::Word(&["on", "off"]),
        "whether the next move goes on with what this one knows of it: the tree below the plays made, or what playdata.txt says of it";
    race: bool = true, Range::Word(&["on", "off"]),
        "whether a race, the armies having passed each other, is searched by each side's own plays alone";
}

impl Params {
    /// What the playout policy is told.
    pub fn playout_options(&self) -> playout::Options {
        playout::Options {
            cap: self.cap as u32,
            leaving: self.leaving as u32,
            epsilon: self.epsilon,
            sample: self.sample as u32,
        }
    }
}

impl fmt::Display for Params {
    /// Writes what differs from the default as `name=value, …`; nothing if nothing does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Params::default();
        let mut separator = "";
        for parameter in Params::TABLE {
            let value = self.get(parameter.name).unwrap_or_default();
            if Some(&value) != default.get(parameter.name).as_ref() {
                write!(f, "{separator}{}={value}", parameter.name)?;
                separator = ", ";
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_can_be_set_from_its_own_text() {
        for parameter in Params::TABLE {
            let mut params = Params::default();
            let text = params.get(parameter.name).expect("a value");
            assert_eq!(params.set(parameter.name, &text), Ok(()), "{}", parameter.name);
            assert_eq!(params, Params::default());
        }
        assert_eq!(Params::default().to_string(), "");
    }

    #[test]
    fn bad_values_are_refused_and_change_nothing() {
        let mut params = Params::default();
        for (name, value) in [
            ("c", "-1"),
            ("c", "NaN"),
            ("c", ""),
            ("cap", "2.5"),
            ("cap", "4001"),
            ("select", "best"),
            ("playout", "no-such"),
            ("lean", "0"),
        ] {
            assert!(matches!(params.set(name, value), Err(ParamError::BadValue { .. })), "{name}={value}");
        }
        assert!(matches!(params.set("depth", "3"), Err(ParamError::Unknown { .. })));
        assert_eq!(params, Params::default());
    }

    #[test]
    fn what_differs_from_the_default_is_written() {
        let mut params = Params::default();
        params.set("c", "0.75").unwrap();
        params.set("select", "uct").unwrap();
        assert_eq!(params.to_string(), "select=uct, c=0.75");
    }
}
