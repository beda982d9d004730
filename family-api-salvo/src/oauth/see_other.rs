//! Redirects of the browser: to the host's sign-in, or back to the client.

use salvo::http::header::{LOCATION, REFERRER_POLICY};
use salvo::http::{HeaderValue, ResBody, StatusCode};
use salvo::{Response, Scribe};
use zeroize::Zeroizing;

use crate::guard::PrivateResponse;
use crate::oauth::error::OAuthError;
use crate::oauth::{PublicUrl, RedirectUri};

/// A redirect with status 303, so that the browser never repeats a POST at the target (RFC 9700, section 4.12).
pub(crate) struct SeeOther(Zeroizing<String>);

impl SeeOther {
    /// Leads to a page of the own origin.
    pub(crate) fn to_page(path: String) -> Self {
        Self(Zeroizing::new(path))
    }

    /// Gives a code to the client. Names the issuer, which protects the client from mix-up (RFC 9207).
    pub(crate) fn with_code(redirect_uri: &RedirectUri, state: Option<&str>, issuer: &PublicUrl, code: &str) -> Self {
        Self::to_client(redirect_uri, state, issuer, &[("code", code)])
    }

    /// Tells the client why it gets no code.
    pub(crate) fn with_error(
        redirect_uri: &RedirectUri,
        state: Option<&str>,
        issuer: &PublicUrl,
        error: &OAuthError,
    ) -> Self {
        let parameters = [("error", error.code.as_str()), ("error_description", &error.description)];
        Self::to_client(redirect_uri, state, issuer, &parameters)
    }

    /// Returns the target, for a link.
    pub(crate) fn target(&self) -> &str {
        &self.0
    }

    fn to_client(
        redirect_uri: &RedirectUri,
        state: Option<&str>,
        issuer: &PublicUrl,
        parameters: &[(&str, &str)],
    ) -> Self {
        let issuer = issuer.to_string();
        let state = state.map(|state| ("state", state));
        let parameters = parameters.iter().copied().chain(state).chain([("iss", issuer.as_str())]);
        Self(Zeroizing::new(redirect_uri.with_parameters(parameters)))
    }
}

impl Scribe for SeeOther {
    fn render(self, res: &mut Response) {
        PrivateResponse::no_store(res);
        res.status_code(StatusCode::SEE_OTHER);
        let headers = res.headers_mut();
        headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        if let Ok(location) = HeaderValue::try_from(self.0.as_str()) {
            headers.insert(LOCATION, location);
        }
        res.replace_body(ResBody::None);
    }
}
