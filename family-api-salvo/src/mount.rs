//! From the list of routes to a router that a host mounts.

use std::collections::BTreeSet;
use std::sync::Arc;

use family_api_core::{FamilyApi, Surface, paths};
use salvo::http::HeaderName;
use salvo::http::header::{AUTHORIZATION, COOKIE};
use salvo::{Router, affix_state};
use serde_json::Value;

use crate::body::BodyLimit;
use crate::guard::{BearerGuard, CatchPanic, ContentLength, Private, RequestId, SameSite, SessionGuard, UnreadBody};
use crate::handlers::OpenApi;
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
    session: Option<Arc<dyn SessionAuthenticator>>,
    address: Option<Origin>,
    body_limit: BodyLimit,
    left_out: BTreeSet<Part>,
    described: Vec<Value>,
}

impl FamilyRoutes {
    /// Mounts everything but the session routes, which need [`session`](Self::session).
    #[must_use]
    pub fn new(api: FamilyApi) -> Self {
        Self {
            api,
            session: None,
            address: None,
            body_limit: BodyLimit::default(),
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
        self.body_limit = BodyLimit::of_bytes(bytes);
        self
    }

    /// Reads bodies of any size: for a host that limits them itself.
    #[must_use]
    pub fn without_body_limit(mut self) -> Self {
        self.body_limit = BodyLimit::NONE;
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
        let mut router = Router::new().hoop(UnreadBody).hoop(RequestId).hoop(ContentLength).hoop(CatchPanic);
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
        let guard = BearerGuard { api: self.api.clone(), surface, body_limit: self.body_limit };
        let router = Router::with_path(base).hoop(Private::vary(&AUTHORIZATION)).hoop(guard);
        let router = push_all(router, &self.routes_of(&[part]), base);
        router.push(Router::with_path("{**rest}").goal(NotFound))
    }

    fn in_session(&self, session: &Arc<dyn SessionAuthenticator>) -> Router {
        let guard = SessionGuard { api: self.api.clone(), session: session.clone(), body_limit: self.body_limit };
        let router =
            Router::new().hoop(Private::vary(&session.header())).hoop(guard).hoop(SameSite::new(self.address.clone()));
        push_all(router, &self.routes_of(&[Part::Profile, Part::Keys, Part::Records]), "")
    }

    fn open(&self) -> Router {
        let document = OpenApi { document: Arc::new(self.document()), address: self.address.clone() };
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
    let paths: BTreeSet<&str> = routes.iter().map(|route| route.path).collect();
    paths.into_iter().fold(parent, |parent, path| {
        let methods = routes
            .iter()
            .filter(|route| route.path == path)
            .fold(Methods::new(), |methods, route| methods.on(route.method.clone(), (route.handler)()));
        parent.push(methods.at(path.strip_prefix(base).unwrap_or(path)))
    })
}
