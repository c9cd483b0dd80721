//! One game: the referee and its two agents.

use super::record::{Contestant, Ended, GameRecord};
use super::settings::{Settings, TimeControl, agent_seed};
use crate::openings::Opening;
use halma::agent::{self, Agent, SpecError};
use halma::budget::{Machine, Mode, Situation, allowance};
use halma::clock::{Clock, ThreadClock};
use halma::game::{Game, Outcome};
use halma::halma::{BLACK, Position};
use halma::mcts::Limits;

/// A decision may take so many seconds more than its limit, for the last look at the clock …
const TOLERANCE_SECONDS: f64 = 0.001;
/// … and this part of the limit.
const TOLERANCE_SHARE: f64 = 0.05;

/// Plays game number `number` of the match, on this thread and by its CPU clock. `None` if
/// `cancelled` became true, asked before each ply.
///
/// # Errors
/// A spec string that names no agent.
pub fn play_game(
    settings: &Settings,
    number: u64,
    cancelled: &dyn Fn() -> bool,
) -> Result<Option<GameRecord>, SpecError> {
    let mut referee = Referee::new(settings, number)?;
    let (reason, winner) = loop {
        if cancelled() {
            return Ok(None);
        }
        if let Some(end) = referee.end() {
            break end;
        }
        if let Err(reason) = referee.next_ply() {
            let offender = referee.mover();
            break (reason, Some(offender.opponent()));
        }
    };
    Ok(Some(GameRecord { reason, winner, ..referee.record }))
}

/// A game under way.
struct Referee<'a> {
    settings: &'a Settings,
    position: Position,
    agents: [Box<dyn Agent>; 2],
    /// CPU seconds that A and B have left, if they have a time for the game.
    seconds_left: [f64; 2],
    /// What will be written down; its winner and reason are not yet true.
    record: GameRecord,
}

impl Referee<'_> {
    /// Game number `number` after its opening.
    fn new(settings: &Settings, number: u64) -> Result<Referee<'_>, SpecError> {
        let seed = settings.game_seed(number);
        let rules = settings.rules.into();
        let Opening(opening) = settings.openings.opening(rules, number / 2, settings.opening_seed(number));
        let mut position = Position::initial(BLACK, rules);
        opening.iter().for_each(|&play| position.play(play));
        let agent = |which| agent::parse(settings.spec(which), agent_seed(seed, which));
        let seconds = match settings.limit {
            TimeControl::GameTime(seconds) => seconds,
            _ => f64::INFINITY,
        };
        Ok(Referee {
            settings,
            position,
            agents: [agent(Contestant::A)?, agent(Contestant::B)?],
            seconds_left: [seconds; 2],
            record: GameRecord::begun(number, seed, opening),
        })
    }

    /// Whose turn it is.
    fn mover(&self) -> Contestant {
        self.record.contestant(self.position.to_move())
    }

    /// Why the game is over and who has won, if it is over.
    fn end(&self) -> Option<(Ended, Option<Contestant>)> {
        match self.position.outcome() {
            Some(Outcome::Win(side)) => Some((Ended::GoalFilled, Some(self.record.contestant(side)))),
            None if self.position.count_plays() == 0 => {
                Some((Ended::NoLegalPlay, Some(self.mover().opponent())))
            }
            None if self.record.plies() < self.settings.max_plies as usize => None,
            Some(Outcome::Draw) | None => Some((Ended::PlyLimit, None)),
        }
    }

    /// Asks the agent whose turn it is, checks its answer and makes its play. An error is the
    /// reason why it loses.
    fn next_ply(&mut self) -> Result<(), Ended> {
        let limits = self.limits();
        let mover = self.mover() as usize;
        let start = ThreadClock.seconds();
        let decision = self.agents[mover].decide(&self.position, &limits, &ThreadClock);
        let seconds = ThreadClock.seconds() - start;
        self.charge(mover, seconds)?;
        let decision = decision.map_err(|_| Ended::IllegalPlay)?;
        if !self.position.is_legal(decision.play) {
            self.record.illegal_play = Some(decision.play);
            return Err(Ended::IllegalPlay);
        }
        self.position.play(decision.play);
        self.record.add(&decision, seconds);
        Ok(())
    }

    /// What the next decision may take. Time for a game is divided by the plan that `homework`
    /// uses; that plan also keeps back what starting a program for each move would cost.
    fn limits(&self) -> Limits {
        match self.settings.limit {
            TimeControl::Cpu(seconds) => Limits::cpu(seconds),
            TimeControl::Iterations(iterations) => Limits::iterations(iterations),
            TimeControl::GameTime(_) => {
                let left = self.seconds_left[self.mover() as usize];
                let situation = Situation::of(&self.position, Mode::Game, left, 0.0);
                let allowance = allowance(&situation, &Machine::default());
                Limits {
                    stop_when_settled: allowance.early_stop,
                    clock_every: allowance.iterations_per_clock_read.into(),
                    ..Limits::cpu(allowance.seconds)
                }
            }
        }
    }

    /// Counts `seconds` against the agent that took them. Too long a move is a blemish; more than
    /// the time for the game loses it.
    fn charge(&mut self, mover: usize, seconds: f64) -> Result<(), Ended> {
        self.seconds_left[mover] -= seconds;
        let forfeit = self.seconds_left[mover] < 0.0;
        let overdraft = match self.settings.limit {
            TimeControl::Cpu(most) => seconds > most * (1.0 + TOLERANCE_SHARE) + TOLERANCE_SECONDS,
            TimeControl::Iterations(_) => false,
            TimeControl::GameTime(_) => forfeit,
        };
        self.record.overdrafts[mover] += u32::from(overdraft);
        if forfeit { Err(Ended::TimeForfeit) } else { Ok(()) }
    }
}
