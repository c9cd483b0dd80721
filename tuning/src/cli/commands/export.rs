//! `lab export`: the games of a run for other programs.

use crate::runs::check_output;
use crate::runs::files::{Replacement, make_folder};
use crate::show::export::{DECISIONS, GAMES, csv, pgn};
use anyhow::{Context, Result};
use std::io::{BufWriter, Write, stdout};
use std::path::{Path, PathBuf};

/// Arguments of `lab export`.
#[derive(clap::Args)]
pub struct ExportArgs {
    /// The folder of a run.
    run: PathBuf,
    /// For whom.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
    /// Of PGN the file to write, instead of standard output; of CSV the folder for games.csv and decisions.csv.
    #[arg(long, value_name = "PATH", required_if_eq("format", "csv"))]
    out: Option<PathBuf>,
}

/// What is written.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Format {
    /// The games, for Ordo, BayesElo and other programs that compute ratings.
    #[default]
    Pgn,
    /// Two tables, a row for each game and a row for each decision, for pandas, R and spreadsheets.
    Csv,
}

/// Runs the command.
pub fn run(args: &ExportArgs) -> Result<()> {
    match (args.format, &args.out) {
        (Format::Csv, out) => {
            let folder = out.as_deref().context("--format csv makes two files: --out DIR is needed")?;
            write_csv(&args.run, folder)
        }
        (Format::Pgn, Some(file)) => {
            check_output(file, &args.run)?;
            let mut games = Replacement::of(file)?;
            pgn(&args.run, &mut games)?;
            games.commit()
        }
        (Format::Pgn, None) => {
            let mut out = BufWriter::new(stdout().lock());
            pgn(&args.run, &mut out)?;
            out.flush().context("can't print the games")
        }
    }
}

/// Writes both tables into `folder`. Neither is replaced before both are complete.
fn write_csv(run: &Path, folder: &Path) -> Result<()> {
    make_folder(folder)?;
    let mut games = Replacement::of(&folder.join(GAMES))?;
    let mut decisions = Replacement::of(&folder.join(DECISIONS))?;
    csv(run, &mut games, &mut decisions)?;
    games.commit()?;
    decisions.commit()
}
