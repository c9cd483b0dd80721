//! One game: the referee's loop.

use super::record::{Contestant, Ended, GameRecord};
use super::settings::{MoveLimit, Settings, agent_seed};
use halma::agent::{self, Agent, SpecError};
use halma::clock::{Clock, ThreadClock};
use halma::game::{Game, Outcome, Player};
use halma::halma::{BLACK, Position};

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
    let seed = settings.game_seed(number);
    let rules = settings.rules.into();
    let opening = settings.openings.opening(rules, settings.opening_seed(number));
    let mut position = Position::initial(BLACK, rules);
    for &play in &opening {
        position.play(play);
    }
    let agent = |which| agent::parse(settings.spec(which), agent_seed(seed, which));
    let mut agents = [agent(Contestant::A)?, agent(Contestant::B)?];
    let mut record = GameRecord {
        game: number,
        seed,
        black: Contestant::black_in(number),
        winner: None,
        reason: Ended::PlyLimit,
        illegal_play: None,
        overdrafts: [0; 2],
        opening,
        plays: Vec::new(),
        seconds: Vec::new(),
        values: Vec::new(),
        iterations: Vec::new(),
        inherited: Vec::new(),
    };
    agents.iter_mut().for_each(|agent| agent.new_game());
    loop {
        if cancelled() {
            return Ok(None);
        }
        if let Some((reason, winner)) = end(&position, record.plies(), settings.max_plies) {
            record.reason = reason;
            record.winner = winner.map(|side| record.contestant(side));
            return Ok(Some(record));
        }
        let mover = record.contestant(position.to_move());
        let legal = decide(&mut *agents[mover as usize], &mut position, settings.limit, mover, &mut record);
        if !legal {
            record.reason = Ended::IllegalPlay;
            record.winner = Some(mover.opponent());
            return Ok(Some(record));
        }
    }
}

/// Why the game is over after `plies` plies and which side has won, if it is over.
fn end(position: &Position, plies: usize, max_plies: u32) -> Option<(Ended, Option<Player>)> {
    match position.outcome() {
        Some(Outcome::Win(side)) => Some((Ended::GoalFilled, Some(side))),
        Some(Outcome::Draw) => Some((Ended::PlyLimit, None)),
        None if position.count_plays() == 0 => {
            Some((Ended::NoLegalPlay, Some(position.to_move().opponent())))
        }
        None => (plies >= max_plies as usize).then_some((Ended::PlyLimit, None)),
    }
}

/// Lets `agent` decide, checks and makes its play, and writes down what it took. False if the play
/// is illegal.
fn decide(
    agent: &mut dyn Agent,
    position: &mut Position,
    limit: MoveLimit,
    mover: Contestant,
    record: &mut GameRecord,
) -> bool {
    let start = ThreadClock.seconds();
    let decision = agent.decide(position, &limit.limits(), &ThreadClock);
    let seconds = ThreadClock.seconds() - start;
    if let MoveLimit::Cpu(most) = limit {
        let over = seconds > most * (1.0 + TOLERANCE_SHARE) + TOLERANCE_SECONDS;
        record.overdrafts[mover as usize] += u32::from(over);
    }
    let play = decision.as_ref().ok().map(|decision| decision.play);
    let Some(decision) = decision.ok().filter(|decision| position.is_legal(decision.play)) else {
        record.illegal_play = play;
        return false;
    };
    position.play(decision.play);
    record.plays.push(decision.play);
    // Microseconds: what the clock is good for, and short in the file.
    record.seconds.push((seconds * 1e6).round() / 1e6);
    record.values.push(decision.report.value.get());
    record.iterations.push(decision.report.iterations);
    record.inherited.push(decision.report.inherited);
    true
}
