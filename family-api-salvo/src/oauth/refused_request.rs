//! The page for an authorization request that a known client has made wrongly.

use maud::html;
use salvo::Response;
use salvo::http::StatusCode;

use crate::html::View;
use crate::html::text::Message;
use crate::oauth::consent::claimed_name;
use crate::oauth::error::OAuthError;
use crate::oauth::see_other::SeeOther;
use crate::oauth::{PublicUrl, RedirectUri, ResolvedClient};

/// A request that is refused, although the redirect URI belongs to the client.
///
/// The page has a link with which the user tells the client. The browser is not redirected, because anyone can register
/// a client: a crafted link to this server would lead every signed-in user to the site of its author (RFC 9700, section
/// 4.11.2).
pub(crate) struct RefusedRequest {
    client: Option<String>,
    host: String,
    back: SeeOther,
    error: OAuthError,
}

impl RefusedRequest {
    pub(crate) fn new(
        client: ResolvedClient,
        redirect_uri: &RedirectUri,
        state: Option<&str>,
        issuer: &PublicUrl,
        error: OAuthError,
    ) -> Self {
        let back = SeeOther::with_error(redirect_uri, state, issuer, &error);
        Self { client: client.name, host: redirect_uri.host(), back, error }
    }

    pub(crate) fn render(&self, view: &View, res: &mut Response) {
        let text = &view.text().oauth;
        let Message { title, advice } = text.errors.refused_request;
        let main = html! {
            div.narrow {
                section.card {
                    h1 { (title) }
                    dl { (claimed_name(&text.consent, self.client.as_deref())) }
                    p { (advice) }
                    p { a href=(self.back.target()) rel="noreferrer" { (text.errors.back_to_client) " " bdi { (self.host) } } }
                    p { (view.keys_link()) }
                    p.hint { code { (self.error.code.as_str()) ": " (self.error.description) } }
                }
            }
        };
        res.render(view.page(title, main).status(StatusCode::BAD_REQUEST));
    }
}
