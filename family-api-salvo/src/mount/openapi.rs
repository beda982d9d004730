//! Mounts the OpenAPI document and its page.

use salvo::http::HeaderName;
use salvo::http::header::COOKIE;
use salvo::{Router, affix_state};
use serde_json::Value;

use super::FamilyRoutes;
use super::router::push_routes;
use crate::handlers::OpenApi;
use crate::openapi;
use crate::route::{Access, RouteGroup};

impl FamilyRoutes {
    /// Adds the host's own operations to the OpenAPI document.
    ///
    /// The fragment (`paths`, `components`, `tags`, …) is merged into the document. Objects are merged member by
    /// member, and arrays are concatenated. Any other value of the fragment replaces the value in the document. It can
    /// refer to the components of the document, which has only those that something refers to.
    #[must_use]
    pub fn openapi_fragment(mut self, fragment: Value) -> Self {
        self.fragments.push(fragment);
        self
    }

    /// Returns the OpenAPI document of the mounted routes and the added fragments, without `servers`.
    ///
    /// Leaves out the routes with a scope that no new key can have. These are the routes that need
    /// [`full_access`](family_api_core::FamilyApiBuilder::full_access), if the host does not allow it.
    #[must_use]
    pub fn document(&self) -> Value {
        self.lazy_document()()
    }

    /// Returns a function that builds the document, because most requests do not need it.
    fn lazy_document(&self) -> impl Fn() -> Value + Send + Sync + use<> {
        // A connection can have the same scopes as a key, and a token of the host's authorization server is accepted
        // only by the MCP endpoints, which each key can call.
        let scopes = self.api.grantable_scopes();
        let mut routes = self.routes();
        routes.retain(|route| match &route.access {
            Access::Token { scope, .. } => scopes.grants(scope),
            Access::Session | Access::Public => true,
        });
        let (api, session_header, fragments) = (self.api.clone(), self.session_header(), self.fragments.clone());
        move || openapi::document(&api, &routes, &session_header, &fragments)
    }

    pub(super) fn public_router(&self) -> Router {
        let document = OpenApi::new(self.lazy_document(), self.address.clone());
        let router = Router::new().hoop(affix_state::inject(document));
        push_routes(router, &self.routes_of(&[RouteGroup::OpenApi, RouteGroup::Docs]), "")
    }

    fn session_header(&self) -> HeaderName {
        self.session.as_ref().map_or(COOKIE, |session| session.header())
    }
}
