//! Requests that are not answered.

use hyper::StatusCode;

/// Why a request is not answered.
#[derive(Debug)]
pub(super) struct Refusal {
    /// The status of the answer.
    pub status: StatusCode,
    /// What is wrong, for people.
    pub message: String,
}

impl Refusal {
    /// A refusal with this status, and why.
    pub fn new(status: StatusCode, message: &str) -> Refusal {
        Refusal { status, message: message.to_string() }
    }
}

/// What is wrong with what was asked.
impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, &format!("{error:#}"))
    }
}
