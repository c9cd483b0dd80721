//! The origin of a run's results: build, time, machine and command line.

use humantime::format_rfc3339_seconds;
use serde::{Deserialize, Serialize};
use std::fs;
use std::time::SystemTime;

/// A process that played games of a run. Continuing with the same build on the same machine adds no session, unless the
/// run is extended or `--scale-time` measures another speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// The number of games played before this session.
    pub games_before: u64,
    /// The command line.
    pub command: String,
    /// When it began, in UTC: `2026-11-23T05:18:01Z`.
    pub began: String,
    /// The program.
    #[serde(flatten)]
    pub build: Build,
    /// The machine.
    #[serde(flatten)]
    pub machine: Host,
    /// The load average of the last minute.
    pub load: Option<f64>,
    /// How its limits in seconds differ from those of the run: see [`TimeScale`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_scale: Option<TimeScale>,
}

/// Limits in seconds, adapted to the speed of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeScale {
    /// The speed of this machine in iterations per second.
    pub speed: f64,
    /// The factor that limits are multiplied by: the reference's speed divided by this machine's.
    pub factor: f64,
}

impl TimeScale {
    /// The factor with two significant digits: `× 0.97`.
    pub fn factor_text(self) -> String {
        let digits = 1.0 - self.factor.log10().floor();
        format!("× {:.*}", digits.max(0.0) as usize, self.factor)
    }
}

/// The sources that a program was built from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// The laboratory's version.
    pub version: String,
    /// The commit, with `+changes` if the sources were modified; `unknown` if they were built without git.
    pub commit: String,
}

/// The properties of a machine that determine its speed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Its name.
    pub host: String,
    /// The model of its processor.
    pub cpu: String,
    /// The number of threads that the process could run at once.
    pub cores: u64,
}

impl Session {
    /// The session of this process.
    pub fn here() -> Session {
        let arguments: Vec<String> =
            std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
        Session {
            games_before: 0,
            command: shell_words::join(arguments),
            began: format_rfc3339_seconds(SystemTime::now()).to_string(),
            build: Build {
                version: env!("CARGO_PKG_VERSION").to_string(),
                commit: env!("HALMA_COMMIT").to_string(),
            },
            machine: Host {
                host: read("/proc/sys/kernel/hostname").unwrap_or_else(unknown),
                cpu: read("/proc/cpuinfo").as_deref().and_then(cpu_model).unwrap_or_else(unknown),
                cores,
            },
            load: load(),
            time_scale: None,
        }
    }

    /// Whether both ran the same build on the same machine, with the same limits.
    pub(super) fn has_origin_of(&self, other: &Session) -> bool {
        (&self.build, &self.machine, self.time_scale) == (&other.build, &other.machine, other.time_scale)
    }
}

/// The load average of the last minute.
pub(super) fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

fn unknown() -> String {
    "unknown".to_string()
}

/// The trimmed text of a file, unless it is empty or unreadable.
fn read(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?.trim().to_string();
    (!text.is_empty()).then_some(text)
}

/// The model in `/proc/cpuinfo`, which some architectures omit.
fn cpu_model(cpuinfo: &str) -> Option<String> {
    let (_, model) = cpuinfo.lines().find(|line| line.starts_with("model name"))?.split_once(':')?;
    Some(model.trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_model_is_read_if_present() {
        let file = "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Some CPU @ 2.1 GHz\nprocessor\t: 1\n";
        assert_eq!(cpu_model(file).as_deref(), Some("Some CPU @ 2.1 GHz"));
        assert_eq!(cpu_model("processor\t: 0\nBogoMIPS\t: 50\n"), None);
    }
}
