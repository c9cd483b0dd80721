//! An analysis as text.

use super::{Analysis, CandidateRow, SearchResult, Visits, Work, Worth};
use std::fmt::{self, Display, Formatter};

/// The maximum number of plies of the principal variation in the text.
const MAX_PLIES: usize = 8;

/// An analysis as text.
pub struct AnalysisText<'a> {
    pub analysis: &'a Analysis,
    /// The seed of the agent.
    pub seed: u64,
    /// The maximum number of plays to list.
    pub top: usize,
}

impl Display for AnalysisText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Analysis { rules, agent, to_move, legal_plays, best, why, worth, race, search, .. } =
            self.analysis;
        writeln!(f, "{to_move} to move, {rules} rules, legal plays: {legal_plays}")?;
        let Some(best) = best else { return writeln!(f, "{why}\nvalue          {worth}") };
        writeln!(f, "best play      {best}")?;
        writeln!(f, "decided by     {why}")?;
        writeln!(f, "value          {worth}")?;
        self.write_line(f)?;
        writeln!(f, "agent          {agent}, seed {}", self.seed)?;
        if let Some(race) = race {
            writeln!(f, "race solver    {} boards, value {}", race.boards, race.worth)?;
        }
        search.as_ref().map_or(Ok(()), |search| self.write_search(search, f))
    }
}

impl AnalysisText<'_> {
    /// The principal variation without its far end, which has hardly been searched.
    fn write_line(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let line = &self.analysis.principal_variation;
        let shown = line.len().min(MAX_PLIES);
        write!(f, "line           {}", line[..shown].join(" · "))?;
        let left_out = line.len() - shown;
        if left_out > 0 { writeln!(f, " … and {left_out} more plies") } else { writeln!(f) }
    }

    fn write_search(&self, search: &SearchResult, f: &mut Formatter<'_>) -> fmt::Result {
        let seconds = self.analysis.seconds;
        let SearchResult { work, depth, stop, .. } = search;
        match work {
            Work::Tree { iterations, iterations_per_second, reused, tree_nodes } => {
                let rate = iterations_per_second.unwrap_or_default();
                writeln!(f, "iterations     {iterations} in {seconds:.3} CPU seconds, {rate:.0} per second")?;
                writeln!(
                    f,
                    "tree           {tree_nodes} nodes, deepest line {depth} plies, {reused} visits reused"
                )?;
            }
            Work::Depth { nodes, nodes_per_second } => {
                let rate = nodes_per_second.unwrap_or_default();
                writeln!(
                    f,
                    "nodes          {nodes} visited in {seconds:.3} CPU seconds, {rate:.0} per second"
                )?;
                writeln!(f, "depth          {depth} plies")?;
            }
        }
        writeln!(f, "stopped by     {stop}\n")?;
        if self.analysis.decided_by == "race" {
            writeln!(f, "The tree search, which did not decide:")?;
        }
        self.write_candidates(search, f)
    }

    fn write_candidates(&self, search: &SearchResult, f: &mut Formatter<'_>) -> fmt::Result {
        let unit = if matches!(search.work, Work::Depth { .. }) { "nodes" } else { "visits" };
        writeln!(f, "rank  play         {unit:>10}   value   score    prior  proof")?;
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "–".to_string());
        for (at, row) in search.candidates.iter().take(self.top).enumerate() {
            let CandidateRow { play, visits, prior, worth: Worth { value, expected_score, proof } } = row;
            let value = or_none(value.map(|value| format!("{value:+.3}")));
            let score = or_none(expected_score.map(|score| format!("{:.1}%", 100.0 * score)));
            let prior = or_none(prior.map(|prior| format!("{:.2}%", 100.0 * prior)));
            let (rank, visits, proof) = (at + 1, visits.text(), proof.unwrap_or("–"));
            writeln!(f, "{rank:>4}  {play:<12} {visits:>10}  {value:>6}  {score:>6}  {prior:>7}  {proof}")?;
        }
        let more = search.candidates.iter().skip(self.top);
        let rest = more.clone().count();
        if rest > 0 {
            let priors: Option<f32> = more.map(|row| row.prior).sum();
            writeln!(f, "and {rest} more{}", prior_share(priors))?;
        }
        let unseen = self.analysis.legal_plays.saturating_sub(search.candidates.len());
        // Minimax reports only its best play.
        if unseen > 0 && unit == "visits" {
            writeln!(f, "not searched: {unseen}{}", prior_share(search.other_priors))?;
        }
        Ok(())
    }
}

/// The sum of the priors of plays that are not listed.
fn prior_share(priors: Option<f32>) -> String {
    priors.map_or(String::new(), |priors| format!(", with {:.2}% of the priors", 100.0 * priors))
}

impl Display for Worth {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.value, self.expected_score) {
            (Some(value), Some(score)) => write!(f, "{value:+.3}, expected score {:.1} %", score * 100.0)?,
            _ => f.write_str("–")?,
        }
        self.proof.map_or(Ok(()), |proof| write!(f, ", proved {proof}"))
    }
}

impl Visits {
    /// The text for the table. Minimax does not count nodes by play.
    fn text(self) -> String {
        match self {
            Visits::Nodes(0) => "–".to_string(),
            Visits::Visits(count) | Visits::Nodes(count) => count.to_string(),
        }
    }
}
