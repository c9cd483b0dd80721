//! Games between two programs, refereed as the course's master agent does, and their log.

use super::game::{GameSetup, play_game};
use super::programs::{Accounting, ProgramPlayer};
use super::record::{Contestant, Ended, GameRecord};
use super::text;
use super::time_control::TimeControls;
use anyhow::{Context, Result, bail};
use halma::game::Player as Side;
use halma::rules::{Position, Rules, colour};
use serde::{Deserialize, Serialize};

/// A game between two programs: a line of the log of `lab referee`. Black is A.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RefereedGame {
    /// Black's program, and White's.
    pub programs: [RefereedProgram; 2],
    /// The game, with every run of a program.
    #[serde(flatten)]
    pub record: GameRecord,
}

/// How one side's program was run in a game, and under which rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RefereedProgram {
    /// The command line.
    pub command: String,
    /// How its CPU time was counted.
    pub accounting: Accounting,
    /// The user it ran as; `None` for the referee's own user.
    pub user: Option<u32>,
    /// The rules its plays were checked against.
    #[serde(with = "text")]
    pub rules: Rules,
    /// Its CPU seconds for the game.
    pub time: f64,
}

/// The setup of a game between programs under the course's rules: at `max_plies` the side with more time left
/// wins. In each pair of values, the first is Black's and the second is White's.
pub fn setup(first: Side, time: [f64; 2], rules: [Rules; 2], max_plies: usize) -> GameSetup {
    let start = Position::initial(first, rules[first.index()]);
    let limit = TimeControls::GameTime(time);
    GameSetup { rules, max_plies, more_time_wins: true, keep_runs: true, ..GameSetup::new(start, limit) }
}

/// Plays a game between `players`, Black first.
pub fn play(setup: &GameSetup, players: [&mut ProgramPlayer; 2]) -> Result<RefereedGame> {
    let TimeControls::GameTime(time) = setup.limit else { bail!("the referee needs a game time") };
    let [black, white] = players;
    let describe = |which: Contestant, player: &ProgramPlayer| RefereedProgram {
        command: player.program().to_string(),
        accounting: player.accounting(),
        user: player.user(),
        rules: setup.rules[which as usize],
        time: time[which as usize],
    };
    let programs = [describe(Contestant::A, black), describe(Contestant::B, white)];
    black.new_game();
    white.new_game();
    let record = play_game(setup, [black, white], &|| false)?.context("the game was cancelled")?;
    Ok(RefereedGame { programs, record })
}

impl RefereedGame {
    /// The CPU seconds that Black and White have left.
    pub fn seconds_left(&self) -> [f64; 2] {
        Contestant::BOTH.map(|which| {
            let runs = self.record.runs.iter().enumerate().rev();
            let last = runs.filter(|&(at, _)| self.record.decider(at) == which).find_map(|(_, run)| run.left);
            last.unwrap_or(self.programs[which as usize].time)
        })
    }

    /// The number of plies: `131 plies`.
    pub fn length(&self) -> String {
        match self.record.plies() {
            1 => "1 ply".to_string(),
            plies => format!("{plies} plies"),
        }
    }

    /// How the game ended, in a sentence.
    pub fn ending(&self) -> String {
        let Some(winner) = self.record.winner else {
            return "both have the same time left at the ply limit".to_string();
        };
        let [winner, loser] = [winner, winner.opponent()].map(|which| colour(Side::BOTH[which as usize]));
        match (self.record.reason, &self.record.fault) {
            (_, Some(fault)) => format!("{loser} loses: {fault}"),
            (Ended::GoalFilled, _) => format!("{winner} has filled its goal"),
            (Ended::NoLegalPlay, _) => format!("{loser} has no legal play"),
            _ => format!("{winner} has more time left at the ply limit"),
        }
    }
}

/// A line on how the programs are run.
pub fn surroundings(players: &[&ProgramPlayer]) -> String {
    let sampled = players.iter().any(|player| player.accounting() == Accounting::Sampling);
    let counted = if sampled { "by sampling" } else { "by cgroup" };
    let users: Vec<String> = players.iter().filter_map(|player| Some(player.user()?.to_string())).collect();
    let who = match users.as_slice() {
        [] => "as the current user".to_string(),
        [user] => format!("as user {user}"),
        users => format!("as users {}", users.join(" and ")),
    };
    format!("programs run {who}; CPU time is counted {counted}")
}
