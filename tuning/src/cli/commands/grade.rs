//! `lab grade`: grades a program as the course does.

use super::output::note_change;
use crate::cli::arguments::strict::StrictArgs;
use crate::play::game::MAX_PLIES;
use crate::play::grade::{Card, Exam, Item, plan_games, single_moves};
use crate::play::programs::{Folder, Program, ProgramPlayer, Sandbox};
use crate::play::referee::surroundings;
use crate::play::time_control::positive_seconds;
use crate::play::whole_number::{positive, whole};
use crate::runs::{EntrantFiles, machine};
use anyhow::{Result, ensure};
use std::io::{Write, stdout};
use std::process::ExitCode;

/// Arguments of `lab grade`.
#[derive(clap::Args)]
pub struct GradeArgs {
    /// Command line of the program
    program: String,
    /// Command line to run once in the program's folder before grading
    #[arg(long, value_name = "CMD")]
    calibrate: Option<String>,
    /// Number of single moves, worth one point each
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<usize>)]
    moves: usize,
    /// Number of games against the reference agent, worth ten points each
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = whole::<usize>)]
    games: usize,
    /// CPU seconds per single move, except for two moves with almost no time
    #[arg(long, value_name = "S", default_value_t = 30.0, value_parser = positive_seconds)]
    move_time: f64,
    /// CPU seconds per side for a game; individual games get 0.5 to 1.5 times as much
    #[arg(long, value_name = "S", default_value_t = 100.0, value_parser = positive_seconds)]
    game_time: f64,
    /// Search depth of the reference agent, a minimax without pruning, in plies
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    depth: u8,
    /// Seed of the positions and of the time for each game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
    seed: u64,
    /// After this many plies, the side with more time left wins
    #[arg(long, value_name = "N", default_value_t = MAX_PLIES, value_parser = positive::<usize>)]
    max_plies: usize,
    #[command(flatten)]
    sandbox: Sandbox,
    #[command(flatten)]
    strict: StrictArgs,
}

/// Grades the program. Only a full score is a success.
pub fn run(args: &GradeArgs) -> Result<ExitCode> {
    ensure!(args.moves > 0 || args.games > 0, "--moves 0 --games 0: there is nothing to grade");
    let player = |program: &Program, sandbox| ProgramPlayer::new(program, Folder::temporary()?, &sandbox);
    let mut program = player(&Program::parse(&args.program)?, args.sandbox)?;
    if let Some(calibrate) = &args.calibrate {
        program.calibrate(&Program::parse(calibrate)?)?;
    }
    let reference = Program::agent(&format!("minimax(depth={})", args.depth), args.seed)?;
    // The reference agent is trusted, so it needs no user of its own.
    let reference = player(&reference, Sandbox { same_user: true, ..args.sandbox })?;
    let mut files = Some(EntrantFiles::of_programs([program.program(), reference.program()])?);
    args.strict.warn(&machine::warnings(1))?;
    writeln!(stdout(), "{}", surroundings(&[&program]))?;
    let (mut exam, mut card) = (Exam { program, reference }, Card::default());
    for problem in single_moves(args.moves, args.move_time, args.seed) {
        let item = exam.single_move(&problem)?;
        note_change(&mut files);
        add(&mut card, item)?;
    }
    for (number, plan) in (1..).zip(plan_games(args.games, args.game_time, args.seed)) {
        let item = exam.game(number, &plan, args.max_plies)?;
        note_change(&mut files);
        add(&mut card, item)?;
    }
    writeln!(stdout(), "{card}")?;
    let (won, points) = card.score();
    Ok(if won == points { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Adds `item` to the card and prints it.
fn add(card: &mut Card, item: Item) -> Result<()> {
    writeln!(stdout(), "{:>2}  {item}", card.items.len() + 1)?;
    card.items.push(item);
    Ok(())
}
