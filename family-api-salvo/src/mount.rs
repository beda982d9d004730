//! From the list of routes to a router that a host mounts.

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

/// Mounts a [`FamilyApi`] as routes of a salvo app; every part can be left out.
///
/// The router takes everything below `/api/v1` and `/api/mcp`, and beyond that exactly the paths of the session routes,
/// the OpenAPI document and its page: a host's other routes, and its own answer to unknown paths, stay as they are.
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
    /// Mounts everything but the session routes, which need [`session`](Self::session).
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

    /// Mounts the session routes too: this says who is signed in.
    #[must_use]
    pub fn session(mut self, session: impl SessionAuthenticator + 'static) -> Self {
        self.session = Some(Arc::new(session));
        self
    }

    /// Tells the address under which browsers reach the server, which writes in a session must come from.
    ///
    /// Without it, that is the address each request was sent to (`X-Forwarded-Proto` and `Host`).
    #[must_use]
    pub fn public_address(mut self, address: Origin) -> Self {
        self.address = Some(address);
        self
    }

    /// Reads bodies of up to so many bytes; 256 KiB unless it is set.
    #[must_use]
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.limits.body = BodyLimit::of_bytes(bytes);
        self
    }

    /// Reads bodies of any size: for a host that limits them itself.
    #[must_use]
    pub fn without_body_limit(mut self) -> Self {
        self.limits.body = BodyLimit::NONE;
        self
    }

    /// Takes headers of up to so many bytes; 16 KiB unless it is set.
    #[must_use]
    pub fn header_limit(mut self, bytes: usize) -> Self {
        self.limits.headers = Some(HeaderLimit::of_bytes(bytes));
        self
    }

    /// Takes headers of any size: for a host that limits them itself.
    #[must_use]
    pub fn without_header_limit(mut self) -> Self {
        self.limits.headers = None;
        self
    }

    /// Ends requests that take longer, with 503; 30 seconds unless it is set.
    #[must_use]
    pub fn request_timeout(mut self, time: Duration) -> Self {
        self.limits.time = Some(TimeoutGuard::new(time));
        self
    }

    /// Lets requests take any time: for a host that limits it itself.
    #[must_use]
    pub fn without_request_timeout(mut self) -> Self {
        self.limits.time = None;
        self
    }

    /// Turns requests away with 503 while so many are at work, over all routes together; 64 unless it is set.
    #[must_use]
    pub fn max_in_flight(mut self, most: NonZeroUsize) -> Self {
        self.limits.in_flight = Some(LoadShed::new(most));
        self
    }

    /// Lets any number of requests be at work: for a host that sheds load itself.
    #[must_use]
    pub fn without_load_shedding(mut self) -> Self {
        self.limits.in_flight = None;
        self
    }

    /// Sets the limit of the answers that clients have not read. Default: 64 MiB.
    ///
    /// Beyond it, large answers are 503. A host that puts a clone before its own routes has one limit for all.
    #[must_use]
    pub fn unread_answers(mut self, limit: UnreadAnswers) -> Self {
        self.limits.unread = Some(limit);
        self
    }

    /// Lets answers take any memory until they are read: for a host that bounds them itself.
    #[must_use]
    pub fn without_unread_limit(mut self) -> Self {
        self.limits.unread = None;
        self
    }

    /// Lets each network address present so many invalid tokens a minute; 1,000 unless it is set.
    ///
    /// Further ones get 429 in the place of 401. Valid tokens from there are let in as ever. Behind a proxy, all clients
    /// are one address.
    #[must_use]
    pub fn failure_limit(mut self, rate: Rate) -> Self {
        self.limits.failures = Some(Failures::at_most(rate));
        self
    }

    /// Answers every invalid token with 401, however many come: for a host that bounds them itself.
    #[must_use]
    pub fn without_failure_limit(mut self) -> Self {
        self.limits.failures = None;
        self
    }

    /// Lets pages of these origins call the bearer routes from a browser (CORS); none unless it is set.
    ///
    /// Cookies are never allowed, and the session routes stay closed to other origins.
    #[must_use]
    pub fn cors(mut self, origins: impl IntoIterator<Item = Origin>) -> Self {
        self.cors = Some(origins.into_iter().collect()).filter(|origins: &Arc<[Origin]>| !origins.is_empty());
        self
    }

    /// Sends the five resources as they are, whatever a client accepts: for a host that compresses answers itself.
    ///
    /// Otherwise a client that accepts `zstd` or `gzip` gets about a tenth of the bytes.
    #[must_use]
    pub fn without_compression(mut self) -> Self {
        self.compression = false;
        self
    }

    /// Leaves out `/api/v1`.
    #[must_use]
    pub fn without_v1(self) -> Self {
        self.without(Part::V1)
    }

    /// Leaves out `/api/mcp`.
    #[must_use]
    pub fn without_read_path(self) -> Self {
        self.without(Part::ReadPath)
    }

    /// Leaves out `/api/users/me`.
    #[must_use]
    pub fn without_profile(self) -> Self {
        self.without(Part::Profile)
    }

    /// Leaves out `/api/users/me/mcp-tokens`.
    #[must_use]
    pub fn without_keys(self) -> Self {
        self.without(Part::Keys)
    }

    /// Leaves out `/api/tasks/{id}` and `/api/notes/{id}`.
    #[must_use]
    pub fn without_records(self) -> Self {
        self.without(Part::Records)
    }

    /// Leaves out the OpenAPI document, and the page that renders it.
    #[must_use]
    pub fn without_openapi(self) -> Self {
        self.without(Part::OpenApi).without(Part::Page)
    }

    /// Leaves out the page that renders the OpenAPI document.
    #[must_use]
    pub fn without_page(self) -> Self {
        self.without(Part::Page)
    }

    fn without(mut self, part: Part) -> Self {
        self.left_out.insert(part);
        self
    }

    /// Adds operations of the host's own to the OpenAPI document.
    ///
    /// The fragment (`paths`, `components`, `tags`, …) is merged into the document: objects member by member, arrays one
    /// behind the other; where both have another value, the fragment's stays.
    #[must_use]
    pub fn describe(mut self, fragment: Value) -> Self {
        self.described.push(fragment);
        self
    }

    /// The OpenAPI document of what is mounted and described, without `servers`.
    #[must_use]
    pub fn document(&self) -> Value {
        openapi::document(&self.routes(), &self.session_header(), &self.described)
    }

    /// The router, to be pushed anywhere into the host's.
    ///
    /// Where a host has a method of its own on one of the paths, its route must be pushed first.
    #[must_use]
    pub fn into_router(self) -> Router {
        let mut router = Router::new().hoop(UnreadBody).hoop(RequestIdGuard).hoop(ContentLength).hoop(PanicGuard);
        for (surface, part, base) in
            [(Surface::V1, Part::V1, paths::V1), (Surface::ReadPath, Part::ReadPath, paths::MCP)]
        {
            if !self.left_out.contains(&part) {
                router = router.push(self.bearer(surface, part, base));
            }
        }
        if let Some(session) = &self.session {
            router = router.push(self.in_session(session));
        }
        router.push(self.open())
    }

    /// Everything below a base, unknown paths too.
    fn bearer(&self, surface: Surface, part: Part, base: &str) -> Router {
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
        let mut router = self.limits.before(router).hoop(guard);
        if self.compression {
            router = router.hoop(AcceptEncoding);
        }
        let router = push_all(router, &mounted, base);
        router.push(Router::with_path("{**rest}").goal(NotFound))
    }

    fn in_session(&self, session: &Arc<dyn SessionAuthenticator>) -> Router {
        let guard = SessionGuard {
            api: self.api.clone(),
            session: session.clone(),
            body_limit: self.limits.body,
            background: self.background.clone(),
        };
        let router = self.limits.before(Router::new().hoop(Private::vary(&session.header())));
        let router = router.hoop(guard).hoop(SameSite::new(self.address.clone())).hoop(SessionWriteLimit);
        push_all(router, &self.routes_of(&[Part::Profile, Part::Keys, Part::Records]), "")
    }

    fn open(&self) -> Router {
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

/// One router a path, with every method that the path takes.
fn push_all(parent: Router, routes: &[&'static Route], base: &str) -> Router {
    let paths: BTreeMap<&str, &Route> = routes.iter().map(|route| (route.path, *route)).collect();
    paths.into_iter().fold(parent, |parent, (path, any)| {
        let methods = routes
            .iter()
            .filter(|route| route.path == path)
            .fold(Methods::new(), |methods, route| methods.on(route.method.clone(), (route.handler)()));
        parent.push(methods.spelled(path.strip_prefix(base).unwrap_or(path), Spelling::of_route(any)))
    })
}
