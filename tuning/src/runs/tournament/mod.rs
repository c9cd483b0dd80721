//! Tournaments: several agents or programs, each plays each other one as often, and a table of ratings.
//!
//! A [`Tournament`] is a list of matches that follows from its arguments alone; what they come to are the
//! [`Standings`]. Agents are numbered from 1 as they were named. In a tournament read from a [file](Tournament::parse)
//! some may have other limits than the rest.

mod file;
mod standings;
mod table;

pub use standings::{ENOUGH_PAIRS, Lost, Standing, Standings};

use crate::play::entrant::{self, EntrantSpec};
use crate::play::matches::{Count, Settings, Terms};
use crate::play::time_control::{TimeControl, TimeControls};
use crate::runs::{Arguments, Conclusion, Match, Schedule, read_arguments};
use anyhow::{Context, Result, ensure};
use halma::support::random::mix;
use serde::{Deserialize, Serialize};

/// So many agents are 4,950 matches.
const MOST_AGENTS: usize = 100;

/// Everything that the games of a tournament depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tournament {
    /// The agents' spec strings.
    pub agents: Vec<String>,
    /// Pairs of games in each match.
    pairs: u64,
    /// What the agents may use.
    limit: TimeControl,
    /// What some of them may use instead, each at its agent's place; there may be fewer places than agents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    odds: Vec<Option<TimeControl>>,
    /// What the matches have in common; their seeds follow from the one in it.
    #[serde(flatten)]
    terms: Terms,
}

impl Tournament {
    /// The tournament of `agents` in which each match is like `each`, whose agents and sequential test
    /// do not count.
    ///
    /// # Errors
    /// There are too few agents or too many, one is there twice, or a match can't be played like this.
    pub fn new(agents: Vec<String>, each: Settings) -> Result<Tournament> {
        let Settings { pairs, limit, terms, .. } = each;
        let limit = limit.common().with_context(|| {
            let name = limit.name().replace('=', " ");
            format!(
                "--{name}: the agents of a tournament all have the same limit; 'lab match' takes two, and \
                 'lab tournament --file' one for each agent"
            )
        })?;
        let tournament = Tournament { agents, pairs, limit, odds: Vec::new(), terms };
        tournament.check()?;
        Ok(tournament)
    }

    /// Whether it can be played.
    ///
    /// # Errors
    /// What is wrong.
    fn check(&self) -> Result<()> {
        let number = self.agents.len();
        ensure!(
            (2..=MOST_AGENTS).contains(&number),
            "a tournament has 2 to {MOST_AGENTS} agents, not {number}"
        );
        for place in 0..number {
            self.check_agent(place)?;
        }
        self.settings([0, 1])?.check()
    }

    /// Whether the agent at `place` can play, and is none of those before.
    ///
    /// # Errors
    /// What is wrong.
    fn check_agent(&self, place: usize) -> Result<()> {
        let spec = &self.agents[place];
        let context = || format!("agent {}, '{spec}'", place + 1);
        EntrantSpec::parse(spec).with_context(context)?;
        let alone = Settings::new([spec, spec], 1, self.limit_of(place), self.terms.clone());
        alone.check_programs().with_context(context)?;
        let same = (0..place).find(|&other| {
            self.limit_of(other) == self.limit_of(place) && entrant::are_same(spec, &self.agents[other])
        });
        let same = same.map(|other| &self.agents[other]);
        ensure!(same != Some(spec), "the agent '{spec}' is there twice");
        ensure!(same.is_none(), "the agents '{}' and '{spec}' are the same", same.map_or("", |other| other));
        Ok(())
    }

    /// What the agent at `place` may use.
    fn limit_of(&self, place: usize) -> TimeControl {
        self.odds.get(place).copied().flatten().unwrap_or(self.limit)
    }

    /// What the agent at `place` is called: its spec, and its limit if that is its own.
    fn name(&self, place: usize) -> String {
        let (spec, limit) = (&self.agents[place], self.limit_of(place));
        if limit == self.limit { spec.clone() } else { format!("{spec}, {}", limit.label()) }
    }

    /// The two agents of each match, by their places, in the order in which they are played.
    fn pairings(&self) -> impl Iterator<Item = [usize; 2]> {
        let number = self.agents.len();
        (0..number).flat_map(move |one| (one + 1..number).map(move |other| [one, other]))
    }

    /// The match of two agents. Each match has a seed of its own, and so its own openings: the
    /// results of two matches are then independent, as the errors of the ratings suppose.
    ///
    /// # Errors
    /// The two have limits of different kinds.
    fn settings(&self, [one, other]: [usize; 2]) -> Result<Settings> {
        let agents = [one, other].map(|player| self.agents[player].as_str());
        let limit = TimeControls::new([one, other].map(|player| self.limit_of(player)));
        let limit = limit.context("the limits of a tournament must be of one kind")?;
        // 53 bits, so that any reader of JSON gets it right.
        let seed = mix(mix(self.terms.seed) ^ ((one as u64) << 32 | other as u64)) >> 11;
        Ok(Settings::new(agents, self.pairs, limit, Terms { seed, ..self.terms.clone() }))
    }

    /// What the matches have come to, counted in the order in which they are played.
    ///
    /// # Errors
    /// Two agents have limits of different kinds.
    pub fn standings(&self, counts: &[Count]) -> Result<Standings> {
        let summary =
            |(players, count): ([usize; 2], &Count)| Ok((players, count.summary(&self.settings(players)?)));
        let names: Vec<String> = (0..self.agents.len()).map(|place| self.name(place)).collect();
        Ok(Standings::of(&names, self.pairings().zip(counts).map(summary).collect::<Result<_>>()?))
    }
}

impl Schedule for Tournament {
    fn round(&self, _: &[Count]) -> Result<Vec<Match>> {
        let one = |players: [usize; 2]| {
            let [one, other] = players.map(|player| player + 1);
            Ok(Match { name: format!("{one}-{other}"), settings: self.settings(players)? })
        };
        self.pairings().map(one).collect()
    }

    fn conclude(&self, counts: &[Count]) -> Result<Conclusion> {
        Conclusion::of(&self.standings(counts)?)
    }

    /// The same tournament with fewer games of every two agents, or without the last agents. (A match's seed follows
    /// from its agents' places.)
    fn extends(&self, before: &Arguments) -> Result<Option<Box<dyn Schedule>>> {
        let same = |before: &Tournament| self.agents.starts_with(&before.agents);
        let before = read_arguments::<Tournament>(before).ok().filter(same);
        Ok(before.map(|before| Box::new(before) as Box<dyn Schedule>))
    }
}
