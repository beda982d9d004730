//! The list of all routes. The router, the `Allow` headers and the OpenAPI document are built from it.

mod records;

use std::borrow::Cow;
use std::sync::LazyLock;

use family_api_core::connection::{ConnectionList, RevokedConnection};
use family_api_core::key::{CreatedKey, KeyList, RevokedAccess, RevokedKey, Scope};
use family_api_core::resource::{Profile, RestorableList};
use family_api_core::{ErrorCode, Surface, paths};
use salvo::Handler;
use salvo::http::Method;

use crate::handlers;
#[cfg(feature = "mcp")]
use crate::mcp::McpEndpoint;
use crate::request_body::RequestBody;
use crate::response_content::Content;
use crate::route::{Access, Action, Route, RouteGroup};
use crate::routes::records::record_routes;

/// The page that renders the OpenAPI document.
#[cfg(feature = "page")]
const PAGE: &str = "/docs";
/// The files that the page loads.
#[cfg(feature = "page")]
const PAGE_FILE: &str = "/docs/{file}";

pub(crate) static ROUTES: LazyLock<Vec<Route>> =
    LazyLock::new(|| FIXED_ROUTES.iter().cloned().chain(record_routes()).collect());

/// The routes that do not write records.
static FIXED_ROUTES: &[Route] = &[
    Route {
        method: Method::GET,
        path: Cow::Borrowed(paths::V1_ME),
        group: RouteGroup::V1,
        access: Access::Token { surface: Surface::V1, scope: Scope::V1Read },
        action: Action::Other,
        operation: Cow::Borrowed("getOwnProfile"),
        summary: Cow::Borrowed("Returns the profile of the token's user"),
        request: None,
        status: 200,
        response: Content::json::<Profile>(),
        extra_errors: &[],
        handler: || handlers::GetProfile.arc(),
    },
    Route {
        method: Method::GET,
        path: Cow::Borrowed(paths::V1_READ),
        group: RouteGroup::V1,
        access: Access::Token { surface: Surface::V1, scope: Scope::V1Read },
        action: Action::Read(None),
        operation: Cow::Borrowed("readResource"),
        summary: Cow::Borrowed("Returns one of the family's resources"),
        request: None,
        status: 200,
        response: Content::RESOURCE,
        extra_errors: &[],
        handler: || handlers::ReadResource.arc(),
    },
    Route {
        method: Method::GET,
        path: Cow::Borrowed(paths::READ_PATH_READ),
        group: RouteGroup::ReadPath,
        access: Access::Token { surface: Surface::ReadPath, scope: Scope::McpRead },
        action: Action::Read(None),
        operation: Cow::Borrowed("readResourceOnReadPath"),
        summary: Cow::Borrowed("Returns one of the family's resources, even if the personal API is off"),
        request: None,
        status: 200,
        response: Content::RESOURCE,
        extra_errors: &[],
        handler: || handlers::ReadResource.arc(),
    },
    #[cfg(feature = "mcp")]
    Route {
        method: Method::POST,
        path: Cow::Borrowed(paths::V1_MCP),
        group: RouteGroup::Mcp,
        access: Access::Token { surface: Surface::V1, scope: Scope::V1Read },
        action: Action::Other,
        operation: Cow::Borrowed("callMcp"),
        summary: Cow::Borrowed("Answers a message of an MCP client, with all tools that the token may call"),
        request: Some(RequestBody::MCP_MESSAGE),
        status: 200,
        response: Content::MCP_MESSAGE,
        extra_errors: &[ErrorCode::CrossSiteRequest],
        handler: || McpEndpoint::new(Surface::V1).arc(),
    },
    #[cfg(feature = "mcp")]
    Route {
        method: Method::POST,
        path: Cow::Borrowed(paths::READ_PATH_MCP),
        group: RouteGroup::Mcp,
        access: Access::Token { surface: Surface::ReadPath, scope: Scope::McpRead },
        action: Action::Other,
        operation: Cow::Borrowed("callMcpOnReadPath"),
        summary: Cow::Borrowed("Answers a message of an MCP client, with the read tools"),
        request: Some(RequestBody::MCP_MESSAGE),
        status: 200,
        response: Content::MCP_MESSAGE,
        extra_errors: &[ErrorCode::CrossSiteRequest],
        handler: || McpEndpoint::new(Surface::ReadPath).arc(),
    },
    Route {
        method: Method::GET,
        path: Cow::Borrowed(paths::ME),
        group: RouteGroup::Profile,
        access: Access::Session,
        action: Action::Other,
        operation: Cow::Borrowed("getProfile"),
        summary: Cow::Borrowed("Returns the profile of the signed-in user"),
        request: None,
        status: 200,
        response: Content::json::<Profile>(),
        extra_errors: &[],
        handler: || handlers::GetProfile.arc(),
    },
    Route {
        method: Method::PATCH,
        path: Cow::Borrowed(paths::ME),
        group: RouteGroup::Profile,
        access: Access::Session,
        action: Action::Other,
        operation: Cow::Borrowed("updateProfile"),
        summary: Cow::Borrowed("Switches the personal API on or off"),
        request: Some(RequestBody::PROFILE_UPDATE),
        status: 200,
        response: Content::json::<Profile>(),
        extra_errors: &[],
        handler: || handlers::UpdateProfile.arc(),
    },
    Route {
        method: Method::POST,
        path: Cow::Borrowed(paths::KEYS),
        group: RouteGroup::Keys,
        access: Access::Session,
        action: Action::Other,
        operation: Cow::Borrowed("createKey"),
        summary: Cow::Borrowed("Creates an integration key. Only this response contains the plaintext of the key"),
        request: Some(RequestBody::KEY_DRAFT),
        status: 201,
        response: Content::json::<CreatedKey>(),
        extra_errors: &[ErrorCode::ApiDisabledForKey, ErrorCode::KeyLimitReached],
        handler: || handlers::CreateKey.arc(),
    },
    Route {
        method: Method::GET,
        path: Cow::Borrowed(paths::KEYS),
        group: RouteGroup::Keys,
        access: Access::Session,
        action: Action::Other,
        operation: Cow::Borrowed("listKeys"),
        summary: Cow::Borrowed("Lists the active integration keys, newest first"),
        request: None,
        status: 200,
        response: Content::json::<KeyList>(),
        extra_errors: &[],
        handler: || handlers::ListKeys.arc(),
    },
    Route {
        method: Method::DELETE,
        path: Cow::Borrowed(paths::KEY),
        group: RouteGroup::Keys,
        access: Access::Session,
        action: Action::Other,
        operation: Cow::Borrowed("revokeKey"),
        summary: Cow::Borrowed("Revokes an integration key"),
        request: None,
        status: 200,
        response: Content::json::<RevokedKey>(),
        extra_errors: &[],
        handler: || handlers::RevokeKey.arc(),
    },
    Route {
        method: Method::DELETE,
        path: Cow::Borrowed(paths::ACCESS),
        group: RouteGroup::Keys,
        access: Access::Session,
        action: Action::Other,
        operation: Cow::Borrowed("revokeAccess"),
        summary: Cow::Borrowed("Revokes everything that can act for the user, and switches the personal API off"),
        request: None,
        status: 200,
        response: Content::json::<RevokedAccess>(),
        extra_errors: &[],
        handler: || handlers::RevokeAccess.arc(),
    },
    Route {
        method: Method::GET,
        path: Cow::Borrowed(paths::CONNECTIONS),
        group: RouteGroup::Connections,
        access: Access::Session,
        action: Action::Other,
        operation: Cow::Borrowed("listConnections"),
        summary: Cow::Borrowed("Lists the assistants that the user has connected without a key, newest first"),
        request: None,
        status: 200,
        response: Content::json::<ConnectionList>(),
        extra_errors: &[],
        handler: || handlers::ListConnections.arc(),
    },
    Route {
        method: Method::DELETE,
        path: Cow::Borrowed(paths::CONNECTION),
        group: RouteGroup::Connections,
        access: Access::Session,
        action: Action::Other,
        operation: Cow::Borrowed("revokeConnection"),
        summary: Cow::Borrowed("Ends a connection"),
        request: None,
        status: 200,
        response: Content::json::<RevokedConnection>(),
        extra_errors: &[],
        handler: || handlers::RevokeConnection.arc(),
    },
    Route {
        method: Method::GET,
        path: Cow::Borrowed(paths::DELETED),
        group: RouteGroup::Records,
        access: Access::Session,
        action: Action::ListDeleted,
        operation: Cow::Borrowed("listDeleted"),
        summary: Cow::Borrowed("Lists the deleted records that the user can restore, newest first"),
        request: None,
        status: 200,
        response: Content::json::<RestorableList>(),
        extra_errors: &[],
        handler: || handlers::ListDeleted.arc(),
    },
    Route {
        method: Method::GET,
        path: Cow::Borrowed(paths::OPENAPI),
        group: RouteGroup::OpenApi,
        access: Access::Public,
        action: Action::Other,
        operation: Cow::Borrowed("getOpenApi"),
        summary: Cow::Borrowed("Returns this document"),
        request: None,
        status: 200,
        response: Content::DOCUMENT,
        extra_errors: &[],
        handler: || handlers::GetOpenApi.arc(),
    },
    #[cfg(feature = "page")]
    Route {
        method: Method::GET,
        path: Cow::Borrowed(PAGE),
        group: RouteGroup::Page,
        access: Access::Public,
        action: Action::Other,
        operation: Cow::Borrowed("getPage"),
        summary: Cow::Borrowed("Returns the page that renders this document"),
        request: None,
        status: 200,
        response: Content::PAGE,
        extra_errors: &[],
        handler: || handlers::GetPage.arc(),
    },
    #[cfg(feature = "page")]
    Route {
        method: Method::GET,
        path: Cow::Borrowed(PAGE_FILE),
        group: RouteGroup::Page,
        access: Access::Public,
        action: Action::Other,
        operation: Cow::Borrowed("getPageFile"),
        summary: Cow::Borrowed("Returns a file that the page loads"),
        request: None,
        status: 200,
        response: Content::FILE,
        extra_errors: &[],
        handler: || handlers::GetPageFile.arc(),
    },
];
