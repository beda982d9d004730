//! The errors of the endpoints of tokens, revocations and registrations, as JSON (RFC 6749, section 5.2).

use family_api_core::Error;
use family_api_core::grant::TokenError;
use salvo::http::header::WWW_AUTHENTICATE;
use salvo::http::{HeaderValue, StatusCode};
use salvo::{Response, Scribe};
use serde_json::json as document;

use crate::HttpError;
use crate::guard::PrivateResponse;
use crate::oauth::error::{OAuthError, OAuthErrorCode};
use crate::oauth::json_body;
use crate::oauth::parameters::InvalidParameter;

/// The scheme with which a client has tried to authenticate. RFC 9110 requires a challenge in every 401.
const CHALLENGE: HeaderValue = HeaderValue::from_static(r#"Basic realm="family-api""#);

/// An error of an endpoint that answers with JSON.
#[derive(Debug)]
pub(crate) enum EndpointError {
    /// An error of the client.
    OAuth(OAuthError),
    /// An error of the body, of the rate limit or of the storage. The response has its status and headers.
    Http(HttpError),
}

impl Scribe for EndpointError {
    fn render(self, res: &mut Response) {
        let error = match self {
            Self::OAuth(error) => {
                let is_unauthorized = error.code == OAuthErrorCode::InvalidClient;
                res.status_code(if is_unauthorized { StatusCode::UNAUTHORIZED } else { StatusCode::BAD_REQUEST });
                if is_unauthorized {
                    res.headers_mut().insert(WWW_AUTHENTICATE, CHALLENGE);
                }
                error
            }
            Self::Http(error) => {
                let description = error.to_string();
                res.render(error);
                OAuthError::new(oauth_code_for(res.status_code.unwrap_or_default()), description)
            }
        };
        PrivateResponse::no_store(res);
        let body = document!({ "error": error.code.as_str(), "error_description": error.description });
        json_body::render(res.status_code.unwrap_or_default(), &body, res);
    }
}

fn oauth_code_for(status: StatusCode) -> OAuthErrorCode {
    match status {
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => OAuthErrorCode::TemporarilyUnavailable,
        status if status.is_server_error() => OAuthErrorCode::ServerError,
        _ => OAuthErrorCode::InvalidRequest,
    }
}

impl From<TokenError> for EndpointError {
    fn from(error: TokenError) -> Self {
        let (code, description) = match error {
            TokenError::Api(error) => return Self::Http(error.into()),
            TokenError::InvalidScope => {
                (OAuthErrorCode::InvalidScope, "the requested scopes exceed those that the user approved")
            }
            TokenError::InvalidTarget => (OAuthErrorCode::InvalidTarget, "the user approved another resource"),
            // The client does not learn the reason.
            _ => (OAuthErrorCode::InvalidGrant, "the code or the refresh token is not valid for this request"),
        };
        Self::OAuth(OAuthError::new(code, description))
    }
}

impl From<OAuthError> for EndpointError {
    fn from(error: OAuthError) -> Self {
        Self::OAuth(error)
    }
}

impl From<InvalidParameter> for EndpointError {
    fn from(error: InvalidParameter) -> Self {
        Self::OAuth(error.into())
    }
}

impl From<HttpError> for EndpointError {
    /// A body of another media type is a malformed request, which these endpoints answer with 400.
    fn from(error: HttpError) -> Self {
        match error {
            HttpError::UnsupportedMediaType { .. } => Self::OAuth(OAuthError::invalid_request(error.to_string())),
            other => Self::Http(other),
        }
    }
}

impl From<Error> for EndpointError {
    fn from(error: Error) -> Self {
        Self::Http(error.into())
    }
}
