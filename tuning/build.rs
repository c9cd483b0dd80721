//! Passes the commit to the laboratory, which records it in the headers of runs.
//!
//! Only release builds record it, so that debug builds need not be rebuilt after each commit.

use std::path::Path;
use std::process::Command;

/// The sources of the program, relative to this package.
const SOURCES: [&str; 7] =
    ["src", "templates", "Cargo.toml", "build.rs", "../src", "../Cargo.toml", "../Cargo.lock"];

fn main() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    println!("cargo::rerun-if-changed=build.rs");
    let mut commit = "unknown (debug build)".to_string();
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        // The commit changes with the log of HEAD, and `+changes` with the sources.
        let log = git(package, &["rev-parse", "--git-path", "logs/HEAD"]).unwrap_or_default();
        let watched = SOURCES.iter().copied().chain([log.as_str()]);
        // For a missing file, Cargo would rerun this script every time.
        for path in watched.filter(|path| !path.is_empty() && package.join(path).exists()) {
            println!("cargo::rerun-if-changed={path}");
        }
        commit = commit_of(package);
    }
    println!("cargo::rustc-env=HALMA_COMMIT={commit}");
}

/// The commit of the sources of `package`, with `+changes` if they are modified; `unknown` outside a repository.
pub fn commit_of(package: &Path) -> String {
    let tracked = git(package, &["ls-files", "--error-unmatch", "Cargo.toml"]);
    let Some(commit) = tracked.and_then(|_| git(package, &["rev-parse", "--short=12", "HEAD"])) else {
        return "unknown".to_string();
    };
    let there = SOURCES.iter().filter(|path| package.join(path).exists());
    let status: Vec<&str> = ["status", "--porcelain", "--"].into_iter().chain(there.copied()).collect();
    let changed = git(package, &status).is_none_or(|changes| !changes.is_empty());
    format!("{commit}{}", if changed { "+changes" } else { "" })
}

/// The output of git in `folder`, if it succeeds.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).current_dir(folder).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}
