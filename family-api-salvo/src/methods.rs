//! Routes the methods of a path to handlers.

use family_api_core::Error;
use salvo::handler::ArcHandler;
use salvo::http::Method;
use salvo::routing::filters::MethodFilter;
use salvo::routing::{PathParams, PathState, decode_url_path};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, async_trait};

use crate::HttpError;
use crate::route::Route;

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

/// A filter on the raw path, built from a route's template such as `/api/v1/tasks/{id}`.
///
/// salvo decodes path segments and skips empty ones, so it treats `/%61pi//v1/me/` as `/api/v1/me`. A proxy with rules
/// for raw paths does not. This filter checks the raw path, in addition to salvo's own filter.
#[derive(Debug, Clone)]
pub(crate) struct RawPathFilter {
    template: String,
    encoding: PercentEncoding,
    slash: TrailingSlash,
}

/// Which path parameters may be percent-encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PercentEncoding {
    /// Only `{id}`. The other parameters have fixed values, which need no encoding.
    Id,
    /// All parameters. The host decides which values it accepts.
    Any,
}

/// Whether the path may have a trailing slash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TrailingSlash {
    Refused,
    /// For the page, because the browser loads its files from below the path `/docs/`.
    Allowed,
}

impl RawPathFilter {
    /// Returns the filter for a route of this API.
    pub(crate) fn of_route(route: &Route) -> Self {
        let slash = if route.is_docs() { TrailingSlash::Allowed } else { TrailingSlash::Refused };
        Self { template: route.path.clone().into_owned(), encoding: PercentEncoding::Id, slash }
    }

    /// Returns the filter for one of the host's own paths.
    pub(crate) fn of_host(path: &str) -> Self {
        Self { template: path.to_owned(), encoding: PercentEncoding::Any, slash: TrailingSlash::Refused }
    }

    /// Adds the filter to a router. The router then ignores every other form of the path.
    pub(crate) fn add_to(self, router: Router) -> Router {
        router.filter_fn(move |req: &mut Request, _: &mut PathState<'_>| self.matches(req.uri().path()))
    }

    /// Returns whether a raw path ends with the template. Any prefix may precede it.
    fn matches(&self, raw: &str) -> bool {
        let raw = if self.slash == TrailingSlash::Allowed { raw.strip_suffix('/').unwrap_or(raw) } else { raw };
        // A search in bytes costs a quarter of a search in text.
        let template = self.template.trim_matches('/').as_bytes();
        // A wildcard or a regular expression can match slashes, so only salvo's filter checks such a template.
        if template.iter().any(|byte| matches!(byte, b'*' | b'|')) {
            return true;
        }
        let Some(path) = raw.as_bytes().strip_prefix(b"/") else {
            return false;
        };
        if path.is_empty() {
            return template.is_empty();
        }
        let mut from_end = segments(path).rev();
        let matches_end = template.is_empty()
            || segments(template).rev().all(|part| from_end.next().is_some_and(|segment| self.accepts(part, segment)));
        matches_end && !segments(path).any(<[u8]>::is_empty)
    }

    /// Returns the parameters of a raw path that has this template and no prefix, decoded as salvo decodes them.
    pub(crate) fn parameters(&self, raw: &str) -> Option<PathParams> {
        let parts = self.template.split('/');
        if raw.split('/').count() != parts.clone().count() || !self.matches(raw) {
            return None;
        }
        let mut parameters = PathParams::new();
        for (part, segment) in parts.zip(raw.split('/')) {
            if let Some(name) = part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
                parameters.insert(name, decode_url_path(segment).into_owned());
            }
        }
        Some(parameters)
    }

    /// Compares one segment of the raw path with one segment of the template.
    fn accepts(&self, part: &[u8], segment: &[u8]) -> bool {
        if !part.contains(&b'{') {
            return segment == part;
        }
        self.encoding == PercentEncoding::Any || part == b"{id}" || !segment.contains(&b'%')
    }
}

/// Splits a path at its slashes.
fn segments(path: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    path.split(|byte| *byte == b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(template: &str, encoding: PercentEncoding, slash: TrailingSlash, raw: &str) -> bool {
        RawPathFilter { template: template.to_owned(), encoding, slash }.matches(raw)
    }

    #[test]
    fn only_one_form_of_a_path_matches_under_any_prefix() {
        for (template, accepted, refused) in [
            (
                "/a/me",
                vec!["/a/me", "/x/a/me", "/x%20y/a/me"],
                vec!["/a/me/", "//a/me", "/a//me", "/%61/me", "/me", "a/me"],
            ),
            ("/n/{id}", vec!["/n/x", "/n/%78", "/n/%2f"], vec!["/n/", "/n", "/n/x/", "/%6e/x", "/n//x"]),
            ("/r/{kind}", vec!["/r/x"], vec!["/r/%78", "/r/x/"]),
            ("", vec!["/", "/x"], vec!["//", "/x/", "", "*"]),
            ("login", vec!["/login"], vec!["/login/", "//login", "/%6cogin"]),
        ] {
            for raw in accepted {
                assert!(matches(template, PercentEncoding::Id, TrailingSlash::Refused, raw), "{template} {raw}");
            }
            for raw in refused {
                assert!(!matches(template, PercentEncoding::Id, TrailingSlash::Refused, raw), "{template} {raw}");
            }
        }
    }

    #[test]
    fn parameters_are_those_of_a_path_without_a_prefix() {
        let filter = RawPathFilter {
            template: "/e/{id}/o/{start}".to_owned(),
            encoding: PercentEncoding::Id,
            slash: TrailingSlash::Refused,
        };
        let parameters = filter.parameters("/e/%61%2Fb/o/7").unwrap();
        assert_eq!((parameters.get("id").unwrap().as_str(), parameters.get("start").unwrap().as_str()), ("a/b", "7"));
        for other in ["/x/e/a/o/7", "/e/a/o/7/", "/e/a/o/%37", "/e//o/7", "/e/a/o", "e/a/o/7", "/%65/a/o/7", ""] {
            assert!(filter.parameters(other).is_none(), "{other}");
        }
    }

    #[test]
    fn page_allows_an_optional_trailing_slash() {
        for (raw, accepted) in [("/docs", true), ("/docs/", true), ("/docs//", false), ("//docs/", false), ("/", false)]
        {
            assert_eq!(matches("/docs", PercentEncoding::Id, TrailingSlash::Allowed, raw), accepted, "{raw}");
        }
    }

    #[test]
    fn host_parameters_may_be_encoded_and_wildcards_match_all() {
        for (template, raw) in [("u/{name}", "/u/J%C3%BCrgen"), ("f/{**rest}", "/f/a//b/"), (r"{d|\d+}", "/%37")] {
            assert!(matches(template, PercentEncoding::Any, TrailingSlash::Refused, raw), "{raw}");
        }
    }
}
