//! The result of a tournament.

use crate::play::matches::{AgentFigures, FirstMover, Forfeit, Speed, Summary};
use crate::stats::{Encounter, Interval, Ratings};
use serde::{Deserialize, Serialize};

/// The minimum number of pairs per match for which the errors of the ratings are reliable.
pub const ENOUGH_PAIRS: u64 = 20;

/// The result of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// The agents by rating, best first.
    pub standings: Vec<Standing>,
    /// The points of each agent against every other one, in the order of [`standings`](Standings::standings).
    pub cross_table: Vec<Vec<Option<f64>>>,
    /// The number of games behind each entry of the cross table.
    #[serde(skip)]
    pub cross_games: Vec<Vec<u64>>,
    /// Whether a drawn game was added between every two agents, because a rating would be infinite otherwise.
    pub with_prior: bool,
    /// Pairs that repeat an earlier one of their match, play for play. The ratings leave them out.
    pub repeats: u64,
    /// The smallest number of distinct pairs in a match. The errors of the ratings rely on the central limit theorem:
    /// with fewer than [`ENOUGH_PAIRS`] they are too small.
    pub fewest_pairs: u64,
    /// The first mover's score in all matches together.
    pub first_mover: FirstMover,
    /// The games lost by an illegal play, on time, or by a program's failure, in the order of
    /// [`standings`](Standings::standings).
    pub lost: Vec<Lost>,
    /// The results of the matches in order.
    pub pairings: Vec<Summary>,
}

/// A game lost by an illegal play, on time, or by a program's failure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lost {
    /// The loser.
    pub agent: String,
    /// The number of the match in the run, counted from 1.
    #[serde(rename = "match")]
    pub match_number: usize,
    /// The name of the match: `1-2`.
    pub name: String,
    /// The game and the reason.
    #[serde(flatten)]
    pub forfeit: Forfeit,
}

/// One agent's row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Its name.
    pub agent: String,
    /// Its rating in Elo points; the mean of all ratings is 0.
    pub elo: f64,
    /// The 95 % interval of the rating.
    pub elo_interval: Interval,
    /// Its lead over the next row; `None` in the last row.
    pub lead: Option<f64>,
    /// The 95 % interval of the lead.
    pub lead_interval: Option<Interval>,
    /// Games counted, all in complete pairs.
    pub games: u64,
    /// Points: 1 for a win, ½ for a draw.
    pub points: f64,
    /// Games lost by an illegal play.
    pub illegal_plays: u64,
    /// Games lost on time.
    pub time_forfeits: u64,
    /// Games lost by a program that crashed, hung, or left no readable play.
    pub program_faults: u64,
    /// Decisions that exceeded their limit.
    pub overdrafts: u64,
    /// The speed of its searches.
    #[serde(flatten)]
    pub speed: Speed,
}

impl Standings {
    /// The standings of `agents` after matches between pairs of them.
    pub(super) fn of(
        agents: &[String],
        results: Vec<([usize; 2], Summary)>,
        first_mover: FirstMover,
    ) -> Standings {
        let encounter =
            |(players, summary): &([usize; 2], Summary)| Encounter::of_pairs(*players, summary.pairs);
        let encounters: Vec<Encounter> = results.iter().map(encounter).collect();
        let ratings = Ratings::of(agents.len(), &encounters);
        let mut order: Vec<usize> = (0..agents.len()).collect();
        // The sort is stable: equal ratings stay in the order given.
        order.sort_by(|&one, &other| ratings.elo[other].total_cmp(&ratings.elo[one]));
        let mut figures = vec![AgentFigures::default(); agents.len()];
        let mut points = vec![vec![None; agents.len()]; agents.len()];
        let mut games = vec![vec![0; agents.len()]; agents.len()];
        for ([one, other], summary) in &results {
            let of_one = summary.wins as f64 + summary.draws as f64 / 2.0;
            let of_other = summary.games as f64 - of_one;
            figures[*one].join(&summary.agents[0]);
            figures[*other].join(&summary.agents[1]);
            points[*one][*other] = Some(of_one);
            points[*other][*one] = Some(of_other);
            games[*one][*other] = summary.games;
            games[*other][*one] = summary.games;
        }
        let line = |(place, &player): (usize, &usize)| {
            let elo = ratings.elo[player];
            let next = order.get(place + 1).copied();
            let lead = |next: usize| elo - ratings.elo[next];
            let lead_interval =
                |next| Interval::around(lead(next), ratings.error_of_difference(player, next));
            let AgentFigures { pace, illegal_plays, time_forfeits, program_faults, overdrafts, .. } =
                figures[player];
            Standing {
                agent: agents[player].clone(),
                elo,
                elo_interval: Interval::around(elo, ratings.error(player)),
                lead: next.map(lead),
                lead_interval: next.map(lead_interval),
                games: games[player].iter().sum(),
                points: points[player].iter().flatten().sum(),
                illegal_plays,
                time_forfeits,
                program_faults,
                overdrafts,
                speed: pace.speed(),
            }
        };
        Standings {
            standings: order.iter().enumerate().map(line).collect(),
            cross_table: order
                .iter()
                .map(|&row| order.iter().map(|&column| points[row][column]).collect())
                .collect(),
            cross_games: order
                .iter()
                .map(|&row| order.iter().map(|&column| games[row][column]).collect())
                .collect(),
            with_prior: ratings.with_prior,
            fewest_pairs: results.iter().map(|(_, summary)| summary.pairs.pairs()).min().unwrap_or(0),
            repeats: results.iter().map(|(_, summary)| summary.repeats).sum(),
            first_mover,
            lost: order.iter().flat_map(|&player| lost_by(player, &agents[player], &results)).collect(),
            pairings: results.into_iter().map(|(_, summary)| summary).collect(),
        }
    }
}

/// The games that `player`, named `agent`, forfeited.
fn lost_by(player: usize, agent: &str, results: &[([usize; 2], Summary)]) -> Vec<Lost> {
    let of_match = |(match_number, (players, summary)): (usize, &([usize; 2], Summary))| {
        let [one, other] = players.map(|player| player + 1);
        let its = summary.forfeits.iter().filter(|forfeit| players[forfeit.loser as usize] == player);
        let lost = |forfeit: &Forfeit| Lost {
            agent: agent.to_string(),
            match_number,
            name: format!("{one}-{other}"),
            forfeit: forfeit.clone(),
        };
        its.map(lost).collect::<Vec<_>>()
    };
    (1..).zip(results).flat_map(of_match).collect()
}
