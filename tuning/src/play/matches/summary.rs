//! The result of a match.

use super::count::Count;
use super::first_mover::FirstMover;
use super::forfeit::Forfeit;
use super::settings::Settings;
use super::work::AgentFigures;
use crate::play::record::Contestant;
use crate::play::time_control::TimeControls;
use crate::stats::{Estimate, Hypotheses, PairCounts, Verdict};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

/// The result of a match.
///
/// Numbers that are not finite, such as the Elo difference after a clean sweep, are `null` in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The spec of the first entrant, A.
    pub a: String,
    /// The spec of the second entrant, B.
    pub b: String,
    /// The limits of both sides.
    pub limit: TimeControls,
    /// Games counted: whole pairs only.
    pub games: u64,
    /// Games that A won.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Games that B won.
    pub losses: u64,
    /// Pairs that repeat an earlier one, play for play. All figures from `pairs` to `first_mover` leave them out.
    pub repeats: u64,
    /// Pairs in which A scored 0, ½, 1, 1½ and 2 points.
    pub pairs: PairCounts,
    /// A's score, and what follows from it.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The sequential test, if there is one and this is the whole match.
    pub sprt: Option<SprtSummary>,
    /// The advantage of the first move.
    pub first_mover: FirstMover,
    /// Plies per game, including the opening.
    pub mean_plies: f64,
    /// Games that ended at the ply limit.
    pub ply_limit_games: u64,
    /// Games lost on time.
    pub time_forfeits: u64,
    /// Figures of A and of B.
    pub agents: [AgentFigures; 2],
    /// Games lost by an illegal play, on time, or by a program's fault.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forfeits: Vec<Forfeit>,
}

/// The state of the sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtSummary {
    /// The hypotheses.
    #[serde(flatten, serialize_with = "in_full")]
    pub hypotheses: Hypotheses,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The ratios at which the test accepts the lower and the higher hypothesis.
    pub bounds: (f64, f64),
    /// The verdict.
    pub verdict: Verdict,
}

/// Writes the hypotheses with both error probabilities, including default ones.
fn in_full<S: Serializer>(hypotheses: &Hypotheses, serializer: S) -> Result<S::Ok, S::Error> {
    let Hypotheses { elo0, elo1, scale, alpha, beta } = *hypotheses;
    let mut object = serializer.serialize_struct("Hypotheses", 5)?;
    for (name, number) in [("elo0", elo0), ("elo1", elo1), ("alpha", alpha), ("beta", beta)] {
        object.serialize_field(name, &number)?;
    }
    object.serialize_field("scale", &scale)?;
    object.end()
}

impl Count {
    /// The result so far of the match with `settings`.
    pub fn summary(&self, settings: &Settings) -> Summary {
        let [losses, draws, wins] = self.outcomes;
        let games = losses + draws + wins;
        let agents = Contestant::BOTH.map(|which| {
            let agent = self.agents[which as usize];
            let decisions = agent.decisions.max(1) as f64;
            AgentFigures {
                speed: agent.pace.speed(),
                mean_reused: self.reused[which as usize] as f64 / decisions,
                ..agent
            }
        });
        Summary {
            a: settings.a.clone(),
            b: settings.b.clone(),
            limit: settings.limit,
            games,
            wins,
            draws,
            losses,
            repeats: self.repeats(),
            pairs: self.pairs,
            estimate: Estimate::of(self.pairs),
            sprt: settings.sprt.filter(|_| !self.is_part).map(|hypotheses| SprtSummary {
                hypotheses,
                llr: hypotheses.log_likelihood_ratio(self.pairs),
                bounds: hypotheses.bounds(),
                verdict: hypotheses.verdict(self.pairs),
            }),
            first_mover: FirstMover::of(self.first_mover),
            mean_plies: self.plies as f64 / games.max(1) as f64,
            ply_limit_games: self.ply_limit_games,
            time_forfeits: agents.iter().map(|agent| agent.time_forfeits).sum(),
            agents,
            forfeits: self.forfeits.clone(),
        }
    }
}
