//! Reading a tournament's file.

use super::Tournament;
use crate::play::entrant::EntrantSpec;
use crate::play::matches::SettingError;
use crate::play::whole_number::{in_file, optional_in_file};
use crate::runs::experiment::{BudgetText, Document, experiment_text};
use anyhow::Result;
use serde::Deserialize;
use std::num::NonZeroU64;
use toml::Spanned;

experiment_text! {
    struct TournamentText {
        budget: Spanned<BudgetText>,
        #[serde(deserialize_with = "in_file")]
        games: NonZeroU64,
        agents: Spanned<Vec<Spanned<AgentText>>>,
        #[serde(default, deserialize_with = "optional_in_file")]
        gauntlet: Option<usize>,
    }
}

/// An agent: its spec, or a table that adds its own limit.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected an agent's spec or a table such as { agent = \"mcts\", game_time = 3 }"
)]
enum AgentText {
    Spec(String),
    Table(AgentTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AgentTable {
    agent: String,
    #[serde(default, deserialize_with = "optional_in_file")]
    iterations: Option<u64>,
    cpu: Option<f64>,
    game_time: Option<f64>,
}

impl AgentText {
    fn spec(&self) -> &str {
        match self {
            AgentText::Spec(spec) => spec,
            AgentText::Table(table) => &table.agent,
        }
    }

    /// The agent's own limit, if it has one.
    fn budget(&self) -> Option<BudgetText> {
        let AgentText::Table(AgentTable { iterations, cpu, game_time, .. }) = *self else { return None };
        let own = BudgetText { iterations, cpu, game_time, games: None };
        (iterations.is_some() || cpu.is_some() || game_time.is_some()).then_some(own)
    }
}

impl Tournament {
    /// Reads the tournament in `source` and checks every value; `games` overrides the file's.
    ///
    /// # Errors
    /// A value is invalid: `FILE:LINE:COLUMN: the fault`.
    pub fn parse(source: &Document, games: Option<u64>) -> Result<Tournament> {
        let text: TournamentText = source.parse()?;
        let budget = text.budget.get_ref();
        if budget.games.is_some() {
            return Err(
                source.error(text.budget.span(), "'games' belongs at the top level, not in the budget")
            );
        }
        let limit = budget.limit().map_err(|error| source.error(text.budget.span(), error))?;
        let mut tournament = Tournament {
            agents: Vec::new(),
            gauntlet: text.gauntlet,
            pairs: games.unwrap_or(text.games.get()).div_ceil(2),
            limit,
            odds: Vec::new(),
            terms: text.terms(source, None)?,
        };
        for one in text.agents.get_ref() {
            let wrong = |error: String| source.error(one.span(), error);
            let own = one.get_ref().budget().map(|own| own.limit()).transpose();
            let own = own.map_err(|error| wrong(error.to_string()))?;
            if own.is_some_and(|own| own.kind() != limit.kind()) {
                return Err(wrong(format!(
                    "this limit must be of the same kind as the budget, {}",
                    limit.kind()
                )));
            }
            EntrantSpec::parse(one.get_ref().spec()).map_err(|error| wrong(format!("{error:#}")))?;
            tournament.agents.push(one.get_ref().spec().to_string());
            tournament.odds.push(own.filter(|&own| own != limit));
            tournament
                .check_agent(tournament.agents.len() - 1)
                .map_err(|error| wrong(SettingError::with_keys(&error)))?;
        }
        let used = tournament.odds.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        tournament.odds.truncate(used);
        tournament
            .check()
            .map_err(|error| source.error(text.agents.span(), SettingError::with_keys(&error)))?;
        Ok(tournament)
    }
}
