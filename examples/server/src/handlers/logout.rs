//! `POST /logout`: ends the session.

use family_api_core::{Error, paths};
use family_api_salvo::html::accepts_html;
use family_api_salvo::{HttpError, PrivateResponse, SameSite};
use salvo::http::HeaderValue;
use salvo::http::header::SET_COOKIE;
use salvo::writing::Redirect;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use serde_json::json;

use crate::cookie::CookieWriter;
use crate::handlers::json;
use crate::session::Sessions;

/// Ends the session in the database and removes the cookie. A browser is redirected to the sign-out page.
pub(crate) struct Logout {
    pub(crate) sessions: Sessions,
    pub(crate) cookie_writer: CookieWriter,
    pub(crate) same_site: SameSite,
}

impl Logout {
    async fn answer(&self, req: &Request, res: &mut Response) -> Result<(), HttpError> {
        let (session, _) = self.sessions.find(req.headers()).await?.ok_or(Error::NotSignedIn)?;
        self.same_site.check(req)?;
        self.sessions.close(&session).await?;
        let cookie = self.cookie_writer.clear_cookie(req);
        let cookie = HeaderValue::try_from(cookie).map_err(|error| Error::Internal(Box::new(error)))?;
        res.headers_mut().insert(SET_COOKIE, cookie);
        if accepts_html(req) {
            res.render(Redirect::other(paths::LOGOUT));
            return Ok(());
        }
        Ok(json::render(res, &json!({ "ok": true }))?)
    }
}

#[async_trait]
impl Handler for Logout {
    async fn handle(&self, req: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        PrivateResponse::no_store(res);
        if let Err(error) = self.answer(req, res).await {
            // The page then says that the user is signed out.
            let is_done = matches!(error, HttpError::Api(Error::NotSignedIn));
            if is_done && accepts_html(req) {
                res.render(Redirect::other(paths::LOGOUT));
            } else {
                res.render(error);
            }
        }
    }
}
