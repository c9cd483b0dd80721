//! Errors in settings, which have different names on a command line and in a file.

use crate::play::time_control::TimeControls;
use std::fmt;

/// A setting with an invalid value. The message names the option of the command: `--max-plies 5: …`.
#[derive(Debug)]
pub struct SettingError {
    /// The name of the option, without the dashes.
    option: &'static str,
    value: String,
    message: String,
}

impl SettingError {
    pub(crate) fn new(
        option: &'static str,
        value: impl fmt::Display,
        message: impl fmt::Display,
    ) -> SettingError {
        SettingError { option, value: value.to_string(), message: message.to_string() }
    }

    /// An error in the limits of a match.
    pub(super) fn of_limit(limit: TimeControls, message: impl fmt::Display) -> SettingError {
        let name = limit.name();
        let (_, amount) = name.split_once('=').unwrap_or_default();
        SettingError::new(limit.each()[0].kind(), amount, message)
    }

    /// The text of `error` with its causes, in which settings are named as in a file and in Python: `max_plies=5: …`.
    pub fn with_keys(error: &anyhow::Error) -> String {
        let one = |cause: &(dyn std::error::Error + 'static)| match cause.downcast_ref() {
            Some(SettingError { option, value, message }) => {
                format!("{}={value}: {message}", option.replace('-', "_"))
            }
            None => cause.to_string(),
        };
        error.chain().map(one).collect::<Vec<String>>().join(": ")
    }
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--{} {}: {}", self.option, self.value, self.message)
    }
}

impl std::error::Error for SettingError {}
