//! Takes the answer of the user.

use family_api_core::access::Caller;
use family_api_core::change::ProfileChange;
use family_api_core::grant::SigningKey;
use family_api_core::{Error, Surface};
use salvo::{Depot, Request, Response, handler};

use crate::oauth::OAuthState;
use crate::oauth::consent::form::{Decision, PersonalApi, field};
use crate::oauth::consent::page::{ConsentPage, Notice};
use crate::oauth::consent::request::ConsentRequest;
use crate::oauth::error::{OAuthError, OAuthErrorCode};
use crate::oauth::error_page::PageError;
use crate::oauth::parameters::Parameters;
use crate::oauth::see_other::SeeOther;

/// The path of the consent form.
pub(crate) const PATH: &str = "/oauth/consent";

/// Handles `POST /oauth/consent`.
///
/// The session is looked up after the body has arrived, so a session that ended meanwhile has no effect.
pub(crate) struct Consent;

#[handler]
impl Consent {
    async fn handle(req: &mut Request, depot: &Depot, res: &mut Response) -> Result<(), Error> {
        let oauth = OAuthState::of(depot)?;
        let view = oauth.layout.view(req, PATH);
        match submit(oauth, req, depot).await {
            Ok(Answer::Redirect(redirect)) => res.render(redirect),
            Ok(Answer::AskAgain(page)) => page.render(&view, res),
            Err(error) => error.render(&view, res),
        }
        Ok(())
    }
}

/// What the browser does next.
enum Answer {
    Redirect(SeeOther),
    /// The personal API is off, and the user has not switched it on.
    AskAgain(ConsentPage),
}

async fn submit(oauth: &OAuthState, req: &mut Request, depot: &Depot) -> Result<Answer, PageError> {
    oauth.same_site.check(req).map_err(|_| PageError::CrossSite)?;
    let form = Parameters::read_form(req).await?;
    let caller = oauth.caller(req, depot).await?.ok_or(PageError::SignedOut)?;
    oauth.api.count_session_write(&caller)?;
    let key = oauth.signing_key().await?;
    let request = open(&form, &key, &caller, oauth)?;
    match Decision::parse(&form)? {
        Decision::Deny => deny(oauth, &request),
        Decision::Allow { mode, personal_api } => {
            let access = request.choices()?.into_iter().find(|access| access.mode == mode);
            let access = access.ok_or(PageError::InvalidForm)?;
            let needs_switch = request.surface()? == Surface::V1 && !oauth.is_personal_api_on(&caller).await?;
            todo!()
        }
    }
}
