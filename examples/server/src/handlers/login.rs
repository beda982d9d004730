//! `POST /login`: signs in with a password and sets the session cookie.

use family_api_core::Error;
use family_api_core::resource::Profile;
use family_api_salvo::html::accepts_html;
use family_api_salvo::{BodyLimit, HttpError, MediaTypes, Peer, PrivateResponse, SameSite, read_body, read_json};
use salvo::http::HeaderValue;
use salvo::http::header::SET_COOKIE;
use salvo::writing::Redirect;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::cookie::CookieWriter;
use crate::handlers::{LoginPage, json};
use crate::return_path::ReturnPath;
use crate::sign_in::{Attempt, SignIn};

/// Maximum size of the body, in bytes; far more than an e-mail address and a password need.
const MAX_BODY: usize = 16 * 1024;

/// Signs in a user. A JSON request gets the profile. A form is redirected to the page that the query names, or to `/`.
pub(crate) struct Login {
    pub(crate) sign_in: SignIn,
    pub(crate) cookie_writer: CookieWriter,
    pub(crate) page: LoginPage,
    pub(crate) same_site: SameSite,
}

impl Login {
    async fn answer_json(&self, req: &mut Request, res: &mut Response) -> Result<(), HttpError> {
        self.same_site.check(req)?;
        let body = read_json(req, BodyLimit::of_bytes(MAX_BODY), MediaTypes::Json).await?;
        let attempt = Attempt::from_json(body).map_err(Error::InvalidField)?;
        let profile = self.open_session(attempt, req, res).await?;
        Ok(json::render(res, &profile)?)
    }

    /// Answers a form. If the sign-in fails, `email` is the address that was entered.
    async fn answer_form(&self, req: &mut Request, res: &mut Response, email: &mut String) -> Result<(), HttpError> {
        self.same_site.check(req)?;
        let attempt = read_form(req).await?;
        attempt.email().clone_into(email);
        self.open_session(attempt, req, res).await?;
        let next = ReturnPath::of(req).map_or_else(|| "/".to_owned(), |path| path.to_string());
        res.render(Redirect::other(next));
        Ok(())
    }

    async fn open_session(&self, attempt: Attempt, req: &Request, res: &mut Response) -> Result<Profile, HttpError> {
        let (secret, profile) = self.sign_in.sign_in(attempt, Peer::of(req)).await.map_err(wrong_password)?;
        let cookie = self.cookie_writer.set_cookie(&secret, req);
        let mut cookie = HeaderValue::try_from(cookie).map_err(|error| Error::Internal(Box::new(error)))?;
        cookie.set_sensitive(true);
        res.headers_mut().insert(SET_COOKIE, cookie);
        Ok(profile)
    }
}

#[async_trait]
impl Handler for Login {
    async fn handle(&self, req: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        PrivateResponse::no_store(res);
        if !MediaTypes::Form.matches(req) {
            if let Err(error) = self.answer_json(req, res).await {
                res.render(error);
            }
            return;
        }
        let mut email = String::new();
        if let Err(error) = self.answer_form(req, res, &mut email).await {
            res.render(error);
            if accepts_html(req) {
                self.page.render_failure(req, &email, res);
            }
        }
    }
}

/// Replaces the error that no user is signed in by what the user can correct.
fn wrong_password(error: Error) -> Error {
    match error {
        Error::NotSignedIn => Error::WrongPassword,
        other => other,
    }
}

async fn read_form(req: &mut Request) -> Result<Attempt, HttpError> {
    let body = read_body(req, BodyLimit::of_bytes(MAX_BODY)).await?;
    // `curl -d` sends JSON as a form. The name of the form's only field would contain the password, and the error would
    // quote it.
    if body.trim_ascii_start().starts_with(b"{") {
        return Err(HttpError::UnsupportedMediaType { expected: "sent as application/json, because it is JSON" });
    }
    Ok(Attempt::from_form(&body).map_err(Error::InvalidField)?)
}
