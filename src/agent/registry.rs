//! What spec strings can name: agents, and the parts of which the engine is put together.

use super::alphabeta::{AlphaBeta, AlphaBetaParameters};
use super::mcts::{BoxedPlayout, BoxedPrior, EngineParameters, MctsParameters};
use super::spec::{Spec, SpecError};
use super::{Agent, FixedDepth, Greedy, Homebody, MctsAgent, RandomAgent, Shuffler};
use crate::evaluation::{self, Evaluation};
use crate::network::policy::{NetworkPrior, NetworkPriorParameters};
use crate::network::value::{NetworkEvaluation, NetworkParameters};
use crate::playout::{ForwardJump, Likeliest, Parts, Playout, SampledJump, Static, Uniform};
use crate::prior::{self, Prior};
use crate::rules::Position;
use crate::support::parameters::{Named, Parameter, ParameterError, Parameters, Part, Range};

/// Something that a spec can name, as lists and help show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

impl Kind {
    fn of<T: Named>() -> Kind {
        Kind { name: T::NAME, about: T::ABOUT, parameters: T::Parameters::table() }
    }
}

/// Something that a spec can name, and how to make it.
struct Entry<T: ?Sized, U> {
    name: &'static str,
    kind: fn() -> Kind,
    make: fn(&Registry, &Spec, U) -> Result<Box<T>, SpecError>,
}

impl<T: ?Sized, U> Clone for Entry<T, U> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized, U> Copy for Entry<T, U> {}

/// Everything that spec strings can name. [`Registry::default`] has what comes with the crate; programs
/// add their own.
#[derive(Clone)]
pub struct Registry {
    agents: Vec<Entry<dyn Agent, u64>>,
    playouts: Vec<Entry<dyn Playout<Position> + Send, Parts>>,
    priors: Vec<Entry<dyn Prior<Position> + Send, ()>>,
    evaluations: Vec<Entry<dyn Evaluation, ()>>,
}

impl Default for Registry {
    fn default() -> Registry {
        let empty = Registry {
            agents: Vec::new(),
            playouts: Vec::new(),
            priors: Vec::new(),
            evaluations: Vec::new(),
        };
        let parts = empty
            .playout::<ForwardJump>()
            .playout::<Likeliest>()
            .playout::<SampledJump>()
            .playout::<Static>()
            .playout::<Uniform>()
            .prior::<prior::Fitted>()
            .network_prior()
            .prior::<prior::Progress>()
            .prior::<prior::Uniform>()
            .evaluation::<evaluation::Fitted>()
            .network();
        parts
            .mcts()
            .agent::<FixedDepth>()
            .alphabeta()
            .agent::<Greedy>()
            .agent::<RandomAgent>()
            .agent::<Homebody>()
            .agent::<Shuffler>()
    }
}

/// `list` with one more entry, which replaces one of the same name.
fn with<T: ?Sized, U>(mut list: Vec<Entry<T, U>>, entry: Entry<T, U>) -> Vec<Entry<T, U>> {
    match list.iter_mut().find(|other| other.name == entry.name) {
        Some(other) => *other = entry,
        None => list.push(entry),
    }
    list
}

impl Registry {
    /// The same with one more playout policy, made from the agent's evaluation or from all [`Parts`]; it replaces one
    /// of the same name.
    #[must_use]
    pub fn playout<T: Playout<Position> + Named<Uses: From<Parts>> + Send>(mut self) -> Registry {
        let entry = Entry::<dyn Playout<Position> + Send, _> {
            name: T::NAME,
            kind: Kind::of::<T>,
            make: |_, spec, parts: Parts| {
                Ok(Box::new(T::new(settings::<T::Parameters>(spec)?, parts.into())))
            },
        };
        self.playouts = with(self.playouts, entry);
        self
    }

    /// The same with one more prior; it replaces one of the same name.
    #[must_use]
    pub fn prior<T: Prior<Position> + Named<Uses = ()> + Send>(mut self) -> Registry {
        let entry = Entry::<dyn Prior<Position> + Send, _> {
            name: T::NAME,
            kind: Kind::of::<T>,
            make: |_, spec, ()| Ok(Box::new(T::new(settings::<T::Parameters>(spec)?, ()))),
        };
        self.priors = with(self.priors, entry);
        self
    }

    /// The same with one more evaluation; it replaces one of the same name.
    #[must_use]
    pub fn evaluation<T: Evaluation + Named<Uses = ()>>(mut self) -> Registry {
        let entry = Entry::<dyn Evaluation, _> {
            name: T::NAME,
            kind: Kind::of::<T>,
            make: |_, spec, ()| Ok(Box::new(T::new(settings::<T::Parameters>(spec)?, ()))),
        };
        self.evaluations = with(self.evaluations, entry);
        self
    }

    /// The same with one more agent; it replaces one of the same name.
    #[must_use]
    pub fn agent<T: Agent + Named<Uses = u64>>(mut self) -> Registry {
        let entry = Entry::<dyn Agent, _> {
            name: T::NAME,
            kind: Kind::of::<T>,
            make: |_, spec, seed| Ok(Box::new(T::new(settings::<T::Parameters>(spec)?, seed))),
        };
        self.agents = with(self.agents, entry);
        self
    }

    /// The engine, whose parts are looked up here.
    fn mcts(mut self) -> Registry {
        let entry = Entry::<dyn Agent, _> {
            name: "mcts",
            kind: || Kind {
                name: "mcts",
                about: "Monte Carlo tree search: the engine",
                parameters: MctsParameters::table(),
            },
            make: |registry, spec, seed| {
                let parameters: MctsParameters = settings(spec)?;
                let EngineParameters { playout, prior, evaluation, .. } = &parameters.engine;
                let parts = Parts {
                    evaluation: registry.make_evaluation(evaluation)?,
                    prior: registry.make_prior(prior)?,
                };
                let playout = registry.make_playout(playout, parts)?;
                let prior = registry.make_prior(prior)?;
                Ok(Box::new(MctsAgent::new(parameters, playout, prior, seed)))
            },
        };
        self.agents = with(self.agents, entry);
        self
    }

    /// Alpha-beta, whose evaluation and prior are looked up here.
    fn alphabeta(mut self) -> Registry {
        let entry = Entry::<dyn Agent, _> {
            name: AlphaBeta::NAME,
            kind: Kind::of::<AlphaBeta>,
            make: |registry, spec, _seed| {
                let parameters: AlphaBetaParameters = settings(spec)?;
                let evaluation = registry.make_evaluation(&parameters.evaluation)?;
                let prior = registry.make_prior(&parameters.prior)?;
                Ok(Box::new(AlphaBeta::new(parameters, (evaluation, prior))))
            },
        };
        self.agents = with(self.agents, entry);
        self
    }

    /// The evaluation's network, which may have to be read from a file.
    fn network(mut self) -> Registry {
        let entry = Entry::<dyn Evaluation, _> {
            name: NetworkEvaluation::NAME,
            kind: || Kind {
                name: NetworkEvaluation::NAME,
                about: NetworkEvaluation::ABOUT,
                parameters: NetworkParameters::table(),
            },
            make: |_, spec, ()| {
                Ok(Box::new(NetworkEvaluation::load(settings(spec)?).map_err(unusable(spec))?))
            },
        };
        self.evaluations = with(self.evaluations, entry);
        self
    }

    /// The prior's network, which may have to be read from a file.
    fn network_prior(mut self) -> Registry {
        let entry = Entry::<dyn Prior<Position> + Send, _> {
            name: NetworkPrior::NAME,
            kind: || Kind {
                name: NetworkPrior::NAME,
                about: NetworkPrior::ABOUT,
                parameters: NetworkPriorParameters::table(),
            },
            make: |_, spec, ()| Ok(Box::new(NetworkPrior::load(settings(spec)?).map_err(unusable(spec))?)),
        };
        self.priors = with(self.priors, entry);
        self
    }

    /// The agent that `spec` describes; its random numbers follow from `seed`.
    ///
    /// # Errors
    /// What is wrong with the spec: see [`SpecError`].
    pub fn make_agent(&self, spec: &Spec, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
        (find(&self.agents, "agent", &spec.name)?.make)(self, spec, seed)
    }

    /// The playout policy that `spec` describes; it may use `parts`.
    ///
    /// # Errors
    /// What is wrong with the spec: see [`SpecError`].
    pub fn make_playout(&self, spec: &Spec, parts: Parts) -> Result<BoxedPlayout, SpecError> {
        (find(&self.playouts, Part::Playout, &spec.name)?.make)(self, spec, parts)
    }

    /// The prior that `spec` describes.
    ///
    /// # Errors
    /// What is wrong with the spec: see [`SpecError`].
    pub fn make_prior(&self, spec: &Spec) -> Result<BoxedPrior, SpecError> {
        (find(&self.priors, Part::Prior, &spec.name)?.make)(self, spec, ())
    }

    /// The evaluation that `spec` describes.
    ///
    /// # Errors
    /// What is wrong with the spec: see [`SpecError`].
    pub fn make_evaluation(&self, spec: &Spec) -> Result<Box<dyn Evaluation>, SpecError> {
        (find(&self.evaluations, Part::Evaluation, &spec.name)?.make)(self, spec, ())
    }

    /// Every agent.
    pub fn agents(&self) -> Vec<Kind> {
        self.agents.iter().map(|entry| (entry.kind)()).collect()
    }

    /// Every part of this kind.
    pub fn parts(&self, part: Part) -> Vec<Kind> {
        match part {
            Part::Playout => self.playouts.iter().map(|entry| (entry.kind)()).collect(),
            Part::Prior => self.priors.iter().map(|entry| (entry.kind)()).collect(),
            Part::Evaluation => self.evaluations.iter().map(|entry| (entry.kind)()).collect(),
        }
    }

    /// Every name of an agent or a part, the likest to `name` first.
    pub fn names_like(&self, name: &str) -> Vec<&'static str> {
        let parts = [Part::Playout, Part::Prior, Part::Evaluation].map(|part| self.parts(part)).concat();
        let mut known: Vec<_> = self.agents().iter().chain(&parts).map(|kind| kind.name).collect();
        known.sort_by_key(|other| (edits(name, other), *other));
        known.dedup();
        known
    }

    /// The parameter of the agent `spec` at `path` (see [`Spec::set`]), and its value there as text.
    /// Afterwards `spec` names every part on the path, as [`Spec::set`] needs.
    ///
    /// # Errors
    /// No such agent, part or parameter.
    pub fn parameter(&self, spec: &mut Spec, path: &str) -> Result<(Parameter, String), SpecError> {
        let kind = (find(&self.agents, "agent", &spec.name)?.kind)();
        self.parameter_of(kind, spec, path)
    }

    /// The same agent with every parameter of it and of its parts, in the order of their tables: two specs of one
    /// agent come to the same.
    ///
    /// # Errors
    /// No such agent or part.
    pub fn complete(&self, spec: &Spec) -> Result<Spec, SpecError> {
        self.complete_as((find(&self.agents, "agent", &spec.name)?.kind)(), spec)
    }

    fn complete_as(&self, kind: Kind, spec: &Spec) -> Result<Spec, SpecError> {
        let mut complete = Spec::of(kind.name);
        for parameter in &kind.parameters {
            let text = spec.get(parameter.name).map_or_else(|| parameter.default.clone(), Spec::to_string);
            let value = match parameter.range {
                Range::Part(part) => {
                    let inner: Spec = text.parse()?;
                    self.complete_as(self.part(part, &inner.name)?, &inner)?
                }
                Range::File(_) => Spec::of(&text),
                // Numbers may be written in several ways.
                _ => Spec::of(&text.parse::<f64>().map_or(text, |number| number.to_string())),
            };
            complete.settings.push((parameter.name.to_string(), value));
        }
        Ok(complete)
    }

    /// The part of this kind called `name`.
    fn part(&self, part: Part, name: &str) -> Result<Kind, SpecError> {
        let kinds = self.parts(part);
        let known = kinds.iter().map(|kind| kind.name).collect();
        kinds.into_iter().find(|kind| kind.name == name).ok_or_else(|| unknown_name(part, name, known))
    }

    fn parameter_of(
        &self,
        kind: Kind,
        spec: &mut Spec,
        path: &str,
    ) -> Result<(Parameter, String), SpecError> {
        let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
        let unknown = |name: &str| unknown_parameter(&kind, name);
        let parameter =
            kind.parameters.iter().find(|parameter| parameter.name == first).ok_or_else(|| unknown(first))?;
        let value = spec.get(first).map_or_else(|| parameter.default.clone(), Spec::to_string);
        match (parameter.range, rest) {
            (_, None) => Ok((parameter.clone(), value)),
            (Range::Part(part), Some(rest)) => {
                let mut inner: Spec = value.parse()?;
                let kind = self.part(part, &inner.name)?;
                let found = self.parameter_of(kind, &mut inner, rest)?;
                spec.set(first, inner);
                Ok(found)
            }
            (_, Some(_)) => Err(unknown(path)),
        }
    }
}

/// A parameter's error as one of `spec`.
fn unusable(spec: &Spec) -> impl Fn(ParameterError) -> SpecError {
    let of = spec.name.clone();
    move |error| SpecError::Parameter { of: of.clone(), error, known: Vec::new() }
}

/// The entry called `name`.
fn find<'a, T: ?Sized, U>(
    list: &'a [Entry<T, U>],
    kind: impl ToString,
    name: &str,
) -> Result<&'a Entry<T, U>, SpecError> {
    let known = || list.iter().map(|entry| entry.name).collect();
    list.iter().find(|entry| entry.name == name).ok_or_else(|| unknown_name(kind, name, known()))
}

fn unknown_name(kind: impl ToString, name: &str, mut known: Vec<&'static str>) -> SpecError {
    known.sort_by_key(|other| edits(name, other));
    SpecError::UnknownName { kind: kind.to_string(), name: name.to_string(), known }
}

fn unknown_parameter(kind: &Kind, name: &str) -> SpecError {
    let mut known: Vec<&'static str> = kind.parameters.iter().map(|parameter| parameter.name).collect();
    known.sort_by_key(|other| edits(name, other));
    let error = ParameterError::Unknown { name: name.to_string() };
    SpecError::Parameter { of: kind.name.to_string(), error, known }
}

/// The parameters that `spec` sets, the others at their defaults.
fn settings<T: Parameters>(spec: &Spec) -> Result<T, SpecError> {
    let mut parameters = T::default();
    for (name, value) in &spec.settings {
        parameters.set(name, &value.to_string()).map_err(|error| {
            let mut known: Vec<&'static str> = T::table().iter().map(|parameter| parameter.name).collect();
            known.sort_by_key(|other| edits(name, other));
            SpecError::Parameter { of: spec.name.clone(), error, known }
        })?;
    }
    Ok(parameters)
}

/// How many letters must be changed, inserted or deleted to turn `a` into `b` (Levenshtein 1966).
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &other) in b.iter().enumerate() {
            let changed = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
