//! Tournaments: several agents, each plays each other one as often, and a table of ratings.
//!
//! A [`Tournament`] is a list of matches that follows from its arguments alone. In its folder,
//! `tournament.json` holds these, `pairings/1-2/` and so on the matches, of the shape that
//! `lab match` leaves, and `result.json` the [`Standings`]. Agents are numbered from 1 as they were
//! named. A shard of a tournament plays the same shard of each of its matches.

mod run;
mod standings;
mod table;

pub use run::{HEADER, Header, PAIRINGS, Progress, run};
pub use standings::{Standing, Standings};

use crate::matches::Settings;
use crate::matches::settings::mixed;
use anyhow::{Context, Result, ensure};
use halma::agent;
use serde::{Deserialize, Serialize};

/// So many agents are 4,950 matches.
const MOST_AGENTS: usize = 100;

/// Everything that the games of a tournament depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tournament {
    /// The agents' spec strings.
    pub agents: Vec<String>,
    /// The arguments of every match, but for its agents and its seed.
    #[serde(flatten)]
    each: Each,
}

/// The arguments that all matches share, as they are written down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Each {
    /// Pairs of games in each match.
    pairs: u64,
    limit: crate::matches::TimeControl,
    /// The number from which the matches' seeds follow.
    seed: u64,
    openings: crate::openings::Openings,
    max_plies: u32,
    rules: crate::matches::RulesName,
}

/// One match of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairing {
    /// The two agents, by their place in [`Tournament::agents`].
    pub players: [usize; 2],
    /// The match they play.
    pub settings: Settings,
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
            agent::parse(spec, 0).with_context(|| format!("agent {}, '{spec}'", place + 1))?;
            ensure!(!agents[..place].contains(spec), "the agent '{spec}' is there twice");
        }
        let Settings { pairs, limit, seed, openings, max_plies, rules, .. } = each;
        let tournament = Tournament { agents, each: Each { pairs, limit, seed, openings, max_plies, rules } };
        tournament.pairing([0, 1]).settings.check()?;
        Ok(tournament)
    }

    /// How many pairs of games each match has.
    pub fn pairs(&self) -> u64 {
        self.each.pairs
    }

    /// The matches, in the order in which they are played.
    pub fn pairings(&self) -> Vec<Pairing> {
        let others = |one| (one + 1..self.agents.len()).map(move |other| [one, other]);
        (0..self.agents.len()).flat_map(others).map(|players| self.pairing(players)).collect()
    }

    /// The match of two players. Each match has a seed of its own, and so its own openings: the
    /// results of two matches are then independent, as the errors of the ratings suppose.
    fn pairing(&self, players: [usize; 2]) -> Pairing {
        let [one, other] = players;
        let Each { pairs, limit, seed, ref openings, max_plies, rules } = self.each;
        let settings = Settings {
            a: self.agents[one].clone(),
            b: self.agents[other].clone(),
            pairs,
            limit,
            // 53 bits, so that any reader of JSON gets it right.
            seed: mixed(mixed(seed) ^ ((one as u64) << 32 | other as u64)) >> 11,
            openings: openings.clone(),
            sprt: None,
            max_plies,
            rules,
        };
        Pairing { players, settings }
    }
}

impl Pairing {
    /// The name of its folder: the agents' numbers from 1.
    pub fn folder(&self) -> String {
        format!("{}-{}", self.players[0] + 1, self.players[1] + 1)
    }
}
