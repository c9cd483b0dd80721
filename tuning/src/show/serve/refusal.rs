//! Requests that are refused.

use hyper::StatusCode;

/// The answer to a request that is refused.
#[derive(Debug)]
pub(super) struct Refusal {
    pub status: StatusCode,
    /// The reason, as shown to the user.
    pub message: String,
}

impl Refusal {
    pub fn new(status: StatusCode, message: &str) -> Refusal {
        Refusal { status, message: message.to_string() }
    }
}

/// An error in the request itself.
impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, &format!("{error:#}"))
    }
}
