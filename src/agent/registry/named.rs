//! Parts whose names are known only at run time, such as those of a script. They have no parameters.

use super::{Component, Entry, Make, Registry, is_name, replace};
use crate::evaluation::Evaluation;
use crate::playout::{Parts, Playout};
use crate::prior::Prior;
use crate::rules::Position;
use crate::support::spec::SpecError;

impl Registry {
    /// Adds a playout policy. `make` gets a spec with this name.
    ///
    /// # Errors
    /// A spec can't contain the name.
    pub fn named_playout(
        mut self,
        name: &'static str,
        make: Make<dyn Playout<Position> + Send, Parts>,
    ) -> Result<Registry, SpecError> {
        add_named(&mut self.playouts, name, make).map(|()| self)
    }

    /// Adds a prior: see [`named_playout`](Self::named_playout).
    ///
    /// # Errors
    /// A spec can't contain the name.
    pub fn named_prior(
        mut self,
        name: &'static str,
        make: Make<dyn Prior<Position> + Send, ()>,
    ) -> Result<Registry, SpecError> {
        add_named(&mut self.priors, name, make).map(|()| self)
    }

    /// Adds an evaluation: see [`named_playout`](Self::named_playout).
    ///
    /// # Errors
    /// A spec can't contain the name.
    pub fn named_evaluation(
        mut self,
        name: &'static str,
        make: Make<dyn Evaluation, ()>,
    ) -> Result<Registry, SpecError> {
        add_named(&mut self.evaluations, name, make).map(|()| self)
    }
}

/// Adds a part to `entries`, replacing any entry of the same name.
fn add_named<F>(entries: &mut Vec<Entry<F>>, name: &'static str, make: F) -> Result<(), SpecError> {
    if !is_name(name) {
        return Err(SpecError::new(format!(
            "'{name}': a name has only lower-case letters, digits and hyphens"
        )));
    }
    let component = |name| Component { name, about: "added by this program", parameters: Vec::new() };
    replace(entries, Entry { name, component, make });
    Ok(())
}
