//! `lab play`: a game against the engine in a terminal.

use super::moves::in_reading_order;
use super::output::printable;
use crate::cli::arguments::position_in;
use crate::figures::diagram::Diagram;
use crate::figures::drawing::chain_text;
use crate::play::agents;
use crate::play::entrant::{Answer, Entrant, EntrantSpec};
use crate::play::text::rules_parser;
use crate::play::time_control::{DEFAULT_SECONDS, TimeControl, positive_seconds};
use crate::play::whole_number::{positive, whole};
use crate::runs::files::read_line;
use crate::show::analysis::game_over;
use crate::show::serve::{LEVELS, Level, blocked_text, input_text, why_not};
use anyhow::{Context, Result, anyhow, ensure};
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use halma::game::{Game, Player};
use halma::homework::input::MAX_BYTES;
use halma::rules::{BLACK, Play, Position, Rules, Square, WHITE, colour};
use halma::support::files::read_at_most;
use std::fs::File;
use std::io::{IsTerminal, StdoutLock, Write, stdin, stdout};
use std::path::PathBuf;

/// The commands, besides plays.
const HELP: &str = "\
Type a play as two squares, from and to: 2,0 4,2. A square is column,row, as at the edges of the board.
  moves [X,Y]   list the legal plays, or those of one piece
  hint          show the play that the opponent would make in your place
  back, undo    take back your last play
  board         show the board again
  save FILE     write the position to a new file, from which 'lab play FILE' continues
  help, quit";

/// Arguments of `lab play`.
#[derive(clap::Args)]
pub struct PlayArgs {
    /// Position to begin with, in the format of input.txt [default: the start of the game]
    file: Option<PathBuf>,
    /// Your side
    #[arg(long, value_enum, default_value_t, value_name = "SIDE")]
    side: Side,
    /// Strength of the opponent
    #[arg(long, value_name = "LEVEL", default_value = "club", value_parser = level_parser())]
    level: Level,
    /// Opponent that is not one of the levels: an agent or a program
    #[arg(long, value_name = "SPEC", conflicts_with = "level")]
    agent: Option<String>,
    /// CPU seconds for each of the opponent's moves [default: 1, unless the level has a number of iterations]
    #[arg(long, value_name = "S", value_parser = positive_seconds)]
    cpu: Option<f64>,
    /// Iterations for each of the opponent's moves, instead of CPU seconds
    #[arg(long, value_name = "N", value_parser = positive::<u64>, conflicts_with = "cpu")]
    iterations: Option<u64>,
    /// Rules of the game
    #[arg(long, value_name = "RULES", default_value = "addendum", value_parser = rules_parser())]
    rules: Rules,
    /// Seed of the opponent
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
    seed: u64,
}

/// The levels by name, for clap.
fn level_parser() -> impl TypedValueParser<Value = Level> {
    PossibleValuesParser::new(LEVELS.map(|level| level.name))
        .try_map(|name| LEVELS.into_iter().find(|level| level.name == name).ok_or("no such level"))
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Side {
    /// The top left camp; Black moves first
    #[default]
    Black,
    /// The bottom right camp
    White,
}

impl PlayArgs {
    /// The opponent and its limit for each move.
    fn opponent(&self) -> Result<(EntrantSpec, TimeControl)> {
        let (spec, iterations) = match &self.agent {
            Some(spec) => (spec.as_str(), None),
            None => (self.level.agent, self.level.iterations),
        };
        let opponent = EntrantSpec::parse(spec).with_context(|| format!("--agent '{spec}'"))?;
        let iterations = self.iterations.or(iterations);
        let limit = match (self.cpu, iterations) {
            (None, Some(iterations)) => TimeControl::Iterations(iterations),
            (cpu, _) => TimeControl::Cpu(cpu.unwrap_or(DEFAULT_SECONDS)),
        };
        let counts = matches!(limit, TimeControl::Iterations(_));
        ensure!(
            !(counts && matches!(opponent, EntrantSpec::Program(_))),
            "--iterations: '{spec}' is a program and can't count iterations; give it time with --cpu"
        );
        Ok((opponent, limit))
    }

    /// The options that select the same opponent.
    fn options(&self) -> String {
        let opponent = match &self.agent {
            Some(spec) => format!("--agent {}", shell_words::quote(spec)),
            None => format!("--level {}", self.level.name),
        };
        let cpu = self.cpu.map_or(String::new(), |seconds| format!(" --cpu {seconds}"));
        let iterations = self.iterations.map_or(String::new(), |number| format!(" --iterations {number}"));
        format!("{opponent}{cpu}{iterations} --seed {}", self.seed)
    }
}

/// Plays until the game is over, the player quits, or the input ends.
pub fn run(args: &PlayArgs) -> Result<()> {
    let start = match &args.file {
        Some(file) => {
            let bytes = read_at_most(file, MAX_BYTES + 1)?;
            position_in(&bytes, &file.display().to_string())?.with_rules(args.rules)
        }
        None => Position::initial(BLACK, args.rules),
    };
    let (opponent, limit) = args.opponent()?;
    let player = if args.side == Side::Black { BLACK } else { WHITE };
    let entrant = opponent.entrant(args.seed)?;
    let mut game = TerminalGame {
        out: stdout().lock(),
        player,
        opponent,
        options: args.options(),
        seed: args.seed,
        entrant,
        limit,
        positions: vec![start],
        last: None,
    };
    let name = args.agent.as_deref().unwrap_or(args.level.name);
    let (side, limit) = (colour(player), limit.label());
    let greeting =
        format!("You are {side}, against {name}, {limit}. Type a play, such as 2,0 4,2, or help.\n");
    writeln!(game.out, "{}", printable(&greeting))?;
    game.show()?;
    loop {
        if let Some(end) = end_of_game(game.position()) {
            return Ok(writeln!(game.out, "{end}")?);
        }
        if game.position().to_move() != player {
            game.answer()?;
        } else if !game.ask()? {
            return Ok(());
        }
    }
}

/// How the game ended; `None` if it is not over.
fn end_of_game(position: &Position) -> Option<String> {
    let side = position.to_move();
    let blocked =
        || (position.count_plays() == 0).then(|| format!("the game is over: {}", blocked_text(side)));
    position.winner().map(game_over).or_else(blocked)
}

/// A game under way.
struct TerminalGame {
    out: StdoutLock<'static>,
    player: Player,
    opponent: EntrantSpec,
    /// The command's options that select the opponent.
    options: String,
    seed: u64,
    entrant: Box<dyn Entrant>,
    limit: TimeControl,
    /// All positions of the game; never empty.
    positions: Vec<Position>,
    /// The play that led to the last position.
    last: Option<Play>,
}

impl TerminalGame {
    fn position(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    fn show(&mut self) -> Result<()> {
        let diagram = Diagram { position: self.position(), play: self.last }.to_string();
        Ok(writeln!(self.out, "{diagram}")?)
    }

    fn make(&mut self, play: Play) -> Result<()> {
        let mut next = *self.position();
        next.play(play);
        self.positions.push(next);
        self.last = Some(play);
        self.show()
    }

    /// Has the opponent make its play.
    fn answer(&mut self) -> Result<()> {
        let position = *self.position();
        let own_rules = match &self.opponent {
            EntrantSpec::Program(spec) => spec.rules,
            EntrantSpec::Agent(_) => None,
        };
        let judged = position.with_rules(own_rules.unwrap_or(position.rules()));
        let Answer { decision, .. } = self.entrant.answer(&judged, self.limit)?;
        let play = decision.map_err(|failure| anyhow!("the opponent can't go on: {failure}"))?.play;
        let way = chain_text(&position, play).unwrap_or_else(|| play.to_string());
        writeln!(self.out, "{} plays {way}\n", colour(position.to_move()))?;
        self.make(play)
    }

    /// Reads a line and carries it out. Returns whether the game goes on.
    fn ask(&mut self) -> Result<bool> {
        write!(self.out, "{}> ", colour(self.player))?;
        self.out.flush()?;
        let mut line = Vec::new();
        if read_line(&mut stdin().lock(), &mut line).context("can't read standard input")? == 0 {
            writeln!(self.out)?;
            return Ok(false);
        }
        let line = String::from_utf8_lossy(&line);
        if !stdin().is_terminal() {
            // Echo the line, as a terminal would.
            writeln!(self.out, "{}", printable(line.trim_end()))?;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        if words == ["quit"] {
            return Ok(false);
        }
        // A player's mistake must not end the game, but a closed output does.
        if let Err(error) = self.obey(&words)? {
            writeln!(self.out, "{}", printable(&format!("{error:#}")))?;
        }
        Ok(true)
    }

    /// Carries out a command or a play. The inner error is the player's mistake.
    fn obey(&mut self, words: &[&str]) -> Result<Result<()>> {
        match words {
            [] => {}
            ["help"] => writeln!(self.out, "{HELP}")?,
            ["board"] => self.show()?,
            ["moves"] => self.list(None)?,
            ["moves", square] => match square.parse::<Square>() {
                Ok(square) => self.list(Some(square))?,
                Err(_) => return Ok(Err(anyhow!("'{square}': expected a square, such as 2,0"))),
            },
            ["hint"] => return self.hint(),
            ["back" | "undo"] => return self.take_back(),
            ["save"] => {
                return Ok(Err(anyhow!("save: expected the name of a new file, such as save game.txt")));
            }
            ["save", file] => match self.save(file) {
                Ok(()) => writeln!(self.out, "to continue later: {}", self.command(file))?,
                Err(error) => return Ok(Err(error)),
            },
            words => {
                let text = words.join(" ");
                let Ok(play) = text.parse::<Play>() else {
                    return Ok(Err(anyhow!(
                        "'{text}': expected a play, such as 2,0 4,2, or a command; 'help' lists them"
                    )));
                };
                if !self.position().is_legal(play) {
                    return Ok(Err(anyhow!("{}", why_not(self.position(), play.from, Some(play.to)))));
                }
                self.make(play)?;
            }
        }
        Ok(Ok(()))
    }

    /// Lists the legal plays, or those of the piece on `from`.
    fn list(&mut self, from: Option<Square>) -> Result<()> {
        let position = *self.position();
        let mut plays = in_reading_order(&position);
        plays.retain(|play| from.is_none_or(|from| play.from == from));
        match from.filter(|_| plays.is_empty()) {
            Some(from) => writeln!(self.out, "{}", why_not(&position, from, None))?,
            None => plays.iter().try_for_each(|play| writeln!(self.out, "{play}"))?,
        }
        Ok(())
    }

    fn hint(&mut self) -> Result<Result<()>> {
        let position = *self.position();
        // A new entrant gives the hint, so that the opponent's own state does not change.
        let answer =
            self.opponent.entrant(self.seed).and_then(|mut adviser| adviser.answer(&position, self.limit));
        match answer.map(|answer| answer.decision) {
            Ok(Ok(decision)) => {
                let play = decision.play;
                write!(self.out, "{}\n{play}\n", Diagram { position: &position, play: Some(play) })?;
                Ok(Ok(()))
            }
            Ok(Err(failure)) => Ok(Err(anyhow!("no hint: {failure}"))),
            Err(error) => Ok(Err(error)),
        }
    }

    /// Goes back to the position before the player's last play.
    fn take_back(&mut self) -> Result<Result<()>> {
        let made = self.positions.len() - 1;
        let Some(back) = self.positions[..made].iter().rposition(|before| before.to_move() == self.player)
        else {
            return Ok(Err(anyhow!("there is nothing to take back")));
        };
        self.positions.truncate(back + 1);
        self.last = None;
        // The opponent starts afresh, because it may remember the plays that were taken back.
        self.entrant = self.opponent.entrant(self.seed)?;
        self.show().map(Ok)
    }

    /// Writes the position to a new file.
    fn save(&self, file: &str) -> Result<()> {
        ensure!(
            !file.to_lowercase().ends_with(".pgn"),
            "{file}: only the position can be saved, as an input.txt, and not the game as PGN; use another name"
        );
        let input = input_text(self.position());
        let written = File::create_new(file).and_then(|mut new| new.write_all(input.as_bytes()));
        written.with_context(|| format!("can't write {file}"))
    }

    /// The command line that resumes play from the position in `file`.
    fn command(&self, file: &str) -> String {
        let (program, file) = (agents::program_name(), shell_words::quote(file));
        let (side, rules) = (colour(self.player).to_lowercase(), self.position().rules());
        format!("{program} play {file} --side {side} --rules {rules} {}", self.options)
    }
}
