//! Takes the answer of the user.

use family_api_core::Surface;
use family_api_core::access::Caller;
use family_api_core::change::ProfileChange;
use family_api_core::key::KeyMode;
use salvo::{Depot, Request, Response, handler};

use crate::HttpError;
use crate::oauth::OAuthState;
use crate::oauth::consent::form::{Decision, InvalidForm, PersonalApi, field};
use crate::oauth::consent::page::{ConsentPage, Notice};
use crate::oauth::consent::request::ConsentRequest;
use crate::oauth::error::{OAuthError, OAuthErrorCode};
use crate::oauth::error_page::PageError;
use crate::oauth::parameters::Parameters;
use crate::oauth::reply::Reply;
use crate::oauth::see_other::SeeOther;

/// The path of the consent form.
pub(crate) const PATH: &str = "/oauth/consent";

/// Handles `POST /oauth/consent`.
///
/// The session is looked up after the body has arrived, so a session that ended meanwhile has no effect. The transaction
/// that stores the grant checks it again.
pub(crate) struct Consent;

#[handler]
impl Consent {
    async fn handle(req: &mut Request, depot: &Depot, res: &mut Response) -> Result<(), HttpError> {
        let oauth = OAuthState::of(depot)?;
        let view = oauth.layout.view(req, PATH);
        Reply::render(submit(oauth, req, depot).await, &view, res);
        Ok(())
    }
}

async fn submit(oauth: &OAuthState, req: &mut Request, depot: &Depot) -> Result<Reply, PageError> {
    oauth.same_site.check(req)?;
    let form = Parameters::read_form(req).await?;
    let caller = oauth.caller(req, depot).await?.ok_or(PageError::SignedOut)?;
    oauth.api.count_session_write(&caller)?;
    let request = open(oauth, &caller, &form).await?;
    match Decision::parse(&form)? {
        Decision::Allow { mode, personal_api } => allow(oauth, &caller, request, mode, personal_api).await,
        Decision::Deny => {
            let denied = OAuthError::new(OAuthErrorCode::AccessDenied, "the user denied the request");
            let state = request.state.as_deref();
            Ok(Reply::Redirect(SeeOther::with_error(&request.redirect_uri, state, &oauth.issuer, &denied)))
        }
    }
}

/// Returns the request that the caller answers.
async fn open(oauth: &OAuthState, caller: &Caller, form: &Parameters) -> Result<ConsentRequest, PageError> {
    let sealed = form.get(field::REQUEST).map_err(InvalidForm::from)?;
    let request = ConsentRequest::open(sealed, &oauth.grants()?.signing_key().await?)?;
    if request.user != *caller.user() {
        return Err(PageError::OtherUser);
    }
    if request.is_expired(oauth.api.now()) {
        return Err(PageError::Expired);
    }
    Ok(request)
}

/// Stores the grant. Switches the personal API on afterwards, so that a refused approval changes nothing.
async fn allow(
    oauth: &OAuthState,
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
        let page = ConsentPage::new(oauth, caller, request, Notice::PersonalApiRequired).await?;
        return Ok(Reply::Ask(Box::new(page)));
    }
    let code = oauth.grants()?.approve(caller, request.approve(access)).await?;
    if needs_personal_api {
        profiles.update(&ProfileChange::new().enable_personal_api()).await?;
    }
    let (redirect_uri, state) = (&request.redirect_uri, request.state.as_deref());
    Ok(Reply::Redirect(SeeOther::with_code(redirect_uri, state, &oauth.issuer, code.expose())))
}
