//! The routes that OpenAPI describes. The router, the `Allow` headers and the OpenAPI document are built from this
//! list. The routes of OAuth and of the pages are in `oauth` and `pages`.

mod batch;
mod feeds;
mod occurrences;
mod reads;
mod records;

use std::sync::LazyLock;

use family_api_core::connection::{ConnectionList, RevokedConnection};
use family_api_core::key::{CreatedKey, KeyList, RevokedAccess, RevokedKey, Scope};
use family_api_core::resource::{Overview, Profile, RestorableList};
use family_api_core::{ErrorCode, Surface, paths};
use salvo::Handler;
use salvo::handler::ArcHandler;
use salvo::http::Method;

use crate::handlers;
#[cfg(feature = "mcp")]
use crate::mcp::McpEndpoint;
use crate::request_body::RequestBody;
use crate::response_content::Content;
use crate::route::{Access, Action, Route, RouteGroup};
use crate::routes::batch::batch_route;
use crate::routes::feeds::feed_routes;
use crate::routes::occurrences::occurrence_routes;
use crate::routes::reads::read_routes;
use crate::routes::records::record_routes;

/// The page that renders the OpenAPI document.
#[cfg(feature = "docs")]
const DOCS: &str = "/docs";
/// The files that the page loads.
#[cfg(feature = "docs")]
const DOCS_FILE: &str = "/docs/{file}";

pub(crate) static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
    let of_records = [record_routes(), occurrence_routes()].concat();
    let of_account = [account_routes(), feed_routes()].concat();
    [token_routes(), read_routes(), of_account, public_routes(), of_records, vec![batch_route()]].concat()
});

/// The access with a token that may read.
const V1: Access = Access::Token { surface: Surface::V1, scope: Scope::V1Read };
const READ_PATH: Access = Access::Token { surface: Surface::ReadPath, scope: Scope::McpRead };

/// Returns a route without a request body. It answers 200, or an error that every route of its access has.
fn route(
    method: Method,
    path: &'static str,
    group: RouteGroup,
    access: Access,
    [operation, summary]: [&'static str; 2],
    response: Content,
    handler: fn() -> ArcHandler,
) -> Route {
    Route {
        method,
        path: path.into(),
        group,
        access,
        action: Action::Other,
        operation: operation.into(),
        summary: summary.into(),
        request: None,
        status: 200,
        response,
        extra_errors: &[],
        handler,
    }
}

/// Returns the routes with a token that do not write records.
fn token_routes() -> Vec<Route> {
    Vec::from([
        route(
            Method::GET,
            paths::V1_ME,
            RouteGroup::V1,
            V1,
            ["getOwnProfile", "Returns the profile of the token's user"],
            Content::json::<Profile>(),
            || handlers::get_profile.arc(),
        ),
        Route {
            action: Action::Read(None),
            ..route(
                Method::GET,
                paths::V1_READ,
                RouteGroup::V1,
                V1,
                ["readResource", "Returns one of the family's resources"],
                Content::RESOURCE,
                || handlers::ReadResource.arc(),
            )
        },
        Route {
            action: Action::Read(None),
            ..route(
                Method::GET,
                paths::READ_PATH_READ,
                RouteGroup::ReadPath,
                READ_PATH,
                ["readResourceOnReadPath", "Returns one of the family's resources, even if the personal API is off"],
                Content::RESOURCE,
                || handlers::ReadResource.arc(),
            )
        },
        Route {
            action: Action::Overview,
            ..route(
                Method::GET,
                paths::V1_OVERVIEW,
                RouteGroup::V1,
                V1,
                ["readOverview", "Returns the overview: a short document about today and the next days"],
                Content::json::<Overview>(),
                || handlers::read_overview.arc(),
            )
        },
        Route {
            action: Action::Overview,
            ..route(
                Method::GET,
                paths::READ_PATH_OVERVIEW,
                RouteGroup::ReadPath,
                READ_PATH,
                ["readOverviewOnReadPath", "Returns the overview, even if the personal API is off"],
                Content::json::<Overview>(),
                || handlers::read_overview.arc(),
            )
        },
        #[cfg(feature = "mcp")]
        Route {
            request: Some(RequestBody::MCP_MESSAGE),
            extra_errors: &[ErrorCode::CrossSiteRequest],
            ..route(
                Method::POST,
                paths::V1_MCP,
                RouteGroup::Mcp,
                V1,
                ["callMcp", "Answers a message of an MCP client, with all tools that the token may call"],
                Content::MCP_MESSAGE,
                || McpEndpoint::new(Surface::V1).arc(),
            )
        },
        #[cfg(feature = "mcp")]
        Route {
            request: Some(RequestBody::MCP_MESSAGE),
            extra_errors: &[ErrorCode::CrossSiteRequest],
            ..route(
                Method::POST,
                paths::READ_PATH_MCP,
                RouteGroup::Mcp,
                READ_PATH,
                ["callMcpOnReadPath", "Answers a message of an MCP client, with the read tools"],
                Content::MCP_MESSAGE,
                || McpEndpoint::new(Surface::ReadPath).arc(),
            )
        },
    ])
}

/// Returns the routes of the signed-in user's own account.
fn account_routes() -> Vec<Route> {
    Vec::from([
        route(
            Method::GET,
            paths::ME,
            RouteGroup::Profile,
            Access::Session,
            ["getProfile", "Returns the profile of the signed-in user"],
            Content::json::<Profile>(),
            || handlers::get_profile.arc(),
        ),
        Route {
            request: Some(RequestBody::PROFILE_UPDATE),
            ..route(
                Method::PATCH,
                paths::ME,
                RouteGroup::Profile,
                Access::Session,
                ["updateProfile", "Changes the profile of the signed-in user"],
                Content::json::<Profile>(),
                || handlers::update_profile.arc(),
            )
        },
        Route {
            request: Some(RequestBody::KEY_DRAFT),
            status: 201,
            extra_errors: &[ErrorCode::ApiDisabledForKey, ErrorCode::KeyLimitReached],
            ..route(
                Method::POST,
                paths::KEYS,
                RouteGroup::Keys,
                Access::Session,
                ["createKey", "Creates an integration key. Only this response contains the plaintext of the key"],
                Content::json::<CreatedKey>(),
                || handlers::create_key.arc(),
            )
        },
        route(
            Method::GET,
            paths::KEYS,
            RouteGroup::Keys,
            Access::Session,
            ["listKeys", "Lists the active integration keys, newest first"],
            Content::json::<KeyList>(),
            || handlers::list_keys.arc(),
        ),
        route(
            Method::DELETE,
            paths::KEY,
            RouteGroup::Keys,
            Access::Session,
            ["revokeKey", "Revokes an integration key"],
            Content::json::<RevokedKey>(),
            || handlers::revoke_key.arc(),
        ),
        route(
            Method::DELETE,
            paths::ACCESS,
            RouteGroup::Keys,
            Access::Session,
            ["revokeAccess", "Revokes everything that can act for the user, and switches the personal API off"],
            Content::json::<RevokedAccess>(),
            || handlers::revoke_access.arc(),
        ),
        route(
            Method::GET,
            paths::CONNECTIONS,
            RouteGroup::Connections,
            Access::Session,
            ["listConnections", "Lists the assistants that the user has connected without a key, newest first"],
            Content::json::<ConnectionList>(),
            || handlers::list_connections.arc(),
        ),
        route(
            Method::DELETE,
            paths::CONNECTION,
            RouteGroup::Connections,
            Access::Session,
            ["revokeConnection", "Ends a connection"],
            Content::json::<RevokedConnection>(),
            || handlers::revoke_connection.arc(),
        ),
        Route {
            action: Action::ListDeleted,
            ..route(
                Method::GET,
                paths::DELETED,
                RouteGroup::Records,
                Access::Session,
                ["listDeleted", "Lists the deleted records that the user can restore, newest first"],
                Content::json::<RestorableList>(),
                || handlers::list_deleted.arc(),
            )
        },
    ])
}

/// Returns the routes that describe the API.
fn public_routes() -> Vec<Route> {
    Vec::from([
        route(
            Method::GET,
            paths::OPENAPI,
            RouteGroup::OpenApi,
            Access::Public,
            ["getOpenApi", "Returns this document"],
            Content::DOCUMENT,
            || handlers::GetOpenApi.arc(),
        ),
        #[cfg(feature = "docs")]
        route(
            Method::GET,
            DOCS,
            RouteGroup::Docs,
            Access::Public,
            ["getPage", "Returns the page that renders this document"],
            Content::HTML,
            || handlers::GetDocs.arc(),
        ),
        #[cfg(feature = "docs")]
        route(
            Method::GET,
            DOCS_FILE,
            RouteGroup::Docs,
            Access::Public,
            ["getPageFile", "Returns a file that the page loads"],
            Content::FILE,
            || handlers::GetDocsFile.arc(),
        ),
    ])
}
