//! Starts a connection: shows the consent page to the signed-in user (OAuth 2.1, section 4.1.1).

use family_api_core::access::Caller;
use salvo::{Depot, Request, Response, handler};

use crate::HttpError;
use crate::oauth::authorization_request::{AuthorizationRequest, requested_state};
use crate::oauth::consent::{ConsentPage, ConsentRequest, Notice};
use crate::oauth::page_error::PageError;
use crate::oauth::parameters::Parameters;
use crate::oauth::refused_request::RefusedRequest;
use crate::oauth::reply::Reply;
use crate::oauth::see_other::SeeOther;
use crate::oauth::{OAuthContext, RedirectUri, ResolvedClient};

/// The path of the authorization endpoint.
pub(crate) const PATH: &str = "/oauth/authorize";

/// The maximum length of the query, in bytes.
const MAX_QUERY: usize = 4 * 1024;

/// Handles `GET /oauth/authorize`.
///
/// A user without a session is sent to the sign-in first. So strangers can neither make the server fetch the documents
/// of clients, nor be led to any other site by a link to this server (RFC 9700, section 4.11.2).
///
/// Errors are shown as a page. If the redirect URI is known to belong to the client, the page has a link that sends the
/// error to the client.
pub(crate) struct Authorize {
    /// The path at which the handler is mounted.
    pub(crate) path: &'static str,
}

#[handler]
impl Authorize {
    async fn handle(&self, req: &mut Request, depot: &Depot, res: &mut Response) -> Result<(), HttpError> {
        let oauth = OAuthContext::of(depot)?;
        let view = oauth.layout.view(req, self.path);
        Reply::render(authorize(oauth, req, depot).await, &view, res);
        Ok(())
    }
}

async fn authorize(oauth: &OAuthContext, req: &Request, depot: &Depot) -> Result<Reply, PageError> {
    let query = req.uri().query().unwrap_or_default();
    if query.len() > MAX_QUERY {
        return Err(PageError::MalformedRequest("the query is longer than 4096 bytes".to_owned()));
    }
    let Some(caller) = oauth.caller(req, depot).await? else {
        let page = oauth.options.sign_in.url(&format!("{}{PATH}?{query}", oauth.issuer.path()));
        return Ok(Reply::Redirect(SeeOther::to_page(page)));
    };
    let parameters = Parameters::parse(query.as_bytes());
    let (client, redirect_uri) = client(oauth, &caller, &parameters).await?;
    consent(oauth, &caller, client, redirect_uri, &parameters).await
}

/// Returns the client and the redirect URI that it may use.
async fn client(
    oauth: &OAuthContext,
    caller: &Caller,
    parameters: &Parameters,
) -> Result<(ResolvedClient, RedirectUri), PageError> {
    let (client_id, redirect_uri) = (parameters.get("client_id")?, parameters.get("redirect_uri")?);
    let client = oauth.clients.resolve(client_id, caller.user()).await?;
    let redirect_uri = client.allows(redirect_uri).ok_or(PageError::ForeignRedirect)?;
    Ok((client, redirect_uri))
}

async fn consent(
    oauth: &OAuthContext,
    caller: &Caller,
    client: ResolvedClient,
    redirect_uri: RedirectUri,
    parameters: &Parameters,
) -> Result<Reply, PageError> {
    match AuthorizationRequest::parse(parameters, oauth) {
        Ok(request) => {
            let request = ConsentRequest::new(caller.user(), client, redirect_uri, request, oauth.api.now())?;
            Ok(Reply::Consent(Box::new(ConsentPage::new(oauth, caller, request, Notice::None).await?)))
        }
        Err(error) => {
            let state = requested_state(parameters).unwrap_or_default();
            Ok(Reply::Refused(Box::new(RefusedRequest::new(client, &redirect_uri, state, &oauth.issuer, error))))
        }
    }
}
