//! What a match is made of: everything that its games depend on.

use super::limits::{SideLimits, TimeControl};
use super::record::Contestant;
use crate::play::entrants;
use crate::play::openings::Openings;
use crate::play::rules_name::RulesName;
use crate::stats::Hypotheses;
use anyhow::{Context, Result, ensure};
use halma::support::random::mix;
use serde::{Deserialize, Serialize};

/// The most pairs of games of a match: nobody lives to see the end of more.
const MOST_PAIRS: u64 = 500_000_000_000;

/// The arguments of a match. Two matches with equal settings have the same list of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The first agent's spec string.
    pub a: String,
    /// The second agent's spec string.
    pub b: String,
    /// How many pairs of games to play, at the most.
    pub pairs: u64,
    /// What the agents may use.
    pub limit: SideLimits,
    /// The sequential test that may end the match early.
    pub sprt: Option<Hypotheses>,
    /// What it has in common with the other matches of a run.
    #[serde(flatten)]
    pub terms: Terms,
}

/// What games and their records depend on besides who plays, with how much time and how often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// The number from which all that is random follows.
    pub seed: u64,
    /// Where games begin.
    pub openings: Openings,
    /// A game of this many plies, the opening's included, is a draw.
    pub max_plies: u32,
    /// The rules of the games.
    pub rules: RulesName,
    /// How many nodes of each decision's tree are written down, at the most: see
    /// [`GameRecord::trees`](super::GameRecord::trees).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tree_nodes: usize,
}

/// Whether nothing is to be written down: then runs are as those of builds that knew no trees.
fn is_zero(&number: &usize) -> bool {
    number == 0
}

impl Settings {
    /// The match of these two agents, without a sequential test; not yet checked.
    pub fn new(agents: [&str; 2], pairs: u64, limit: impl Into<SideLimits>, terms: Terms) -> Settings {
        let [a, b] = agents.map(str::to_string);
        Settings { a, b, pairs, limit: limit.into(), sprt: None, terms }
    }

    /// Whether a match can be played with these settings.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn check(&self) -> Result<()> {
        for (which, spec) in [("first", &self.a), ("second", &self.b)] {
            entrants::check(spec).with_context(|| format!("the {which} agent, '{spec}'"))?;
        }
        self.check_programs()?;
        ensure!(
            Contestant::BOTH.iter().all(|&which| self.limit.of(which).is_sensible()),
            "--{}: expected a number above 0",
            self.limit.name().replace('=', " ")
        );
        ensure!(self.pairs > 0, "--games 0: a match has at least one pair of games");
        ensure!(
            self.pairs <= MOST_PAIRS,
            "--games {}: at most {}",
            self.pairs.saturating_mul(2),
            2 * MOST_PAIRS
        );
        self.terms.openings.check(self.terms.rules.into())?;
        let (longest, most) = (self.terms.openings.longest(), self.terms.max_plies);
        ensure!(
            longest < most as usize,
            "--max-plies {most}: openings have up to {longest} plies, so games would be drawn before a decision; \
             use more plies or shorter --openings"
        );
        if let Some(Hypotheses { elo0, elo1, scale, alpha, beta }) = self.sprt {
            let most = scale.most();
            let sensible = elo0 < elo1 && elo0.abs() <= most && elo1.abs() <= most;
            ensure!(
                sensible,
                "--sprt {elo0} {elo1}: expected two differences up to {most}, the lower one first"
            );
            for (name, error) in [("alpha", alpha), ("beta", beta)] {
                ensure!(
                    0.0 < error && error < 0.5,
                    "--{name} {error}: expected a probability between 0 and 0.5, such as 0.05"
                );
            }
        }
        Ok(())
    }

    /// Whether the limits are such that programs can keep to them.
    ///
    /// # Errors
    /// Which program can't.
    pub fn check_programs(&self) -> Result<()> {
        for which in Contestant::BOTH {
            let (spec, limit) = (self.spec(which), self.limit.of(which));
            ensure!(
                !(entrants::is_program(spec) && matches!(limit, TimeControl::Iterations(_))),
                "--{}: '{spec}' can't be told how many iterations to search; give it time, as in --game-time 60 or \
                 --cpu 1",
                self.limit.name().replace('=', " ")
            );
        }
        Ok(())
    }

    /// The rules by which the plays of `which` are judged.
    pub fn rules(&self, which: Contestant) -> RulesName {
        entrants::own_rules(self.spec(which)).unwrap_or(self.terms.rules)
    }

    /// The rules that allow every play of the games.
    pub fn widest_rules(&self) -> RulesName {
        let each = Contestant::BOTH.map(|which| self.rules(which));
        if each.contains(&RulesName::Original) { RulesName::Original } else { self.terms.rules }
    }

    /// How many games there are at the most.
    pub fn games(&self) -> u64 {
        2 * self.pairs
    }

    /// The spec string of `which`.
    pub fn spec(&self, which: Contestant) -> &str {
        match which {
            Contestant::A => &self.a,
            Contestant::B => &self.b,
        }
    }

    /// The seed of the opening of the pair to which game number `game` belongs.
    pub fn opening_seed(&self, game: u64) -> u64 {
        mix(mix(self.terms.seed) ^ (game / 2))
    }

    /// The seed from which the seeds of both agents in game number `game` follow. It has 53 bits,
    /// so that any reader of JSON gets it right.
    pub fn game_seed(&self, game: u64) -> u64 {
        mix(!mix(self.terms.seed) ^ game) >> 11
    }
}

/// The seed of `which` in the game with `game_seed`.
pub fn agent_seed(game_seed: u64, which: Contestant) -> u64 {
    mix(game_seed << 1 | which as u64)
}
