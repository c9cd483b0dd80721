//! The result of a match as text.

use super::summary::{SprtSummary, Summary};
use super::work::AgentFigures;
use crate::play::entrant::is_program;
use crate::stats::{Hypotheses, Interval, Verdict};
use std::fmt;

/// The maximum number of forfeits listed.
const MAX_FORFEITS: usize = 10;

/// How many of `pairs` pairs of games repeat an earlier one, if any do.
pub(crate) fn repeats_text(repeats: u64, pairs: u64) -> Option<String> {
    let text =
        format!("{repeats} of {pairs} pairs repeat an earlier one play for play and are not counted again");
    (repeats > 0).then_some(text)
}

impl Summary {
    /// The result in a line: `+10 =2 -4, Elo …`.
    pub fn in_short(&self) -> String {
        let Summary { wins, draws, losses, .. } = self;
        let llr = self.sprt.map_or(String::new(), |sprt| format!(", {}", sprt.llr_text()));
        format!("+{wins} ={draws} -{losses}, Elo {}{llr}", self.estimate.elo_text())
    }

    /// The normalized Elo difference with its 95 % interval.
    pub(crate) fn normalized_elo_text(&self) -> String {
        let Interval { from, to } = self.estimate.normalized_elo_interval;
        match self.pairs.pairs() {
            0 => "unknown".to_string(),
            _ if self.pairs.all_alike() => "unknown, as all pairs are alike".to_string(),
            _ => format!("{:+.1} ({from:+.1} … {to:+.1})", self.estimate.normalized_elo),
        }
    }

    /// How many pairs of games repeat an earlier one, if any do.
    pub(crate) fn repeats_text(&self) -> Option<String> {
        repeats_text(self.repeats, self.games / 2)
    }

    /// The verdict of the sequential test.
    pub(crate) fn sprt_text(&self) -> Option<String> {
        let sprt = self.sprt?;
        let Hypotheses { elo0, elo1, scale, .. } = sprt.hypotheses;
        let unit = scale.unit();
        let verdict = match sprt.verdict {
            Verdict::Undecided => format!("undecided between {elo0:+} and {elo1:+} {unit}"),
            Verdict::H0 => format!("{elo0:+} {unit} accepted, {elo1:+} rejected"),
            Verdict::H1 => format!("{elo1:+} {unit} accepted, {elo0:+} rejected"),
        };
        Some(format!("{verdict}: {}", sprt.llr_text()))
    }
}

impl SprtSummary {
    /// The log-likelihood ratio and its bounds.
    fn llr_text(&self) -> String {
        let (low, high) = self.bounds;
        format!("LLR {:+.2} in {low:.2} … {high:+.2}", self.llr)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { a, b, games, wins, draws, losses, .. } = self;
        let [ll, ld, even, wd, ww] = self.pairs.counts();
        let percent = |share: f64| 100.0 * share;
        let score = percent(self.estimate.score);
        writeln!(f, "A          {a}\nB          {b}\nlimit      {}", self.limit.label())?;
        write!(f, "games      {games}: A won {wins}, drew {draws}, lost {losses}; score {score:.1} %")?;
        writeln!(f, "{}", if self.repeats > 0 { " without repeats" } else { "" })?;
        if let Some(repeats) = self.repeats_text() {
            writeln!(f, "repeats    {repeats}")?;
        }
        writeln!(f, "pairs      {ww} of 2 points, {wd} of 1½, {even} of 1, {ld} of ½, {ll} of 0")?;
        let normalized = self.normalized_elo_text();
        let (elo, los) = (self.estimate.elo_text(), percent(self.estimate.los));
        writeln!(f, "Elo        {elo}, 95 %; LOS {los:.1} %; normalized Elo {normalized}")?;
        if let Some(sprt) = self.sprt_text() {
            writeln!(f, "SPRT       {sprt}")?;
        }
        writeln!(f, "first move {}", self.first_mover)?;
        let Summary { mean_plies, ply_limit_games, time_forfeits, .. } = self;
        writeln!(
            f,
            "plies      {mean_plies:.1} a game; {ply_limit_games} games drawn at the limit, \
             {time_forfeits} lost on time"
        )?;
        let [of_a, of_b] = &self.agents;
        write!(f, "A          {}\nB          {}", of_a.text(a), of_b.text(b))?;
        for forfeit in self.forfeits.iter().take(MAX_FORFEITS) {
            write!(f, "\ngame {:<5} {:?}: {forfeit}", forfeit.game, forfeit.loser)?;
        }
        match self.forfeits.len().saturating_sub(MAX_FORFEITS) {
            0 => Ok(()),
            more => write!(f, "\n… and {more} more games; --json lists all"),
        }
    }
}

impl AgentFigures {
    /// The figures of the entrant `spec`. A program does not report how much it searches.
    fn text(&self, spec: &str) -> String {
        let AgentFigures { speed, mean_reused, illegal_plays, overdrafts, program_faults, .. } = self;
        let pace = match self.decisions {
            0 => "no play made".to_string(),
            decisions => format!("{:.4} s a move", self.seconds / decisions as f64),
        };
        if is_program(spec) {
            return format!(
                "{pace}, {illegal_plays} illegal plays, {overdrafts} overdrafts, {program_faults} \
                 program faults"
            );
        }
        format!(
            "{speed}, {pace}, {mean_reused:.0} visits reused, {illegal_plays} illegal plays, \
             {overdrafts} overdrafts"
        )
    }
}
