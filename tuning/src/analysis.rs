//! What an agent thinks of a position, put together for printing.

use crate::rules_name::RulesName;
use halma::agent::Decision;
use halma::game::{Game, Outcome, Player, Value};
use halma::rules::{Play, Position, colour};
use halma::search::{Candidate, Stop};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// This many plies of the principal variation are written as text.
const MOST_PLIES: usize = 8;

/// What was asked.
#[derive(Serialize)]
pub struct AnalysisRequest {
    /// What the file with the position is called.
    pub file: String,
    /// The rules.
    pub rules: RulesName,
    /// The agent's spec string.
    pub agent: String,
    /// The agent's seed.
    pub seed: u64,
    /// The limit in CPU seconds.
    pub cpu_limit: Option<f64>,
    /// The limit in iterations.
    pub iteration_limit: Option<u64>,
}

/// All there is to tell, in the form of the JSON object. Plays are written as in `lab moves`;
/// values and proofs are those of the side to move.
#[derive(Serialize)]
pub struct Analysis {
    #[serde(flatten)]
    request: AnalysisRequest,
    to_move: &'static str,
    board: Vec<String>,
    legal_plays: usize,
    best: String,
    #[serde(flatten)]
    worth: Worth,
    principal_variation: Vec<String>,
    iterations: u64,
    reused: u32,
    iterations_per_second: Option<f64>,
    seconds: f64,
    depth: usize,
    nodes: usize,
    stop: &'static str,
    candidates: Vec<CandidateRow>,
}

/// One play at the root.
#[derive(Serialize)]
struct CandidateRow {
    play: String,
    visits: u32,
    prior: f32,
    #[serde(flatten)]
    worth: Worth,
}

/// What something is worth to the side to move.
#[derive(Serialize)]
struct Worth {
    value: f32,
    expected_score: f32,
    proof: Option<&'static str>,
}

impl Worth {
    fn new(value: Value, proof: Option<Outcome>, side: Player) -> Worth {
        let proof = proof.map(|outcome| match outcome {
            Outcome::Win(winner) if winner == side => "win",
            Outcome::Win(_) => "loss",
            Outcome::Draw => "draw",
        });
        Worth { value: value.get(), expected_score: value.expected_score(), proof }
    }
}

impl Analysis {
    /// The answer to `request` about `position`, which is `decision`.
    pub fn new(request: AnalysisRequest, position: &Position, decision: &Decision) -> Analysis {
        let report = &decision.report;
        let side = position.to_move();
        let row = |candidate: &Candidate<Play>| CandidateRow {
            play: candidate.play.to_string(),
            visits: candidate.visits,
            prior: candidate.prior,
            worth: Worth::new(candidate.value, candidate.proof, side),
        };
        Analysis {
            request,
            to_move: colour(side),
            board: position.rows().lines().map(str::to_string).collect(),
            legal_plays: position.count_plays(),
            best: decision.play.to_string(),
            worth: Worth::new(report.value, report.proof, side),
            principal_variation: report.principal_variation.iter().map(ToString::to_string).collect(),
            iterations: report.iterations,
            reused: report.reused,
            iterations_per_second: (report.iterations > 0 && report.seconds > 0.0)
                .then(|| report.iterations as f64 / report.seconds),
            seconds: report.seconds,
            depth: report.depth,
            nodes: report.nodes,
            stop: stop_word(report.stop),
            candidates: report.candidates.iter().map(row).collect(),
        }
    }
}

fn stop_word(stop: Stop) -> &'static str {
    match stop {
        Stop::Proved => "proved",
        Stop::Forced => "forced",
        Stop::Iterations => "iterations",
        Stop::Time => "time",
        Stop::Settled => "settled",
    }
}

/// An analysis for people, with this many plays.
pub struct AnalysisText<'a> {
    /// The analysis.
    pub analysis: &'a Analysis,
    /// List this many plays.
    pub top: usize,
}

impl Display for AnalysisText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Analysis { request, to_move, legal_plays, best, worth, .. } = self.analysis;
        writeln!(f, "{to_move} to move, {} rules, legal plays: {legal_plays}", request.rules)?;
        writeln!(f, "best play      {best}")?;
        writeln!(f, "value          {worth}")?;
        self.write_line(f)?;
        self.write_effort(f)?;
        writeln!(f)?;
        self.write_candidates(f)
    }
}

impl AnalysisText<'_> {
    /// The principal variation; its far end is hardly searched, and of use to programs at most.
    fn write_line(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let line = &self.analysis.principal_variation;
        let shown = line.len().min(MOST_PLIES);
        write!(f, "line           {}", line[..shown].join(" · "))?;
        let left_out = line.len() - shown;
        if left_out > 0 { writeln!(f, " … {left_out} more plies") } else { writeln!(f) }
    }

    fn write_effort(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Analysis { request, iterations, seconds, stop, depth, nodes, .. } = self.analysis;
        let rate = self.analysis.iterations_per_second.unwrap_or_default();
        writeln!(f, "agent          {}, seed {}", request.agent, request.seed)?;
        writeln!(f, "iterations     {iterations} in {seconds:.3} CPU seconds, {rate:.0} per second")?;
        writeln!(f, "tree           {nodes} nodes, deepest line {depth} plies")?;
        writeln!(f, "stopped by     {stop}")
    }

    fn write_candidates(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let candidates = &self.analysis.candidates;
        writeln!(f, "rank  play             visits   value   score    prior  proof")?;
        for (at, row) in candidates.iter().take(self.top).enumerate() {
            let CandidateRow { play, visits, prior, worth: Worth { value, expected_score, proof } } = row;
            let (rank, score, prior) = (at + 1, expected_score * 100.0, prior * 100.0);
            let proof = proof.unwrap_or("-");
            write!(f, "{rank:>4}  {play:<12} {visits:>10}  {value:>+.3}  {score:>5.1}%  {prior:>6.2}%")?;
            writeln!(f, "  {proof}")?;
        }
        let more = candidates.len().saturating_sub(self.top);
        if more > 0 {
            writeln!(f, "and {more} more")?;
        }
        let unseen = self.analysis.legal_plays.saturating_sub(candidates.len());
        if unseen > 0 {
            writeln!(f, "not looked at: {unseen}")?;
        }
        Ok(())
    }
}

impl Display for Worth {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.3}, expected score {:.1} %", self.value, self.expected_score * 100.0)?;
        self.proof.map_or(Ok(()), |proof| write!(f, ", proved {proof}"))
    }
}
