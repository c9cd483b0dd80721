//! `lab serve`: a web page to play, analyse and browse runs.

use crate::show::serve::{Runs, serve};
use anyhow::{Context, Result};
use halma::support::memory;
use std::io::{self, Write, stdout};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::thread;

/// The default memory per search, in MiB.
const DEFAULT_MEMORY: usize = 256;
/// The minimum memory per search, in MiB.
const MIN_MEMORY: usize = 16;

/// Arguments of `lab serve`.
#[derive(clap::Args)]
pub struct ServeArgs {
    /// Runs to browse: folders with runs below them, or logs of 'lab referee'
    runs: Vec<PathBuf>,
    /// Port; 0 picks a free one
    #[arg(long, value_name = "N", default_value_t = 8421)]
    port: u16,
    /// Address to listen on; any but a loopback address, such as 127.0.0.1, lets others use this computer
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Maximum number of simultaneous searches [default: one per core, at least 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    searches: Option<u16>,
    /// MiB of memory per search [default: 256, or less if memory is short]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=65536))]
    memory: Option<u32>,
}

/// Prints the address of the page and serves it until the program is stopped.
pub fn run(args: &ServeArgs) -> Result<()> {
    let runs = Runs::of(&args.runs)?;
    let wanted = SocketAddr::new(args.host, args.port);
    let listener = TcpListener::bind(wanted).map_err(|error| {
        let advice = advice(&error, wanted);
        anyhow::Error::from(error).context(format!("can't listen on {wanted}{advice}"))
    })?;
    let address = listener.local_addr().context("can't use the port")?;
    if !address.ip().is_loopback() {
        super::output::print_note(format_args!(
            "warning: anyone who can reach {address} can run searches on this computer and see these runs"
        ));
    }
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let searches = args.searches.map_or(cores.max(2), usize::from);
    let memory = args.memory.map_or_else(|| default_memory(searches), |mebibytes| mebibytes as usize) << 20;
    writeln!(stdout(), "http://{address}/").and_then(|()| stdout().flush()).context("can't print")?;
    serve(listener, runs, searches, memory)
}

/// Advice for the message when listening on `wanted` fails with `error`; may be empty.
fn advice(error: &io::Error, wanted: SocketAddr) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => "; '--port 0' picks a free port".to_string(),
        io::ErrorKind::AddrNotAvailable => format!(
            "; {} is not an address of this computer, and '--host 0.0.0.0' listens on all of them",
            wanted.ip()
        ),
        io::ErrorKind::PermissionDenied => {
            "; ports below 1024 are reserved, and '--port 0' picks a free one".to_string()
        }
        _ => String::new(),
    }
}

/// The memory per search in MiB: all searches together use at most half of the free memory, or the minimum each.
fn default_memory(searches: usize) -> usize {
    let share = memory::left().map_or(DEFAULT_MEMORY, |left| (left >> 20) / 2 / searches);
    share.clamp(MIN_MEMORY, DEFAULT_MEMORY)
}
