//! Agents that differ in some parameters.

use anyhow::{Result, anyhow};
use halma::agent::{self, Kind, kinds};
use halma::mcts::Parameter;

/// A spec string to which parameters can be added.
#[derive(Clone, Debug)]
pub struct Family {
    kind: &'static Kind,
    settings: String,
}

impl Family {
    /// The agents that `spec` and more parameters describe.
    ///
    /// # Errors
    /// `spec` is no agent.
    pub fn new(spec: &str) -> Result<Family> {
        agent::parse(spec, 0)?;
        let spec = spec.trim();
        let (name, settings) = spec.split_once('(').unwrap_or((spec, ""));
        let name = name.trim();
        let kind = kinds().iter().find(|kind| kind.name == name);
        let kind = kind.ok_or_else(|| anyhow!("there is no agent '{name}'"))?;
        Ok(Family { kind, settings: settings.trim_end_matches(')').trim().to_string() })
    }

    /// The parameter called `name`.
    ///
    /// # Errors
    /// This kind of agent has no such parameter.
    pub fn parameter(&self, name: &str) -> Result<&'static Parameter> {
        let found = self.kind.parameters.iter().find(|parameter| parameter.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.kind.parameters.iter().map(|parameter| parameter.name).collect();
            let there = if names.is_empty() { "none".to_string() } else { names.join(", ") };
            anyhow!("'{}' has no parameter '{name}'; there are {there}", self.kind.name)
        })
    }

    /// The value that the parameter called `name` has if nothing is said; `None` if there is no such parameter.
    pub fn default_value(&self, name: &str) -> Option<String> {
        (self.kind.default)(name)
    }

    /// The spec string with these parameters added.
    pub fn with<'a>(&self, settings: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
        let mut all: Vec<String> = Vec::new();
        if !self.settings.is_empty() {
            all.push(self.settings.clone());
        }
        all.extend(settings.into_iter().map(|(name, value)| format!("{name}={value}")));
        let name = self.kind.name;
        if all.is_empty() { name.to_string() } else { format!("{name}({})", all.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_added_to_what_is_there() {
        let with = |spec: &str| Family::new(spec).expect(spec).with([("c", "0.5"), ("cap", "4")]);
        assert_eq!(with("mcts"), "mcts(c=0.5, cap=4)");
        assert_eq!(with(" mcts ( )"), "mcts(c=0.5, cap=4)");
        assert_eq!(with("mcts(playout=static , lean=2)"), "mcts(playout=static , lean=2, c=0.5, cap=4)");
        assert_eq!(Family::new("greedy").expect("an agent").with([]), "greedy");
    }

    #[test]
    fn only_what_the_agent_has_can_vary() {
        let family = Family::new("alphabeta").expect("an agent");
        assert_eq!(family.parameter("depth").expect("a parameter").name, "depth");
        let message = family.parameter("c").expect_err("no such parameter").to_string();
        assert!(message.contains("no parameter 'c'; there are depth"), "{message}");
        assert!(Family::new("mcts(c=").is_err());
        assert_eq!(Family::new("mcts").expect("an agent").default_value("lean").as_deref(), Some("1.25"));
    }
}
