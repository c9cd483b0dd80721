//! An agent's analysis of a position, as JSON; `printed` formats it as text.

mod printed;

pub use printed::AnalysisText;

use crate::figures::drawing::{Arrow, picture};
use crate::play::text;
use anyhow::Result;
use halma::agent::Decision;
use halma::game::{Game, Outcome, Player, Value};
use halma::rules::{Play, Position, Rules, chain, colour};
use halma::search::{Candidate, Certainty, DecidedBy, PlaysNeeded, RaceReport, Report};
use serde::Serialize;
use std::fmt::Debug;

/// The maximum number of arrows in a picture.
const MAX_ARROWS: usize = 4;
/// The minimum share of the visits for an arrow.
const MIN_SHARE: f32 = 0.03;

/// The plays of `decision` that a picture shows, each with its share of the visits and its value; the chosen play is
/// first.
pub fn best_plays(decision: &Decision) -> Vec<(Play, f32, Value)> {
    let candidates = &decision.report.candidates;
    let visits: f32 = candidates.iter().map(|one| one.visits as f32).sum();
    let share = |one: &Candidate<Play>| if visits > 0.0 { one.visits as f32 / visits } else { 1.0 };
    let searched = candidates.iter().find(|one| one.play == decision.play);
    let decided = (decision.play, searched.map_or(1.0, share), decision.report.value);
    let others = candidates.iter().filter(|one| one.play != decision.play).take(MAX_ARROWS - 1);
    let others =
        others.map(|one| (one.play, share(one), one.value)).filter(|(_, share, _)| *share >= MIN_SHARE);
    std::iter::once(decided).chain(others).collect()
}

/// A picture of `position` as SVG, with arrows for the best plays of `decision` and their shares of the visits.
///
/// # Errors
/// The picture can't be written.
pub fn picture_of(position: &Position, decision: Option<&Decision>) -> Result<String> {
    let plays = decision.map(best_plays).unwrap_or_default().into_iter().enumerate();
    let arrow = |(rank, (play, share, _))| Some(Arrow::new(&chain(position, play)?, share, rank));
    Ok(picture(position, &plays.filter_map(arrow).collect::<Vec<_>>())?)
}

/// The analysis behind `decision` by `agent` in `position`, as JSON.
///
/// # Errors
/// The analysis can't be written as JSON.
pub fn analysis_of(agent: &str, position: &Position, decision: &Decision) -> Result<serde_json::Value> {
    Ok(serde_json::to_value(Analysis::new(agent, position, decision))?)
}

/// An analysis, with the fields of the JSON object. Values and proofs are for the side to move. The race solver and the
/// search are separate: each has its own value and counts in its own unit.
#[derive(Serialize)]
pub struct Analysis {
    #[serde(with = "text")]
    rules: Rules,
    agent: String,
    to_move: &'static str,
    board: Vec<String>,
    legal_plays: usize,
    /// The winner, if the game is over; then nothing was searched.
    winner: Option<&'static str>,
    best: Option<String>,
    decided_by: String,
    why: String,
    #[serde(flatten)]
    worth: Worth,
    principal_variation: Vec<String>,
    seconds: f64,
    race: Option<RaceResult>,
    search: Option<SearchResult>,
}

/// The result of the race solver.
#[derive(Serialize)]
struct RaceResult {
    #[serde(flatten)]
    worth: Worth,
    own: Needed,
    opponent: Needed,
    boards: u64,
    line: Vec<String>,
}

/// The number of plays that a side needs to fill its goal.
#[derive(Serialize)]
struct Needed {
    plays: f32,
    certainty: String,
}

/// The result of a tree search, alpha-beta or minimax.
#[derive(Serialize)]
struct SearchResult {
    /// The value of the best candidate.
    #[serde(flatten)]
    worth: Worth,
    #[serde(flatten)]
    work: Work,
    depth: usize,
    stop: String,
    candidates: Vec<CandidateRow>,
    /// The sum of the priors of the plays that were not searched.
    other_priors: Option<f32>,
}

/// The work of a search, in its own unit.
#[derive(Serialize)]
#[serde(untagged)]
enum Work {
    Tree { iterations: u64, iterations_per_second: Option<f64>, reused: u32, tree_nodes: usize },
    Depth { nodes: u64, nodes_per_second: Option<f64> },
}

#[derive(Serialize)]
struct CandidateRow {
    play: String,
    #[serde(flatten)]
    visits: Visits,
    prior: Option<f32>,
    #[serde(flatten)]
    worth: Worth,
}

/// The part of a search below a play, in its own unit.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Visits {
    Visits(u32),
    Nodes(u32),
}

/// A value for the side to move; `None` if it was not searched.
#[derive(Serialize)]
struct Worth {
    value: Option<f32>,
    expected_score: Option<f32>,
    proof: Option<&'static str>,
}

impl Worth {
    fn new(value: Option<Value>, proof: Option<Outcome>, side: Player) -> Worth {
        let proof = proof.map(|outcome| proof_word(outcome, side));
        Worth { value: value.map(Value::get), expected_score: value.map(Value::expected_score), proof }
    }
}

fn proof_word(outcome: Outcome, side: Player) -> &'static str {
    match outcome {
        Outcome::Win(winner) if winner == side => "win",
        Outcome::Win(_) => "loss",
        Outcome::Draw => "draw",
    }
}

impl Analysis {
    /// The analysis of `position` that led to `decision`.
    pub fn new(agent: &str, position: &Position, decision: &Decision) -> Analysis {
        let report = &decision.report;
        let side = position.to_move();
        let is_valued = !matches!(report.decided_by, DecidedBy::Rule | DecidedBy::Prior);
        let value = Some(report.value).filter(|_| is_valued && !is_unsearched(report));
        Analysis {
            why: why(report, side, agent),
            decided_by: word(&report.decided_by),
            rules: position.rules(),
            agent: agent.to_string(),
            to_move: colour(side),
            board: rows(position),
            legal_plays: position.count_plays(),
            winner: None,
            best: Some(decision.play.to_string()),
            worth: Worth::new(value, report.proof, side),
            principal_variation: texts(&report.principal_variation),
            seconds: report.seconds,
            race: report.race.as_ref().map(|race| RaceResult::new(race, side)),
            search: SearchResult::of(report, side),
        }
    }

    /// The analysis of a `position` where `winner` has won.
    pub fn of_finished_game(agent: &str, position: &Position, winner: Player) -> Analysis {
        let (side, outcome) = (position.to_move(), Outcome::Win(winner));
        Analysis {
            rules: position.rules(),
            agent: agent.to_string(),
            to_move: colour(side),
            board: rows(position),
            legal_plays: 0,
            winner: Some(colour(winner)),
            best: None,
            decided_by: "game-over".to_string(),
            why: game_over(winner),
            worth: Worth::new(Some(outcome.value_for(side)), Some(outcome), side),
            principal_variation: Vec::new(),
            seconds: 0.0,
            race: None,
            search: None,
        }
    }
}

/// Says that the game is over, so there is nothing to play.
pub fn game_over(winner: Player) -> String {
    format!("the game is over: {} has filled its goal", colour(winner))
}

/// The board as text, row by row.
pub fn rows(position: &Position) -> Vec<String> {
    position.rows().lines().map(str::to_string).collect()
}

/// Whether nothing was searched and nothing is proved.
fn is_unsearched(report: &Report<Play>) -> bool {
    let searched = report.iterations > 0 || report.visited > 0 || report.reused > 0;
    !searched && report.race.is_none() && report.proof.is_none()
}

impl RaceResult {
    fn new(race: &RaceReport<Play>, side: Player) -> RaceResult {
        let needed = |of: PlaysNeeded| Needed { plays: of.plays, certainty: word(&of.certainty) };
        RaceResult {
            worth: Worth::new(Some(race.value), None, side),
            own: needed(race.own),
            opponent: needed(race.opponent),
            boards: race.boards,
            line: texts(&race.line),
        }
    }
}

impl SearchResult {
    /// The search in `report`; `None` if there was none.
    fn of(report: &Report<Play>, side: Player) -> Option<SearchResult> {
        let best = report.best().filter(|_| report.decided_by != DecidedBy::Rule)?;
        let by_nodes = report.visited > 0;
        let per_second = |work: u64| (work > 0 && report.seconds > 0.0).then(|| work as f64 / report.seconds);
        let work = match by_nodes {
            true => Work::Depth { nodes: report.visited, nodes_per_second: per_second(report.visited) },
            false => Work::Tree {
                iterations: report.iterations,
                iterations_per_second: per_second(report.iterations),
                reused: report.reused,
                tree_nodes: report.nodes,
            },
        };
        // Minimax searches every play, though it does not count nodes by play.
        let seen = |candidate: &Candidate<Play>| {
            candidate.visits > 0 || candidate.proof.is_some() || by_nodes && candidate.play == best.play
        };
        let worth = |candidate: &Candidate<Play>| {
            Worth::new(Some(candidate.value).filter(|_| seen(candidate)), candidate.proof, side)
        };
        let row = |candidate: &Candidate<Play>| CandidateRow {
            play: candidate.play.to_string(),
            visits: if by_nodes { Visits::Nodes(candidate.visits) } else { Visits::Visits(candidate.visits) },
            prior: candidate.prior,
            worth: worth(candidate),
        };
        let priors: Option<f32> = report.candidates.iter().map(|candidate| candidate.prior).sum();
        Some(SearchResult {
            worth: worth(best),
            work,
            depth: report.depth,
            stop: word(&report.stop),
            candidates: report.candidates.iter().map(row).collect(),
            other_priors: priors.map(|priors| (1.0 - priors).max(0.0)),
        })
    }
}

fn texts(plays: &[Play]) -> Vec<String> {
    plays.iter().map(ToString::to_string).collect()
}

/// A variant's name in kebab case: `only-play`.
fn word(variant: &impl Debug) -> String {
    let debug = format!("{variant:?}");
    let name = debug.split(' ').next().unwrap_or_default();
    let letter = |(at, letter): (usize, char)| {
        let hyphen = (at > 0 && letter.is_uppercase()).then_some('-');
        hyphen.into_iter().chain(letter.to_lowercase())
    };
    name.char_indices().flat_map(letter).collect()
}

/// How the play was chosen, in words.
fn why(report: &Report<Play>, side: Player, agent: &str) -> String {
    match (report.decided_by, &report.race) {
        (DecidedBy::Race, Some(race)) => format!("race solver: {}", race_text(race)),
        (DecidedBy::Race, None) => "race solver".to_string(),
        (DecidedBy::OnlyPlay, _) => "the only legal play".to_string(),
        (DecidedBy::Rule, _) => format!("a rule of {agent}, without search"),
        (DecidedBy::Proof, _) => match report.proof {
            Some(outcome) => format!("search: proved {}", proof_word(outcome, side)),
            None => {
                "search: proved under the addendum's rules, which the opponent need not follow".to_string()
            }
        },
        (DecidedBy::Prior, _) => "highest prior, since there was no time for an iteration".to_string(),
        (DecidedBy::Visits, _) => "search: most visits".to_string(),
        (DecidedBy::Value { min_visits }, _) => {
            format!("search: best value among the plays with {} visits or more", grouped(min_visits))
        }
        (DecidedBy::Depth, _) => format!("search: best value at depth {}", report.depth),
        (DecidedBy::Patience, _) => {
            "search: nearly as good as the best play, which would repeat an earlier board".to_string()
        }
        (DecidedBy::Progress, _) => {
            "search: most progress among nearly equal plays, since the army has hardly advanced".to_string()
        }
    }
}

/// A count with its thousands separated by commas: `994,146`.
fn grouped(count: u32) -> String {
    let digits = count.to_string();
    let comma = |at: usize| if at > 0 && (digits.len() - at).is_multiple_of(3) { "," } else { "" };
    digits.char_indices().map(|(at, digit)| format!("{}{digit}", comma(at))).collect()
}

/// The number of plays that each side needs: `27 plays against 31, proved`.
fn race_text(race: &RaceReport<Play>) -> String {
    let RaceReport { own, opponent, .. } = race;
    if own.certainty == opponent.certainty {
        return format!("{} plays against {}, {}", own.plays, opponent.plays, word(&own.certainty));
    }
    let side = |needed: &PlaysNeeded| match needed.certainty {
        Certainty::Estimated => format!("about {:.0} (estimated)", needed.plays),
        certainty => format!("{} ({})", needed.plays, word(&certainty)),
    };
    format!("plays needed: {} against {}", side(own), side(opponent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use halma::search::Stop;

    #[test]
    fn the_reason_of_a_decision_is_exact() {
        let play = Play::new(halma::rules::Square::new(2, 0), halma::rules::Square::new(4, 2));
        let report = |decided_by| Report { decided_by, ..Report::unsearched(play) };
        for (decided_by, text) in [
            (
                DecidedBy::Proof,
                "search: proved under the addendum's rules, which the opponent need not follow",
            ),
            (DecidedBy::Value { min_visits: 7 }, "search: best value among the plays with 7 visits or more"),
            (
                DecidedBy::Value { min_visits: 1_994_146 },
                "search: best value among the plays with 1,994,146 visits or more",
            ),
        ] {
            assert_eq!(why(&report(decided_by), halma::rules::BLACK, "mcts"), text);
        }
    }

    #[test]
    fn variants_are_written_in_kebab_case() {
        let words = [DecidedBy::OnlyPlay, DecidedBy::Value { min_visits: 3 }, DecidedBy::Race];
        assert_eq!(words.each_ref().map(word), ["only-play", "value", "race"]);
        assert_eq!(
            (word(&Stop::Settled), word(&Certainty::Estimated)),
            ("settled".into(), "estimated".into())
        );
    }
}
