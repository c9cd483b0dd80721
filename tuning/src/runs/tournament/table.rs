//! The result of a tournament as text.

use super::standings::{ENOUGH_PAIRS, Lost, Standings};
use crate::play::entrant::is_program;
use crate::play::matches::repeats_text;
use crate::runs::text::first_few;
use std::fmt;

/// The maximum number of forfeited games listed for an agent.
const MAX_LOST: usize = 3;

impl fmt::Display for Standings {
    /// The table of ratings with their errors, then the cross table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.standings.iter().map(|line| line.agent.chars().count()).max().unwrap_or(0).max(5);
        writeln!(
            f,
            "  #  {:width$}    Elo  {:>15}  {:>23}    points  games  score  illegal  on time  faults  overdrafts  searched",
            "agent", "95 %", "ahead of next, 95 %"
        )?;
        for (place, line) in (1..).zip(&self.standings) {
            let lead = line.lead.zip(line.lead_interval);
            let lead = lead.map(|(lead, interval)| format!("{lead:+.0} ({interval})"));
            // The speed of a program's search is unknown.
            let speed = if is_program(&line.agent) { String::new() } else { line.speed.to_string() };
            let score = 100.0 * line.points / line.games.max(1) as f64;
            writeln!(
                f,
                "{place:>3}  {:width$}  {:+5.0}  {:>15}  {:>23}  {:>8.1}  {:>5}  {score:>3.0} %  {:>7}  {:>7}  {:>6}  {:>10}  {speed}",
                line.agent,
                line.elo,
                line.elo_interval.to_string(),
                lead.unwrap_or_default(),
                line.points,
                line.games,
                line.illegal_plays,
                line.time_forfeits,
                line.program_faults,
                line.overdrafts
            )?;
        }
        writeln!(f, "The first mover scored {}.", self.first_mover)?;
        if let Some(repeats) = self.repeats_text() {
            writeln!(f, "{repeats}.")?;
        }
        if self.with_prior {
            writeln!(
                f,
                "Some ratings would be infinite, so a drawn game was added between every two agents;\nlarge differences \
                 are bounds rather than estimates."
            )?;
        }
        if self.fewest_pairs < ENOUGH_PAIRS {
            writeln!(
                f,
                "Too few pairs: a match has only {}, so the intervals are too narrow; {ENOUGH_PAIRS} are enough.",
                self.fewest_pairs
            )?;
        }
        self.write_cross_table(f, width)?;
        self.write_lost(f)
    }
}

impl Standings {
    /// How many pairs of games repeat an earlier one of their match, if any do.
    pub(crate) fn repeats_text(&self) -> Option<String> {
        repeats_text(self.repeats, self.pairings.iter().map(|summary| summary.games / 2).sum())
    }

    /// Points of each row's agent against each column's.
    fn write_cross_table(&self, f: &mut fmt::Formatter<'_>, width: usize) -> fmt::Result {
        let number = |points: Option<f64>| points.map_or("·".to_string(), |points| format!("{points:.1}"));
        let cells: Vec<Vec<String>> =
            self.cross_table.iter().map(|row| row.iter().map(|&points| number(points)).collect()).collect();
        let column = cells.iter().flatten().map(|cell| cell.chars().count()).max().unwrap_or(0).max(3);
        write!(f, "\npoints {:width$}", "")?;
        (1..=cells.len()).try_for_each(|place| write!(f, " {place:>column$}"))?;
        for ((place, line), row) in (1..).zip(&self.standings).zip(&cells) {
            write!(f, "\n{place:>3}  {:width$}  ", line.agent)?;
            row.iter().try_for_each(|cell| write!(f, " {cell:>column$}"))?;
        }
        Ok(())
    }

    /// The first few games that each agent forfeited.
    fn write_lost(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lost.is_empty() {
            return Ok(());
        }
        write!(f, "\n\nlost by forfeit:")?;
        for lost in self.lost.chunk_by(|one, other| one.agent == other.agent) {
            let game =
                |Lost { name, forfeit, .. }: &Lost| format!("{name}, game {}: {forfeit}", forfeit.game);
            let games: Vec<String> = lost.iter().map(game).collect();
            write!(f, "\n{}\n     {}", lost[0].agent, first_few(&games, MAX_LOST, "\n     "))?;
        }
        Ok(())
    }
}
