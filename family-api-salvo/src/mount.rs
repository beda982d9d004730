//! Builds the router that a host mounts from the list of routes.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use family_api_core::limit::Rate;
use family_api_core::{FamilyApi, Surface, paths};
use salvo::http::HeaderName;
use salvo::http::header::{AUTHORIZATION, COOKIE};
use salvo::{Router, affix_state};
use serde_json::Value;

use crate::body::BodyLimit;
use crate::guard::{
    AcceptEncoding, Background, BearerGuard, ContentLength, Cors, Failures, HeaderLimit, LoadShed, PanicGuard, Private,
    RequestIdGuard, SameSite, SessionGuard, SessionWriteLimit, Spelling, TimeoutGuard, UnreadAnswers, UnreadBody,
};
use crate::handlers::OpenApi;
use crate::limits::Limits;
use crate::methods::{Methods, NotFound};
use crate::route::{Access, Part, Route};
use crate::routes::ROUTES;
use crate::{Origin, SessionAuthenticator, openapi};

/// Builds the [`Router`] that serves a [`FamilyApi`] in a salvo app. Every part is optional.
///
/// The router handles every path below `/api/v1` and `/api/mcp`. Outside them it handles exactly the paths of the
/// session routes, the OpenAPI document and its page. The host keeps its other routes and its own response to unknown
/// paths.
pub struct FamilyRoutes {
    api: FamilyApi,
    background: Background,
    session: Option<Arc<dyn SessionAuthenticator>>,
    address: Option<Origin>,
    limits: Limits,
    cors: Option<Arc<[Origin]>>,
    compression: bool,
    left_out: BTreeSet<Part>,
    described: Vec<Value>,
}

impl FamilyRoutes {
    /// Mounts all parts except the session routes. [`session`](Self::session) adds those.
    #[must_use]
    pub fn new(api: FamilyApi) -> Self {
        Self {
            background: Background::new(api.clone()),
            api,
            session: None,
            address: None,
            limits: Limits::default(),
            cors: None,
            compression: true,
            left_out: BTreeSet::new(),
            described: Vec::new(),
        }
    }

    /// Mounts the session routes. The authenticator returns the signed-in user of a request.
    #[must_use]
    pub fn session(mut self, session: impl SessionAuthenticator + 'static) -> Self {
        self.session = Some(Arc::new(session));
        self
    }

    /// Sets the public address of the server. Session writes from pages of other origins are refused.
    ///
    /// Default: the address that the request was sent to (`X-Forwarded-Proto` and `Host`).
    #[must_use]
    pub fn public_address(mut self, address: Origin) -> Self {
        self.address = Some(address);
        self
    }

    /// Sets the maximum body size in bytes. Default: 256 KiB.
    #[must_use]
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.limits.body = BodyLimit::of_bytes(bytes);
        self
    }

    /// Removes the limit of the body size. Use it if the host limits bodies itself.
    #[must_use]
    pub fn without_body_limit(mut self) -> Self {
        self.limits.body = BodyLimit::NONE;
        self
    }

    /// Sets the maximum size of all headers together, in bytes. Default: 16 KiB.
    #[must_use]
    pub fn header_limit(mut self, bytes: usize) -> Self {
        self.limits.headers = Some(HeaderLimit::of_bytes(bytes));
        self
    }

    /// Removes the limit of the header size. Use it if the host limits headers itself.
    #[must_use]
    pub fn without_header_limit(mut self) -> Self {
        self.limits.headers = None;
        self
    }

    /// Sets the timeout of a request. Requests that take longer get 503. Default: 30 seconds.
    #[must_use]
    pub fn request_timeout(mut self, time: Duration) -> Self {
        self.limits.time = Some(TimeoutGuard::new(time));
        self
    }

    /// Removes the timeout. Use it if the host limits the time of requests itself.
    #[must_use]
    pub fn without_request_timeout(mut self) -> Self {
        self.limits.time = None;
        self
    }

    /// Sets the maximum number of concurrent requests over all routes. Further requests get 503 at once. Default: 64.
    #[must_use]
    pub fn max_in_flight(mut self, max: NonZeroUsize) -> Self {
        self.limits.in_flight = Some(LoadShed::new(max));
        self
    }

    /// Removes the limit of concurrent requests. Use it if the host sheds load itself.
    #[must_use]
    pub fn without_load_shedding(mut self) -> Self {
        self.limits.in_flight = None;
        self
    }

    /// Sets the memory limit for responses that clients have not read yet. Default: 64 MiB.
    ///
    /// Above the limit, large responses are 503. To share one limit with the host's own routes, add a clone to them.
    #[must_use]
    pub fn unread_answers(mut self, limit: UnreadAnswers) -> Self {
        self.limits.unread = Some(limit);
        self
    }

    /// Removes the memory limit for unread responses. Use it if the host limits them itself.
    #[must_use]
    pub fn without_unread_limit(mut self) -> Self {
        self.limits.unread = None;
        self
    }

    /// Sets the rate limit for invalid tokens from one network address. Default: 1,000 a minute.
    ///
    /// Above the limit, an invalid token gets 429 instead of 401. Valid tokens from the same address are still
    /// accepted. Behind a proxy, all clients share one address.
    #[must_use]
    pub fn failure_limit(mut self, rate: Rate) -> Self {
        self.limits.failures = Some(Failures::at_most(rate));
        self
    }

    /// Removes the rate limit for invalid tokens. Use it if the host limits them itself.
    #[must_use]
    pub fn without_failure_limit(mut self) -> Self {
        self.limits.failures = None;
        self
    }

    /// Allows pages of these origins to call the bearer routes from a browser (CORS). Default: none.
    ///
    /// Cookies are never allowed, and session routes never allow other origins.
    #[must_use]
    pub fn cors(mut self, origins: impl IntoIterator<Item = Origin>) -> Self {
        self.cors = Some(origins.into_iter().collect()).filter(|origins: &Arc<[Origin]>| !origins.is_empty());
        self
    }

    /// Sends the five resources uncompressed. Use it if the host compresses responses itself.
    ///
    /// By default, resources are compressed to about a tenth of their size if the client accepts `zstd` or `gzip`.
    #[must_use]
    pub fn without_compression(mut self) -> Self {
        self.compression = false;
        self
    }

    /// Removes `/api/v1`.
    #[must_use]
    pub fn without_v1(self) -> Self {
        self.without(Part::V1)
    }

    /// Removes `/api/mcp`.
    #[must_use]
    pub fn without_read_path(self) -> Self {
        self.without(Part::ReadPath)
    }

    /// Removes `/api/users/me`.
    #[must_use]
    pub fn without_profile(self) -> Self {
        self.without(Part::Profile)
    }

    /// Removes `/api/users/me/mcp-tokens`.
    #[must_use]
    pub fn without_keys(self) -> Self {
        self.without(Part::Keys)
    }

    /// Removes `/api/tasks/{id}` and `/api/notes/{id}`.
    #[must_use]
    pub fn without_records(self) -> Self {
        self.without(Part::Records)
    }

    /// Removes the OpenAPI document and the page that renders it.
    #[must_use]
    pub fn without_openapi(self) -> Self {
        self.without(Part::OpenApi).without(Part::Page)
    }

    /// Removes the page that renders the OpenAPI document.
    #[must_use]
    pub fn without_page(self) -> Self {
        self.without(Part::Page)
    }

    fn without(mut self, part: Part) -> Self {
        self.left_out.insert(part);
        self
    }

    /// Adds the host's own operations to the OpenAPI document.
    ///
    /// The fragment (`paths`, `components`, `tags`, …) is merged into the document. Objects are merged member by
    /// member, and arrays are concatenated. For any other value, the fragment replaces the document.
    #[must_use]
    pub fn describe(mut self, fragment: Value) -> Self {
        self.described.push(fragment);
        self
    }

    /// Returns the OpenAPI document of the mounted routes and the described fragments, without `servers`.
    #[must_use]
    pub fn document(&self) -> Value {
        openapi::document(&self.routes(), &self.session_header(), &self.described)
    }

    /// Builds the router. It can be pushed anywhere into the host's router.
    ///
    /// If the host adds its own method to one of the paths, its route must be pushed first.
    #[must_use]
    pub fn into_router(self) -> Router {
        let mut router = Router::new().hoop(UnreadBody).hoop(RequestIdGuard).hoop(ContentLength).hoop(PanicGuard);
        for (surface, part, base) in
            [(Surface::V1, Part::V1, paths::V1), (Surface::ReadPath, Part::ReadPath, paths::MCP)]
        {
            if !self.left_out.contains(&part) {
                router = router.push(self.bearer_router(surface, part, base));
            }
        }
        if let Some(session) = &self.session {
            router = router.push(self.session_router(session));
        }
        router.push(self.open_router())
    }

    /// Handles every path below a base, including unknown paths.
    fn bearer_router(&self, surface: Surface, part: Part, base: &str) -> Router {
        let guard = BearerGuard {
            api: self.api.clone(),
            surface,
            body_limit: self.limits.body,
            failures: self.limits.failures.clone(),
            background: self.background.clone(),
        };
        let mounted = self.routes_of(&[part]);
        let mut router = Router::with_path(base).hoop(Private::vary(&AUTHORIZATION));
        if let Some(origins) = &self.cors {
            router = router.hoop(Cors::new(origins, mounted.iter().map(|route| &route.method)));
        }
        let mut router = self.limits.apply(router).hoop(guard);
        if self.compression {
            router = router.hoop(AcceptEncoding);
        }
        let router = push_all(router, &mounted, base);
        router.push(Router::with_path("{**rest}").goal(NotFound))
    }

    fn session_router(&self, session: &Arc<dyn SessionAuthenticator>) -> Router {
        let guard = SessionGuard {
            api: self.api.clone(),
            session: session.clone(),
            body_limit: self.limits.body,
            background: self.background.clone(),
        };
        let router = self.limits.apply(Router::new().hoop(Private::vary(&session.header())));
        let router = router.hoop(guard).hoop(SameSite::new(self.address.clone())).hoop(SessionWriteLimit);
        push_all(router, &self.routes_of(&[Part::Profile, Part::Keys, Part::Records]), "")
    }

    fn open_router(&self) -> Router {
        let document = OpenApi::new(self.document(), self.address.clone());
        let router = Router::new().hoop(affix_state::inject(document));
        push_all(router, &self.routes_of(&[Part::OpenApi, Part::Page]), "")
    }

    fn session_header(&self) -> HeaderName {
        self.session.as_ref().map_or(COOKIE, |session| session.header())
    }

    fn routes(&self) -> Vec<&'static Route> {
        ROUTES.iter().filter(|route| self.mounts(route)).collect()
    }

    fn routes_of(&self, parts: &[Part]) -> Vec<&'static Route> {
        self.routes().into_iter().filter(|route| parts.contains(&route.part)).collect()
    }

    fn mounts(&self, route: &Route) -> bool {
        let needs_session = route.access == Access::Session;
        !self.left_out.contains(&route.part) && (self.session.is_some() || !needs_session)
    }
}

/// Adds one router per path, with all methods of the path.
fn push_all(parent: Router, routes: &[&'static Route], base: &str) -> Router {
    let paths: BTreeMap<&str, &Route> = routes.iter().map(|route| (route.path, *route)).collect();
    paths.into_iter().fold(parent, |parent, (path, any)| {
        let methods = routes
            .iter()
            .filter(|route| route.path == path)
            .fold(Methods::new(), |methods, route| methods.on(route.method.clone(), (route.handler)()));
        parent.push(methods.at_spelled(path.strip_prefix(base).unwrap_or(path), Spelling::of_route(any)))
    })
}
