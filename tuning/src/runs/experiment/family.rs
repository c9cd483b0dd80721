//! Agents that differ in a few parameters.

use crate::play::agents;
use crate::play::entrant::canonical;
use anyhow::{Result, ensure};
use halma::agent::{Spec, SpecError};
use halma::support::parameters::Parameter;

/// A spec to which parameters can be added.
#[derive(Clone, Debug)]
pub struct Family {
    spec: Spec,
}

impl Family {
    /// The agents described by `spec` and further parameters.
    ///
    /// # Errors
    /// `spec` is not an agent.
    pub fn new(spec: &str) -> Result<Family, SpecError> {
        agents::make(spec, 0)?;
        Ok(Family { spec: spec.parse()? })
    }

    /// The parameter at `path`, such as `c` or `playout.cap`, and its default.
    ///
    /// # Errors
    /// These agents don't have it, or their spec sets it already.
    pub fn parameter(&self, path: &str) -> Result<(Parameter, String)> {
        let is_set = path.split('.').try_fold(&self.spec, |spec, name| spec.get(name)).is_some();
        ensure!(!is_set, "the agent already sets '{path}'");
        let (parameter, value) = agents::registry().parameter(&mut self.spec.clone(), path)?;
        Ok((parameter, value.to_string()))
    }

    /// The canonical form of their common spec, by which equal agents are recognised.
    pub fn canonical(&self) -> Option<String> {
        canonical(&self.spec.to_string())
    }

    /// The spec with these parameters set.
    ///
    /// # Errors
    /// These agents lack one of the parameters, or one of the values can't be parsed.
    pub fn with<'a>(
        &self,
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<String, SpecError> {
        let mut spec = self.spec.clone();
        for (path, value) in settings {
            agents::registry().parameter(&mut spec, path)?;
            spec.set(path, value.parse()?);
        }
        Ok(spec.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_added_to_the_spec() {
        let with = |spec: &str| {
            let family = Family::new(spec).expect(spec);
            family.with([("c", "0.5"), ("playout.cap", "4")]).expect("both have it")
        };
        assert_eq!(with("mcts(playout=forward-jump)"), "mcts(playout=forward-jump(cap=4), c=0.5)");
        assert_eq!(with(" mcts ( playout=forward-jump ) "), "mcts(playout=forward-jump(cap=4), c=0.5)");
        assert_eq!(with("mcts(playout=uniform , c=2)"), "mcts(playout=uniform(cap=4), c=0.5)");
        assert_eq!(Family::new("greedy").expect("an agent").with([]).expect("nothing"), "greedy");
    }

    #[test]
    fn only_parameters_of_the_agent_can_vary() {
        let message = |spec: &str, path: &str| {
            Family::new(spec).expect(spec).parameter(path).expect_err("no such parameter").to_string()
        };
        assert!(message("alphabeta", "c").contains("alphabeta has no parameter 'c'; it has "));
        assert!(message("mcts(playout=static)", "playout.cap").contains("static has no parameter 'cap'"));
        assert!(message("mcts", "c.x").contains("mcts has no parameter 'c.x'"));
        assert!(Family::new("mcts(c=").is_err());
        let (parameter, value) =
            Family::new("mcts").expect("an agent").parameter("prior.base").expect("base");
        assert_eq!((parameter.name, value.as_str()), ("base", "1.075"));
    }
}
