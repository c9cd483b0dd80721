//! `lab referee`: two untrusted programs play each other.

use super::output::{note_change, printable};
use crate::cli::arguments::strict::StrictArgs;
use crate::play::game::{GameSetup, MAX_PLIES};
use crate::play::programs::{Folder, Program, ProgramPlayer, Sandbox};
use crate::play::record::{Contestant, GameRecord};
use crate::play::referee::{RefereedGame, play, setup, surroundings};
use crate::play::text::rules_parser;
use crate::play::time_control::positive_seconds;
use crate::play::whole_number::{positive, whole};
use crate::runs::{EntrantFiles, check_output, machine};
use anyhow::{Context, Result};
use clap::ValueEnum;
use halma::rules::{BLACK, Rules, WHITE};
use halma::support::files::append;
use halma::support::random::Random;
use std::fs::{File, OpenOptions};
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Arguments of `lab referee`.
#[derive(clap::Args)]
pub struct RefereeArgs {
    /// Command line of the program that plays Black
    #[arg(long, value_name = "CMD")]
    black: String,
    /// Command line of the program that plays White
    #[arg(long, value_name = "CMD")]
    white: String,
    /// CPU seconds per side for a game
    #[arg(long, value_name = "S", default_value_t = 300.0, value_parser = positive_seconds)]
    time: f64,
    /// CPU seconds for Black [default: --time]
    #[arg(long, value_name = "S", value_parser = positive_seconds)]
    black_time: Option<f64>,
    /// CPU seconds for White [default: --time]
    #[arg(long, value_name = "S", value_parser = positive_seconds)]
    white_time: Option<f64>,
    /// Side that moves first
    #[arg(long, value_enum, default_value_t = First::Black)]
    first: First,
    /// Rules that plays must follow
    #[arg(long, value_name = "RULES", default_value = "addendum", value_parser = rules_parser())]
    rules: Rules,
    /// Rules for Black's plays [default: --rules]
    #[arg(long, value_name = "RULES", value_parser = rules_parser())]
    black_rules: Option<Rules>,
    /// Rules for White's plays [default: --rules]
    #[arg(long, value_name = "RULES", value_parser = rules_parser())]
    white_rules: Option<Rules>,
    /// After this many plies, the side with more time left wins
    #[arg(long, value_name = "N", default_value_t = MAX_PLIES, value_parser = positive::<usize>)]
    max_plies: usize,
    /// Command line to run once in Black's folder before the games
    #[arg(long, value_name = "CMD")]
    black_calibrate: Option<String>,
    /// Command line to run once in White's folder before the games
    #[arg(long, value_name = "CMD")]
    white_calibrate: Option<String>,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = positive::<u64>)]
    games: u64,
    /// Append each game to this file as a line of JSON
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Seed of '--first random'
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
    seed: u64,
    /// Run the programs in DIR/black and DIR/white instead of temporary folders
    #[arg(long, value_name = "DIR")]
    folders: Option<PathBuf>,
    #[command(flatten)]
    sandbox: Sandbox,
    #[command(flatten)]
    strict: StrictArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum First {
    Black,
    White,
    Random,
}

impl RefereeArgs {
    fn player(&self, program: &str, name: &str, calibrate: Option<&str>) -> Result<ProgramPlayer> {
        let folder = match &self.folders {
            Some(folders) => Folder::kept(&folders.join(name))?,
            None => Folder::temporary()?,
        };
        let mut player = ProgramPlayer::new(&Program::parse(program)?, folder, &self.sandbox)?;
        if let Some(calibrate) = calibrate {
            player.calibrate(&Program::parse(calibrate)?)?;
        }
        Ok(player)
    }

    fn setup(&self, number: u64) -> GameSetup {
        let first = match self.first {
            First::Black => BLACK,
            First::White => WHITE,
            First::Random => [BLACK, WHITE][Random::new(self.seed.wrapping_add(number)).below(2)],
        };
        let time = [self.black_time, self.white_time].map(|time| time.unwrap_or(self.time));
        let rules = [self.black_rules, self.white_rules].map(|rules| rules.unwrap_or(self.rules));
        GameSetup { number, ..setup(first, time, rules, self.max_plies) }
    }

    /// Opens the log. Called before any game, so that a path that can't be written is reported at once.
    fn open_log(&self) -> Result<Option<File>> {
        let calibrations = [&self.black_calibrate, &self.white_calibrate].into_iter().flatten();
        let commands = [&self.black, &self.white].into_iter().chain(calibrations);
        let programs: Vec<Program> =
            commands.map(|command| Program::parse(command)).collect::<Result<_>>()?;
        let open = |path: &PathBuf| {
            check_output(path, programs.iter().flat_map(EntrantFiles::paths_of))?;
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.with_context(|| format!("can't write {}", path.display()))
        };
        self.log.as_ref().map(open).transpose()
    }
}

/// Plays the games and prints how each ended.
pub fn run(args: &RefereeArgs) -> Result<()> {
    args.strict.warn(&machine::warnings(1))?;
    let mut log_file = args.open_log()?;
    let mut black = args.player(&args.black, "black", args.black_calibrate.as_deref())?;
    let mut white = args.player(&args.white, "white", args.white_calibrate.as_deref())?;
    let mut files = Some(EntrantFiles::of_programs([black.program(), white.program()])?);
    writeln!(stdout(), "{}", surroundings(&[&black, &white]))?;
    let mut wins = [0, 0];
    for number in 1..=args.games {
        let game = play(&args.setup(number), [&mut black, &mut white])?;
        note_change(&mut files);
        if let Some(winner) = game.record.winner {
            wins[winner as usize] += 1;
        }
        if let Some(file) = &mut log_file {
            let line = serde_json::to_string(&game)? + "\n";
            append(file, line.as_bytes()).context("can't write the log")?;
        }
        print(&game)?;
    }
    let [black, white] = wins;
    let drawn = args.games - black - white;
    Ok(writeln!(stdout(), "games {}: BLACK won {black}, WHITE won {white}, drawn {drawn}", args.games)?)
}

/// Prints how a game ended, and the standard error of a program at fault.
fn print(game: &RefereedGame) -> Result<()> {
    let GameRecord { game: number, winner, reason, ref runs, .. } = game.record;
    let result = match winner {
        Some(Contestant::A) => "BLACK wins",
        Some(Contestant::B) => "WHITE wins",
        None => "draw",
    };
    let mut out = stdout().lock();
    writeln!(out, "game {number}: {result} after {} ({}): {}", game.length(), reason.name(), game.ending())?;
    writeln!(out, "  seconds left: {}", seconds_left_text(game.seconds_left()))?;
    if let Some(run) = runs.last().filter(|run| run.fault.is_some() && !run.stderr.is_empty()) {
        writeln!(out, "  standard error: {}", printable(run.stderr.trim_end()).replace('\n', "\n    "))?;
    }
    Ok(())
}

/// `BLACK 4.998, WHITE 4.731`, with six decimals if three could hide a difference, because it may decide the game.
fn seconds_left_text([black, white]: [f64; 2]) -> String {
    let digits = if black != white && (black - white).abs() < 0.001 { 6 } else { 3 };
    format!("BLACK {black:.digits$}, WHITE {white:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_times_look_different() {
        assert_eq!(seconds_left_text([4.998, 4.731]), "BLACK 4.998, WHITE 4.731");
        assert_eq!(seconds_left_text([4.998_312, 4.998_275]), "BLACK 4.998312, WHITE 4.998275");
        assert_eq!(seconds_left_text([5.0; 2]), "BLACK 5.000, WHITE 5.000");
    }
}
