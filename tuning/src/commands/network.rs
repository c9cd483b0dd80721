//! `lab network`: what is in a network.

use crate::network::{NetworkView, picture};
use anyhow::{Context, Result};
use halma::evaluation::network::Network;
use halma::homework::files::replace;
use std::io::{Write, stdout};
use std::path::PathBuf;

/// What messages call the network that comes with the engine.
const BUILT_IN: &str = "built-in";

/// Arguments of `lab network`.
#[derive(clap::Args)]
pub struct NetworkArgs {
    /// The network's file [default: the network that comes with the engine].
    file: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    /// Draw all weights too.
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
}

/// Prints what is in the network: where it comes from, its squares' weights, its opinion of the sample boards.
///
/// # Errors
/// The file is no network, or something can't be written.
pub fn run(args: &NetworkArgs) -> Result<()> {
    let name = args.file.as_ref().map_or_else(|| BUILT_IN.to_string(), |file| file.display().to_string());
    let network = match &args.file {
        Some(file) => Network::read(file).with_context(|| name.clone())?,
        None => Network::built_in().clone(),
    };
    let view = NetworkView::new(name.clone(), &network).with_context(|| name.clone())?;
    if let Some(file) = &args.svg {
        replace(file, picture(&name, &network)?.as_bytes())?;
    }
    let text = if args.json { serde_json::to_string_pretty(&view)? + "\n" } else { view.to_string() };
    stdout().write_all(text.as_bytes()).context("can't print what is in the network")
}
