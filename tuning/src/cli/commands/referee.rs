//! `lab referee`: two programs play, and neither is believed.

use crate::cli::arguments::positive_seconds;
use crate::play::referee::{
    Accounting, Conditions, Confinement, End, Folder, GameLog, Patience, Program, ProgramPlayer,
    ResourceLimits, play_game,
};
use crate::play::rules_name::RulesName;
use crate::play::whole_number::whole;
use anyhow::{Context, Result};
use clap::{ValueEnum, value_parser};
use halma::rules::{BLACK, WHITE, colour};
use halma::support::random::Random;
use std::fs::{File, OpenOptions};
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Arguments of `lab referee`.
#[derive(clap::Args)]
pub struct RefereeArgs {
    /// The command line that plays Black.
    #[arg(long, value_name = "CMD")]
    black: String,
    /// The command line that plays White.
    #[arg(long, value_name = "CMD")]
    white: String,
    /// CPU seconds of each side for a game.
    #[arg(long, value_name = "S", default_value_t = 300.0, value_parser = positive_seconds)]
    time: f64,
    /// Black's CPU seconds, if they are others.
    #[arg(long, value_name = "S", value_parser = positive_seconds)]
    black_time: Option<f64>,
    /// White's CPU seconds, if they are others.
    #[arg(long, value_name = "S", value_parser = positive_seconds)]
    white_time: Option<f64>,
    /// Who has the first move.
    #[arg(long, value_enum, default_value_t = First::Black)]
    first: First,
    /// The rules by which plays are judged.
    #[arg(long, value_enum, default_value_t = RulesName::Addendum)]
    rules: RulesName,
    /// The rules for Black's plays, if they are others.
    #[arg(long, value_enum)]
    black_rules: Option<RulesName>,
    /// The rules for White's plays, if they are others.
    #[arg(long, value_enum)]
    white_rules: Option<RulesName>,
    /// After this many plies the side with more time left wins.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = whole::<usize>)]
    max_plies: usize,
    /// A command line to run once in Black's folder before the games.
    #[arg(long, value_name = "CMD")]
    black_calibrate: Option<String>,
    /// A command line to run once in White's folder before the games.
    #[arg(long, value_name = "CMD")]
    white_calibrate: Option<String>,
    /// How many games to play.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
    games: u64,
    /// Append each game to this file as a line of JSON.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// From this number follows who is first, if that is random.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Run the programs in DIR/black and DIR/white instead of temporary folders.
    #[arg(long, value_name = "DIR")]
    folders: Option<PathBuf>,
    #[command(flatten)]
    patience: PatienceArgs,
    #[command(flatten)]
    confinement: ConfinementArgs,
}

/// When programs are killed.
#[derive(clap::Args)]
pub struct PatienceArgs {
    /// A program is killed this many CPU seconds after its time is over.
    #[arg(long, value_name = "S", default_value_t = Patience::default().grace, value_parser = positive_seconds)]
    grace: f64,
    /// It is killed as well when this many times its time and grace have passed by the clock on the
    /// wall: it sleeps.
    #[arg(long, value_name = "X", default_value_t = Patience::default().wall_factor, value_parser = positive_seconds)]
    wall_factor: f64,
}

impl From<&PatienceArgs> for Patience {
    fn from(args: &PatienceArgs) -> Patience {
        Patience { grace: args.grace, wall_factor: args.wall_factor }
    }
}

/// What programs may do and use besides time.
#[derive(clap::Args)]
pub struct ConfinementArgs {
    /// MiB of memory for a program and all that it starts.
    #[arg(long, value_name = "MIB", default_value_t = ResourceLimits::default().memory, value_parser = value_parser!(u64).range(16..1 << 40))]
    memory: u64,
    /// MiB for each file that it writes.
    #[arg(long, value_name = "MIB", default_value_t = ResourceLimits::default().file_size, value_parser = value_parser!(u64).range(1..1 << 40))]
    file_size: u64,
    /// Processes and threads of a program at the same time.
    #[arg(long, value_name = "N", default_value_t = ResourceLimits::default().processes, value_parser = value_parser!(u64).range(1..1 << 22))]
    processes: u64,
    /// How CPU time is counted [default: by cgroup where one may be made].
    #[arg(long, value_enum)]
    accounting: Option<Accounting>,
    /// Run the programs as the user that you are even if that is root, who else gives each of them a user of its own.
    #[arg(long)]
    same_user: bool,
}

impl From<&ConfinementArgs> for Confinement {
    fn from(args: &ConfinementArgs) -> Confinement {
        let ConfinementArgs { memory, file_size, processes, accounting, same_user } = *args;
        Confinement {
            resources: ResourceLimits { memory, file_size, processes },
            accounting,
            own_user: !same_user,
        }
    }
}

/// How programs are run, in a line.
pub fn surroundings(players: &[&ProgramPlayer]) -> String {
    let sampled = players.iter().any(|player| player.accounting() == Accounting::Sampling);
    let counted = if sampled { "by sampling" } else { "by cgroup" };
    let users: Vec<String> = players.iter().filter_map(|player| Some(player.user()?.to_string())).collect();
    let who = match users.as_slice() {
        [] => "as the user that you are".to_string(),
        [user] => format!("as user {user}"),
        users => format!("as users {}", users.join(" and ")),
    };
    format!("programs run {who}; CPU time is counted {counted}")
}

#[derive(Clone, Copy, ValueEnum)]
enum First {
    Black,
    White,
    Random,
}

impl RefereeArgs {
    fn players(&self) -> Result<[ProgramPlayer; 2]> {
        let folder = |name| match &self.folders {
            Some(folders) => Folder::kept(&folders.join(name)),
            None => Folder::temporary(),
        };
        let programs = [Program::parse(&self.black)?, Program::parse(&self.white)?];
        let player = |program, name, calibrate: &Option<String>| {
            let patience = (&self.patience).into();
            let player = ProgramPlayer::new(program, folder(name)?, patience, &(&self.confinement).into())?;
            if let Some(calibrate) = calibrate {
                player.calibrate(&Program::parse(calibrate)?)?;
            }
            anyhow::Ok(player)
        };
        Ok([
            player(&programs[0], "black", &self.black_calibrate)?,
            player(&programs[1], "white", &self.white_calibrate)?,
        ])
    }

    fn conditions(&self, game: u64) -> Conditions {
        let first = match self.first {
            First::Black => BLACK,
            First::White => WHITE,
            First::Random => [BLACK, WHITE][Random::new(self.seed.wrapping_add(game)).below(2)],
        };
        Conditions {
            time: [self.black_time.unwrap_or(self.time), self.white_time.unwrap_or(self.time)],
            first,
            rules: [self.black_rules.unwrap_or(self.rules), self.white_rules.unwrap_or(self.rules)],
            max_plies: self.max_plies,
        }
    }

    /// The log, opened before anything is played.
    fn open_log(&self) -> Result<Option<File>> {
        let open = |path: &PathBuf| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.with_context(|| format!("can't write {}", path.display()))
        };
        self.log.as_ref().map(open).transpose()
    }
}

/// Plays the games, and tells how each ended.
pub fn run(args: &RefereeArgs) -> Result<()> {
    let mut log_file = args.open_log()?;
    let players = args.players()?;
    writeln!(stdout(), "{}", surroundings(&[&players[0], &players[1]]))?;
    let mut wins = [0, 0];
    for game in 1..=args.games {
        let (end, log) = play_game(game, [&players[0], &players[1]], &args.conditions(game))?;
        if let Some(winner) = end.winner {
            wins[winner.index()] += 1;
        }
        if let Some(file) = &mut log_file {
            // In one piece, so that the file has whole lines only.
            let line = serde_json::to_string(&log)? + "\n";
            file.write_all(line.as_bytes()).context("can't write the log")?;
        }
        tell(&end, &log)?;
    }
    let [black, white] = wins;
    let drawn = args.games - black - white;
    Ok(writeln!(stdout(), "games {}: BLACK won {black}, WHITE won {white}, drawn {drawn}", args.games)?)
}

/// Prints how a game ended, and a program's last words if it was at fault.
fn tell(end: &End, log: &GameLog) -> Result<()> {
    let winner = end.winner.map_or("nobody".to_string(), |side| colour(side).to_string());
    let (plies, left) = (log.plies.len(), &log.left);
    let mut out = stdout().lock();
    writeln!(out, "game {}: {winner} wins after {plies} plies ({}): {}", log.game, end.reason, end.detail)?;
    writeln!(out, "  seconds left: BLACK {:.3}, WHITE {:.3}", left.black, left.white)?;
    if let Some(ply) = log.plies.last().filter(|ply| ply.fault.is_some() && !ply.stderr.is_empty()) {
        writeln!(out, "  standard error: {}", ply.stderr.trim_end().replace('\n', "\n    "))?;
    }
    Ok(())
}
