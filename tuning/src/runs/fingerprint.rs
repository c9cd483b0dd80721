//! A fingerprint of how the agents of a run play.
//!
//! If one build begins a run and another that plays differently continues it, the result is meaningless. A version
//! number can't detect this, because a user's own policy may change while the version stays the same. So `run.json`
//! stores one checksum for each agent: its decisions on fixed positions. Differences that show only in longer searches
//! go unnoticed. For a program the checksum covers its files instead: see [`checksum::of_program`]. The files of
//! networks have checksums of their own.

use super::entrant_files::EntrantFiles;
use super::schedule::Match;
use crate::bench::checksum;
use crate::play::entrant;
use crate::play::programs::ProgramSpec;
use anyhow::{Context, Result};
use halma::agent::Registry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The iterations of one search: enough for a tree of two or three plies.
pub(super) const ITERATIONS: u64 = 60;

/// The maximum number of agents tested. A run with more agents compares parameter values of the same code, so an evenly
/// spaced sample is enough. Programs are always tested.
const MAX_AGENTS: usize = 50;

/// How the agents of a run play.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Fingerprint {
    /// Checksums keyed by spec string: of an agent's decisions and reports on fixed positions, or of a program's files.
    pub agents: BTreeMap<String, String>,
    /// The checksum of some openings: balanced ones if the run uses them, else random ones.
    pub openings: String,
    /// Checksums of the networks' files, keyed by path. Older builds recorded none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub networks: BTreeMap<String, String>,
}

impl Fingerprint {
    /// The fingerprint of the agents of `matches`, as `registry` makes them, and of the `files` behind them.
    ///
    /// # Errors
    /// An agent can't be made or finds no play.
    pub fn of(matches: &[Match], registry: &Registry, files: &EntrantFiles) -> Result<Fingerprint> {
        let specs = matches.iter().flat_map(|one| [&one.settings.a, &one.settings.b]);
        let mut distinct: Vec<&str> = specs.map(String::as_str).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let (programs, agents): (Vec<&str>, Vec<&str>) =
            distinct.into_iter().partition(|spec| entrant::is_program(spec));
        let all = agents.len();
        let sampled = (0..all.min(MAX_AGENTS)).map(|place| agents[place * all / all.min(MAX_AGENTS)]);
        let of_program = |spec: &str| {
            let checksum =
                checksum::of_program(&ProgramSpec::parse(spec)?.program, |path| files.checksum(path));
            Ok((spec.to_string(), checksum::text(checksum)))
        };
        let of_agent = |spec: &str| {
            let parsed = spec.parse()?;
            let make = |seed| registry.make_agent(&parsed, seed);
            let checksum = checksum::of_agent(&make, ITERATIONS).with_context(|| spec.to_string())?;
            Ok((spec.to_string(), checksum::text(checksum)))
        };
        // The default agent decides which openings are balanced.
        let balanced =
            matches.iter().map(|one| &one.settings.terms.openings).find(|openings| openings.is_balanced());
        let openings = balanced.cloned().unwrap_or_default();
        Ok(Fingerprint {
            agents: sampled
                .map(of_agent)
                .chain(programs.into_iter().map(of_program))
                .collect::<Result<_>>()?,
            openings: checksum::text(checksum::of_openings(&openings)),
            networks: files.networks(),
        })
    }

    /// The differences from `other`: the specs of agents that play differently, "the openings", and networks' files.
    pub(super) fn differences(&self, other: &Fingerprint) -> Vec<String> {
        let specs =
            self.agents.keys().chain(other.agents.keys().filter(|spec| !self.agents.contains_key(*spec)));
        let changed = specs.filter(|spec| self.agents.get(*spec) != other.agents.get(*spec));
        let openings = (self.openings != other.openings).then(|| "the openings".to_string());
        let is_other = |(path, checksum): &(&String, &String)| {
            other.networks.get(*path).is_some_and(|other| other != *checksum)
        };
        let networks = self.networks.iter().filter(is_other).map(|(path, _)| format!("the file {path}"));
        changed.map(|spec| format!("'{spec}'")).chain(openings).chain(networks).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::matches::{Settings, Terms};
    use crate::play::openings::Openings;
    use crate::play::time_control::TimeControl;
    use halma::agent::SpecError;
    use halma::evaluation::Evaluation;
    use halma::game::Value;
    use halma::playout::{Parts, Playout, Simulation};
    use halma::rules::{Play, Position};
    use halma::support::parameters::{Named, NoParameters};

    /// A user's policy in one of two versions.
    struct Own<const VERSION: u8>(Box<dyn Evaluation>);

    impl<const VERSION: u8> Playout<Position> for Own<VERSION> {
        fn evaluate(&mut self, end: &Position, _: &mut Simulation<Play>) -> Value {
            use halma::game::Game;
            let value = self.0.value(end, end.to_move());
            if VERSION == 1 { value } else { Value::new(value.get() * 0.999) }
        }
    }

    impl<const VERSION: u8> Named for Own<VERSION> {
        const NAME: &'static str = "own";
        const ABOUT: &'static str = "the evaluation, in one of two versions";
        type Parameters = NoParameters;
        type Context = Parts;

        fn build(_: NoParameters, parts: Parts) -> Result<Own<VERSION>, SpecError> {
            Ok(Own(parts.evaluation()?))
        }
    }

    fn match_of(agents: [&str; 2], openings: Openings) -> Match {
        let terms = Terms { openings, ..Terms::default() };
        let settings = Settings::new(agents, 1, TimeControl::Iterations(10), terms);
        Match { name: String::new(), settings }
    }

    fn of_matches(matches: &[Match], registry: &Registry) -> Fingerprint {
        let files = EntrantFiles::of_matches(matches, registry).expect("agents");
        Fingerprint::of(matches, registry, &files).expect("agents")
    }

    fn of(agents: [&str; 2], registry: &Registry) -> Fingerprint {
        of_matches(&[match_of(agents, Openings::default())], registry)
    }

    #[test]
    fn changing_the_code_of_a_policy_changes_the_fingerprint() {
        let agents = ["mcts(playout=own)", "mcts"];
        let one = of(agents, &Registry::default().playout::<Own<1>>());
        let two = of(agents, &Registry::default().playout::<Own<2>>());
        assert_eq!(one.differences(&two), ["'mcts(playout=own)'"]);
        assert_eq!(one, of(agents, &Registry::default().playout::<Own<1>>()));
        // An agent that does not use the policy stays the same.
        let agents = ["mcts", "greedy"];
        let [one, two] =
            [of(agents, &Registry::default()), of(agents, &Registry::default().playout::<Own<2>>())];
        assert_eq!(one, two);
    }

    #[test]
    fn parameters_and_seeds_show_in_the_fingerprint() {
        let registry = Registry::default();
        let print = of(["mcts(c=0.5)", "mcts(c=0.7)"], &registry);
        assert_eq!(print.agents.len(), 2);
        assert_ne!(print.agents["mcts(c=0.5)"], print.agents["mcts(c=0.7)"]);
        let print = of(["minimax(depth=3)", "minimax(depth=2)"], &registry);
        assert_ne!(print.agents["minimax(depth=3)"], print.agents["minimax(depth=2)"]);
    }

    #[test]
    fn another_network_in_the_same_file_shows() {
        let of = |checksums: &[(&str, &str)]| Fingerprint {
            networks: checksums.iter().map(|one| (one.0.to_string(), one.1.to_string())).collect(),
            ..Fingerprint::default()
        };
        let before = of(&[("a.network", "1"), ("b.network", "2")]);
        assert_eq!(
            before.differences(&of(&[("a.network", "1"), ("b.network", "3")])),
            ["the file b.network"]
        );
        assert_eq!(before.differences(&before), [""; 0]);
        assert_eq!(of(&[]).differences(&before), [""; 0], "an older build recorded none");
    }

    #[test]
    fn balanced_openings_have_their_own_checksum() {
        let with = |openings: Openings| {
            of_matches(&[match_of(["greedy", "random"], openings)], &Registry::default())
        };
        let [random, start, balanced] =
            ["random", "start", "balanced"].map(|name| with(Openings::parse(name).expect("openings")));
        assert_eq!(random, start, "they do not depend on the agents");
        assert_eq!(random.differences(&balanced), ["the openings"]);
    }

    #[test]
    fn only_some_of_many_agents_are_tested() {
        let one = |place: u32| {
            let spec = format!("mcts(playout=static, c={})", f64::from(place) / 10.0);
            match_of([&spec, "greedy"], Openings::Start)
        };
        let matches: Vec<Match> = (1..=300).map(one).collect();
        let print = of_matches(&matches, &Registry::default());
        assert_eq!(print.agents.len(), MAX_AGENTS);
    }
}
