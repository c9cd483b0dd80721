//! Tournaments of agents and programs, with a table of ratings.
//!
//! A [`Tournament`] defines a match between every two agents, or, in a gauntlet, between each of the first agents and
//! each of the others; the result is the [`Standings`]. Agents are numbered from 1 in the order given. A match has the
//! same games in a gauntlet as in a round robin, so a gauntlet can be extended to one. In a tournament read from a
//! [file](Tournament::parse), agents can have limits of their own.

mod file;
mod standings;
mod table;

pub use standings::{ENOUGH_PAIRS, Lost, Standing, Standings};

use crate::play::entrant::{self, EntrantSpec};
use crate::play::matches::{Count, FirstMover, SettingError, Settings, Terms};
use crate::play::time_control::{TimeControl, TimeControls};
use crate::runs::{Arguments, Conclusion, Match, Schedule, read_arguments};
use anyhow::{Context, Result, ensure};
use halma::support::random::mix;
use serde::{Deserialize, Serialize};

/// The maximum number of agents. That many agents play 4,950 matches.
const MAX_AGENTS: usize = 100;

/// Everything that the games of a tournament depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tournament {
    /// The specs of the agents.
    pub agents: Vec<String>,
    /// How many of the first agents play all the others, but not each other; if `None`, every agent plays every other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gauntlet: Option<usize>,
    /// Pairs of games in each match.
    pairs: u64,
    /// The limit of agents without one of their own.
    limit: TimeControl,
    /// The agents' own limits, by index; may be shorter than the list of agents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    odds: Vec<Option<TimeControl>>,
    /// The terms of all matches; the seed of each match is derived from the one here.
    #[serde(flatten)]
    terms: Terms,
}

impl Tournament {
    /// The tournament of `agents` whose matches have the limit, length and terms of `each`: a round robin, or a gauntlet
    /// for the first `gauntlet` agents.
    ///
    /// # Errors
    /// There are too few agents or too many, one appears twice, or the matches can't be played.
    pub fn new(agents: Vec<String>, gauntlet: Option<usize>, each: Settings) -> Result<Tournament> {
        let Settings { pairs, limit, terms, .. } = each;
        let limit = limit.common().with_context(|| {
            let name = limit.name().replace('=', " ");
            format!(
                "--{name}: all agents of a tournament have the same limit; for different limits use 'lab match' or \
                 'lab tournament --file'"
            )
        })?;
        let tournament = Tournament { agents, gauntlet, pairs, limit, odds: Vec::new(), terms };
        tournament.check()?;
        Ok(tournament)
    }

    /// Checks that the tournament can be played.
    fn check(&self) -> Result<()> {
        let number = self.agents.len();
        ensure!((2..=MAX_AGENTS).contains(&number), "expected 2 to {MAX_AGENTS} agents, found {number}");
        for place in 0..number {
            self.check_agent(place)?;
        }
        if let Some(first) = self.gauntlet {
            ensure!(
                first == 1 || number != 2,
                SettingError::new("gauntlet", first, "with 2 agents, only 1 is possible")
            );
            let message = format!(
                "expected a number from 1 to {}, because the first agents play the others and there are {number} in all",
                number - 1
            );
            ensure!((1..number).contains(&first), SettingError::new("gauntlet", first, message));
        }
        self.settings([0, 1])?.check()
    }

    /// Checks that `agents[place]` can play and differs from the agents before it.
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
        ensure!(same != Some(spec), "the agent '{spec}' appears twice");
        ensure!(same.is_none(), "the agents '{}' and '{spec}' are the same", same.map_or("", |other| other));
        Ok(())
    }

    fn limit_of(&self, place: usize) -> TimeControl {
        self.odds.get(place).copied().flatten().unwrap_or(self.limit)
    }

    /// The name of `agents[place]`: its spec, and its own limit if it has one.
    fn name(&self, place: usize) -> String {
        let (spec, limit) = (&self.agents[place], self.limit_of(place));
        if limit == self.limit { spec.clone() } else { format!("{spec}, {}", limit.label()) }
    }

    /// The indices of the two agents of each match, in order.
    fn pairings(&self) -> impl Iterator<Item = [usize; 2]> {
        let (number, first) = (self.agents.len(), self.gauntlet);
        let others = move |one| first.unwrap_or(one + 1)..number;
        (0..first.unwrap_or(number)).flat_map(move |one| others(one).map(move |other| [one, other]))
    }

    /// The match of two agents. Each match has its own seed and so its own openings, which makes the results
    /// independent, as the errors of the ratings assume.
    fn settings(&self, [one, other]: [usize; 2]) -> Result<Settings> {
        let agents = [one, other].map(|player| self.agents[player].as_str());
        let limit = TimeControls::new([one, other].map(|player| self.limit_of(player)));
        let limit = limit.context("the limits of a tournament must be of one kind")?;
        // 53 bits, which every JSON reader can represent.
        let seed = mix(mix(self.terms.seed) ^ ((one as u64) << 32 | other as u64)) >> 11;
        Ok(Settings::new(agents, self.pairs, limit, Terms { seed, ..self.terms.clone() }))
    }

    /// The result of matches with these counts.
    ///
    /// # Errors
    /// Two agents have limits of different kinds.
    pub fn standings(&self, counts: &[Count]) -> Result<Standings> {
        let summary =
            |(players, count): ([usize; 2], &Count)| Ok((players, count.summary(&self.settings(players)?)));
        let names: Vec<String> = (0..self.agents.len()).map(|place| self.name(place)).collect();
        let summaries = self.pairings().zip(counts).map(summary).collect::<Result<_>>()?;
        Ok(Standings::of(&names, summaries, FirstMover::joined(counts)))
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

    /// Extends the same tournament with fewer games per match or without the last agents. (A match's seed depends on
    /// its agents' indices.)
    fn extends(&self, before: &Arguments) -> Result<Option<Box<dyn Schedule>>> {
        let same = |before: &Tournament| self.agents.starts_with(&before.agents);
        let before = read_arguments::<Tournament>(before).ok().filter(same);
        Ok(before.map(|before| Box::new(before) as Box<dyn Schedule>))
    }
}
