//! The course's grading: ten single moves, a point each, and nine games against the reference agent, ten
//! points each.

use super::game::{GameSetup, play_game};
use super::openings::random_opening;
use super::programs::ProgramPlayer;
use super::record::{Contestant, Ended, GameRecord};
use super::referee;
use super::samples::{Sample, samples};
use super::time_control::TimeControl;
use anyhow::{Context, Result, ensure};
use halma::game::{Game, Player as Side};
use halma::rules::{BLACK, Position, Rules, WHITE, colour};
use halma::support::random::Random;
use std::fmt::{self, Display, Formatter};

const POINTS_OF_MOVE: u32 = 1;
const POINTS_OF_GAME: u32 = 10;

/// Very short times for a single move, in seconds.
const LOW_TIMES: [f64; 2] = [0.01, 0.05];

/// A single move to make.
#[derive(Clone, Debug)]
pub struct SingleMove {
    /// A short description, as printed.
    pub name: String,
    /// The position.
    pub position: Position,
    /// The CPU seconds allowed.
    pub seconds: f64,
}

/// `count` single moves: two with very little time, the samples, the first move, and positions from random
/// games. All but the first two allow `seconds`. The positions follow from `seed`.
pub fn single_moves(count: usize, seconds: f64, seed: u64) -> Vec<SingleMove> {
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    for time in LOW_TIMES {
        let plies = 30 + random.below(60);
        let position = random_position(plies, &mut random);
        moves.push(SingleMove { name: format!("only {time} s"), position, seconds: time });
    }
    for (number, Sample { about, position, .. }) in (1..).zip(samples()) {
        moves.push(SingleMove { name: format!("sample {number}: {about}"), position, seconds });
    }
    let position = Position::initial(WHITE, Rules::Addendum);
    moves.push(SingleMove { name: "the first move".to_string(), position, seconds });
    while moves.len() < count {
        let plies = 20 + random.below(160);
        let position = random_position(plies, &mut random);
        moves.push(SingleMove { name: format!("after {plies} plies"), position, seconds });
    }
    moves.truncate(count);
    moves
}

/// The position after this many plies of a random game, or after fewer if the next play would end it.
fn random_position(plies: usize, random: &mut Random) -> Position {
    random_opening(Rules::Addendum, [plies as u32; 2], random).1
}

/// A game to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GamePlan {
    /// The program's side.
    pub side: Side,
    /// Whether the program moves first.
    pub begins: bool,
    /// CPU seconds for each side.
    pub seconds: f64,
}

/// Plans `games` games. The program begins every other game, five of nine, and plays both sides about equally
/// often. The time varies from half to one and a half times `seconds`.
pub fn plan_games(games: usize, seconds: f64, seed: u64) -> Vec<GamePlan> {
    let mut random = Random::new(seed);
    let plan = |game: usize| GamePlan {
        side: if game % 4 < 2 { BLACK } else { WHITE },
        begins: game.is_multiple_of(2),
        seconds: seconds * (50 + random.below(101)) as f64 / 100.0,
    };
    (0..games).map(plan).collect()
}

/// The program that is graded, and the reference agent as a program.
#[derive(Debug)]
pub struct Exam {
    /// The program.
    pub program: ProgramPlayer,
    /// The reference agent.
    pub reference: ProgramPlayer,
}

impl Exam {
    /// Grades a single move: a game of one ply.
    pub fn single_move(&mut self, problem: &SingleMove) -> Result<Item> {
        let SingleMove { ref name, position, seconds } = *problem;
        let black = if position.to_move() == BLACK { Contestant::A } else { Contestant::B };
        let limit = TimeControl::Cpu(seconds).into();
        let setup = GameSetup { black, max_plies: 1, keep_runs: true, ..GameSetup::new(position, limit) };
        self.program.new_game();
        let record = play_game(&setup, [&mut self.program, &mut self.reference], &|| false)?;
        let record = record.context("the game was cancelled")?;
        let cpu = record.runs.iter().map(|run| run.cpu).sum();
        Ok(Item { name: name.clone(), points: POINTS_OF_MOVE, lost: record.fault, cpu, time: seconds })
    }

    /// Grades game number `number`, which lasts at most `max_plies` plies.
    ///
    /// # Errors
    /// A program can't be run, or the reference loses by a fault other than running out of time.
    pub fn game(&mut self, number: u64, plan: &GamePlan, max_plies: usize) -> Result<Item> {
        let GamePlan { side, begins, seconds } = *plan;
        let first = if begins { side } else { side.opponent() };
        let setup = referee::setup(first, [seconds; 2], [Rules::Addendum; 2], max_plies);
        let setup = GameSetup { number, ..setup };
        let mut players = [&mut self.program, &mut self.reference];
        if side == WHITE {
            players.reverse();
        }
        let game = referee::play(&setup, players)?;
        let GameRecord { winner, reason, ref fault, .. } = game.record;
        let has_won = winner.is_some_and(|winner| winner == game.record.contestant(side));
        let reference_out_of_time = has_won && reason == Ended::TimeForfeit;
        // Any other fault of the reference would give points away.
        ensure!(
            !has_won || fault.is_none() || reference_out_of_time,
            "game {number}: the reference agent failed: {}",
            game.ending()
        );
        let remark = if reference_out_of_time { "; the reference ran out of time" } else { "" };
        let turn = if begins { "first" } else { "second" };
        let length = game.length();
        Ok(Item {
            name: format!("game {number}, {} and {turn}, {length}{remark}", colour(side)),
            points: POINTS_OF_GAME,
            lost: (!has_won).then(|| game.ending()),
            cpu: seconds - game.seconds_left()[side.index()],
            time: seconds,
        })
    }
}

/// A graded move or game.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The name of the move or game.
    pub name: String,
    /// The points it is worth.
    pub points: u32,
    /// Why the points were lost, if they were.
    pub lost: Option<String>,
    /// CPU seconds that the program used.
    pub cpu: f64,
    /// CPU seconds that the program had.
    pub time: f64,
}

impl Display for Item {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let won = if self.lost.is_some() { 0 } else { self.points };
        let Item { name, points, cpu, time, .. } = self;
        write!(f, "{won:>3} of {points:>2}  {cpu:>9.3} of {time:>7.2} s  {name}")?;
        if let Some(why) = &self.lost { write!(f, ": {why}") } else { Ok(()) }
    }
}

/// Everything that was graded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Card {
    /// Moves and games, in order.
    pub items: Vec<Item>,
}

impl Card {
    /// The points won, and the points possible.
    pub fn score(&self) -> (u32, u32) {
        let won = self.items.iter().filter(|item| item.lost.is_none()).map(|item| item.points).sum();
        (won, self.items.iter().map(|item| item.points).sum())
    }
}

/// The points that were lost, with the reasons, and the score.
impl Display for Card {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let lost: Vec<&Item> = self.items.iter().filter(|item| item.lost.is_some()).collect();
        if !lost.is_empty() {
            writeln!(f, "lost:")?;
        }
        lost.iter().try_for_each(|item| writeln!(f, "  {item}"))?;
        let (won, points) = self.score();
        write!(f, "score {won}/{points}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_moves_are_varied_and_have_an_answer() {
        let moves = single_moves(14, 30.0, 1);
        assert_eq!(moves.len(), 14);
        for one in &moves {
            assert!(one.position.count_plays() > 0, "{}", one.name);
            assert_eq!(one.position.outcome(), None, "{}", one.name);
        }
        assert_eq!(moves.iter().filter(|one| one.seconds < 0.1).count(), 2);
        assert!([BLACK, WHITE].iter().all(|&side| moves.iter().any(|one| one.position.to_move() == side)));
    }

    #[test]
    fn the_program_begins_in_five_of_nine_games_and_plays_both_sides() {
        let plan = plan_games(9, 100.0, 1);
        assert_eq!(plan.iter().filter(|game| game.begins).count(), 5);
        assert!((4..=5).contains(&plan.iter().filter(|game| game.side == BLACK).count()));
        assert!(plan.iter().all(|game| (50.0..=150.0).contains(&game.seconds)));
        assert!(plan.iter().any(|game| game.seconds != plan[0].seconds));
        for side in [BLACK, WHITE] {
            assert!(plan.iter().any(|game| game.begins && game.side == side));
        }
    }
}
