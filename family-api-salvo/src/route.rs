//! What a route is.

use family_api_core::key::Scope;
use family_api_core::{ErrorCode, Surface};
use salvo::handler::ArcHandler;
use salvo::http::Method;

use crate::openapi::{Content, RequestBody};

/// One operation.
pub(crate) struct Route {
    pub(crate) method: Method,
    /// The template, in which the framework's syntax and OpenAPI's agree.
    pub(crate) path: &'static str,
    pub(crate) part: Part,
    pub(crate) access: Access,
    /// The operation's id.
    pub(crate) operation: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) request: Option<RequestBody>,
    pub(crate) status: u16,
    pub(crate) response: Content,
    /// What it may answer beyond what its access, its path and its body bring with them.
    pub(crate) refusals: &'static [ErrorCode],
    pub(crate) handler: fn() -> ArcHandler,
}

/// What a host mounts or leaves out as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Part {
    /// `/api/v1`.
    V1,
    /// `/api/mcp`.
    ReadPath,
    /// `/api/users/me`.
    Profile,
    /// `/api/users/me/mcp-tokens`.
    Keys,
    /// `/api/tasks/{id}` and `/api/notes/{id}`.
    Records,
    /// The OpenAPI document.
    OpenApi,
    /// The page that renders it.
    Page,
}

/// Who may come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Access {
    /// A token that holds this scope.
    Token { surface: Surface, scope: Scope },
    /// A signed-in user.
    Session,
    /// Anybody.
    Open,
}

/// Which version of something a request may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condition {
    /// What the caller has already: `If-None-Match`.
    Known,
    /// What the caller means to change: `If-Match`.
    Expected,
}

impl Route {
    /// The condition that the operation takes, if any.
    pub(crate) fn condition(&self) -> Option<Condition> {
        if self.path.contains("{resource}") {
            Some(Condition::Known)
        } else if matches!(self.part, Part::V1 | Part::Records) && self.method != Method::GET {
            Some(Condition::Expected)
        } else {
            None
        }
    }

    /// Whether the answer names its version.
    pub(crate) fn is_versioned(&self) -> bool {
        self.condition().is_some() && self.method != Method::DELETE
    }

    /// Whether it is a page for people, at a path that browsers are sent on from.
    pub(crate) fn is_page(&self) -> bool {
        self.part == Part::Page && !self.path.contains('{')
    }

    /// Every code that the operation may answer with.
    pub(crate) fn errors(&self) -> Vec<ErrorCode> {
        let mut codes = self.access_errors();
        codes.extend(self.input_errors());
        codes.extend(self.refusals);
        if self.access != Access::Open {
            codes.push(ErrorCode::Unavailable);
        }
        codes.push(ErrorCode::Internal);
        codes.sort_unstable();
        codes
    }

    fn access_errors(&self) -> Vec<ErrorCode> {
        use ErrorCode::{
            ApiDisabled, CrossSiteRequest, InsufficientScope, InvalidToken, MissingToken, NoFamily, NotSignedIn,
            RateLimited,
        };
        let writes = self.method != Method::GET;
        match self.access {
            Access::Token { surface: Surface::V1, .. } => {
                vec![MissingToken, InvalidToken, RateLimited, ApiDisabled, NoFamily, InsufficientScope]
            }
            Access::Token { surface: Surface::ReadPath, .. } => {
                vec![MissingToken, InvalidToken, RateLimited, NoFamily, InsufficientScope]
            }
            Access::Session if writes => vec![NotSignedIn, CrossSiteRequest, RateLimited],
            Access::Session => vec![NotSignedIn],
            Access::Open => Vec::new(),
        }
    }

    fn input_errors(&self) -> Vec<ErrorCode> {
        use ErrorCode::{
            InvalidField, InvalidJson, NotFound, PayloadTooLarge, PreconditionFailed, UnsupportedMediaType,
        };
        let mut codes = Vec::new();
        if self.path.contains('{') {
            codes.push(NotFound);
        }
        if self.condition() == Some(Condition::Expected) {
            codes.push(PreconditionFailed);
        }
        if self.request.is_some() {
            codes.extend([InvalidJson, PayloadTooLarge, UnsupportedMediaType, InvalidField]);
        }
        codes
    }
}
