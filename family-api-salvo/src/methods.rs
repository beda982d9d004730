//! Routes the methods of a path to handlers.

use family_api_core::Error;
use salvo::handler::ArcHandler;
use salvo::http::Method;
use salvo::routing::filters::MethodFilter;
use salvo::{Depot, FlowCtrl, Request, Response};
use salvo::{Handler, Router, async_trait};

use crate::HttpError;
use crate::guard::RawPathFilter;

/// Routes the methods of a path to handlers. `HEAD` is handled like `GET`. Other methods get 405 with `Allow`.
///
/// ```
/// use family_api_salvo::Methods;
/// use salvo::prelude::*;
///
/// #[handler]
/// async fn healthz() -> Json<&'static str> {
///     Json("ok")
/// }
///
/// let router = Router::new().push(Methods::new().get(healthz).at("healthz"));
/// ```
#[derive(Debug, Default)]
pub struct Methods(Vec<(Method, ArcHandler)>);

impl Methods {
    /// Creates an empty list of methods.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Handles `GET` and `HEAD`.
    #[must_use]
    pub fn get(self, handler: impl Handler) -> Self {
        self.on(Method::GET, handler.arc())
    }

    /// Handles `POST`.
    #[must_use]
    pub fn post(self, handler: impl Handler) -> Self {
        self.on(Method::POST, handler.arc())
    }

    /// Handles a method. `GET` also adds `HEAD`.
    #[must_use]
    pub(crate) fn on(mut self, method: Method, handler: ArcHandler) -> Self {
        let head = (method == Method::GET).then(|| (Method::HEAD, handler.clone()));
        self.0.push((method, handler));
        self.0.extend(head);
        self
    }

    /// Builds the router of a path. An empty path means the path of the parent router.
    ///
    /// A path with empty segments, a trailing slash, or percent-encoding outside a `{parameter}` does not match. For a
    /// path with a wildcard, these rules are not checked.
    #[must_use]
    pub fn at(self, path: &str) -> Router {
        self.at_filtered(path, RawPathFilter::of_host(path))
    }

    /// Builds the router of a path with a filter for the raw path. The template of the filter can include the path of
    /// the parent router.
    pub(crate) fn at_filtered(self, path: &str, filter: RawPathFilter) -> Router {
        let method_not_allowed = MethodNotAllowed { allow: self.allow() };
        // The path filter comes first, so the custom filter does not run for other paths. After a custom filter, salvo
        // probes each method separately when it collects the allowed methods of a path.
        let router = filter.add_to(if path.is_empty() { Router::new() } else { Router::with_path(path) });
        self.0.into_iter().fold(router.goal(method_not_allowed), |router, (method, handler)| {
            router.push(Router::with_filter(MethodFilter(method)).goal(handler))
        })
    }

    /// Returns the methods for the `Allow` header.
    fn allow(&self) -> String {
        let names: Vec<&str> = self.0.iter().map(|(method, _)| method.as_str()).collect();
        names.join(", ")
    }
}

struct MethodNotAllowed {
    allow: String,
}

#[async_trait]
impl Handler for MethodNotAllowed {
    async fn handle(&self, _: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        res.render(HttpError::MethodNotAllowed { allow: self.allow.clone() });
    }
}

/// Answers 404. Use it for all unmatched paths: `Router::with_path("{**rest}").goal(NotFound)`.
#[derive(Debug, Clone, Copy, Default)]
pub struct NotFound;

#[async_trait]
impl Handler for NotFound {
    async fn handle(&self, _: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        res.render(HttpError::Api(Error::NotFound));
    }
}
