//! `GET /robots.txt`: what crawlers may read (RFC 9309).

use salvo::http::header::CONTENT_TYPE;
use salvo::http::{HeaderValue, ResBody, StatusCode};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

/// Permits everything. Google Calendar can ask this file before it reads a calendar feed. And a search engine must read an
/// answer to learn that it must not list it.
const TEXT: &str = "User-agent: *\nDisallow:\n";

/// Returns the file.
pub(crate) struct Robots;

#[async_trait]
impl Handler for Robots {
    async fn handle(&self, _: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        res.status_code(StatusCode::OK);
        res.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        res.replace_body(ResBody::Once(TEXT.into()));
    }
}
