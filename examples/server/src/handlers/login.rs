//! `POST /login`: signs in with a password and sets the session cookie.

use family_api_core::Error;
use family_api_salvo::{BodyLimit, Failure, MediaTypes, Peer, Private, read_body, read_json};
use salvo::http::HeaderValue;
use salvo::http::header::SET_COOKIE;
use salvo::writing::Redirect;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::cookie::Transport;
use crate::handlers::json;
use crate::sign_in::{Attempt, SignIn};

/// Maximum size of the body, in bytes; far more than an e-mail address and a password need.
const MAX_BODY: usize = 16 * 1024;

/// Signs in a user. A JSON request gets the profile; a form is redirected to `/`.
pub(crate) struct Login {
    pub(crate) sign_in: SignIn,
    pub(crate) transport: Transport,
}

impl Login {
    async fn answer(&self, req: &mut Request, res: &mut Response) -> Result<(), Error> {
        let form = MediaTypes::Form.describe(req);
        let attempt = if form { read_form(req).await? } else { read_json_body(req).await? };
        let (secret, profile) = self.sign_in.sign_in(attempt, Peer::of(req)).await?;
        let cookie = self.transport.set_cookie(&secret, req.headers());
        let mut cookie = HeaderValue::try_from(cookie).map_err(|error| Error::Internal(Box::new(error)))?;
        cookie.set_sensitive(true);
        res.headers_mut().insert(SET_COOKIE, cookie);
        if form {
            res.render(Redirect::other("/"));
            return Ok(());
        }
        json::render(res, &profile)
    }
}

#[async_trait]
impl Handler for Login {
    async fn handle(&self, req: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        Private::no_store(res);
        if let Err(error) = self.answer(req, res).await {
            res.render(Failure(error));
        }
    }
}

async fn read_json_body(req: &mut Request) -> Result<Attempt, Error> {
    let body = read_json(req, BodyLimit::of_bytes(MAX_BODY), MediaTypes::Json).await?;
    Attempt::from_json(body).map_err(Error::InvalidField)
}

async fn read_form(req: &mut Request) -> Result<Attempt, Error> {
    let body = read_body(req, BodyLimit::of_bytes(MAX_BODY)).await?;
    // `curl -d` sends JSON as a form, whose only field name would contain the password and be quoted in the error.
    if body.trim_ascii_start().starts_with(b"{") {
        return Err(Error::UnsupportedMediaType { expected: "sent as application/json, because it is JSON" });
    }
    Attempt::from_form(&body).map_err(Error::InvalidField)
}
