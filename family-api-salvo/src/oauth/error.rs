//! The errors of OAuth that a client receives, in a redirect or as JSON.

use std::borrow::Cow;

use crate::oauth::parameters::InvalidParameter;

/// The code of an error (RFC 6749, sections 4.1.2.1 and 5.2; RFC 7591, section 3.2.2;
/// RFC 8707, section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OAuthErrorCode {
    AccessDenied,
    InvalidClient,
    InvalidClientMetadata,
    InvalidGrant,
    InvalidRedirectUri,
    InvalidRequest,
    InvalidScope,
    InvalidTarget,
    ServerError,
    TemporarilyUnavailable,
    UnsupportedGrantType,
    UnsupportedResponseType,
}

impl OAuthErrorCode {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::AccessDenied => "access_denied",
            Self::InvalidClient => "invalid_client",
            Self::InvalidClientMetadata => "invalid_client_metadata",
            Self::InvalidGrant => "invalid_grant",
            Self::InvalidRedirectUri => "invalid_redirect_uri",
            Self::InvalidRequest => "invalid_request",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::ServerError => "server_error",
            Self::TemporarilyUnavailable => "temporarily_unavailable",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::UnsupportedResponseType => "unsupported_response_type",
        }
    }
}

/// An error with a description for the developer of the client. The description never contains a value of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OAuthError {
    pub(crate) code: OAuthErrorCode,
    /// ASCII without `"` and `\`.
    pub(crate) description: Cow<'static, str>,
}

impl OAuthError {
    pub(crate) fn new(code: OAuthErrorCode, description: impl Into<Cow<'static, str>>) -> Self {
        Self { code, description: description.into() }
    }

    pub(crate) fn invalid_request(description: impl Into<Cow<'static, str>>) -> Self {
        Self::new(OAuthErrorCode::InvalidRequest, description)
    }
}

impl From<InvalidParameter> for OAuthError {
    fn from(error: InvalidParameter) -> Self {
        Self::invalid_request(error.to_string())
    }
}
