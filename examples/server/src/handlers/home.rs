//! `GET /`: the page that explains how to connect an assistant, with links to the documentation.

use family_api_salvo::Origin;
use salvo::http::HeaderValue;
use salvo::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, X_CONTENT_TYPE_OPTIONS};
use salvo::writing::Text;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

const PAGE: &str = include_str!("home.html");

/// The header in which a proxy sends the scheme of the client's request.
const FORWARDED_PROTO: &str = "x-forwarded-proto";

/// The placeholder of the server's URL in the page.
const ORIGIN: &str = "{origin}";

/// The URL in the page if a request names no host, as HTTP/1.0 permits.
const UNKNOWN_ORIGIN: &str = "http://localhost";

/// Allows the style in the page, and nothing else.
const CSP: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; \
                   form-action 'none'";

/// Sends the page with the URL of the server filled in.
pub(crate) struct Home {
    /// The URL from the options. If it is `None`, the page contains the host of the request.
    pub(crate) public_url: Option<Origin>,
}

impl Home {
    fn origin(&self, req: &Request) -> String {
        let requested = || {
            let host = req.headers().get(HOST)?.to_str().ok()?;
            format!("{}://{host}", scheme(req)).parse().ok()
        };
        let origin = self.public_url.clone().or_else(requested);
        origin.map_or_else(|| UNKNOWN_ORIGIN.to_owned(), |origin| escape_html(&origin.to_string()))
    }
}

#[async_trait]
impl Handler for Home {
    async fn handle(&self, req: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        res.render(Text::Html(PAGE.replace(ORIGIN, &self.origin(req))));
        let headers = res.headers_mut();
        // The page depends on the headers of the request.
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(CSP));
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    }
}

/// Returns the scheme that the client used. A proxy that terminates TLS names it in a header.
fn scheme(req: &Request) -> &'static str {
    let is_https = req.headers().get(FORWARDED_PROTO).is_some_and(|scheme| scheme == "https");
    if is_https || req.scheme().as_str() == "https" { "https" } else { "http" }
}

/// Escapes text for HTML. A host name can contain `&` and `'` (RFC 3986, section 3.2.2).
fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;").replace('\'', "&#39;")
}
