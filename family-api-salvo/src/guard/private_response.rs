//! Keeps private responses out of shared caches.

use salvo::http::header::{CACHE_CONTROL, VARY, X_CONTENT_TYPE_OPTIONS};
use salvo::http::{HeaderName, HeaderValue};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

/// Marks every response, including errors, as private to one user.
///
/// Sets `Cache-Control: private, no-cache`, `X-Content-Type-Options: nosniff`, and `Vary` with the header that
/// identifies the user.
#[derive(Debug, Clone)]
pub struct PrivateResponse {
    vary: HeaderValue,
}

impl PrivateResponse {
    /// Creates the middleware. `Vary` gets this header, which identifies the user.
    #[must_use]
    pub fn vary(header: &HeaderName) -> Self {
        let name = HeaderValue::try_from(title_case(header.as_str()));
        Self { vary: name.unwrap_or_else(|_| header.clone().into()) }
    }

    /// Sets `Cache-Control: no-store` on a response that contains a secret. Then not even the user's browser caches it.
    pub fn no_store(res: &mut Response) {
        res.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

#[async_trait]
impl Handler for PrivateResponse {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let headers = res.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.append(VARY, self.vary.clone());
        ctrl.call_next(req, depot, res).await;
    }
}

/// Returns a header name with upper-case initials: `x-request-id` becomes `X-Request-Id`.
fn title_case(name: &str) -> String {
    let mut starts_word = true;
    let chars = name.chars().map(|char| {
        let cased = if starts_word { char.to_ascii_uppercase() } else { char };
        starts_word = char == '-';
        cased
    });
    chars.collect()
}
