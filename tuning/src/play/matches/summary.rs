//! The result of a match.

use super::count::Count;
use super::first_mover::FirstMover;
use super::forfeit::Forfeit;
use super::limits::SideLimits;
use super::record::Contestant;
use super::settings::Settings;
use super::work::AgentFigures;
use crate::stats::{Estimate, Hypotheses, Interval, PairCounts, Verdict};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

/// What a match has come to.
///
/// A number that is not finite, such as the Elo difference if all points went to one side, is
/// `null` in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The first agent's spec string.
    pub a: String,
    /// The second agent's spec string.
    pub b: String,
    /// What they might use.
    pub limit: SideLimits,
    /// Games counted: those of whole pairs.
    pub games: u64,
    /// How many of them A won.
    pub wins: u64,
    /// How many were draws.
    pub draws: u64,
    /// How many B won.
    pub losses: u64,
    /// Pairs in which A got 0, ½, 1, 1½ and 2 points.
    pub pairs: PairCounts,
    /// A's points per game, 0…1.
    pub score: f64,
    /// By how many Elo points A is stronger.
    pub elo: f64,
    /// The 95 % interval.
    pub elo_interval: Interval,
    /// The same difference in normalized Elo.
    pub normalized_elo: f64,
    /// The 95 % interval of that.
    pub normalized_elo_interval: Interval,
    /// The likelihood of superiority of A.
    pub los: f64,
    /// The sequential test, if there is one and these are not some of the match's pairs only.
    pub sprt: Option<SprtSummary>,
    /// What it was worth to move first.
    pub first_mover: FirstMover,
    /// Plies per game, the opening's included.
    pub mean_plies: f64,
    /// Games that the limit of plies ended.
    pub ply_limit_games: u64,
    /// Games lost by using more than the time for the game.
    pub time_forfeits: u64,
    /// Figures of A and of B.
    pub agents: [AgentFigures; 2],
    /// The games that were lost by illegal plays, on time or by a program's failure.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forfeits: Vec<Forfeit>,
}

/// Where the sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtSummary {
    /// What is tested.
    #[serde(flatten, serialize_with = "in_full")]
    pub hypotheses: Hypotheses,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Where it accepts the lower and the higher hypothesis.
    pub bounds: (f64, f64),
    /// What it says.
    pub verdict: Verdict,
}

/// The hypotheses with the probabilities of both errors, also where these are the usual ones.
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
    /// The result of the match with `settings` so far.
    pub fn summary(&self, settings: &Settings) -> Summary {
        let estimate = Estimate::of(self.pairs);
        let [losses, draws, wins] = self.outcomes;
        let games = losses + draws + wins;
        let agents = Contestant::BOTH.map(|which| {
            let agent = self.agents[which as usize];
            let decisions = agent.decisions.max(1) as f64;
            let [iterations_per_second, nodes_per_second, boards_per_second] = agent.pace.per_second();
            AgentFigures {
                iterations_per_second,
                nodes_per_second,
                boards_per_second,
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
            pairs: self.pairs,
            score: estimate.score,
            elo: estimate.elo(),
            elo_interval: estimate.elo_interval(),
            normalized_elo: estimate.normalized_elo,
            normalized_elo_interval: estimate.normalized_elo_interval,
            los: estimate.los,
            sprt: settings.sprt.filter(|_| !self.is_part).map(|hypotheses| SprtSummary {
                hypotheses,
                llr: hypotheses.log_likelihood_ratio(self.pairs),
                bounds: hypotheses.bounds(),
                verdict: hypotheses.verdict(self.pairs),
            }),
            first_mover: FirstMover::of(self.first_mover),
            mean_plies: self.plies as f64 / games.max(1) as f64,
            ply_limit_games: self.ply_limit_games,
            time_forfeits: self.time_forfeits,
            agents,
            forfeits: self.forfeits.clone(),
        }
    }
}
