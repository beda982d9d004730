//! The paths of the API: templates for the router and the OpenAPI document, and functions that fill them in.

use std::borrow::Cow;
use std::fmt::Display;

use crate::id::{FeedId, GrantId, KeyId};
use crate::occurrences::OccurrenceStart;
use crate::resource::{ResourceKind, Verb};
use crate::surface::Surface;

/// The prefix of routes that require a token and a user whose personal API is switched on.
pub const V1: &str = "/api/v1";
/// The prefix of routes that require a token.
pub const READ_PATH: &str = "/api/mcp";
/// The prefix of routes that require a session.
pub const SESSION: &str = "/api";

/// The path of the profile for requests with a token.
pub const V1_ME: &str = "/api/v1/me";
/// The path of a resource below `/api/v1`, for requests with a token.
pub const V1_READ: &str = "/api/v1/read/{resource}";
/// The path of a resource below `/api/mcp`, for requests with a token.
pub const READ_PATH_READ: &str = "/api/mcp/read/{resource}";
/// The path of the overview below `/api/v1`, for requests with a token.
pub const V1_OVERVIEW: &str = "/api/v1/read/overview";
/// The path of the overview below `/api/mcp`, for requests with a token.
pub const READ_PATH_OVERVIEW: &str = "/api/mcp/read/overview";
/// The path of the members of the family, for requests with a token.
pub const V1_MEMBERS: &str = "/api/v1/members";
/// The path of the changes of the family's records, for requests with a token.
pub const V1_CHANGES: &str = "/api/v1/changes";
/// The path of the items of all shopping lists, for requests with a token.
pub const V1_SHOPPING_ITEMS: &str = "/api/v1/shopping-items";
/// The path of one occurrence of an event, below [`V1`] or [`SESSION`].
pub const EVENT_OCCURRENCE: &str = "/events/{id}/occurrences/{start}";
/// The path that restores an occurrence of an event, below [`V1`] or [`SESSION`].
pub const EVENT_OCCURRENCE_RESTORE: &str = "/events/{id}/occurrences/{start}/restore";
/// The path of batches of writes, for requests with a token.
pub const V1_BATCH: &str = "/api/v1/batch";
/// The path of the MCP endpoint with all tools that the token may call.
pub const V1_MCP: &str = "/api/v1/mcp";
/// The path of the MCP endpoint with the read tools only.
pub const READ_PATH_MCP: &str = "/api/mcp";
/// The path of the profile for requests in a session.
pub const ME: &str = "/api/users/me";
/// The path of the integration keys for requests in a session.
pub const KEYS: &str = "/api/users/me/mcp-tokens";
/// The path of an integration key for requests in a session.
pub const KEY: &str = "/api/users/me/mcp-tokens/{id}";
/// The path of everything that the user has given access to, for requests in a session.
pub const ACCESS: &str = "/api/users/me/access";
/// The path of the deleted records for requests in a session.
pub const DELETED: &str = "/api/users/me/deleted";
/// The path of the connections for requests in a session.
pub const CONNECTIONS: &str = "/api/users/me/connections";
/// The path of a connection for requests in a session.
pub const CONNECTION: &str = "/api/users/me/connections/{id}";
/// The path of the calendar feeds for requests in a session.
pub const CALENDAR_FEEDS: &str = "/api/users/me/calendar-feeds";
/// The path of a calendar feed for requests in a session.
pub const CALENDAR_FEED: &str = "/api/users/me/calendar-feeds/{id}";
/// The path of what a calendar feed can be limited to, for requests in a session.
pub const CALENDAR_FEED_CHOICES: &str = "/api/users/me/calendar-feed-choices";
/// The path at which a calendar program reads a feed.
pub const CALENDAR: &str = "/calendar/{secret}.ics";
/// Sign-in to the standalone server (HTTP reference, "Sign-in of the standalone server").
pub const LOGIN: &str = "/login";
/// Sign-out of the standalone server.
pub const LOGOUT: &str = "/logout";
/// The OpenAPI document.
pub const OPENAPI: &str = "/openapi.json";

/// Returns the path of a resource for requests with a token.
#[must_use]
pub fn read(surface: Surface, resource: ResourceKind) -> String {
    let base = match surface {
        Surface::V1 => V1,
        Surface::ReadPath => READ_PATH,
    };
    format!("{base}/read/{}", resource.as_str())
}

/// Returns the path of the overview for requests with a token.
#[must_use]
pub const fn overview(surface: Surface) -> &'static str {
    match surface {
        Surface::V1 => V1_OVERVIEW,
        Surface::ReadPath => READ_PATH_OVERVIEW,
    }
}

/// Returns the path at which a calendar program reads a feed. It contains the secret of the feed.
#[must_use]
pub fn calendar_feed(secret: &str) -> String {
    CALENDAR.replace("{secret}", secret)
}

/// Returns the path of a surface's MCP endpoint.
#[must_use]
pub const fn mcp(surface: Surface) -> &'static str {
    match surface {
        Surface::V1 => V1_MCP,
        Surface::ReadPath => READ_PATH_MCP,
    }
}

/// The paths of the records of a kind: templates below [`V1`] or [`SESSION`].
///
/// ```
/// use family_api_types::{paths, resource::RecordKind};
///
/// let items = RecordKind::ShoppingItem.paths();
/// assert_eq!(items.collection_in(paths::V1, "l1"), "/api/v1/shopping-lists/l1/items");
/// assert_eq!(items.record_in(paths::SESSION, "i1"), "/api/shopping-items/i1");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordPaths {
    /// The records of a container, or of the family. New records are created here.
    pub collection: &'static str,
    /// One record.
    pub record: &'static str,
}

impl RecordPaths {
    /// Returns the template of the path of an operation. If it is not the method of the request that names the
    /// operation, its name is the end of the path.
    #[must_use]
    pub fn operation(self, verb: Verb) -> Cow<'static, str> {
        if verb == Verb::Create {
            self.collection.into()
        } else if matches!(verb, Verb::Update | Verb::Delete) {
            self.record.into()
        } else {
            format!("{}/{}", self.record, verb.as_str()).into()
        }
    }

    /// Returns the path of an operation on a record below a prefix. A creation has the id of the container instead.
    #[must_use]
    pub fn operation_in(self, prefix: &str, verb: Verb, id: impl Display) -> String {
        fill(prefix, &self.operation(verb), id)
    }

    /// Returns the path of the records of a container below a prefix. Kinds without a container ignore its id.
    #[must_use]
    pub fn collection_in(self, prefix: &str, container: impl Display) -> String {
        fill(prefix, self.collection, container)
    }

    /// Returns the path of a record below a prefix.
    #[must_use]
    pub fn record_in(self, prefix: &str, id: impl Display) -> String {
        fill(prefix, self.record, id)
    }
}

/// Returns the path of an occurrence of an event below a prefix.
#[must_use]
pub fn occurrence(prefix: &str, event: impl Display, start: OccurrenceStart) -> String {
    fill(prefix, EVENT_OCCURRENCE, event).replace("{start}", &start.to_string())
}

/// Returns the path that restores an occurrence of an event below a prefix.
#[must_use]
pub fn occurrence_restore(prefix: &str, event: impl Display, start: OccurrenceStart) -> String {
    fill(prefix, EVENT_OCCURRENCE_RESTORE, event).replace("{start}", &start.to_string())
}

fn fill(prefix: &str, template: &str, id: impl Display) -> String {
    format!("{prefix}{}", template.replace("{id}", &id.to_string()))
}

/// Returns the path of an integration key.
#[must_use]
pub fn key(id: &KeyId) -> String {
    format!("{KEYS}/{id}")
}

/// Returns the path of a calendar feed for requests in a session.
#[must_use]
pub fn feed(id: &FeedId) -> String {
    format!("{CALENDAR_FEEDS}/{id}")
}

/// Returns the path of a connection.
#[must_use]
pub fn connection(id: &GrantId) -> String {
    format!("{CONNECTIONS}/{id}")
}
