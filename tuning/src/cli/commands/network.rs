//! `lab network`: describes a network.

use crate::learn::network::{NetworkView, picture};
use crate::runs::check_output;
use anyhow::{Context, Result, ensure};
use halma::network::{BUILT_IN, Network, NetworkFile, NetworkKind, read_bytes};
use halma::support::files::replace;
use serde::Serialize;
use std::fmt::Display;
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Arguments of `lab network`.
#[derive(clap::Args)]
pub struct NetworkArgs {
    /// File of the network [default: the built-in network of evaluation=network]
    #[arg(conflicts_with = "prior")]
    file: Option<PathBuf>,
    /// Describe the built-in network of prior=network
    #[arg(long)]
    prior: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Also draw the weights of each hidden unit (evaluation networks only)
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
}

/// Prints the network's origin, the weights of its squares, and its values on the sample boards.
pub fn run(args: &NetworkArgs) -> Result<()> {
    let name = args.file.as_ref().map_or_else(|| BUILT_IN.to_string(), |file| file.display().to_string());
    if let Some(svg) = &args.svg {
        check_output(svg, &args.file)?;
    }
    let bytes = args.file.as_ref().map(|file| read_bytes(file).with_context(|| name.clone())).transpose()?;
    let is_policy = bytes.as_ref().is_some_and(|bytes| NetworkKind::of(bytes) == Some(NetworkKind::Policy));
    if args.prior || is_policy {
        ensure!(args.svg.is_none(), "{name}: --svg draws evaluation networks only");
        let file = read(bytes.as_deref()).with_context(|| name.clone())?;
        return print(&NetworkView::of_policy(name.clone(), file).with_context(|| name)?, args.json);
    }
    let file = read(bytes.as_deref()).with_context(|| name.clone())?;
    if let Some(svg) = &args.svg {
        replace(svg, picture(&name, &file.network)?.as_bytes())?;
    }
    print(&NetworkView::of_value(name.clone(), file).with_context(|| name)?, args.json)
}

/// The network in a file with these bytes, by default the built-in one.
fn read<N: Network>(bytes: Option<&[u8]>) -> Result<NetworkFile<N>> {
    bytes.map_or_else(|| Ok(NetworkFile::built_in()), |bytes| Ok(NetworkFile::from_bytes(bytes)?))
}

fn print(view: &(impl Serialize + Display), json: bool) -> Result<()> {
    let text = if json { serde_json::to_string_pretty(view)? + "\n" } else { view.to_string() };
    stdout().write_all(text.as_bytes()).context("can't print the description")
}
