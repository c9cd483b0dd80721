//! The common form of matches and referees' logs. The page's scripts read it as JSON.

use super::replay::Replay;
use super::words::minus;
use crate::play::matches::{Count, Settings, Summary};
use crate::play::openings::Openings;
use crate::play::record::Contestant;
use crate::runs::{Header, Host, Session, TimeScale};
use crate::stats::{Estimate, PairCounts};
use halma::rules::Rules;
use serde::{Serialize, Serializer};

/// Two contestants and their games.
#[derive(Serialize)]
pub(super) struct Contest {
    /// Its name: the match's folder or name, or the log's name.
    pub name: String,
    /// The spec strings or command lines of A and B.
    pub names: [String; 2],
    /// Rules under which all its plays are legal: if the contestants' rules differ, the original ones.
    #[serde(skip)]
    pub rules: Rules,
    /// Its settings, each with a label.
    #[serde(skip)]
    pub facts: Vec<(&'static str, String)>,
    /// The maximum number of games according to its settings.
    #[serde(skip)]
    pub games_planned: u64,
    /// The count of its pairs, if it is played in pairs.
    #[serde(skip)]
    pub count: Option<Count>,
    /// The result of the pairs. Tuning steps have too few games for one.
    #[serde(skip)]
    pub summary: Option<Summary>,
    pub games: Vec<ListedGame>,
}

/// A game. In the scripts A is 0 and B is 1.
#[derive(Serialize)]
pub(super) struct ListedGame {
    pub number: u64,
    /// The contestant with the black pieces.
    #[serde(serialize_with = "as_number")]
    pub black: Contestant,
    #[serde(serialize_with = "as_number_or_null")]
    pub winner: Option<Contestant>,
    /// Why it ended.
    pub reason: String,
    pub plies: usize,
    #[serde(skip)]
    pub decisions: Vec<DecisionFigures>,
    /// Its plays, if the page can replay it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
}

fn as_number<S: Serializer>(contestant: &Contestant, serializer: S) -> Result<S::Ok, S::Error> {
    (*contestant as u8).serialize(serializer)
}

fn as_number_or_null<S: Serializer>(winner: &Option<Contestant>, serializer: S) -> Result<S::Ok, S::Error> {
    winner.map(|winner| winner as u8).serialize(serializer)
}

/// A decision, for the plots.
#[derive(Clone, Copy)]
pub(super) struct DecisionFigures {
    pub who: Contestant,
    /// The ply, counted from 0 at the start of the opening.
    pub ply: usize,
    /// CPU seconds.
    pub seconds: f64,
    /// Iterations of the search; 0 if unknown.
    pub iterations: u64,
    /// The position's value for the side to move, −1…+1, if known.
    pub value: Option<f32>,
}

impl ListedGame {
    pub fn points(&self, who: Contestant) -> f64 {
        match self.winner {
            None => 0.5,
            Some(winner) if winner == who => 1.0,
            Some(_) => 0.0,
        }
    }
}

impl Contest {
    /// Whether it is a tuning step: it has a count but no summary. A referee's log has neither.
    pub fn is_tuning_step(&self) -> bool {
        self.summary.is_none() && self.count.is_some()
    }

    /// The Elo difference on each machine, with its number of pairs, if pairs were played on several machines.
    pub fn machines(&self) -> Vec<(&str, String)> {
        let text = |pairs: PairCounts| {
            let (estimate, number) = (Estimate::of(pairs), pairs.pairs());
            let elo = minus(estimate.elo_text());
            format!("{elo}, {number} pair{}", if number == 1 { "" } else { "s" })
        };
        let counted = self.count.iter().filter(|count| count.by_machine.len() > 1);
        let machines = counted.flat_map(|count| &count.by_machine);
        machines.map(|(machine, &pairs)| (machine.as_str(), text(pairs))).collect()
    }

    /// The numbers of games won by A, drawn, and won by B: those of the summary, which counts whole pairs up to the
    /// verdict of a sequential test, or of all games if there is none.
    pub fn outcomes(&self) -> [u64; 3] {
        let won_by = |winner| self.games.iter().filter(|game| game.winner == winner).count() as u64;
        match &self.summary {
            Some(summary) => [summary.wins, summary.draws, summary.losses],
            None => [Some(Contestant::A), None, Some(Contestant::B)].map(won_by),
        }
    }
}

/// The settings of a match and the origin of its games, as text.
pub(super) fn facts(settings: &Settings, header: &Header) -> Vec<(&'static str, String)> {
    let openings = match &settings.terms.openings {
        Openings::Random { least, most } => format!("random, {least} to {most} plies"),
        Openings::Balanced { least, most } => format!("balanced, {least} to {most} plies"),
        Openings::Start => "none".to_string(),
        Openings::List(list) => format!("{} from a file", list.len()),
    };
    let mut facts = vec![
        ("limit", settings.limit.label()),
        ("seed", settings.terms.seed.to_string()),
        ("openings", openings),
        ("rules", settings.terms.rules.to_string()),
        ("draw after", format!("{} plies", settings.terms.max_plies)),
    ];
    if !header.shard.is_whole() {
        facts.push(("shard", header.shard.to_string()));
    }
    facts.extend(header.notes.iter().map(|note| ("note", note.clone())));
    facts.extend(header.sessions.iter().flat_map(session_facts));
    facts
}

/// When, where and how a session played its games.
fn session_facts(session: &Session) -> [(&'static str, String); 4] {
    let Session { build, machine, .. } = session;
    let Host { host, cpu, cores } = machine;
    let load = session.load.map_or(String::new(), |load| format!(", load {load:.2}"));
    let scaled =
        |scale: TimeScale| format!(", {:.0} iterations/s, times {}", scale.speed, scale.factor_text());
    let scaled = session.time_scale.map_or(String::new(), scaled);
    let label = if session.games_before > 0 { "continued" } else { "began" };
    [
        (label, session.began.clone()),
        ("build", format!("{}, commit {}", build.version, build.commit)),
        ("machine", format!("{host}: {cpu}, {cores} cores{load}{scaled}")),
        ("command", session.command.clone()),
    ]
}
