//! Errors that the user sees, because they must not or cannot be sent to the client.

use family_api_core::grant::InvalidClient;
use family_api_core::{Error, ErrorCode};
use maud::html;
use salvo::Response;
use salvo::http::StatusCode;

use crate::HttpError;
use crate::html::View;
use crate::html::text::{Message, OAuthErrorText};
use crate::oauth::ClientError;
use crate::oauth::consent::{InvalidForm, InvalidSignature};
use crate::oauth::parameters::InvalidParameter;

/// The reason why a user cannot connect a client. No variant contains a secret.
#[derive(Debug)]
pub(crate) enum PageError {
    /// The authorization request is malformed. Contains a description for the developer of the client.
    MalformedRequest(String),
    UnknownClient,
    /// The client's metadata document cannot be used. Contains the reason.
    ClientDocument(String),
    /// The redirect URI does not belong to the client.
    ForeignRedirect,
    /// The consent form is malformed, or its request was not signed by this server.
    InvalidForm,
    Expired,
    OtherUser,
    SignedOut,
    /// An error of core or of the HTTP layer.
    Http(HttpError),
    /// The personal API was switched on, but the connection was not stored because of this error.
    OnlyPersonalApi(HttpError),
    /// A guard or a limit has refused the request with this status.
    Status(StatusCode),
}

impl PageError {
    /// Renders the page. Logs the cause of an internal error.
    pub(crate) fn render(self, view: &View, res: &mut Response) {
        let text = &view.text().oauth.errors;
        let Message { title, advice } = self.message(text);
        let side_effect = matches!(self, Self::OnlyPersonalApi(_)).then_some(text.personal_api_is_on);
        let (status, detail) = match self {
            Self::MalformedRequest(detail) | Self::ClientDocument(detail) => (StatusCode::BAD_REQUEST, Some(detail)),
            Self::UnknownClient | Self::ForeignRedirect | Self::InvalidForm | Self::Expired => {
                (StatusCode::BAD_REQUEST, None)
            }
            Self::OtherUser => (StatusCode::FORBIDDEN, None),
            Self::SignedOut => (StatusCode::UNAUTHORIZED, None),
            Self::Status(status) => (status, None),
            Self::Http(error) | Self::OnlyPersonalApi(error) => {
                res.render(error);
                (res.status_code.unwrap_or_default(), None)
            }
        };
        let main = html! {
            div.narrow {
                section.card {
                    h1 { (title) }
                    p { (advice) }
                    @if let Some(side_effect) = side_effect { p { (side_effect) } }
                    @if let Some(detail) = detail { p.hint { code { (detail) } } }
                    p { (view.keys_link()) }
                }
            }
        };
        res.render(view.page(title, main).status(status));
    }

    /// Renders the page of a status.
    pub(crate) fn render_status(status: StatusCode, view: &View, res: &mut Response) {
        Self::Status(status).render(view, res);
    }

    fn message(&self, text: &OAuthErrorText) -> Message {
        match self {
            Self::MalformedRequest(_) => text.malformed_request,
            Self::UnknownClient => text.unknown_client,
            Self::ClientDocument(_) => text.client_document,
            Self::ForeignRedirect => text.foreign_redirect,
            Self::InvalidForm => text.invalid_form,
            Self::Expired => text.expired,
            Self::OtherUser => text.other_user,
            Self::SignedOut => text.signed_out,
            Self::Status(StatusCode::SERVICE_UNAVAILABLE) => text.unavailable,
            Self::Status(status) if status.is_client_error() => text.malformed_request,
            Self::Status(_) => text.internal,
            Self::Http(error) | Self::OnlyPersonalApi(error) => match error.code() {
                ErrorCode::ConsentUsed => text.used,
                ErrorCode::ConnectionLimitReached => text.limit_reached,
                ErrorCode::CrossSiteRequest => text.cross_site,
                ErrorCode::NotSignedIn => text.signed_out,
                ErrorCode::RateLimited => text.too_many_requests,
                ErrorCode::Unavailable => text.unavailable,
                ErrorCode::InvalidJson | ErrorCode::PayloadTooLarge | ErrorCode::UnsupportedMediaType => {
                    text.invalid_form
                }
                _ => text.internal,
            },
        }
    }
}

impl From<InvalidParameter> for PageError {
    fn from(error: InvalidParameter) -> Self {
        Self::MalformedRequest(error.to_string())
    }
}

impl From<ClientError> for PageError {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Unknown => Self::UnknownClient,
            ClientError::Document(reason) => Self::ClientDocument(reason),
            ClientError::Api(error) => error.into(),
        }
    }
}

impl From<HttpError> for PageError {
    fn from(error: HttpError) -> Self {
        Self::Http(error)
    }
}

impl From<Error> for PageError {
    fn from(error: Error) -> Self {
        Self::Http(error.into())
    }
}

/// The name of a client comes from its registration or its metadata document.
impl From<InvalidClient> for PageError {
    fn from(error: InvalidClient) -> Self {
        Self::ClientDocument(error.to_string())
    }
}

impl From<InvalidForm> for PageError {
    fn from(_: InvalidForm) -> Self {
        Self::InvalidForm
    }
}

impl From<InvalidSignature> for PageError {
    fn from(_: InvalidSignature) -> Self {
        Self::InvalidForm
    }
}
