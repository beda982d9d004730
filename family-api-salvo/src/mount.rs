//! Builds the router that a host app mounts.

#[cfg(feature = "oauth")]
mod oauth;
mod openapi;
#[cfg(feature = "html")]
mod pages;
mod router;
mod unused_options;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use family_api_core::FamilyApi;
use family_api_core::limit::Rate;
use serde_json::Value;

use crate::body::BodyLimit;
use crate::guard::{HeaderLimit, Limits, LoadShed, PeerLimit, TimeoutGuard, UnreadResponseLimit};
#[cfg(feature = "html")]
use crate::html::{Brand, Layout};
#[cfg(feature = "oauth")]
use crate::oauth::AuthorizationServer;
#[cfg(feature = "pages")]
use crate::pages::Pages;
use crate::route::RouteGroup;
use crate::{Origin, SessionAuthenticator};

/// The groups that a host must add explicitly.
#[cfg(feature = "mcp")]
const OFF_BY_DEFAULT: [RouteGroup; 1] = [RouteGroup::Mcp];
#[cfg(not(feature = "mcp"))]
const OFF_BY_DEFAULT: [RouteGroup; 0] = [];

/// Builds the [`Router`](salvo::Router) that serves a [`FamilyApi`] in a salvo app. The host can remove each group
/// of routes.
///
/// The router handles every path below `/api/v1` and `/api/mcp`. Outside them it handles exactly the paths of the
/// session routes, the OpenAPI document and its page, and those that the host adds with `pages` and `oauth`. The host
/// keeps its other routes and its own response to unknown paths.
pub struct FamilyRoutes {
    api: FamilyApi,
    session: Option<Arc<dyn SessionAuthenticator>>,
    address: Option<Origin>,
    limits: Limits,
    cors: Option<Arc<[Origin]>>,
    compression: bool,
    excluded: BTreeSet<RouteGroup>,
    fragments: Vec<Value>,
    #[cfg(feature = "html")]
    layout: Layout,
    #[cfg(feature = "html")]
    is_branded: bool,
    #[cfg(feature = "pages")]
    pages: Option<Pages>,
    #[cfg(feature = "oauth")]
    oauth: Option<AuthorizationServer>,
}

impl FamilyRoutes {
    /// Mounts all routes except the session routes. [`session`](Self::session) adds the session routes.
    #[must_use]
    pub fn new(api: FamilyApi) -> Self {
        Self {
            api,
            session: None,
            address: None,
            limits: Limits::default(),
            cors: None,
            compression: true,
            excluded: BTreeSet::from(OFF_BY_DEFAULT),
            fragments: Vec::new(),
            #[cfg(feature = "html")]
            layout: Layout::new(Brand::default()),
            #[cfg(feature = "html")]
            is_branded: false,
            #[cfg(feature = "pages")]
            pages: None,
            #[cfg(feature = "oauth")]
            oauth: None,
        }
    }

    /// Mounts the session routes. The authenticator returns the signed-in user of a request.
    #[must_use]
    pub fn session(mut self, session: impl SessionAuthenticator + 'static) -> Self {
        self.session = Some(Arc::new(session));
        self
    }

    /// Sets the public address of the server. Session writes and MCP messages from pages of other origins are refused,
    /// and the OpenAPI document names the address in `servers`.
    ///
    /// Default: the address that the request was sent to (its scheme and `Host`). Behind a proxy that terminates TLS,
    /// set the address, or add [`TrustedProxies`](crate::TrustedProxies) to the service.
    #[must_use]
    pub fn public_address(mut self, address: Origin) -> Self {
        self.address = Some(address);
        self
    }

    /// Sets the maximum body size in bytes. Default: 1.25 MiB.
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
        self.limits.timeout = Some(TimeoutGuard::new(time));
        self
    }

    /// Removes the timeout. Use it if the host limits the time of requests itself.
    #[must_use]
    pub fn without_request_timeout(mut self) -> Self {
        self.limits.timeout = None;
        self
    }

    /// Sets the maximum number of concurrent requests. Further requests get 503. Default: 64. A host that wants to know
    /// how many there are passes a clone of its [`LoadShed`].
    ///
    /// The limit applies to the bearer and session routes, to the pages and to the endpoints of OAuth. It counts
    /// requests whose credential was accepted recently. Others first wait for one of a few further permits until their
    /// credential is accepted, so a flood of invalid credentials does not fill the limit.
    #[must_use]
    pub fn max_in_flight(mut self, max: impl Into<LoadShed>) -> Self {
        self.limits.in_flight = Some(max.into());
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
    /// Reads whose response does not fit get 503. While other responses have reached a quarter of the limit, all writes
    /// that return a record and all MCP messages get 503. To share the limit with the host's own routes, add a clone of
    /// the middleware to these routes.
    #[must_use]
    pub fn unread_response_limit(mut self, limit: UnreadResponseLimit) -> Self {
        self.limits.unread_responses = Some(limit);
        self
    }

    /// Removes the memory limit for unread responses. Use it if the host limits them itself.
    #[must_use]
    pub fn without_unread_response_limit(mut self) -> Self {
        self.limits.unread_responses = None;
        self
    }

    /// Sets the rate limit for invalid credentials from one network address. Default: 1,000 a minute.
    ///
    /// Above the limit, an invalid token gets 429 instead of 401. Valid tokens from the same address are still
    /// accepted. Invalid sessions have a count of their own with the same rate: above it, unknown sessions from this
    /// address wait for each other. Behind a proxy, all clients share one address without
    /// [`TrustedProxies`](crate::TrustedProxies).
    #[must_use]
    pub fn invalid_credential_limit(mut self, rate: Rate) -> Self {
        self.limits.invalid_tokens = Some(PeerLimit::at_most(rate));
        self.limits.invalid_sessions = Some(PeerLimit::at_most(rate));
        self
    }

    /// Removes the rate limit for invalid credentials. Use it if the host limits them itself.
    #[must_use]
    pub fn without_invalid_credential_limit(mut self) -> Self {
        self.limits.invalid_tokens = None;
        self.limits.invalid_sessions = None;
        self
    }

    /// Allows pages of these origins to call the bearer routes from a browser (CORS). Default: none.
    ///
    /// Needs [`/api/v1`](Self::without_v1) or [`/api/mcp`](Self::without_read_path). These calls cannot send cookies.
    /// Session routes never allow other origins.
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
        self.exclude(RouteGroup::V1)
    }

    /// Removes `/api/v1/batch`. Use it if the host has a route or a middleware of its own for the path of a single
    /// write below `/api/v1`: a batch calls the handlers of this library directly.
    #[must_use]
    pub fn without_batch(self) -> Self {
        self.exclude(RouteGroup::Batch)
    }

    /// Removes `/api/mcp`.
    #[must_use]
    pub fn without_read_path(self) -> Self {
        self.exclude(RouteGroup::ReadPath)
    }

    /// Removes `/api/users/me`.
    #[must_use]
    pub fn without_profile(self) -> Self {
        self.exclude(RouteGroup::Profile)
    }

    /// Removes `/api/users/me/mcp-tokens` and `/api/users/me/access`.
    #[must_use]
    pub fn without_keys(self) -> Self {
        self.exclude(RouteGroup::Keys)
    }

    /// Removes `/api/users/me/connections`.
    #[must_use]
    pub fn without_connections(self) -> Self {
        self.exclude(RouteGroup::Connections)
    }

    /// Removes the session routes that write records, such as `/api/tasks` and `/api/tasks/{id}`.
    #[must_use]
    pub fn without_records(self) -> Self {
        self.exclude(RouteGroup::Records)
    }

    /// Removes the OpenAPI document and the page that renders it.
    #[must_use]
    pub fn without_openapi(self) -> Self {
        self.exclude(RouteGroup::OpenApi).exclude(RouteGroup::Docs)
    }

    /// Removes the page that renders the OpenAPI document.
    #[must_use]
    pub fn without_docs(self) -> Self {
        self.exclude(RouteGroup::Docs)
    }

    /// Mounts the MCP endpoints `/api/v1/mcp` and `/api/mcp`, with which assistants call tools.
    ///
    /// Each belongs to the routes with its prefix: [`without_v1`](Self::without_v1) and
    /// [`without_read_path`](Self::without_read_path) remove it. A request with the `Origin` of a page must come from
    /// the [public address](Self::public_address) or from an origin that [`cors`](Self::cors) allows. Without a public
    /// address, only a page of a loopback address of this server is allowed, because a name could be rebound to it.
    #[cfg(feature = "mcp")]
    #[must_use]
    pub fn mcp(mut self) -> Self {
        self.excluded.remove(&RouteGroup::Mcp);
        self
    }

    fn exclude(mut self, group: RouteGroup) -> Self {
        self.excluded.insert(group);
        self
    }
}
