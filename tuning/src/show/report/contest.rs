//! The common form of matches and referees' logs.

use super::replay::Replay;
use crate::play::matches::{Count, Settings, Summary};
use crate::play::openings::Openings;
use crate::play::record::Contestant;
use crate::runs::{Header, Host, Session};

/// Two contestants and their games.
pub(super) struct Contest {
    /// Its name: its folder below the run's, or the file.
    pub name: String,
    /// The contestants: spec strings or command lines.
    pub names: [String; 2],
    /// Its settings: label and value.
    pub facts: Vec<(&'static str, String)>,
    /// The most games that the settings ask for.
    pub games_planned: u64,
    /// Its pairs counted, if its games are pairs.
    pub count: Option<Count>,
    /// The result of these, unless they are too few to have one, as in a step of tuning.
    pub summary: Option<Summary>,
    /// Its games in order.
    pub games: Vec<ListedGame>,
}

/// A game of it, as the page lists it.
pub(super) struct ListedGame {
    /// Its number.
    pub number: u64,
    /// Who was Black.
    pub black: Contestant,
    /// Who won.
    pub winner: Option<Contestant>,
    /// Why it ended.
    pub reason: String,
    /// How many plies it had.
    pub plies: usize,
    /// The figures of each decision, for the plots.
    pub decisions: Vec<DecisionFigures>,
    /// Its plays, if it can be replayed in the page.
    pub replay: Option<Replay>,
}

/// A decision, as the plots count it.
#[derive(Clone, Copy)]
pub(super) struct DecisionFigures {
    /// Who decided.
    pub who: Contestant,
    /// The ply, from 0, the opening's counted.
    pub ply: usize,
    /// CPU seconds it took.
    pub seconds: f64,
    /// Iterations of the search, if it is known.
    pub iterations: u64,
    /// The position's value for the side that decided, −1…+1, if it is known.
    pub value: Option<f32>,
}

impl ListedGame {
    /// The points of `who`.
    pub fn points(&self, who: Contestant) -> f64 {
        match self.winner {
            None => 0.5,
            Some(winner) if winner == who => 1.0,
            Some(_) => 0.0,
        }
    }
}

impl Contest {
    /// How many games the first won, were drawn, and the second won.
    pub fn outcomes(&self) -> [usize; 3] {
        [Some(Contestant::A), None, Some(Contestant::B)]
            .map(|winner| self.games.iter().filter(|game| game.winner == winner).count())
    }
}

/// The settings of a match, or of this shard of it, and where its games come from, as text.
pub(super) fn facts(settings: &Settings, header: &Header) -> Vec<(&'static str, String)> {
    let openings = match &settings.terms.openings {
        Openings::Random { least, most } => format!("random, {least} to {most} plies"),
        Openings::Balanced { least, most } => format!("balanced, {least} to {most} plies"),
        Openings::Start => "none: from the start".to_string(),
        Openings::List(list) => format!("{} from a file", list.len()),
    };
    let mut facts = vec![
        ("limit", settings.limit.label()),
        ("seed", settings.terms.seed.to_string()),
        ("openings", openings),
        ("rules", settings.terms.rules.to_string()),
        ("a draw after", format!("{} plies", settings.terms.max_plies)),
    ];
    if !header.shard.is_whole() {
        facts.push(("shard", header.shard.to_string()));
    }
    facts.extend(header.sessions.iter().flat_map(session_facts));
    facts
}

/// Where games come from.
fn session_facts(session: &Session) -> [(&'static str, String); 4] {
    let Session { build, machine, .. } = session;
    let Host { host, cpu, cores } = machine;
    let load = session.load.map_or(String::new(), |load| format!(", load {load:.2}"));
    let label = if session.games_before > 0 { "went on" } else { "began" };
    [
        (label, session.began.clone()),
        ("build", format!("{}, commit {}", build.version, build.commit)),
        ("machine", format!("{host}: {cpu}, {cores} cores{load}")),
        ("command", session.command.clone()),
    ]
}
