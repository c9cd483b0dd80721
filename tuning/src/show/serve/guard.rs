//! Refuses all requests but those of the server's own page.
//!
//! Any page on the web can make a browser send requests here. Three checks keep such requests out:
//!
//! - `Host` must be an address of this server. A foreign domain that points at 127.0.0.1 ("DNS rebinding") would make
//!   this server part of the foreign site; a numeric address can't be redirected.
//! - `Origin` and `Sec-Fetch-Site`, which browsers add to a page's requests, must be those of this page.
//! - A request's body must be JSON, which a form on a foreign page can't send.
//!
//! The headers of the answers forbid showing the page in a foreign frame and running any scripts but its own.

use super::refusal::Refusal;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, StatusCode, header};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// An address of the page of a server that listens on `address`. A server that listens on all addresses does not know
/// which of them others can reach.
fn example_address(address: SocketAddr) -> SocketAddr {
    let documented = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));
    SocketAddr::new(if address.ip().is_unspecified() { documented } else { address.ip() }, address.port())
}

/// Whether the page of a server that listens on `address` may be requested under `authority`, such as `127.0.0.1:8421`.
fn is_host(address: SocketAddr, authority: &str) -> bool {
    let host = match (authority.strip_suffix(&format!(":{}", address.port())), address.port()) {
        (Some(host), _) => host,
        (None, 80) => authority,
        (None, _) => return false,
    };
    let plain = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    match plain.parse::<IpAddr>() {
        // The machine may have other addresses than the one it listens on.
        Ok(named) => named.is_loopback() || !address.ip().is_loopback(),
        Err(_) => host.eq_ignore_ascii_case("localhost"),
    }
}

/// Refuses requests that do not come from the page of the server that listens on `address`.
pub(super) fn check(address: SocketAddr, request: &Parts) -> Result<(), Refusal> {
    let forbidden = |message: &str| Err(Refusal::new(StatusCode::FORBIDDEN, message));
    let header = |name| only(&request.headers, name);
    let Some(host) = header(header::HOST)? else { return forbidden("expected a Host header") };
    let requested = request.uri.authority().map_or(host, |authority| authority.as_str());
    if !is_host(address, host) || !is_host(address, requested) {
        return forbidden(&format!(
            "unknown Host header: expected a numeric address of this computer, such as http://{}/",
            example_address(address)
        ));
    }
    let origin = header(header::ORIGIN)?;
    if origin.is_some_and(|origin| origin.strip_prefix("http://") != Some(host)) {
        return forbidden("requests from other pages are refused");
    }
    let site = header(HeaderName::from_static("sec-fetch-site"))?;
    let is_page = matches!(request.method, Method::GET | Method::HEAD) && request.uri.path() == "/";
    if !is_page && !matches!(site, None | Some("same-origin" | "none")) {
        return forbidden("requests from other pages are refused");
    }
    let kind = header(header::CONTENT_TYPE)?.unwrap_or_default();
    let is_json = kind.split(';').next().is_some_and(|kind| kind.trim() == "application/json");
    if request.method == Method::POST && !is_json {
        return Err(Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the request's body must be application/json",
        ));
    }
    Ok(())
}

/// The value of the header `name`, if there is one. A second one is refused, because it could contradict the first.
fn only(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, Refusal> {
    let mut values = headers.get_all(&name).iter();
    match (values.next().map(HeaderValue::to_str), values.next()) {
        (None, _) => Ok(None),
        (Some(Ok(value)), None) => Ok(Some(value)),
        _ => Err(Refusal::new(StatusCode::FORBIDDEN, &format!("expected one {name} header, in ASCII"))),
    }
}

/// Adds the headers that restrict how browsers may use an answer.
pub(super) fn protect(headers: &mut HeaderMap) {
    let policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                  base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    let rules = [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    headers.extend(rules.map(|(name, value)| (name, HeaderValue::from_static(value))));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_names_that_others_could_own_are_refused() {
        let at = |address: &str| address.parse::<SocketAddr>().expect("an address");
        let here = at("127.0.0.1:8421");
        for host in ["127.0.0.1:8421", "localhost:8421", "LOCALHOST:8421", "[::1]:8421"] {
            assert!(is_host(here, host), "{host}");
        }
        for host in
            ["127.0.0.1", "127.0.0.1:80", "evil.example:8421", "127.0.0.1.nip.io:8421", "10.0.0.1:8421"]
        {
            assert!(!is_host(here, host), "{host}");
        }
        assert!(is_host(at("127.0.0.1:80"), "localhost"));
        let everywhere = at("0.0.0.0:8421");
        assert!(is_host(everywhere, "10.0.0.1:8421") && !is_host(everywhere, "evil.example:8421"));
        assert_eq!(
            [here, everywhere].map(|address| example_address(address).to_string()),
            ["127.0.0.1:8421", "192.0.2.7:8421"]
        );
    }
}
