//! Takes the answer of the user.

use family_api_core::access::Caller;
use family_api_core::change::ProfileChange;
use family_api_core::key::KeyMode;
use family_api_core::{Error, Surface};
use salvo::{Depot, Request, Response, handler};

use crate::HttpError;
use crate::oauth::OAuthContext;
use crate::oauth::consent::form::{Decision, InvalidForm, PATH, PersonalApi, field};
use crate::oauth::consent::page::{ConsentPage, Notice};
use crate::oauth::consent::request::ConsentRequest;
use crate::oauth::error::{OAuthError, OAuthErrorCode};
use crate::oauth::page_error::PageError;
use crate::oauth::parameters::Parameters;
use crate::oauth::reply::Reply;
use crate::oauth::see_other::SeeOther;

/// Handles `POST /oauth/consent`.
///
/// The session is looked up after the body has arrived, so a session that ended meanwhile has no effect. The
/// transaction that stores the grant checks it again.
pub(crate) struct Consent;

#[handler]
impl Consent {
    async fn handle(req: &mut Request, depot: &Depot, res: &mut Response) -> Result<(), HttpError> {
        let oauth = OAuthContext::of(depot)?;
        let view = oauth.layout.view(req, PATH);
        Reply::render(submit(oauth, req, depot).await, &view, res);
        Ok(())
    }
}

async fn submit(oauth: &OAuthContext, req: &mut Request, depot: &Depot) -> Result<Reply, PageError> {
    oauth.same_site.check(req)?;
    let form = Parameters::read_form(req).await?;
    let caller = oauth.caller(req, depot).await?.ok_or(PageError::SignedOut)?;
    oauth.api.count_session_write(&caller)?;
    let request = open(oauth, &caller, &form).await?;
    match Decision::parse(&form)? {
        Decision::Allow { mode, personal_api } => allow(oauth, &caller, request, mode, personal_api).await,
        Decision::Deny => deny(oauth, &caller, &request).await,
    }
}

/// Tells the client that the user has denied, unless the user has allowed the connection before with the same form.
///
/// A denial stores nothing, because otherwise each one would need a row. So the user can still allow the connection
/// with the same form.
async fn deny(oauth: &OAuthContext, caller: &Caller, request: &ConsentRequest) -> Result<Reply, PageError> {
    let connections = oauth.api.connections(caller)?.list().await?.connections;
    if connections.iter().any(|connection| request.has_become(&connection.id)) {
        return Err(Error::ConsentUsed.into());
    }
    let denied = OAuthError::new(OAuthErrorCode::AccessDenied, "the user denied the request");
    let state = request.state.as_deref();
    Ok(Reply::Redirect(SeeOther::with_error(&request.redirect_uri, state, &oauth.issuer, &denied)))
}

/// Returns the request that the caller answers.
async fn open(oauth: &OAuthContext, caller: &Caller, form: &Parameters) -> Result<ConsentRequest, PageError> {
    let signed = form.get(field::REQUEST).map_err(InvalidForm::from)?;
    let request = ConsentRequest::verify(signed, &oauth.grants()?.signing_key().await?)?;
    if request.user != *caller.user() {
        return Err(PageError::OtherUser);
    }
    if request.is_expired(oauth.api.now()) {
        return Err(PageError::Expired);
    }
    Ok(request)
}

/// Switches the personal API on if the user wants that, and then stores the grant. If the second step fails, the page
/// says that the first one has happened. In the other order, a connection without access could remain.
async fn allow(
    oauth: &OAuthContext,
    caller: &Caller,
    request: ConsentRequest,
    mode: KeyMode,
    personal_api: PersonalApi,
) -> Result<Reply, PageError> {
    let access = request.choices().into_iter().find(|access| access.mode == mode).ok_or(PageError::InvalidForm)?;
    let profiles = oauth.api.profile(caller)?;
    let profile = profiles.get().await?;
    let needs_personal_api = request.surface == Surface::V1 && !profile.personal_api_enabled;
    if needs_personal_api && personal_api == PersonalApi::Unchanged {
        let page = ConsentPage::new(oauth, caller, request, Notice::PersonalApiRequired { mode }).await?;
        return Ok(Reply::Consent(Box::new(page)));
    }
    if needs_personal_api {
        profiles.update(&ProfileChange::new().enable_personal_api()).await?;
    }
    let approved = oauth.grants()?.approve(caller, request.approve(access)).await;
    let code = approved.map_err(|error| {
        let error = HttpError::from(error);
        if needs_personal_api { PageError::OnlyPersonalApi(error) } else { PageError::Http(error) }
    })?;
    let (redirect_uri, state) = (&request.redirect_uri, request.state.as_deref());
    Ok(Reply::Redirect(SeeOther::with_code(redirect_uri, state, &oauth.issuer, code.expose())))
}
