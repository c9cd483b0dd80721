//! Parts whose names are known only at run time, such as those of a script.

use super::{Component, Entry, Make, Registry, is_name, replace};
use crate::evaluation::Evaluation;
use crate::playout::{Parts, Playout};
use crate::prior::Prior;
use crate::rules::Position;
use crate::support::spec::SpecError;

impl Registry {
    /// Adds a playout policy. `component` describes it, with its parameters, whenever a description is needed. `make`
    /// gets a spec with this name and checks the spec's parameters.
    ///
    /// # Errors
    /// The name is empty or contains anything but lower-case letters, digits and hyphens.
    pub fn named_playout(
        mut self,
        name: &'static str,
        component: fn(&'static str) -> Component,
        make: Make<dyn Playout<Position> + Send, Parts>,
    ) -> Result<Registry, SpecError> {
        add_named(&mut self.playouts, name, component, make).map(|()| self)
    }

    /// Adds a prior without parameters: see [`named_playout`](Self::named_playout).
    ///
    /// # Errors
    /// The name is empty or contains anything but lower-case letters, digits and hyphens.
    pub fn named_prior(
        mut self,
        name: &'static str,
        make: Make<dyn Prior<Position> + Send, ()>,
    ) -> Result<Registry, SpecError> {
        add_named(&mut self.priors, name, Component::plain, make).map(|()| self)
    }

    /// Adds an evaluation without parameters: see [`named_playout`](Self::named_playout).
    ///
    /// # Errors
    /// The name is empty or contains anything but lower-case letters, digits and hyphens.
    pub fn named_evaluation(
        mut self,
        name: &'static str,
        make: Make<dyn Evaluation, ()>,
    ) -> Result<Registry, SpecError> {
        add_named(&mut self.evaluations, name, Component::plain, make).map(|()| self)
    }
}

/// Adds a part to `entries`, replacing any entry with the same name.
fn add_named<F>(
    entries: &mut Vec<Entry<F>>,
    name: &'static str,
    component: fn(&'static str) -> Component,
    make: F,
) -> Result<(), SpecError> {
    if !is_name(name) {
        return Err(SpecError::new(format!(
            "'{name}': a name has only lower-case letters, digits and hyphens"
        )));
    }
    replace(entries, Entry { name, component, make });
    Ok(())
}
