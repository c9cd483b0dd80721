//! `lab export`: the games of a run in other formats.

use crate::runs::check_output;
use crate::runs::files::{Replacement, make_folder};
use crate::show::export::{DECISIONS, GAMES, csv, pgn};
use anyhow::{Context, Result};
use std::io::{BufWriter, Write, stdout};
use std::path::{Path, PathBuf};

/// Arguments of `lab export`.
#[derive(clap::Args)]
pub struct ExportArgs {
    /// Folder of the run
    run: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
    /// File for PGN [default: standard output], or folder for games.csv and decisions.csv
    #[arg(long, value_name = "PATH", required_if_eq("format", "csv"))]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Format {
    /// Games as PGN, for rating programs such as Ordo and BayesElo
    #[default]
    Pgn,
    /// Two tables, of games and of decisions, for pandas, R and spreadsheets
    Csv,
}

/// Writes the games.
pub fn run(args: &ExportArgs) -> Result<()> {
    match (args.format, &args.out) {
        (Format::Csv, out) => {
            let folder = out.as_deref().context("--format csv writes two files; name a folder with --out")?;
            write_csv(&args.run, folder)
        }
        (Format::Pgn, Some(file)) => {
            check_output(file, [&args.run])?;
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

/// Writes both tables to `folder`. Existing tables are replaced only once both are complete.
fn write_csv(run: &Path, folder: &Path) -> Result<()> {
    let [games, decisions] = [GAMES, DECISIONS].map(|name| folder.join(name));
    [&games, &decisions].into_iter().try_for_each(|table| check_output(table, [run]))?;
    make_folder(folder)?;
    let [mut games, mut decisions] = [Replacement::of(&games)?, Replacement::of(&decisions)?];
    csv(run, &mut games, &mut decisions)?;
    games.commit()?;
    decisions.commit()
}
