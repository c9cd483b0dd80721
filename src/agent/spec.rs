//! Agents from spec strings: `name` or `name(parameter=value, …)`.

use super::alphabeta::AlphaBetaParams;
use super::minimax::FixedDepthParams;
use super::{Agent, AlphaBeta, FixedDepth, Greedy, Homebody, MctsAgent, RandomAgent, Shuffler};
use crate::mcts::{ParamError, Parameter, Params};
use crate::playout::{Policy, PolicyVisitor, with_policy};
use std::fmt;

/// One kind of agent that spec strings can name.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// What it can be told.
    pub parameters: &'static [Parameter],
    /// The text of a parameter's value if nothing is said of it; `None` if there is no such parameter.
    pub default: fn(&str) -> Option<String>,
}

/// Every kind of agent.
pub const fn kinds() -> &'static [Kind] {
    const KINDS: &[Kind] = &[
        Kind {
            name: "mcts",
            about: "Monte Carlo tree search: the engine",
            parameters: Params::TABLE,
            default: |name| Params::default().get(name),
        },
        Kind {
            name: "minimax",
            about: "plain minimax by distance: the course's reference opponent",
            parameters: FixedDepthParams::TABLE,
            default: |name| FixedDepthParams::default().get(name),
        },
        Kind {
            name: "alphabeta",
            about: "strong alpha-beta with the engine's evaluation: the sparring partner",
            parameters: AlphaBetaParams::TABLE,
            default: |name| AlphaBetaParams::default().get(name),
        },
        plain("greedy", "the play of most progress, without search"),
        plain("random", "any legal play"),
        plain("homebody", "stays at home while the rules allow, then next to it"),
        plain("shuffler", "moves a piece back and forth where it can"),
    ];
    KINDS
}

/// A kind of agent that cannot be told anything.
const fn plain(name: &'static str, about: &'static str) -> Kind {
    Kind { name, about, parameters: &[], default: |_| None }
}

/// What is wrong with a spec string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecError {
    /// The string is not of the form `name` or `name(parameter=value, …)`.
    BadForm {
        /// The part that does not fit.
        part: String,
    },
    /// No agent has this name.
    UnknownAgent {
        /// The name.
        name: String,
    },
    /// A parameter was given twice.
    Twice {
        /// Its name.
        name: String,
    },
    /// A parameter could not be set.
    Parameter(ParamError),
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecError::BadForm { part } => {
                write!(f, "'{part}' does not fit: an agent is written name(parameter=value, …)")
            }
            SpecError::UnknownAgent { name } => {
                let names: Vec<&str> = kinds().iter().map(|kind| kind.name).collect();
                write!(f, "there is no agent '{name}'; there are {}", names.join(", "))
            }
            SpecError::Twice { name } => write!(f, "parameter '{name}' is given twice"),
            SpecError::Parameter(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SpecError {}

impl From<ParamError> for SpecError {
    fn from(error: ParamError) -> SpecError {
        SpecError::Parameter(error)
    }
}

/// The agent that `spec` describes; what is random in it follows from `seed`.
///
/// ```
/// assert!(halma::agent::parse("mcts(select=uct, c=1.4, playout=static)", 1).is_ok());
/// let error = halma::agent::parse("mcts(c=-1)", 1).err().unwrap();
/// assert_eq!(error.to_string(), "c=-1: expected a number from 0 to 100");
/// ```
///
/// # Errors
/// What is wrong with the string: see [`SpecError`].
pub fn parse(spec: &str, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
    let (name, settings) = split(spec)?;
    let plain = |agent: Box<dyn Agent>| match settings.first() {
        None => Ok(agent),
        Some((parameter, _)) => Err(ParamError::Unknown { name: parameter.to_string() }.into()),
    };
    match name {
        "mcts" => {
            let mut params = Params::default();
            settings.iter().try_for_each(|(parameter, value)| params.set(parameter, value))?;
            let (policy, options) = (params.playout, params.playout_options());
            let unknown = || SpecError::UnknownAgent { name: policy.to_string() };
            with_policy(policy, options, MakeMcts { params, seed }).ok_or_else(unknown)
        }
        "minimax" => {
            let mut params = FixedDepthParams::default();
            settings.iter().try_for_each(|(parameter, value)| params.set(parameter, value))?;
            Ok(Box::new(FixedDepth::new(params)))
        }
        "alphabeta" => {
            let mut params = AlphaBetaParams::default();
            settings.iter().try_for_each(|(parameter, value)| params.set(parameter, value))?;
            Ok(Box::new(AlphaBeta::new(params)))
        }
        "greedy" => plain(Box::new(Greedy::new(seed))),
        "random" => plain(Box::new(RandomAgent::new(seed))),
        "homebody" => plain(Box::new(Homebody::new(seed))),
        "shuffler" => plain(Box::new(Shuffler::new(seed))),
        _ => Err(SpecError::UnknownAgent { name: name.to_string() }),
    }
}

/// Turns a policy into an agent that searches with it.
struct MakeMcts {
    params: Params,
    seed: u64,
}

impl PolicyVisitor for MakeMcts {
    type Output = Box<dyn Agent>;

    fn visit<P: Policy>(self, policy: P) -> Box<dyn Agent> {
        Box::new(MctsAgent::new(self.params, policy, self.seed))
    }
}

/// A parameter's name and value.
type Setting<'a> = (&'a str, &'a str);

/// The name and the settings of a spec string.
fn split(spec: &str) -> Result<(&str, Vec<Setting<'_>>), SpecError> {
    let bad = |part: &str| SpecError::BadForm { part: part.trim().to_string() };
    let spec = spec.trim();
    let Some((name, rest)) = spec.split_once('(') else {
        return if spec.contains([')', '=', ',', ' ']) || spec.is_empty() {
            Err(bad(spec))
        } else {
            Ok((spec, Vec::new()))
        };
    };
    let list = rest.strip_suffix(')').ok_or_else(|| bad(spec))?.trim();
    let mut settings: Vec<Setting<'_>> = Vec::new();
    for part in list.split(',').filter(|_| !list.is_empty()) {
        let (parameter, value) = part.split_once('=').ok_or_else(|| bad(part))?;
        let (parameter, value) = (parameter.trim(), value.trim());
        if parameter.is_empty() || value.is_empty() || value.contains(['(', ')', '=']) {
            return Err(bad(part));
        }
        if settings.iter().any(|&(earlier, _)| earlier == parameter) {
            return Err(SpecError::Twice { name: parameter.to_string() });
        }
        settings.push((parameter, value));
    }
    Ok((name.trim(), settings))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_specs() {
        for spec in
            ["mcts", " mcts ", "mcts()", "mcts( c = 1 ,cap=8 )", "random", "greedy()", "mcts(playout=static)"]
        {
            assert!(parse(spec, 0).is_ok(), "{spec}");
        }
    }

    #[test]
    fn bad_specs() {
        let message = |spec: &str| parse(spec, 0).err().map(|error| error.to_string()).unwrap_or_default();
        for (spec, part) in [
            ("", "does not fit"),
            ("mcts(", "does not fit"),
            ("mcts)", "does not fit"),
            ("mcts(c)", "'c' does not fit"),
            ("mcts(c=)", "does not fit"),
            ("mcts(c=1,)", "does not fit"),
            ("mcts(c=1)x", "does not fit"),
            ("mcts(c=(1))", "does not fit"),
            ("mcts(c=1, c=2)", "twice"),
            ("mcts(depth=1)", "no parameter 'depth'"),
            ("mcts(playout=best)", "expected one of forward-jump"),
            ("random(c=1)", "no parameter 'c'"),
            ("alpha", "there is no agent 'alpha'; there are mcts"),
        ] {
            assert!(message(spec).contains(part), "{spec}: {}", message(spec));
        }
    }
}
