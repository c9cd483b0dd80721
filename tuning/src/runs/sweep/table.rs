//! The result of a sweep as CSV and text.

use super::result::{BestSetting, SweepResult, SweepRow};
use crate::play::matches::repeats_text;
use crate::runs::text::first_few;
use crate::stats::elo_text;
use anyhow::Result;
use std::fmt;

/// The columns of the CSV after the budget and the parameters.
const FIGURES: &str = "agent opponent games wins draws losses score score_low score_high elo elo_low elo_high los plies \
                       iterations nodes boards repeats opponent_iterations";

/// The maximum number of contenders named.
const MAX_NAMED: usize = 4;

impl SweepResult {
    /// The rows as CSV with a header. Scores are 0…1, infinite Elo differences `inf` and `-inf`.
    ///
    /// # Errors
    /// A row can't be written.
    pub fn csv(&self) -> Result<Vec<u8>> {
        let sweep = &self.sweep;
        let mut table = csv::Writer::from_writer(Vec::new());
        let axes = sweep.axes.iter().map(|axis| axis.parameter.as_str());
        table.write_record(["budget"].into_iter().chain(axes).chain(FIGURES.split(' ')))?;
        for row in &self.rows {
            let setting = &sweep.settings[row.setting];
            let mut fields = vec![sweep.budgets[row.budget].limit.name()];
            let value = |axis| setting.values.get(axis).cloned().unwrap_or_default();
            fields.extend((0..sweep.axes.len()).map(value));
            let opponent = sweep.opponent.clone().unwrap_or_else(|| "each other".to_string());
            fields.extend([setting.spec.clone(), opponent]);
            fields.extend([row.games, row.wins, row.draws, row.losses].map(|count| count.to_string()));
            let scores = [row.score, row.score_interval.from, row.score_interval.to];
            fields.extend(scores.map(|score| format!("{score:.5}")));
            fields
                .extend([row.elo, row.elo_interval.from, row.elo_interval.to].map(|elo| format!("{elo:.2}")));
            fields.push(format!("{:.5}", row.los));
            let means = [row.mean_plies, row.mean_iterations, row.mean_nodes, row.mean_boards];
            fields.extend(means.map(|mean| format!("{mean:.2}")));
            fields.push(row.repeats.to_string());
            fields.push(format!("{:.2}", row.mean_opponent_iterations));
            table.write_record(fields)?;
        }
        Ok(table.into_inner()?)
    }

    /// The commands that test the best settings with fresh games.
    pub(crate) fn commands(&self) -> impl Iterator<Item = &String> {
        self.verdicts.iter().filter(|verdict| verdict.within.is_none()).filter_map(|one| one.verify.as_ref())
    }

    /// The number of games played.
    fn games(&self) -> u64 {
        let sides = if self.sweep.opponent.is_some() { 1 } else { 2 };
        self.rows.iter().map(|row| row.games).sum::<u64>() / sides
    }
}

impl fmt::Display for SweepResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sweep = &self.sweep;
        let names: Vec<String> = (0..sweep.settings.len()).map(|setting| sweep.name(setting)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let opponent = sweep.opponent.as_deref().unwrap_or("each other");
        writeln!(f, "{}, {} games against {opponent}", sweep.title, self.games())?;
        for (number, budget) in sweep.budgets.iter().enumerate() {
            writeln!(f, "\n{}", budget.limit.label())?;
            for row in self.rows.iter().filter(|row| row.budget == number) {
                writeln!(f, "  {:width$}  {}", names[row.setting], row)?;
            }
            writeln!(f, "  the first mover scored {}", self.first_mover[number])?;
            let name = budget.limit.name();
            for verdict in self.verdicts.iter().filter(|verdict| verdict.budget == name) {
                write!(f, "  {verdict}")?;
            }
        }
        if sweep.settings.len() > 1 {
            write!(
                f,
                "\nWith 95 % confidence at each budget, the true best is among those listed: every other setting lost \
                 to another one\nin a test over the same openings (Gupta 1965, Gaffke 2005, Bonferroni). The \
                 best of several looks better than\nit is."
            )?;
        }
        if self.commands().next().is_some() {
            write!(f, "\nTo confirm with fresh games, run:")?;
        }
        self.commands().try_for_each(|command| write!(f, "\n  {command}"))
    }
}

impl fmt::Display for SweepRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SweepRow { wins, draws, losses, score, score_interval, elo, elo_interval, .. } = self;
        let percent = |share: f64| 100.0 * share;
        let (from, to) = (percent(score_interval.from), percent(score_interval.to));
        let (score, elo) = (percent(*score), elo_text(*elo, *elo_interval));
        write!(f, "+{wins} ={draws} -{losses}  {score:.1} % ({from:.1} … {to:.1})  Elo {elo}")?;
        repeats_text(self.repeats, self.games / 2).map_or(Ok(()), |repeats| write!(f, "; {repeats}"))
    }
}

impl fmt::Display for BestSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = self.within.as_ref().map_or(String::new(), |within| format!(" of {within}"));
        match (self.compared, self.decided) {
            (1, _) => write!(f, "the only setting: {}", self.best)?,
            (_, true) => {
                write!(f, "best{within}: {}, ahead of all others with 95 % confidence", self.best)?;
            }
            (_, false) => {
                let others = self.contenders.iter().filter(|&name| *name != self.best);
                let others: Vec<String> = others.cloned().collect();
                let others = first_few(&others, MAX_NAMED, " or ");
                write!(f, "best{within}: {}, undecided: the best may also be {others}", self.best)?;
            }
        }
        match self.p_not_better_than_opponent {
            Some(p) if p < 0.05 => writeln!(f, "; better than the opponent (p < {})", rounded_up(p)),
            Some(_) => writeln!(f, "; not proven better than the opponent"),
            None => writeln!(f),
        }
    }
}

/// The smallest of the usual significance levels above `p`.
fn rounded_up(p: f64) -> f64 {
    [0.0001, 0.001, 0.01].into_iter().find(|&level| p < level).unwrap_or(0.05)
}
