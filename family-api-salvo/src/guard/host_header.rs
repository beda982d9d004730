//! Checks the `Host` header.

use salvo::http::header::HOST;
use salvo::http::uri::Authority;
use salvo::http::{HeaderValue, Version};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::HttpError;

/// Answers 400 if an HTTP/1.1 request has no `Host` header (RFC 9112, section 3.2). Any request with two `Host` headers
/// or with an invalid one gets 400 too.
///
/// Add it to the whole server with `Service::hoop`, after [`RequestIdGuard`](crate::RequestIdGuard).
#[derive(Debug, Clone, Copy, Default)]
pub struct HostHeader;

#[async_trait]
impl Handler for HostHeader {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        match host_error(req) {
            None => {
                ctrl.call_next(req, depot, res).await;
            }
            Some(reason) => {
                res.render(HttpError::InvalidRequest(reason));
                ctrl.skip_rest();
            }
        }
    }
}

/// Returns why the `Host` header is refused, or `None` if it is accepted.
fn host_error(req: &Request) -> Option<&'static str> {
    let mut hosts = req.headers().get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        // HTTP/1.0 does not require the header, and HTTP/2 sends the host in `:authority`.
        (None, _) => (req.version() == Version::HTTP_11).then_some("the `Host` header is missing"),
        (Some(_), Some(_)) => Some("the `Host` header occurs more than once"),
        (Some(host), None) => (!is_host(host)).then_some("the `Host` header is not a valid host"),
    }
}

/// Returns whether a value is a host name or address with an optional port.
pub(crate) fn is_host(value: &HeaderValue) -> bool {
    let Some(authority) = value.to_str().ok().and_then(|text| text.parse::<Authority>().ok()) else {
        return false;
    };
    // A value with user information before the host, such as `user@host`, is refused here.
    let Some(after_host) = authority.as_str().strip_prefix(authority.host()) else {
        return false;
    };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    !authority.host().is_empty() && (after_host.is_empty() || after_host.strip_prefix(':').is_some_and(is_port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_is_a_name_or_address_with_an_optional_port() {
        for host in ["family.example", "localhost:8080", "127.0.0.1", "[::1]:8080", "[::1]", "family.example:"] {
            assert!(is_host(&HeaderValue::from_static(host)), "{host}");
        }
        for host in
            ["", " ", ":80", "a b", "a, b", "user@a", "a:b", "a:80:80", "a/b", "http://a", "a?b", "[::1", "a\u{7f}"]
        {
            assert!(!HeaderValue::from_bytes(host.as_bytes()).is_ok_and(|host| is_host(&host)), "{host}");
        }
    }
}
