//! A path and the methods that it takes.

use family_api_core::Error;
use salvo::handler::ArcHandler;
use salvo::http::Method;
use salvo::routing::filters::MethodFilter;
use salvo::{Depot, FlowCtrl, Request, Response};
use salvo::{Handler, Router, async_trait};

use crate::Failure;
use crate::guard::Spelling;

/// Puts handlers at a path: `HEAD` answers as `GET` does, and every other method is 405 with `Allow`.
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
    /// No methods yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers `GET`, and `HEAD`.
    #[must_use]
    pub fn get(self, handler: impl Handler) -> Self {
        self.on(Method::GET, handler.arc())
    }

    /// Answers `POST`.
    #[must_use]
    pub fn post(self, handler: impl Handler) -> Self {
        self.on(Method::POST, handler.arc())
    }

    /// Answers a method, and `HEAD` where that is `GET`.
    #[must_use]
    pub(crate) fn on(mut self, method: Method, handler: ArcHandler) -> Self {
        let head = (method == Method::GET).then(|| (Method::HEAD, handler.clone()));
        self.0.push((method, handler));
        self.0.extend(head);
        self
    }

    /// The router of a path; an empty one is where the router is pushed.
    ///
    /// A path has one spelling: with an empty segment, with a slash at its end, or percent-encoded outside a
    /// `{parameter}`, it is another path. A wildcard takes any.
    #[must_use]
    pub fn at(self, path: &str) -> Router {
        self.spelled(path, Spelling::of_host(path))
    }

    /// The router of a path, below one that has matched the beginning of its spelling.
    pub(crate) fn spelled(self, path: &str, spelling: Spelling) -> Router {
        let refusal = MethodNotAllowed { allow: self.allow() };
        // The spelling comes behind the path: a router that the framework cannot probe is none of the other paths'.
        let router = spelling.restrict(if path.is_empty() { Router::new() } else { Router::with_path(path) });
        self.0.into_iter().fold(router.goal(refusal), |router, (method, handler)| {
            router.push(Router::with_filter(MethodFilter(method)).goal(handler))
        })
    }

    /// The methods, as the `Allow` header lists them.
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
        res.render(Failure(Error::MethodNotAllowed { allow: self.allow.clone() }));
    }
}

/// Answers 404: for the paths that nothing else takes (`Router::with_path("{**rest}").goal(NotFound)`).
#[derive(Debug, Clone, Copy, Default)]
pub struct NotFound;

#[async_trait]
impl Handler for NotFound {
    async fn handle(&self, _: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        res.render(Failure(Error::NotFound));
    }
}
