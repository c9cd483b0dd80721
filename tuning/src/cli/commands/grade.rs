//! `lab grade`: the course's grading of a program.

use super::referee::{ConfinementArgs, PatienceArgs, surroundings};
use crate::cli::arguments::positive_seconds;
use crate::play::grade::{Card, GamePlan, Item, SingleMove, plan_games, problems};
use crate::play::referee::{
    Conditions, Confinement, Folder, Program, ProgramPlayer, play_game, with_last_words,
};
use crate::play::rules_name::RulesName;
use crate::play::whole_number::whole;
use anyhow::{Result, ensure};
use halma::agent::time::Mode;
use halma::rules::colour;
use std::io::{Write, stdout};
use std::process::ExitCode;

const POINTS_OF_MOVE: u32 = 1;
const POINTS_OF_GAME: u32 = 10;

/// Arguments of `lab grade`.
#[derive(clap::Args)]
pub struct GradeArgs {
    /// The command line of the program.
    program: String,
    /// A command line to run once in the program's folder before anything else.
    #[arg(long, value_name = "CMD")]
    calibrate: Option<String>,
    /// Single moves, a point each.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<usize>)]
    moves: usize,
    /// Games against the reference agent, ten points each.
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = whole::<usize>)]
    games: usize,
    /// CPU seconds for a single move, but for those with next to no time.
    #[arg(long, value_name = "S", default_value_t = 30.0, value_parser = positive_seconds)]
    move_time: f64,
    /// CPU seconds of each side for a game; games vary from half to one and a half of it.
    #[arg(long, value_name = "S", default_value_t = 100.0, value_parser = positive_seconds)]
    game_time: f64,
    /// How many plies the reference agent, a minimax without pruning, looks ahead.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    depth: u8,
    /// Positions, and the games' times, follow from this number.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// After this many plies the side with more time left wins.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = whole::<usize>)]
    max_plies: usize,
    #[command(flatten)]
    patience: PatienceArgs,
    #[command(flatten)]
    confinement: ConfinementArgs,
}

/// Grades the program. Only a full score is a success.
pub fn run(args: &GradeArgs) -> Result<ExitCode> {
    let patience = (&args.patience).into();
    let confinement = Confinement::from(&args.confinement);
    let player =
        ProgramPlayer::new(&Program::parse(&args.program)?, Folder::temporary()?, patience, &confinement)?;
    if let Some(calibrate) = &args.calibrate {
        player.calibrate(&Program::parse(calibrate)?)?;
    }
    let reference = Program::agent(&format!("minimax(depth={})", args.depth), args.seed)?;
    // Nobody has to be protected from it.
    let trusted = Confinement { own_user: false, ..confinement };
    let reference = ProgramPlayer::new(&reference, Folder::temporary()?, patience, &trusted)?;
    writeln!(stdout(), "{}", surroundings(&[&player]))?;
    let mut card = Card::default();
    for problem in problems(args.moves, args.move_time, args.seed)? {
        add(&mut card, grade_move(&player, &problem)?)?;
    }
    for (number, plan) in (1..).zip(plan_games(args.games, args.game_time, args.seed)) {
        add(&mut card, grade_game(number, [&player, &reference], &plan, args.max_plies)?)?;
    }
    writeln!(stdout(), "{card}")?;
    let (won, points) = card.score();
    Ok(if won == points { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Adds `item`, and prints it for those who watch.
fn add(card: &mut Card, item: Item) -> Result<()> {
    writeln!(stdout(), "{:>2}  {item}", card.items.len() + 1)?;
    card.items.push(item);
    Ok(())
}

fn grade_move(player: &ProgramPlayer, problem: &SingleMove) -> Result<Item> {
    player.new_game();
    let answer = player.ask(&problem.position, Mode::Single, problem.seconds)?;
    Ok(Item {
        name: problem.name.clone(),
        points: POINTS_OF_MOVE,
        lost: answer.turn.err().map(|fault| with_last_words(&fault.to_string(), &answer.stderr)),
        cpu: answer.cpu,
        time: problem.seconds,
    })
}

fn grade_game(
    number: u64,
    [player, reference]: [&ProgramPlayer; 2],
    plan: &GamePlan,
    plies: usize,
) -> Result<Item> {
    let (side, opponent) = (plan.side, plan.side.opponent());
    let mut players = [reference; 2];
    players[side.index()] = player;
    let conditions = Conditions {
        time: [plan.seconds; 2],
        first: if plan.begins { side } else { opponent },
        rules: [RulesName::Addendum; 2],
        max_plies: plies,
    };
    let (end, log) = play_game(number, players, &conditions)?;
    let failed = log.plies.last().filter(|ply| ply.fault.is_some() && ply.side == colour(opponent));
    let out_of_time = failed.is_some_and(|ply| ply.is_of_time);
    // A reference that fails otherwise would make a present of the points.
    ensure!(failed.is_none() || out_of_time, "game {number}: the reference agent fails: {}", end.detail);
    let remark = if out_of_time { "; the reference ran out of time" } else { "" };
    let left = [log.left.black, log.left.white][side.index()];
    let stderr = log.plies.last().map_or("", |ply| &ply.stderr);
    let turn = if plan.begins { "first" } else { "second" };
    Ok(Item {
        name: format!("game {number}, {} and {turn}, {} plies{remark}", colour(side), log.plies.len()),
        points: POINTS_OF_GAME,
        lost: (end.winner != Some(side)).then(|| with_last_words(&end.detail, stderr)),
        cpu: plan.seconds - left,
        time: plan.seconds,
    })
}
