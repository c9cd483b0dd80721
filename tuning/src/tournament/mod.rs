//! Tournaments: several agents, each plays each other one as often, and a table of ratings.
//!
//! A [`Tournament`] is a list of matches that follows from its arguments alone; what they come to are the
//! [`Standings`]. Agents are numbered from 1 as they were named.

mod standings;
mod table;

pub use standings::{ENOUGH_PAIRS, Standing, Standings};

use crate::agents;
use crate::matches::{Count, Settings, Terms, TimeControl};
use crate::run::{Arguments, Conclusion, Match, Schedule, read_arguments};
use anyhow::{Context, Result, ensure};
use halma::random::mix;
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
        let number = agents.len();
        ensure!(
            (2..=MOST_AGENTS).contains(&number),
            "a tournament has 2 to {MOST_AGENTS} agents, not {number}"
        );
        for (place, spec) in agents.iter().enumerate() {
            agents::make(spec, 0).with_context(|| format!("agent {}, '{spec}'", place + 1))?;
            ensure!(!agents[..place].contains(spec), "the agent '{spec}' is there twice");
            let same = agents[..place].iter().find(|other| agents::are_same(spec, other));
            ensure!(
                same.is_none(),
                "the agents '{}' and '{spec}' are the same",
                same.map_or("", |other| other)
            );
        }
        let Settings { pairs, limit, terms, .. } = each;
        let limit = limit.common().with_context(|| {
            let name = limit.name().replace('=', " ");
            format!("--{name}: the agents of a tournament all have the same limit; 'lab match' takes two")
        })?;
        let tournament = Tournament { agents, pairs, limit, terms };
        tournament.settings([0, 1]).check()?;
        Ok(tournament)
    }

    /// The two agents of each match, by their places, in the order in which they are played.
    fn pairings(&self) -> impl Iterator<Item = [usize; 2]> {
        let number = self.agents.len();
        (0..number).flat_map(move |one| (one + 1..number).map(move |other| [one, other]))
    }

    /// The match of two agents. Each match has a seed of its own, and so its own openings: the
    /// results of two matches are then independent, as the errors of the ratings suppose.
    fn settings(&self, [one, other]: [usize; 2]) -> Settings {
        let agents = [one, other].map(|player| self.agents[player].as_str());
        // 53 bits, so that any reader of JSON gets it right.
        let seed = mix(mix(self.terms.seed) ^ ((one as u64) << 32 | other as u64)) >> 11;
        Settings::new(agents, self.pairs, self.limit, Terms { seed, ..self.terms.clone() })
    }

    /// What the matches have come to, counted in the order in which they are played.
    pub fn standings(&self, counts: &[Count]) -> Standings {
        let summary =
            |(players, count): ([usize; 2], &Count)| (players, count.summary(&self.settings(players)));
        Standings::of(&self.agents, self.pairings().zip(counts).map(summary).collect())
    }
}

impl Schedule for Tournament {
    fn round(&self, _: &[Count]) -> Result<Vec<Match>> {
        let one = |players: [usize; 2]| {
            let [one, other] = players.map(|player| player + 1);
            Match { name: format!("{one}-{other}"), settings: self.settings(players) }
        };
        Ok(self.pairings().map(one).collect())
    }

    fn conclude(&self, counts: &[Count]) -> Result<Conclusion> {
        Conclusion::of(&self.standings(counts))
    }

    /// The same tournament with fewer games of every two agents, or without the last agents. (A match's seed follows
    /// from its agents' places.)
    fn extends(&self, before: &Arguments) -> Result<Option<Box<dyn Schedule>>> {
        let same = |before: &Tournament| self.agents.starts_with(&before.agents);
        let before = read_arguments::<Tournament>(before).ok().filter(same);
        Ok(before.map(|before| Box::new(before) as Box<dyn Schedule>))
    }
}
