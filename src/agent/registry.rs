//! The names that spec strings can use: agents, and the parts they are assembled from.

mod named;

use super::alphabeta::AlphaBeta;
use super::{Agent, FixedDepth, Greedy, Homebody, MctsAgent, RandomPlay, Shuffler, Unsearched, uct};
use crate::evaluation::{self, Evaluation};
use crate::network::policy::NetworkPrior;
use crate::network::value::NetworkEvaluation;
use crate::playout::{
    BoxedPlayout, Corrective, Cutoff, Decisive, EpsilonJump, ForwardJump, GreedyEvaluation, Lgrf, Likeliest,
    Mast, Mixed, MixedLeaf, Mixture, Nst, Parts, Playout, PlayoutSearch, Ppa, Quality, SampledJump, Static,
    Uniform,
};
use crate::prior::{self, BoxedPrior, Prior};
use crate::rules::Position;
use crate::support::parameters::{Named, Parameter, Parameters, Part, Range};
use crate::support::spec::{Spec, SpecError};
use std::fs;
use std::path::PathBuf;

/// A description of an agent or a part, for lists and help.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// The name.
    pub name: &'static str,
    /// One line of description.
    pub about: &'static str,
    /// The parameters.
    pub parameters: Vec<Parameter>,
}

impl Component {
    fn of<T: Named>(_: &'static str) -> Component {
        Component { name: T::NAME, about: T::ABOUT, parameters: T::Parameters::table() }
    }

    /// A part without parameters that this program has added.
    pub fn plain(name: &'static str) -> Component {
        Component { name, about: "added by this program", parameters: Vec::new() }
    }

    /// The parameter `name`.
    ///
    /// # Errors
    /// There is no parameter with this name.
    pub fn parameter(&self, name: &str) -> Result<&Parameter, SpecError> {
        self.parameters.iter().find(|parameter| parameter.name == name).ok_or_else(|| self.unknown(name))
    }

    fn unknown(&self, parameter: &str) -> SpecError {
        let known: Vec<_> = self.parameters.iter().map(|parameter| parameter.name).collect();
        let advice = advice(parameter, &known, ["it has", "It has"]);
        SpecError::new(format!("{} has no parameter '{parameter}'; {advice}", self.name))
    }

    /// The parameters that `spec` sets; the others have their defaults.
    fn settings<P: Parameters>(&self, spec: &Spec) -> Result<P, SpecError> {
        let mut settings = P::default();
        for (name, value) in &spec.settings {
            self.parameter(name)?;
            settings.set(name, value)?;
        }
        Ok(settings)
    }
}

/// The name, the description and the constructor of a component.
#[derive(Clone, Copy)]
pub(super) struct Entry<F> {
    pub name: &'static str,
    pub component: fn(&'static str) -> Component,
    pub make: F,
}

impl<F> Entry<F> {
    fn component(&self) -> Component {
        (self.component)(self.name)
    }
}

/// Makes a component from a spec and the context of its constructor.
type Make<T, C> = fn(&Spec, C) -> Result<Box<T>, SpecError>;

pub(super) type MakeAgent = Make<dyn Agent, AgentContext>;

/// The arguments of an agent's constructor besides its parameters.
pub struct AgentContext {
    /// Makes the agent's parts.
    pub registry: Registry,
    /// Determines the agent's random numbers.
    pub seed: u64,
}

/// All agents and parts that spec strings can name. [`Registry::default`] contains those of this crate. Programs can
/// add their own, which replace any with the same name.
///
/// ```
/// use halma::agent::{AgentContext, SpecError};
/// use halma::evaluation::{Evaluation, Fitted};
/// use halma::support::parameters::{Named, NoParameters};
/// use halma::{Player, Position, Registry};
///
/// struct Pessimist;
///
/// impl Evaluation for Pessimist {
///     fn score(&mut self, position: &Position, player: Player) -> f32 {
///         Fitted.score(position, player) - 1.0
///     }
/// }
///
/// impl Named for Pessimist {
///     const NAME: &'static str = "pessimist";
///     const ABOUT: &'static str = "the fitted evaluation minus one";
///     type Parameters = NoParameters;
///     type Context = ();
///
///     fn build(_: NoParameters, (): ()) -> Result<Pessimist, SpecError> {
///         Ok(Pessimist)
///     }
/// }
///
/// let registry = Registry::default().evaluation::<Pessimist>();
/// assert!(registry.make_agent(&"mcts(evaluation=pessimist)".parse().unwrap(), 1).is_ok());
/// ```
#[derive(Clone)]
pub struct Registry {
    agents: Vec<Entry<MakeAgent>>,
    playouts: Vec<Entry<Make<dyn Playout<Position> + Send, Parts>>>,
    priors: Vec<Entry<Make<dyn Prior<Position> + Send, ()>>>,
    evaluations: Vec<Entry<Make<dyn Evaluation, ()>>>,
}

impl Default for Registry {
    fn default() -> Registry {
        let empty = Registry {
            agents: Vec::new(),
            playouts: Vec::new(),
            priors: Vec::new(),
            evaluations: Vec::new(),
        };
        // Playout policies are in the order of their families: see `crate::playout`.
        empty
            .playout::<Static>()
            .playout::<ForwardJump>()
            .playout::<SampledJump>()
            .playout::<EpsilonJump>()
            .playout::<Uniform>()
            .playout::<Mast<Position>>()
            .playout::<Nst<Position>>()
            .playout::<Lgrf<Position>>()
            .playout::<Ppa<Position>>()
            .playout::<Corrective>()
            .playout::<Decisive<Position>>()
            .playout::<Cutoff>()
            .playout::<Mixed<Position>>()
            .playout::<Mixture<Position>>()
            .playout::<MixedLeaf>()
            .playout::<Quality>()
            .playout::<Likeliest>()
            .playout::<GreedyEvaluation>()
            .playout::<PlayoutSearch>()
            .prior::<prior::Fitted>()
            .prior::<NetworkPrior>()
            .prior::<prior::Progress>()
            .prior::<prior::Uniform>()
            .evaluation::<evaluation::Fitted>()
            .evaluation::<NetworkEvaluation>()
            .agent::<MctsAgent>()
            .agent_entry(uct::ENTRY)
            .agent::<FixedDepth>()
            .agent::<AlphaBeta>()
            .agent::<Unsearched<Greedy>>()
            .agent::<Unsearched<RandomPlay>>()
            .agent::<Unsearched<Homebody>>()
            .agent::<Unsearched<Shuffler>>()
    }
}

/// Builds the `T` that `spec` describes.
fn build<T: Named>(spec: &Spec, context: T::Context) -> Result<T, SpecError> {
    T::build(Component::of::<T>(T::NAME).settings(spec)?, context)
}

/// Whether `name` consists of lower-case letters, digits and hyphens, at least one of them.
const fn is_name(name: &str) -> bool {
    let (bytes, mut place) = (name.as_bytes(), 0);
    while place < bytes.len() {
        if !matches!(bytes[place], b'a'..=b'z' | b'0'..=b'9' | b'-') {
            return false;
        }
        place += 1;
    }
    !name.is_empty()
}

/// Adds `T` to `entries`, replacing any entry with the same name.
fn add<T: Named, F>(entries: &mut Vec<Entry<F>>, make: F) {
    const { assert!(is_name(T::NAME), "a NAME has only lower-case letters, digits and hyphens") }
    replace(entries, Entry { name: T::NAME, component: Component::of::<T>, make });
}

fn replace<F>(entries: &mut Vec<Entry<F>>, entry: Entry<F>) {
    match entries.iter_mut().find(|old| old.name == entry.name) {
        Some(old) => *old = entry,
        None => entries.push(entry),
    }
}

impl Registry {
    fn agent_entry(mut self, entry: Entry<MakeAgent>) -> Registry {
        replace(&mut self.agents, entry);
        self
    }

    /// Adds an agent.
    #[must_use]
    pub fn agent<T: Agent + Named<Context = AgentContext>>(mut self) -> Registry {
        add::<T, _>(&mut self.agents, |spec, context| Ok(Box::new(build::<T>(spec, context)?)));
        self
    }

    /// Adds a playout policy.
    #[must_use]
    pub fn playout<T: Playout<Position> + Named<Context = Parts> + Send>(mut self) -> Registry {
        add::<T, _>(&mut self.playouts, |spec, parts| Ok(Box::new(build::<T>(spec, parts)?)));
        self
    }

    /// Adds a prior.
    #[must_use]
    pub fn prior<T: Prior<Position> + Named<Context = ()> + Send>(mut self) -> Registry {
        add::<T, _>(&mut self.priors, |spec, ()| Ok(Box::new(build::<T>(spec, ())?)));
        self
    }

    /// Adds an evaluation.
    #[must_use]
    pub fn evaluation<T: Evaluation + Named<Context = ()>>(mut self) -> Registry {
        add::<T, _>(&mut self.evaluations, |spec, ()| Ok(Box::new(build::<T>(spec, ())?)));
        self
    }

    /// Makes the agent that `spec` describes. `seed` determines its random numbers.
    ///
    /// # Errors
    /// The spec is invalid: see [`SpecError`].
    pub fn make_agent(&self, spec: &Spec, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
        let context = AgentContext { registry: self.clone(), seed };
        (find(&self.agents, "agent", &spec.name)?.make)(spec, context)
    }

    /// Makes the playout policy that `spec` describes.
    ///
    /// # Errors
    /// The spec is invalid: see [`SpecError`].
    pub fn make_playout(&self, spec: &Spec, parts: Parts) -> Result<BoxedPlayout, SpecError> {
        (find(&self.playouts, Part::Playout, &spec.name)?.make)(spec, parts)
    }

    /// Makes the prior that `spec` describes.
    ///
    /// # Errors
    /// The spec is invalid: see [`SpecError`].
    pub fn make_prior(&self, spec: &Spec) -> Result<BoxedPrior, SpecError> {
        (find(&self.priors, Part::Prior, &spec.name)?.make)(spec, ())
    }

    /// Makes the evaluation that `spec` describes.
    ///
    /// # Errors
    /// The spec is invalid: see [`SpecError`].
    pub fn make_evaluation(&self, spec: &Spec) -> Result<Box<dyn Evaluation>, SpecError> {
        (find(&self.evaluations, Part::Evaluation, &spec.name)?.make)(spec, ())
    }

    /// All agents.
    pub fn agents(&self) -> Vec<Component> {
        components(&self.agents)
    }

    /// All parts of a kind.
    pub fn parts(&self, part: Part) -> Vec<Component> {
        match part {
            Part::Playout => components(&self.playouts),
            Part::Prior => components(&self.priors),
            Part::Evaluation => components(&self.evaluations),
        }
    }

    /// The names of all agents and parts, the nearest to `name` first.
    pub fn names_like(&self, name: &str) -> Vec<&'static str> {
        let parts = [Part::Playout, Part::Prior, Part::Evaluation].map(|part| self.parts(part)).concat();
        let mut names: Vec<_> = self.agents().iter().chain(&parts).map(|component| component.name).collect();
        names.sort_unstable();
        names.dedup();
        names.sort_by_key(|other| edit_distance(name, other));
        names
    }

    /// The parameter at `path` (see [`Spec::set`]) of the agent `spec`, and its value. Adds to `spec` the parts on the
    /// path that it leaves out, as [`Spec::set`] requires.
    ///
    /// # Errors
    /// The agent, a part or the parameter does not exist.
    pub fn parameter(&self, spec: &mut Spec, path: &str) -> Result<(Parameter, Spec), SpecError> {
        let agent = find(&self.agents, "agent", &spec.name)?.component();
        self.parameter_of(&agent, spec, path)
    }

    fn parameter_of(
        &self,
        component: &Component,
        spec: &mut Spec,
        path: &str,
    ) -> Result<(Parameter, Spec), SpecError> {
        let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
        let parameter = component.parameter(first)?;
        let mut value = spec.get(first).unwrap_or(&parameter.default).clone();
        match (parameter.range, rest) {
            (_, None) => Ok((parameter.clone(), value)),
            (Range::Part(part), Some(rest)) => {
                let found = self.parameter_of(&self.part(part, &value.name)?, &mut value, rest)?;
                spec.set(first, value);
                Ok(found)
            }
            (_, Some(_)) => Err(component.unknown(path)),
        }
    }

    /// The agent `spec` with all defaults of the agent and its parts written out, in the order of their tables: two specs
    /// of the same agent become equal.
    ///
    /// # Errors
    /// The agent or a part does not exist.
    pub fn complete(&self, spec: &Spec) -> Result<Spec, SpecError> {
        self.complete_as(&find(&self.agents, "agent", &spec.name)?.component(), spec)
    }

    /// The files that the agent `spec` and its parts load, such as networks.
    ///
    /// # Errors
    /// The agent or a part does not exist.
    pub fn files(&self, spec: &Spec) -> Result<Vec<PathBuf>, SpecError> {
        let mut files = Vec::new();
        self.add_files(&find(&self.agents, "agent", &spec.name)?.component(), spec, &mut files)?;
        Ok(files)
    }

    fn add_files(
        &self,
        component: &Component,
        spec: &Spec,
        files: &mut Vec<PathBuf>,
    ) -> Result<(), SpecError> {
        for Parameter { name, range, default, .. } in &component.parameters {
            let value = spec.get(name).unwrap_or(default);
            match range {
                Range::Part(part) => self.add_files(&self.part(*part, &value.name)?, value, files)?,
                Range::File(built_in) if value.name != *built_in => files.push(PathBuf::from(&value.name)),
                _ => {}
            }
        }
        Ok(())
    }

    fn complete_as(&self, component: &Component, spec: &Spec) -> Result<Spec, SpecError> {
        let mut complete = Spec::of(component.name);
        for Parameter { name, range, default, .. } in &component.parameters {
            let value = spec.get(name).unwrap_or(default);
            let value = match range {
                Range::Part(part) => self.complete_as(&self.part(*part, &value.name)?, value)?,
                // A number can be written in several ways.
                Range::Number { .. } | Range::Whole { .. } => value
                    .name
                    .parse()
                    .map_or_else(|_| value.clone(), |number: f64| Spec::of(number.to_string())),
                // One file can be reached by several paths.
                Range::File(built_in) if value.name != *built_in => fs::canonicalize(&value.name)
                    .map_or_else(|_| value.clone(), |path| Spec::of(path.to_string_lossy())),
                Range::Word(_) | Range::File(_) => value.clone(),
            };
            complete.settings.push(((*name).to_string(), value));
        }
        Ok(complete)
    }

    /// The description of the part called `name`.
    fn part(&self, part: Part, name: &str) -> Result<Component, SpecError> {
        match part {
            Part::Playout => find(&self.playouts, part, name).map(Entry::component),
            Part::Prior => find(&self.priors, part, name).map(Entry::component),
            Part::Evaluation => find(&self.evaluations, part, name).map(Entry::component),
        }
    }
}

fn components<F>(entries: &[Entry<F>]) -> Vec<Component> {
    entries.iter().map(Entry::component).collect()
}

/// The entry called `name`.
fn find<'a, F>(entries: &'a [Entry<F>], kind: impl ToString, name: &str) -> Result<&'a Entry<F>, SpecError> {
    entries.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let known: Vec<_> = entries.iter().map(|entry| entry.name).collect();
        let advice = advice(name, &known, ["choose from", "Choose from"]);
        SpecError::new(format!("there is no {} '{name}'; {advice}", kind.to_string()))
    })
}

/// Lists the `known` names after the first of `words`. If `name` looks like a misspelling of one, suggests that one
/// first and lists them all after the second of `words`, which begins a new sentence.
fn advice(name: &str, known: &[&str], words: [&str; 2]) -> String {
    let list = if known.is_empty() { "none".to_string() } else { known.join(", ") };
    // The nearest name, if at most half of the letters differ.
    let likely = known.iter().min_by_key(|other| edit_distance(name, other));
    match likely.filter(|other| 2 * edit_distance(name, other) <= name.len().max(other.len())) {
        Some(likely) => format!("did you mean {likely}? {} {list}", words[1]),
        None => format!("{} {list}", words[0]),
    }
}

/// The number of letters to change, insert or delete to turn `a` into `b` (Levenshtein 1966).
fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in b.chars().enumerate() {
            let changed = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.chars().count()]
}
