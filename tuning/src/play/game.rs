//! The game loop of matches, tournaments, sweeps, segments, `lab referee` and `lab grade`. They differ in their
//! entrants and their [`GameSetup`]; every game leaves a [`GameRecord`].
//!
//! `Game::loss_on_time` decides losses on time, `Game::next_ply` losses by a fault or an illegal play, and
//! `Game::end` games that end on the board or at the ply limit.

use super::entrant::{Answer, Entrant, Failure};
use super::record::{Contestant, Ended, GameRecord, ProgramRun, to_microseconds};
use super::time_control::{TimeControl, TimeControls};
use anyhow::Result;
use halma::game::{Game as _, Outcome};
use halma::rules::{Play, Position, Rules};

/// The usual ply limit of a game.
pub const MAX_PLIES: usize = 400;

/// An agent may exceed its time for a move by this many seconds, because it reads the clock only now and then
/// …
const TOLERANCE_SECONDS: f64 = 0.001;
/// … plus this share of the limit.
const TOLERANCE_SHARE: f64 = 0.05;

/// Everything that a game depends on except its entrants. In each pair of values, the first is A's and the second is
/// B's.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The number of the game.
    pub number: u64,
    /// The seed of the agents.
    pub seed: u64,
    /// Who plays Black.
    pub black: Contestant,
    /// The plays made before the first decision.
    pub opening: Vec<Play>,
    /// The position after the opening.
    pub start: Position,
    /// The rules that each side's plays are checked against.
    pub rules: [Rules; 2],
    /// The limits of both sides.
    pub limit: TimeControls,
    /// The maximum number of plies, including the opening.
    pub max_plies: usize,
    /// Whether the side with more time left wins at the ply limit. Otherwise the game is drawn.
    pub more_time_wins: bool,
    /// The maximum number of nodes to record of each decision's tree.
    pub tree_nodes: usize,
    /// Whether each run of a program is recorded.
    pub keep_runs: bool,
}

impl GameSetup {
    /// A game from `start` under its rules, with A as Black and default settings.
    pub fn new(start: Position, limit: TimeControls) -> GameSetup {
        GameSetup {
            number: 0,
            seed: 0,
            black: Contestant::A,
            opening: Vec::new(),
            start,
            rules: [start.rules(); 2],
            limit,
            max_plies: MAX_PLIES,
            more_time_wins: false,
            tree_nodes: 0,
            keep_runs: false,
        }
    }
}

/// Plays a game between A and B on this thread. The thread's CPU clock times agents. `cancelled` is called before each
/// ply; once it returns true, the result is `None`.
pub fn play_game<'a>(
    setup: &'a GameSetup,
    entrants: [&'a mut dyn Entrant; 2],
    cancelled: &dyn Fn() -> bool,
) -> Result<Option<GameRecord>> {
    let seconds_left = setup.limit.each().map(|limit| match limit {
        TimeControl::GameTime(seconds) => seconds,
        _ => f64::INFINITY,
    });
    let record = GameRecord::new(setup);
    let mut game = Game { setup, position: setup.start, entrants, seconds_left, record };
    let (reason, winner) = loop {
        if cancelled() {
            return Ok(None);
        }
        game.position = game.position.with_rules(setup.rules[game.mover() as usize]);
        if let Some(end) = game.end() {
            break end;
        }
        if let Err(reason) = game.next_ply()? {
            break (reason, Some(game.mover().opponent()));
        }
    };
    Ok(Some(GameRecord { reason, winner, ..game.record }))
}

/// A game under way.
struct Game<'a> {
    setup: &'a GameSetup,
    position: Position,
    entrants: [&'a mut dyn Entrant; 2],
    /// The CPU seconds that A and B have left; infinite if there is no limit for the whole game.
    seconds_left: [f64; 2],
    /// `winner` and `reason` are filled in when the game ends.
    record: GameRecord,
}

impl Game<'_> {
    fn mover(&self) -> Contestant {
        self.record.contestant(self.position.to_move())
    }

    /// The reason and the winner, if the game is over.
    fn end(&self) -> Option<(Ended, Option<Contestant>)> {
        match self.position.outcome() {
            Some(Outcome::Win(side)) => return Some((Ended::GoalFilled, Some(self.record.contestant(side)))),
            None if self.position.count_plays() == 0 => {
                return Some((Ended::NoLegalPlay, Some(self.mover().opponent())));
            }
            None if self.record.plies() < self.setup.max_plies => return None,
            Some(Outcome::Draw) | None => {}
        }
        let [a, b] = self.seconds_left;
        if !self.setup.more_time_wins || a == b {
            return Some((Ended::PlyLimit, None));
        }
        Some((Ended::MoreTimeLeft, Some(if a > b { Contestant::A } else { Contestant::B })))
    }

    /// Asks the mover for a play and makes it. The inner error is the reason that the mover loses.
    fn next_ply(&mut self) -> Result<Result<(), Ended>> {
        let mover = self.mover();
        let limit = match self.setup.limit.of(mover) {
            TimeControl::GameTime(_) => TimeControl::GameTime(self.seconds_left[mover as usize]),
            limit => limit,
        };
        let mut answer = self.entrants[mover as usize].answer(&self.position, limit)?;
        if let Some(late) = self.loss_on_time(mover, limit, &answer) {
            answer.decision = Err(late);
        }
        self.record_answer(mover, &answer);
        let decision = match answer.decision {
            Err(failure) => return Ok(Err(failure.reason())),
            Ok(decision) if !self.position.is_legal(decision.play) => {
                self.record.illegal_play = Some(decision.play);
                return Ok(Err(Ended::IllegalPlay));
            }
            Ok(decision) => decision,
        };
        let side = self.position.to_move();
        self.position.play(decision.play);
        self.record.add(&decision, answer.seconds);
        if self.setup.tree_nodes > 0 {
            let tree = self.entrants[mover as usize].tree(self.setup.tree_nodes);
            self.record.add_tree(side, &tree);
        }
        Ok(Ok(()))
    }

    /// Charges the answer's time to `mover`, and returns the failure if the mover has lost on time. Every
    /// loss on time is decided here.
    ///
    /// The time for a game is a strict limit. So is a program's time for a move, which `input.txt` states. An
    /// agent reads the clock only now and then: if it exceeds its time for a move, that is counted as an
    /// overdraft and the game goes on.
    fn loss_on_time(&mut self, mover: Contestant, limit: TimeControl, answer: &Answer) -> Option<Failure> {
        let used = answer.seconds;
        let (left, is_late, is_overdraft) = match limit {
            TimeControl::Iterations(_) => return None,
            TimeControl::Cpu(left) => {
                let tolerated = left * (1.0 + TOLERANCE_SHARE) + TOLERANCE_SECONDS;
                (left, answer.run.is_some() && used >= left, used > tolerated)
            }
            TimeControl::GameTime(left) => {
                let rest = to_microseconds(left - used);
                self.seconds_left[mover as usize] = rest;
                (left, rest <= 0.0, rest <= 0.0)
            }
        };
        self.record.overdrafts[mover as usize] += u32::from(is_late || is_overdraft);
        is_late.then_some(Failure::OutOfTime { used, left })
    }

    /// Records a failure and, if `keep_runs` is set, how a program ran.
    fn record_answer(&mut self, mover: Contestant, answer: &Answer) {
        let failure = answer.decision.as_ref().err();
        if let Some(failure) = failure {
            let stderr = answer.run.as_ref().map_or("", |run| &run.stderr);
            self.record.fault = Some(with_last_words(&failure.to_string(), stderr));
        }
        if let Some(run) = answer.run.clone().filter(|_| self.setup.keep_runs) {
            let left = Some(self.seconds_left[mover as usize]).filter(|left| left.is_finite());
            let fault = failure.map(|failure| failure.name().to_string());
            self.record.runs.push(ProgramRun { left, fault, ..run });
        }
    }
}

/// The maximum length of a recorded fault, in characters.
const MAX_FAULT: usize = 300;

/// `fault`, followed by the last line that the program wrote to standard error.
fn with_last_words(fault: &str, stderr: &str) -> String {
    let text = match stderr.trim_end().lines().next_back() {
        Some(line) => format!("{fault} ({line})"),
        None => fault.to_string(),
    };
    // A program's control characters must not reach the terminal.
    text.replace(char::is_control, " ").chars().take(MAX_FAULT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::agents;
    use halma::agent::{Agent, Decision, NoLegalPlay};
    use halma::rules::{BLACK, Square};
    use halma::search::{Limits, Observer, Report};
    use halma::support::clock::Clock;

    /// Plays like the agent `greedy`, but misbehaves.
    struct Rogue {
        play: Option<Play>,
        seconds: f64,
        gives_up: bool,
    }

    impl Agent for Rogue {
        fn new_game(&mut self) {}

        fn decide(
            &mut self,
            position: &Position,
            limits: &Limits,
            clock: &dyn Clock,
            _: Option<Observer<'_, Play>>,
        ) -> Result<Decision, NoLegalPlay> {
            let start = clock.seconds();
            while clock.seconds() - start < self.seconds {}
            if self.gives_up {
                return Err(NoLegalPlay);
            }
            let mut greedy = agents::make("greedy", 1).expect("a known agent");
            let decision = greedy.decide(position, limits, clock, None)?;
            let play = self.play.unwrap_or(decision.play);
            Ok(Decision { play, report: Report::unsearched(play) })
        }
    }

    const HONEST: Rogue = Rogue { play: None, seconds: 0.0, gives_up: false };

    /// A game between `greedy`, which is A and plays Black, and `rogue`.
    fn game_against(rogue: Rogue, limit: TimeControl, max_plies: usize) -> GameRecord {
        let start = Position::initial(BLACK, Rules::Addendum);
        let setup = GameSetup { max_plies, ..GameSetup::new(start, limit.into()) };
        let mut greedy = agents::make("greedy", 1).expect("a known agent");
        let mut rogue: Box<dyn Agent> = Box::new(rogue);
        assert!(play_game(&setup, [&mut greedy, &mut rogue], &|| true).expect("no program").is_none());
        let record = play_game(&setup, [&mut greedy, &mut rogue], &|| false);
        record.expect("no program").expect("not cancelled")
    }

    #[test]
    fn an_illegal_play_loses_and_is_recorded() {
        let illegal = Play::new(Square::new(0, 0), Square::new(15, 15));
        let rogue = Rogue { play: Some(illegal), ..HONEST };
        let record = game_against(rogue, TimeControl::Iterations(1), 400);
        assert_eq!((record.reason, record.winner), (Ended::IllegalPlay, Some(Contestant::A)));
        assert_eq!((record.illegal_play, record.half_points()), (Some(illegal), 2));
        assert_eq!(record.plays.len(), 1);
    }

    #[test]
    fn an_agent_without_an_answer_loses() {
        let record = game_against(Rogue { gives_up: true, ..HONEST }, TimeControl::Iterations(1), 400);
        assert_eq!((record.reason, record.winner), (Ended::IllegalPlay, Some(Contestant::A)));
        assert_eq!(record.illegal_play, None);
    }

    #[test]
    fn every_overdraft_is_counted() {
        let limit = TimeControl::Cpu(0.002);
        let record = game_against(Rogue { seconds: 0.0035, ..HONEST }, limit, 400);
        let decisions = (0..record.plays.len()).filter(|&ply| record.decider(ply) == Contestant::B).count();
        assert_eq!(record.overdrafts, [0, decisions as u32]);
        assert!(decisions > 20 && record.reason == Ended::GoalFilled);
        let record = game_against(Rogue { seconds: 0.0025, ..HONEST }, limit, 400);
        assert!(record.overdrafts[1] < decisions as u32 / 2, "half a millisecond is tolerated");
    }

    #[test]
    fn exceeding_the_game_time_loses() {
        let record = game_against(Rogue { seconds: 0.004, ..HONEST }, TimeControl::GameTime(0.02), 400);
        assert_eq!((record.reason, record.winner), (Ended::TimeForfeit, Some(Contestant::A)));
        assert_eq!(record.overdrafts, [0, 1]);
        assert!((7..=10).contains(&record.plays.len()), "{}", record.plays.len());
        assert!(record.fault.is_some_and(|fault| fault.contains("s of CPU time and had")));
    }

    #[test]
    fn an_endless_game_is_a_draw_at_the_limit() {
        let record = game_against(HONEST, TimeControl::Iterations(1), 30);
        assert_eq!((record.reason, record.winner, record.plies()), (Ended::PlyLimit, None, 30));
        assert_eq!(record.half_points(), 1);
    }
}
