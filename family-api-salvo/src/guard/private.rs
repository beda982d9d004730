//! Keeps answers out of shared caches.

use salvo::http::header::{CACHE_CONTROL, VARY, X_CONTENT_TYPE_OPTIONS};
use salvo::http::{HeaderName, HeaderValue};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

/// Marks every answer behind it as one user's own, errors included: `Cache-Control: private, no-cache`, and a `Vary` on
/// the header that says who asks.
#[derive(Debug, Clone)]
pub struct Private {
    vary: HeaderValue,
}

impl Private {
    /// Answers depend on this request header.
    #[must_use]
    pub fn vary(header: &HeaderName) -> Self {
        let spelled = HeaderValue::try_from(as_documented(header.as_str()));
        Self { vary: spelled.unwrap_or_else(|_| header.clone().into()) }
    }

    /// Marks an answer that holds a secret: no cache may keep it, the user's own neither.
    pub fn no_store(res: &mut Response) {
        res.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

#[async_trait]
impl Handler for Private {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let headers = res.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.append(VARY, self.vary.clone());
        ctrl.call_next(req, depot, res).await;
    }
}

/// A header's name as people write it: `X-Request-Id`.
fn as_documented(name: &str) -> String {
    let mut begins = true;
    let letters = name.chars().map(|letter| {
        let written = if begins { letter.to_ascii_uppercase() } else { letter };
        begins = letter == '-';
        written
    });
    letters.collect()
}
