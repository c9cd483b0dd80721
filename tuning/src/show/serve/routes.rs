//! Finds the handler of a request and writes its answer.

use super::game_text::GameRequest;
use super::position::PositionRequest;
use super::refusal::Refusal;
use super::ruling::{Ruling, WhyRequest};
use super::{Site, assets, guard, levels};
use crate::figures::drawing;
use crate::play::agents;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;

/// The maximum length of a request's body, in bytes: enough for a game of thousands of plies.
const MAX_BODY: usize = 256 * 1024;

/// The content of an answer.
struct Content {
    /// Its MIME type.
    kind: &'static str,
    bytes: Bytes,
}

impl Content {
    fn json(value: &impl Serialize) -> Result<Content, Refusal> {
        let bytes = serde_json::to_vec(value).map_err(anyhow::Error::from)?;
        Ok(Content { kind: "application/json", bytes: bytes.into() })
    }
}

/// Answers a request, possibly with a refusal.
pub(super) async fn answer(site: &Arc<Site>, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let (status, Content { kind, bytes }) = match content(site, request).await {
        Ok(content) => (StatusCode::OK, content),
        Err(Refusal { status, message }) => {
            let bytes = serde_json::to_vec(&json!({ "error": message })).unwrap_or_default();
            (status, Content { kind: "application/json", bytes: bytes.into() })
        }
    };
    let mut response = Response::new(Full::new(bytes));
    *response.status_mut() = status;
    guard::protect(response.headers_mut());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

async fn content(site: &Arc<Site>, request: Request<Incoming>) -> Result<Content, Refusal> {
    let (mut head, body) = request.into_parts();
    guard::check(site.address, &head)?;
    if head.method == Method::HEAD {
        // Answered like GET: the connection then sends only the head of the answer.
        head.method = Method::GET;
    }
    let too_long = || Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "the request is cut short or too long");
    if body.size_hint().lower() > MAX_BODY as u64 {
        return Err(too_long());
    }
    let body = Limited::new(body, MAX_BODY).collect().await.map_err(|_| too_long())?.to_bytes();
    let path: Vec<&str> = head.uri.path().split('/').skip(1).collect();
    match (&head.method, &path[..]) {
        (&Method::GET, [""]) => {
            Ok(Content { kind: "text/html; charset=utf-8", bytes: site.page.clone().into() })
        }
        (&Method::GET, ["page", name]) => {
            let file = assets::file(name).ok_or_else(not_found)?;
            Ok(Content { kind: file.kind, bytes: Bytes::from_static(file.text.as_bytes()) })
        }
        (_, ["api", ..]) => Content::json(&api(site, &head, &path[1..], &body).await?),
        (&Method::GET, _) => Err(not_found()),
        _ => Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed")),
    }
}

fn not_found() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "not found")
}

/// The answer to a request of the page's scripts.
async fn api(site: &Arc<Site>, head: &Parts, path: &[&str], body: &Bytes) -> Result<Value, Refusal> {
    match (&head.method, path) {
        (&Method::GET, ["about"]) => value(&about(site)),
        (&Method::POST, ["position"]) => value(&Ruling::of(&read::<PositionRequest>(body)?.replay()?)),
        (&Method::POST, ["why"]) => value(&read::<WhyRequest>(body)?.answer()?),
        (&Method::POST, ["game"]) => value(&read::<GameRequest>(body)?.read()?),
        (&Method::POST, ["searches"]) => site.searches.start(read(body)?).await,
        (&Method::GET, ["searches", name]) => site.searches.news(name, seen(head)).await,
        (&Method::DELETE, ["searches", name]) => {
            site.searches.stop(name);
            Ok(json!({}))
        }
        (&Method::GET, ["runs", place @ ..]) => {
            let numbers: Option<Vec<usize>> = place.iter().map(|text| text.parse().ok()).collect();
            site.runs.read(&numbers.ok_or_else(not_found)?).await?.ok_or_else(not_found)
        }
        _ => Err(not_found()),
    }
}

/// The data that the page needs at its start.
fn about(site: &Site) -> Value {
    let agents: Vec<_> = agents::registry().agents();
    let agents: Vec<_> =
        agents.iter().map(|kind| json!({ "name": kind.name, "about": kind.about })).collect();
    json!({ "levels": levels::LEVELS, "agents": agents, "camps": drawing::camps(),
        "program": agents::program_name(), "runs": site.runs.names(), "version": env!("CARGO_PKG_VERSION") })
}

fn value(value: &impl Serialize) -> Result<Value, Refusal> {
    Ok(serde_json::to_value(value).map_err(anyhow::Error::from)?)
}

/// Reads a request's body.
fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, Refusal> {
    let wrong =
        |error: serde_json::Error| Refusal::new(StatusCode::BAD_REQUEST, &format!("the request: {error}"));
    serde_json::from_slice(body).map_err(wrong)
}

/// The version of a search that the page has seen: `?seen=7`.
fn seen(head: &Parts) -> u64 {
    let query = head.uri.query().unwrap_or_default();
    query.strip_prefix("seen=").and_then(|number| number.parse().ok()).unwrap_or(0)
}
