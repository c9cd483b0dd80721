//! Where results come from: which build played, when, on which machine, and what it was told.

use serde::{Deserialize, Serialize};
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

/// A start of the program that played games of a run. One that goes on with the same build on the same machine is
/// none of its own, unless it extends the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// How many lines of the games' file were written before.
    pub games_before: u64,
    /// The command line.
    pub command: String,
    /// When it began, in UTC: `2026-11-23T05:18:01Z`; nothing if the clock is not set.
    pub began: String,
    /// The program.
    #[serde(flatten)]
    pub build: Build,
    /// The machine.
    #[serde(flatten)]
    pub machine: Host,
    /// How many processes were running or waiting to run there, on average of the last minute.
    pub load: Option<f64>,
}

/// What a program was built from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// The laboratory's version.
    pub version: String,
    /// The commit, with `+changes` if the sources were not quite those; `unknown` if they came without git.
    pub commit: String,
}

/// A machine, as far as speed depends on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Its name.
    pub host: String,
    /// The model of its processor.
    pub cpu: String,
    /// How many threads can run there at the same time.
    pub cores: u64,
}

impl Session {
    /// That of this process.
    pub fn here() -> Session {
        let arguments: Vec<String> =
            std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
        let load = fs::read_to_string("/proc/loadavg").ok();
        Session {
            games_before: 0,
            command: shell_words::join(arguments),
            began: now(),
            build: Build {
                version: env!("CARGO_PKG_VERSION").to_string(),
                commit: env!("HALMA_COMMIT").to_string(),
            },
            machine: Host {
                host: read("/proc/sys/kernel/hostname").unwrap_or_else(unknown),
                cpu: read("/proc/cpuinfo").as_deref().and_then(cpu_model).unwrap_or_else(unknown),
                cores,
            },
            load: load.and_then(|load| load.split(' ').next()?.parse().ok()),
        }
    }

    /// Whether it is the same program on the same machine.
    pub(super) fn has_origin_of(&self, other: &Session) -> bool {
        (&self.build, &self.machine) == (&other.build, &other.machine)
    }
}

fn unknown() -> String {
    "unknown".to_string()
}

/// The text of a file, if it has any.
fn read(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?.trim().to_string();
    (!text.is_empty()).then_some(text)
}

/// The model that `/proc/cpuinfo` names; not every architecture's does.
fn cpu_model(cpuinfo: &str) -> Option<String> {
    let (_, model) = cpuinfo.lines().find(|line| line.starts_with("model name"))?.split_once(':')?;
    Some(model.trim().to_string())
}

/// The present second in UTC; nothing if the clock is not set.
fn now() -> String {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(String::new(), |time| time_of(time.as_secs()))
}

/// The time that is `seconds` after 1970 began.
fn time_of(seconds: u64) -> String {
    let (date, seconds) = (date_of((seconds / 86_400) as i64), seconds % 86_400);
    format!("{date}T{:02}:{:02}:{:02}Z", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

/// The date that is `days` after 1970-01-01, by H. Hinnant's `civil_from_days`: years begin in March there, so
/// that the leap day is a year's last.
fn date_of(days: i64) -> String {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * era + year_of_era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (days, date) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (19_722, "2023-12-31"),
            (20_780, "2026-11-23"),
        ] {
            assert_eq!(date_of(days), date);
        }
    }

    #[test]
    fn times_are_those_of_the_day() {
        assert_eq!(time_of(0), "1970-01-01T00:00:00Z");
        assert_eq!(time_of(86_400 * 20_780 + 5 * 3_600 + 18 * 60 + 1), "2026-11-23T05:18:01Z");
        assert_eq!(time_of(86_399), "1970-01-01T23:59:59Z");
    }

    #[test]
    fn the_processor_is_named_where_its_file_does() {
        let file = "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Some CPU @ 2.1 GHz\nprocessor\t: 1\n";
        assert_eq!(cpu_model(file).as_deref(), Some("Some CPU @ 2.1 GHz"));
        assert_eq!(cpu_model("processor\t: 0\nBogoMIPS\t: 50\n"), None);
    }
}
