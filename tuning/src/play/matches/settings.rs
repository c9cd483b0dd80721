//! The settings of a match: everything that its games depend on.

use super::setting_error::SettingError;
use crate::play::entrant::{self, EntrantSpec};
use crate::play::game::MAX_PLIES;
use crate::play::openings::{Opening, Openings};
use crate::play::record::Contestant;
use crate::play::text;
use crate::play::time_control::{TimeControl, TimeControls};
use crate::stats::Hypotheses;
use anyhow::{Context, Result, bail, ensure};
use halma::game::Game;
use halma::rules::{BLACK, Position, Rules};
use halma::support::random::mix;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The maximum number of pairs in a match. Larger matches would never finish.
const MAX_PAIRS: u64 = 500_000_000_000;

/// The settings of a match. Two matches with equal settings have the same list of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The spec of the first entrant, A.
    pub a: String,
    /// The spec of the second entrant, B.
    pub b: String,
    /// The maximum number of pairs of games.
    pub pairs: u64,
    /// The limits of both sides.
    pub limit: TimeControls,
    /// The sequential test that may end the match early.
    pub sprt: Option<Hypotheses>,
    /// The settings that all matches of a run share.
    #[serde(flatten)]
    pub terms: Terms,
}

/// Everything that games and their records depend on besides the entrants, the limits and the number of
/// games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// The seed of all randomness.
    pub seed: u64,
    /// How games begin.
    pub openings: Openings,
    /// A game that reaches this many plies, including its opening, is a draw.
    pub max_plies: u32,
    /// The rules of the games.
    #[serde(with = "text")]
    pub rules: Rules,
    /// The maximum number of nodes to record of each decision's tree: see
    /// [`GameRecord::trees`](crate::play::record::GameRecord::trees).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tree_nodes: usize,
}

impl Default for Terms {
    /// Seed 1, random openings, draws after 400 plies, the course's rules, and no trees.
    fn default() -> Terms {
        let (openings, rules) = (Openings::default(), Rules::default());
        Terms { seed: 1, openings, max_plies: MAX_PLIES as u32, rules, tree_nodes: 0 }
    }
}

/// Whether to leave `tree_nodes` out of the file, so that a run without trees has the same settings as in an older
/// build, which could not record trees.
fn is_zero(&number: &usize) -> bool {
    number == 0
}

impl Settings {
    /// A match between these two entrants without a sequential test. The settings are not checked.
    pub fn new(agents: [&str; 2], pairs: u64, limit: impl Into<TimeControls>, terms: Terms) -> Settings {
        let [a, b] = agents.map(str::to_string);
        Settings { a, b, pairs, limit: limit.into(), sprt: None, terms }
    }

    /// The default number of games of a match; with a sequential test, the number after which it ends undecided.
    pub fn default_games(has_test: bool) -> u64 {
        if has_test { 20_000 } else { 100 }
    }

    /// Checks that a match can be played with these settings.
    ///
    /// # Errors
    /// A setting is invalid. The error reports the first one.
    pub fn check(&self) -> Result<()> {
        for (which, spec) in [("first", &self.a), ("second", &self.b)] {
            EntrantSpec::parse(spec).with_context(|| format!("the {which} agent, '{spec}'"))?;
        }
        self.check_programs()?;
        let each_is_positive = self.limit.each().into_iter().all(TimeControl::is_positive);
        ensure!(each_is_positive, SettingError::of_limit(self.limit, "expected a number above 0"));
        ensure!(self.pairs > 0, SettingError::new("games", 0, "expected at least one pair of games"));
        ensure!(
            self.pairs <= MAX_PAIRS,
            SettingError::new("games", self.pairs.saturating_mul(2), format!("at most {}", 2 * MAX_PAIRS))
        );
        self.terms.openings.check(self.terms.rules)?;
        let (longest, max_plies) = (self.terms.openings.max_plies(), self.terms.max_plies);
        ensure!(
            longest < max_plies as usize,
            SettingError::new(
                "max-plies",
                max_plies,
                format!(
                    "openings have up to {longest} plies, so games would end before the first decision; raise the \
                     limit or use shorter openings"
                )
            )
        );
        if let Some(Hypotheses { elo0, elo1, scale, alpha, beta }) = self.sprt {
            let max = scale.max_elo();
            ensure!(
                elo0 < elo1 && elo0.abs() <= max && elo1.abs() <= max,
                SettingError::new(
                    "sprt",
                    format!("{elo0} {elo1}"),
                    format!("expected two differences up to {max}, the lower one first")
                )
            );
            for (name, error) in [("alpha", alpha), ("beta", beta)] {
                ensure!(
                    0.0 < error && error < 0.5,
                    SettingError::new(name, error, "expected a probability between 0 and 0.5, such as 0.05")
                );
            }
        }
        Ok(())
    }

    /// Checks that no program is limited by iterations.
    ///
    /// # Errors
    /// A program is limited by iterations.
    pub fn check_programs(&self) -> Result<()> {
        let program = [&self.a, &self.b].into_iter().find(|spec| entrant::is_program(spec));
        match (program, self.limit) {
            (Some(spec), TimeControls::Iterations(_)) => bail!(SettingError::of_limit(
                self.limit,
                format!(
                    "'{spec}' is a program and can't count iterations; limit it by CPU seconds a move or game"
                )
            )),
            _ => Ok(()),
        }
    }

    /// The rules that the plays of `which` are checked against.
    pub fn rules(&self, which: Contestant) -> Rules {
        entrant::own_rules(self.spec(which)).unwrap_or(self.terms.rules)
    }

    /// The rules under which every play of either side is legal.
    pub fn widest_rules(&self) -> Rules {
        let each = Contestant::BOTH.map(|which| self.rules(which));
        if each.contains(&Rules::Original) { Rules::Original } else { self.terms.rules }
    }

    /// The maximum number of games.
    pub fn games(&self) -> u64 {
        2 * self.pairs
    }

    /// The spec of `which`.
    pub fn spec(&self, which: Contestant) -> &str {
        match which {
            Contestant::A => &self.a,
            Contestant::B => &self.b,
        }
    }

    /// The opening of pair number `pair`, and the position after it.
    pub(in crate::play) fn opening(&self, pair: u64) -> (Opening, Position) {
        let Terms { seed, ref openings, rules, .. } = self.terms;
        let opening = openings.opening(rules, pair, mix(mix(seed) ^ pair));
        let mut start = Position::initial(BLACK, rules);
        opening.0.iter().for_each(|&play| start.play(play));
        (opening, start)
    }

    /// The number of distinct positions after the openings of the first `pairs` pairs.
    pub fn count_openings(&self, pairs: u64) -> u64 {
        (0..pairs).map(|pair| self.opening(pair).1.key()).collect::<HashSet<u64>>().len() as u64
    }

    /// The seed of game number `game`, from which both agents' seeds are derived. It has 53 bits, so every
    /// JSON reader reads it exactly.
    pub fn game_seed(&self, game: u64) -> u64 {
        mix(!mix(self.terms.seed) ^ game) >> 11
    }
}

/// The seed of `which` in the game with `game_seed`.
pub fn agent_seed(game_seed: u64, which: Contestant) -> u64 {
    mix(game_seed << 1 | which as u64)
}
