//! The description of a route, from which the router and the OpenAPI document are built.

use std::borrow::Cow;

use family_api_core::key::Scope;
use family_api_core::resource::{RecordKind, ResourceKind, Verb};
use family_api_core::storage::Capabilities;
use family_api_core::{ErrorCode, Surface, paths};
use salvo::handler::ArcHandler;
use salvo::http::Method;

use crate::request_body::RequestBody;
use crate::response_content::Content;

/// One operation of the API: a method on a path.
#[derive(Clone)]
pub(crate) struct Route {
    pub(crate) method: Method,
    /// The path template. salvo and OpenAPI use the same syntax.
    pub(crate) path: Cow<'static, str>,
    pub(crate) group: RouteGroup,
    pub(crate) access: Access,
    pub(crate) action: Action,
    /// The `operationId` in the OpenAPI document.
    pub(crate) operation: Cow<'static, str>,
    pub(crate) summary: Cow<'static, str>,
    pub(crate) request: Option<RequestBody>,
    /// The status of a successful response.
    pub(crate) status: u16,
    pub(crate) response: Content,
    /// The error codes that [`errors`](Self::errors) cannot derive from the access, the action, the path and the body.
    pub(crate) extra_errors: &'static [ErrorCode],
    pub(crate) handler: fn() -> ArcHandler,
}

/// A group of routes. A host can exclude each group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum RouteGroup {
    /// `/api/v1`, but for batches.
    V1,
    /// `/api/v1/batch`.
    Batch,
    /// `/api/mcp`.
    ReadPath,
    /// The MCP endpoints `/api/v1/mcp` and `/api/mcp`.
    #[cfg(feature = "mcp")]
    Mcp,
    /// `/api/users/me`.
    Profile,
    /// `/api/users/me/mcp-tokens`, and `/api/users/me/access`.
    Keys,
    /// `/api/users/me/connections`.
    Connections,
    /// `/api/users/me/calendar-feeds`, and `/calendar`.
    Feeds,
    /// The records of the family in a session, such as `/api/tasks`.
    Records,
    /// The OpenAPI document.
    OpenApi,
    /// The page that renders the OpenAPI document.
    Docs,
}

/// The credentials that a route requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Access {
    /// A token with this scope.
    Token { surface: Surface, scope: Scope },
    /// A signed-in user.
    Session,
    /// No credentials.
    Public,
}

/// What an operation does with the records of the family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Reads a resource: this one, or the `{resource}` of the path.
    Read(Option<ResourceKind>),
    /// Reads one record.
    Find(RecordKind),
    /// Lists the records of a kind.
    List(RecordKind),
    /// Reads the overview.
    Overview,
    /// Lists the members of the family.
    ListMembers,
    /// Lists the changes of records since a state.
    ListChanges,
    /// Writes one record.
    Write(RecordKind, Verb),
    /// Writes one occurrence of an event.
    WriteOccurrence(Verb),
    /// Deletes the checked items of a shopping list.
    DeleteChecked,
    /// Makes several writes.
    Batch,
    /// Lists the deleted records that can be restored.
    ListDeleted,
    /// None of these.
    Other,
}

/// The conditional header that an operation accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConditionalHeader {
    /// `If-None-Match`, for reads.
    IfNoneMatch,
    /// `If-Match`, for writes.
    IfMatch,
}

impl Action {
    /// Returns whether the action writes records by itself, so that a batch can contain it.
    pub(crate) const fn is_write(self) -> bool {
        matches!(self, Self::Write(..) | Self::WriteOccurrence(_) | Self::DeleteChecked)
    }

    /// Returns whether a storage with these capabilities supports the action.
    pub(crate) fn is_supported(self, capabilities: &Capabilities) -> bool {
        match self {
            Self::Read(None) | Self::Overview | Self::ListMembers => capabilities.resources().next().is_some(),
            Self::ListChanges => {
                capabilities.keeps_changes() && RecordKind::ALL.into_iter().any(|kind| capabilities.keeps_kind(kind))
            }
            Self::Find(kind) | Self::List(kind) => capabilities.keeps_resource(kind.resource()),
            Self::Read(Some(resource)) => capabilities.keeps_resource(resource),
            Self::Write(kind, verb) => capabilities.supports(kind, verb),
            Self::WriteOccurrence(_) => {
                let keeps = |field| capabilities.keeps_field(RecordKind::Event, field);
                capabilities.supports(RecordKind::Event, Verb::Update) && keeps("recurrence") && keeps("overrides")
            }
            Self::DeleteChecked => capabilities.supports(RecordKind::ShoppingItem, Verb::Delete),
            Self::Batch => RecordKind::ALL
                .into_iter()
                .any(|kind| Verb::ALL.into_iter().any(|verb| capabilities.supports(kind, verb))),
            Self::ListDeleted => RecordKind::ALL.into_iter().any(|kind| capabilities.supports(kind, Verb::Restore)),
            Self::Other => true,
        }
    }
}

impl Route {
    /// Returns the conditional header that the operation accepts, if any.
    pub(crate) fn conditional_header(&self) -> Option<ConditionalHeader> {
        match self.action {
            Action::Read(_) | Action::Find(_) | Action::List(_) | Action::Overview | Action::ListMembers => {
                Some(ConditionalHeader::IfNoneMatch)
            }
            Action::Write(_, Verb::Update | Verb::Delete) | Action::WriteOccurrence(_) => {
                Some(ConditionalHeader::IfMatch)
            }
            Action::Write(..)
            | Action::ListChanges
            | Action::DeleteChecked
            | Action::Batch
            | Action::ListDeleted
            | Action::Other => None,
        }
    }

    /// Returns whether the response has an `ETag`.
    pub(crate) fn is_versioned(&self) -> bool {
        match self.action {
            Action::Read(_) | Action::Find(_) | Action::List(_) | Action::Overview | Action::ListMembers => true,
            Action::Write(_, verb) | Action::WriteOccurrence(verb) => verb != Verb::Delete,
            Action::ListChanges | Action::DeleteChecked | Action::Batch | Action::ListDeleted | Action::Other => false,
        }
    }

    /// Returns whether the operation accepts an `Idempotency-Key`.
    pub(crate) fn is_creation(&self) -> bool {
        matches!(self.action, Action::Write(_, Verb::Create))
    }

    /// Returns whether the route is `/docs`, which redirects to `/docs/`.
    pub(crate) fn is_docs(&self) -> bool {
        self.group == RouteGroup::Docs && !self.path.contains('{')
    }

    /// Returns whether the route is an MCP endpoint. Its messages are JSON-RPC, so some of its errors are JSON-RPC too.
    pub(crate) fn is_mcp(&self) -> bool {
        [paths::V1_MCP, paths::READ_PATH_MCP].contains(&&*self.path)
    }

    /// Returns the surface that the route belongs to, if it accepts tokens.
    pub(crate) fn surface(&self) -> Option<Surface> {
        match self.access {
            Access::Token { surface, .. } => Some(surface),
            Access::Session | Access::Public => None,
        }
    }

    /// Returns the error codes of all possible error responses of the operation.
    pub(crate) fn errors(&self) -> Vec<ErrorCode> {
        let mut codes = self.access_errors();
        codes.extend(self.input_errors());
        codes.extend(self.action_errors());
        codes.extend(self.extra_errors);
        if self.access != Access::Public {
            codes.push(ErrorCode::Unavailable);
        }
        codes.push(ErrorCode::Internal);
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    fn access_errors(&self) -> Vec<ErrorCode> {
        use ErrorCode::{
            ApiDisabled, CrossSiteRequest, InsufficientScope, InvalidToken, McpScope, MissingToken, NoFamily,
            NotSignedIn, RateLimited,
        };
        let writes = self.method != Method::GET;
        let missing_scope = if self.is_mcp() { McpScope } else { InsufficientScope };
        match self.access {
            Access::Token { surface: Surface::V1, .. } => {
                vec![MissingToken, InvalidToken, RateLimited, ApiDisabled, NoFamily, missing_scope]
            }
            Access::Token { surface: Surface::ReadPath, .. } => {
                vec![MissingToken, InvalidToken, RateLimited, NoFamily, missing_scope]
            }
            Access::Session if writes => vec![NotSignedIn, CrossSiteRequest, RateLimited],
            Access::Session => vec![NotSignedIn],
            Access::Public => Vec::new(),
        }
    }

    fn input_errors(&self) -> Vec<ErrorCode> {
        use ErrorCode::{InvalidField, InvalidJson, NotFound, PayloadTooLarge, UnsupportedMediaType};
        let mut codes = Vec::new();
        if self.path.contains('{') {
            codes.push(NotFound);
        }
        if self.request.is_some() {
            codes.extend([InvalidJson, PayloadTooLarge, UnsupportedMediaType]);
        }
        if self.request.is_some() && !self.is_mcp() {
            codes.push(InvalidField);
        }
        codes
    }

    fn action_errors(&self) -> &'static [ErrorCode] {
        use ErrorCode::{InvalidField, InvalidQuery, NotFound};
        match self.action {
            Action::Read(_)
            | Action::Find(_)
            | Action::List(_)
            | Action::Overview
            | Action::ListMembers
            | Action::ListChanges
            | Action::DeleteChecked => &[InvalidQuery],
            // The user may have no family.
            Action::ListDeleted => &[NotFound, InvalidQuery],
            // The start in the path can name several occurrences.
            Action::WriteOccurrence(_) => &[InvalidField],
            Action::Write(..) | Action::Batch | Action::Other => &[],
        }
    }
}
