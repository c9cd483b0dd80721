//! What an agent thinks of a position, put together for printing.

use crate::play::text;
use halma::agent::Decision;
use halma::game::{Game, Outcome, Player, Value};
use halma::rules::{Play, Position, Rules, colour};
use halma::search::{Candidate, Certainty, DecidedBy, PlaysNeeded, RaceReport, Report, Stop};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// This many plies of the principal variation are written as text.
const MOST_PLIES: usize = 8;

/// This many plays get an arrow in a picture …
const MOST_ARROWS: usize = 4;
/// … if they have this share of the visits or more.
const LEAST_SHARE: f32 = 0.03;

/// The plays of `decision` that a picture shows, with their shares of the visits and their values: first the one
/// decided on, whoever decided.
pub fn best_plays(decision: &Decision) -> Vec<(Play, f32, Value)> {
    let candidates = &decision.report.candidates;
    let visits: f32 = candidates.iter().map(|one| one.visits as f32).sum();
    let share = |one: &Candidate<Play>| if visits > 0.0 { one.visits as f32 / visits } else { 1.0 };
    let searched = candidates.iter().find(|one| one.play == decision.play);
    let decided = (decision.play, searched.map_or(1.0, share), decision.report.value);
    let others = candidates.iter().filter(|one| one.play != decision.play).take(MOST_ARROWS - 1);
    let others =
        others.map(|one| (one.play, share(one), one.value)).filter(|(_, share, _)| *share >= LEAST_SHARE);
    std::iter::once(decided).chain(others).collect()
}

/// What was asked.
#[derive(Serialize)]
pub struct AnalysisRequest {
    /// What the file with the position is called.
    pub file: String,
    /// The rules.
    #[serde(with = "text")]
    pub rules: Rules,
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
/// values and proofs are those of the side to move. The race player and the search are apart: each has its own
/// value, and its own unit of what it did.
#[derive(Serialize)]
pub struct Analysis {
    #[serde(flatten)]
    request: AnalysisRequest,
    to_move: &'static str,
    board: Vec<String>,
    legal_plays: usize,
    best: String,
    decided_by: &'static str,
    why: String,
    #[serde(flatten)]
    worth: Worth,
    principal_variation: Vec<String>,
    seconds: f64,
    race: Option<Race>,
    search: Option<Search>,
}

/// What the race player found.
#[derive(Serialize)]
struct Race {
    #[serde(flatten)]
    worth: Worth,
    own: Needed,
    opponent: Needed,
    boards: u64,
    line: Vec<String>,
}

/// How many plays a side needs to its goal.
#[derive(Serialize)]
struct Needed {
    plays: f32,
    certainty: &'static str,
}

/// What a search found: a tree search, alpha-beta or minimax.
#[derive(Serialize)]
struct Search {
    /// Of the best candidate.
    #[serde(flatten)]
    worth: Worth,
    #[serde(flatten)]
    work: Work,
    depth: usize,
    stop: &'static str,
    candidates: Vec<CandidateRow>,
    /// The part of the priors that belongs to plays that were not looked at.
    other_priors: Option<f32>,
}

/// What a search did, in its own unit.
#[derive(Serialize)]
#[serde(untagged)]
enum Work {
    Tree { iterations: u64, iterations_per_second: Option<f64>, reused: u32, tree_nodes: usize },
    Depth { nodes: u64, nodes_per_second: Option<f64> },
}

/// One play at the root.
#[derive(Serialize)]
struct CandidateRow {
    play: String,
    #[serde(flatten)]
    visits: Visits,
    prior: Option<f32>,
    #[serde(flatten)]
    worth: Worth,
}

/// How much of a search went into a play, in its own unit.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Visits {
    Visits(u32),
    Nodes(u32),
}

impl Visits {
    /// As the table has it: minimax does not count nodes play by play.
    fn text(self) -> String {
        match self {
            Visits::Nodes(0) => "–".to_string(),
            Visits::Visits(count) | Visits::Nodes(count) => count.to_string(),
        }
    }
}

/// What something is worth to the side to move; nothing if nobody looked.
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
    /// The answer to `request` about `position`, which is `decision`.
    pub fn new(request: AnalysisRequest, position: &Position, decision: &Decision) -> Analysis {
        let report = &decision.report;
        let side = position.to_move();
        let knows = report.decided_by != DecidedBy::Rule && (report.decided_by != DecidedBy::Prior);
        let value = Some(report.value).filter(|_| knows && !is_unsearched(report));
        Analysis {
            why: why(report, side, &request.agent),
            decided_by: decided_by_word(report.decided_by),
            request,
            to_move: colour(side),
            board: position.rows().lines().map(str::to_string).collect(),
            legal_plays: position.count_plays(),
            best: decision.play.to_string(),
            worth: Worth::new(value, report.proof, side),
            principal_variation: texts(&report.principal_variation),
            seconds: report.seconds,
            race: report.race.as_ref().map(|race| Race::new(race, side)),
            search: Search::of(report, side),
        }
    }
}

/// Whether nothing was searched and nothing is proved.
fn is_unsearched(report: &Report<Play>) -> bool {
    let searched = report.iterations > 0 || report.visited > 0 || report.reused > 0;
    !searched && report.race.is_none() && report.proof.is_none()
}

impl Race {
    fn new(race: &RaceReport<Play>, side: Player) -> Race {
        let needed = |of: PlaysNeeded| Needed { plays: of.plays, certainty: certainty_word(of.certainty) };
        Race {
            worth: Worth::new(Some(race.value), None, side),
            own: needed(race.own),
            opponent: needed(race.opponent),
            boards: race.boards,
            line: texts(&race.line),
        }
    }
}

impl Search {
    /// What the search behind `report` found; `None` if there was none.
    fn of(report: &Report<Play>, side: Player) -> Option<Search> {
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
        // Minimax counts no nodes below a play, but looks at all of them.
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
        Some(Search {
            worth: worth(best),
            work,
            depth: report.depth,
            stop: stop_word(report.stop),
            candidates: report.candidates.iter().map(row).collect(),
            other_priors: priors.map(|priors| (1.0 - priors).max(0.0)),
        })
    }
}

fn texts(plays: &[Play]) -> Vec<String> {
    plays.iter().map(ToString::to_string).collect()
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

fn decided_by_word(decided_by: DecidedBy) -> &'static str {
    match decided_by {
        DecidedBy::OnlyPlay => "only-play",
        DecidedBy::Rule => "rule",
        DecidedBy::Proof => "proof",
        DecidedBy::Prior => "prior",
        DecidedBy::Visits => "visits",
        DecidedBy::Value { .. } => "value",
        DecidedBy::Depth => "depth",
        DecidedBy::Patience => "patience",
        DecidedBy::Race => "race",
    }
}

fn certainty_word(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Proved => "proved",
        Certainty::Found => "found",
        Certainty::Estimated => "estimated",
    }
}

/// Who decided and why, in words.
fn why(report: &Report<Play>, side: Player, agent: &str) -> String {
    match (report.decided_by, &report.race) {
        (DecidedBy::Race, Some(race)) => format!("race solver: {}", race_text(race)),
        (DecidedBy::Race, None) => "race solver".to_string(),
        (DecidedBy::OnlyPlay, _) => "it is the only legal play".to_string(),
        (DecidedBy::Rule, _) => format!("the rule of {agent}, without search"),
        (DecidedBy::Proof, _) => {
            format!(
                "search: a {} is proved",
                report.proof.map_or("result", |outcome| proof_word(outcome, side))
            )
        }
        (DecidedBy::Prior, _) => "the highest prior, for no iteration was made".to_string(),
        (DecidedBy::Visits, _) => "search: the most visits".to_string(),
        (DecidedBy::Value { min_visits }, _) => {
            format!("search: the highest value of the plays with {min_visits} visits or more (final_visits)")
        }
        (DecidedBy::Depth, _) => format!("search: the highest value at depth {}", report.depth),
        (DecidedBy::Patience, _) => {
            "search: the best play leads to a board that was there before; this one is nearly as good"
                .to_string()
        }
    }
}

/// `27 plays against 31, proved`, or what is known of either side.
fn race_text(race: &RaceReport<Play>) -> String {
    let RaceReport { own, opponent, .. } = race;
    if own.certainty == opponent.certainty {
        return format!("{} plays against {}, {}", own.plays, opponent.plays, certainty_word(own.certainty));
    }
    let side = |needed: &PlaysNeeded| match needed.certainty {
        Certainty::Estimated => format!("about {:.0} (estimated)", needed.plays),
        certainty => format!("{} ({})", needed.plays, certainty_word(certainty)),
    };
    format!("plays needed: {} against {}", side(own), side(opponent))
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
        let Analysis { request, to_move, legal_plays, best, why, worth, race, search, .. } = self.analysis;
        writeln!(f, "{to_move} to move, {} rules, legal plays: {legal_plays}", request.rules)?;
        writeln!(f, "best play      {best}")?;
        writeln!(f, "decided by     {why}")?;
        writeln!(f, "value          {worth}")?;
        self.write_line(f)?;
        writeln!(f, "agent          {}, seed {}", request.agent, request.seed)?;
        if let Some(race) = race {
            writeln!(f, "race solver    {} boards, value {}", race.boards, race.worth)?;
        }
        search.as_ref().map_or(Ok(()), |search| self.write_search(search, f))
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

    fn write_search(&self, search: &Search, f: &mut Formatter<'_>) -> fmt::Result {
        let seconds = self.analysis.seconds;
        let Search { work, depth, stop, .. } = search;
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

    fn write_candidates(&self, search: &Search, f: &mut Formatter<'_>) -> fmt::Result {
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
        // Minimax reports its best play alone.
        if unseen > 0 && unit == "visits" {
            writeln!(f, "not looked at: {unseen}{}", prior_share(search.other_priors))?;
        }
        Ok(())
    }
}

/// The share of the priors that plays not shown have: with it they add up to 100 %.
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
