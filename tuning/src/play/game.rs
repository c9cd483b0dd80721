//! One game: the referee and its two entrants.

use super::limits::TimeControl;
use super::record::{Contestant, Ended, GameRecord};
use super::settings::{Settings, agent_seed};
use crate::play::entrants::{Answer, Entrant, Failure, MoveLimit};
use crate::play::openings::Opening;
use crate::play::referee::ProgramFault;
use crate::play::rules_name::RulesName;
use anyhow::Result;
use halma::game::{Game, Outcome};
use halma::rules::{BLACK, Position};

/// A decision may take this many seconds more than its limit, for the last reading of the clock …
const TOLERANCE_SECONDS: f64 = 0.001;
/// … and this part of the limit.
const TOLERANCE_SHARE: f64 = 0.05;

/// Plays game number `number` of the match, on this thread and by its CPU clock. `None` if
/// `cancelled` became true, asked before each ply.
///
/// # Errors
/// A spec string that names nobody, or a program that can't be run.
pub fn play_game(
    settings: &Settings,
    number: u64,
    cancelled: &dyn Fn() -> bool,
) -> Result<Option<GameRecord>> {
    Referee::new(settings, number)?.play(cancelled)
}

/// A game under way.
struct Referee<'a> {
    settings: &'a Settings,
    position: Position,
    entrants: [Entrant; 2],
    /// By which rules the plays of A and of B are judged.
    rules: [RulesName; 2],
    /// CPU seconds that A and B have left, if they have a time for the game.
    seconds_left: [f64; 2],
    /// What will be written down; its winner and reason are not yet true.
    record: GameRecord,
}

impl Referee<'_> {
    /// Game number `number` after its opening.
    fn new(settings: &Settings, number: u64) -> Result<Referee<'_>> {
        let seed = settings.game_seed(number);
        let rules = settings.terms.rules.into();
        let openings = &settings.terms.openings;
        let Opening(opening) = openings.opening(rules, number / 2, settings.opening_seed(number));
        let mut position = Position::initial(BLACK, rules);
        opening.iter().for_each(|&play| position.play(play));
        let entrant = |which| Entrant::make(settings.spec(which), agent_seed(seed, which));
        let seconds = |which| match settings.limit.of(which) {
            TimeControl::GameTime(seconds) => seconds,
            _ => f64::INFINITY,
        };
        Ok(Referee {
            settings,
            position,
            entrants: [entrant(Contestant::A)?, entrant(Contestant::B)?],
            rules: Contestant::BOTH.map(|which| settings.rules(which)),
            seconds_left: Contestant::BOTH.map(seconds),
            record: GameRecord::begun(number, seed, opening),
        })
    }

    /// Plays to the end; `None` if `cancelled` became true.
    fn play(mut self, cancelled: &dyn Fn() -> bool) -> Result<Option<GameRecord>> {
        let (reason, winner) = loop {
            if cancelled() {
                return Ok(None);
            }
            self.position = self.position.with_rules(self.rules[self.mover() as usize].into());
            if let Some(end) = self.end() {
                break end;
            }
            if let Err(reason) = self.next_ply()? {
                break (reason, Some(self.mover().opponent()));
            }
        };
        Ok(Some(GameRecord { reason, winner, ..self.record }))
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
            None if self.record.plies() < self.settings.terms.max_plies as usize => None,
            Some(Outcome::Draw) | None => Some((Ended::PlyLimit, None)),
        }
    }

    /// Asks whose turn it is, checks the answer and makes the play. The inner error is the reason why it loses.
    fn next_ply(&mut self) -> Result<Result<(), Ended>> {
        let mover = self.mover();
        let limit = self.move_limit();
        let Answer { decision, seconds } = self.entrants[mover as usize].decide(&self.position, limit)?;
        let decision = match decision {
            Err(Failure::Program(fault, stderr)) => {
                self.record.overdrafts[mover as usize] += u32::from(fault.is_of_time());
                self.record.fault = Failure::Program(fault.clone(), stderr).detail();
                return Ok(Err(reason_of(&fault)));
            }
            decision => decision,
        };
        if let Err(reason) = self.charge(mover, seconds) {
            return Ok(Err(reason));
        }
        let Ok(decision) = decision else { return Ok(Err(Ended::IllegalPlay)) };
        if !self.position.is_legal(decision.play) {
            self.record.illegal_play = Some(decision.play);
            return Ok(Err(Ended::IllegalPlay));
        }
        let (side, nodes) = (self.position.to_move(), self.settings.terms.tree_nodes);
        self.position.play(decision.play);
        self.record.add(&decision, seconds);
        if nodes > 0 {
            self.record.add_tree(side, &self.entrants[mover as usize].tree(nodes));
        }
        Ok(Ok(()))
    }

    /// What the next decision may take.
    fn move_limit(&self) -> MoveLimit {
        match self.settings.limit.of(self.mover()) {
            TimeControl::Cpu(seconds) => MoveLimit::Move(seconds),
            TimeControl::Iterations(iterations) => MoveLimit::Iterations(iterations),
            TimeControl::GameTime(_) => MoveLimit::Game(self.seconds_left[self.mover() as usize]),
        }
    }

    /// Counts `seconds` against the agent that took them. Too long a move is a blemish; more than
    /// the time for the game loses it.
    fn charge(&mut self, mover: Contestant, seconds: f64) -> Result<(), Ended> {
        let left = &mut self.seconds_left[mover as usize];
        // Microseconds are what clocks are good for, and what a program is told.
        *left = ((*left - seconds) * 1e6).round() / 1e6;
        let forfeit = *left < 0.0;
        let overdraft = match self.settings.limit.of(mover) {
            TimeControl::Cpu(most) => seconds > most * (1.0 + TOLERANCE_SHARE) + TOLERANCE_SECONDS,
            TimeControl::Iterations(_) => false,
            TimeControl::GameTime(_) => forfeit,
        };
        self.record.overdrafts[mover as usize] += u32::from(overdraft);
        if forfeit { Err(Ended::TimeForfeit) } else { Ok(()) }
    }
}

/// Why a game ends in which a program makes this fault.
fn reason_of(fault: &ProgramFault) -> Ended {
    match fault {
        ProgramFault::Illegal(_) => Ended::IllegalPlay,
        fault if fault.is_of_time() => Ended::TimeForfeit,
        _ => Ended::ProgramFault,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::agents;
    use crate::play::matches::Terms;
    use crate::play::openings::Openings;
    use halma::agent::{Agent, Decision, NoLegalPlay};
    use halma::rules::{Play, Square};
    use halma::search::{Limits, Observer, Report};
    use halma::support::clock::Clock;

    fn settings(limit: TimeControl, max_plies: u32) -> Settings {
        let terms = Terms {
            seed: 1,
            openings: Openings::default(),
            max_plies,
            rules: Default::default(),
            tree_nodes: 0,
        };
        Settings::new(["greedy"; 2], 1, limit, terms)
    }

    /// Plays like Greedy, but misbehaves.
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
            let mut greedy = agents::make("greedy", 1).expect("greedy is an agent");
            let decision = greedy.decide(position, limits, clock, None)?;
            let play = self.play.unwrap_or(decision.play);
            Ok(Decision { play, report: Report::unsearched(play) })
        }
    }

    const HONEST: Rogue = Rogue { play: None, seconds: 0.0, gives_up: false };

    /// A rogue as agent B, in the first game of a pair.
    fn game_against(rogue: Rogue, limit: TimeControl) -> GameRecord {
        let settings = settings(limit, 400);
        let mut referee = Referee::new(&settings, 0).expect("the specs are right");
        referee.entrants[1] = Entrant::Agent(Box::new(rogue));
        referee.play(&|| false).expect("no program plays").expect("nobody cancels")
    }

    #[test]
    fn an_illegal_play_loses_and_is_written_down() {
        let illegal = Play::new(Square::new(0, 0), Square::new(15, 15));
        let rogue = Rogue { play: Some(illegal), ..HONEST };
        let record = game_against(rogue, TimeControl::Iterations(1));
        assert_eq!((record.reason, record.winner), (Ended::IllegalPlay, Some(Contestant::A)));
        assert_eq!((record.illegal_play, record.half_points()), (Some(illegal), 2));
        assert!(record.plays.len() <= 1);
    }

    #[test]
    fn no_answer_where_there_is_a_play_loses() {
        let record = game_against(Rogue { gives_up: true, ..HONEST }, TimeControl::Iterations(1));
        assert_eq!((record.reason, record.winner), (Ended::IllegalPlay, Some(Contestant::A)));
        assert_eq!(record.illegal_play, None);
    }

    #[test]
    fn every_long_decision_is_counted() {
        let record = game_against(Rogue { seconds: 0.0035, ..HONEST }, TimeControl::Cpu(0.002));
        let decisions = (0..record.plays.len()).filter(|&ply| record.decider(ply) == Contestant::B).count();
        assert_eq!(record.overdrafts, [0, decisions as u32]);
        assert!(decisions > 20 && record.reason == Ended::GoalFilled);
        let record = game_against(Rogue { seconds: 0.0025, ..HONEST }, TimeControl::Cpu(0.002));
        assert!(record.overdrafts[1] < decisions as u32 / 2, "half a millisecond is tolerated");
    }

    #[test]
    fn more_than_the_time_for_the_game_loses_it() {
        let record = game_against(Rogue { seconds: 0.004, ..HONEST }, TimeControl::GameTime(0.02));
        assert_eq!((record.reason, record.winner), (Ended::TimeForfeit, Some(Contestant::A)));
        assert_eq!(record.overdrafts, [0, 1]);
        assert!((7..=10).contains(&record.plays.len()), "{}", record.plays.len());
    }

    #[test]
    fn a_game_without_end_is_a_draw_at_the_limit() {
        let settings = settings(TimeControl::Iterations(1), 30);
        let record = play_game(&settings, 0, &|| false).expect("the specs are right");
        let record = record.expect("nobody cancels");
        assert_eq!((record.reason, record.winner, record.plies()), (Ended::PlyLimit, None, 30));
        assert_eq!(record.half_points(), 1);
        assert!(play_game(&settings, 0, &|| true).expect("the specs are right").is_none());
    }
}
