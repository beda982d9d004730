//! Mounts the OpenAPI document and its page.

use salvo::http::HeaderName;
use salvo::http::header::COOKIE;
use salvo::{Router, affix_state};
use serde_json::Value;

use super::FamilyRoutes;
use super::router::push_routes;
use crate::handlers::OpenApi;
use crate::openapi;
use crate::route::RouteGroup;

impl FamilyRoutes {
    /// Adds the host's own operations to the OpenAPI document.
    ///
    /// The fragment (`paths`, `components`, `tags`, …) is merged into the document. Objects are merged member by
    /// member, and arrays are concatenated. Any other value of the fragment replaces the value in the document.
    #[must_use]
    pub fn openapi_fragment(mut self, fragment: Value) -> Self {
        self.fragments.push(fragment);
        self
    }

    /// Returns the OpenAPI document of the mounted routes and the added fragments, without `servers`.
    #[must_use]
    pub fn document(&self) -> Value {
        openapi::document(&self.api, &self.routes(), &self.session_header(), &self.fragments)
    }

    pub(super) fn public_router(&self) -> Router {
        let document = OpenApi::new(self.document(), self.address.clone());
        let router = Router::new().hoop(affix_state::inject(document));
        push_routes(router, &self.routes_of(&[RouteGroup::OpenApi, RouteGroup::Docs]), "")
    }

    fn session_header(&self) -> HeaderName {
        self.session.as_ref().map_or(COOKIE, |session| session.header())
    }
}
