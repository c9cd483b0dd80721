//! `lab serve`: a page in the browser, to play, to analyse and to look into runs.

use crate::show::serve::{Hosts, Options, Runs, serve};
use anyhow::{Context, Result};
use halma::support::memory;
use std::io::{Write, stdout};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::thread;

/// MiB of memory for a search, if there is plenty.
const USUAL_MEMORY: usize = 256;
/// The least that a search is given, in MiB.
const LEAST_MEMORY: usize = 16;

/// Arguments of `lab serve`.
#[derive(clap::Args)]
pub struct ServeArgs {
    /// Runs to look into: folders with runs in them, or logs of 'lab referee'.
    runs: Vec<PathBuf>,
    /// The port; 0 is any that is free.
    #[arg(long, value_name = "N", default_value_t = 8421)]
    port: u16,
    /// The address to listen on. By any but 127.0.0.1, others can use this computer, too.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// So many searches may be under way at a time [default: one for each core, and at least 2].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    searches: Option<u16>,
    /// Memory for each search, in MiB [default: 256, or less if there is little].
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=65536))]
    memory: Option<u32>,
}

/// Says where the page is, and serves it until the program is stopped.
pub fn run(args: &ServeArgs) -> Result<()> {
    let runs = Runs::of(&args.runs)?;
    let wanted = SocketAddr::new(args.host, args.port);
    let listener = TcpListener::bind(wanted)
        .with_context(|| format!("can't listen on {wanted}; '--port 0' takes any port that is free"))?;
    let address = listener.local_addr().context("can't use the port")?;
    if !address.ip().is_loopback() {
        super::output::print_note(format_args!(
            "warning: whoever reaches {address} can make this computer search, and see these runs"
        ));
    }
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let searches = args.searches.map_or(cores.max(2), usize::from);
    let memory = args.memory.map_or_else(|| usual_memory(searches), |mebibytes| mebibytes as usize) << 20;
    writeln!(stdout(), "http://{address}/").and_then(|()| stdout().flush()).context("can't print")?;
    serve(listener, Options { hosts: Hosts::of(address), runs, searches, memory })
}

/// MiB for each of so many searches: together they leave half of the memory that is left.
fn usual_memory(searches: usize) -> usize {
    let share = memory::left().map_or(USUAL_MEMORY, |left| (left >> 20) / 2 / searches);
    share.clamp(LEAST_MEMORY, USUAL_MEMORY)
}
