//! `POST /login`: from a password to a session cookie.

use family_api_core::Error;
use family_api_salvo::{BodyLimit, Failure, MediaTypes, Peer, Private, read_body, read_json};
use salvo::http::HeaderValue;
use salvo::http::header::SET_COOKIE;
use salvo::writing::Redirect;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::cookie::Transport;
use crate::handlers::json;
use crate::sign_in::{Attempt, SignIn};

/// Far more than an e-mail address and a password need.
const LARGEST_BODY: usize = 16 * 1024;

/// Signs a user in: a program, which gets the profile, or a form, which is sent home.
pub(crate) struct Login {
    pub(crate) sign_in: SignIn,
    pub(crate) transport: Transport,
}

impl Login {
    async fn answer(&self, req: &mut Request, res: &mut Response) -> Result<(), Error> {
        let form = MediaTypes::Form.describe(req);
        let attempt = if form { read_form(req).await? } else { read_program(req).await? };
        let (secret, profile) = self.sign_in.sign_in(attempt, Peer::of(req)).await?;
        let cookie = self.transport.keep(&secret, req.headers());
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

async fn read_program(req: &mut Request) -> Result<Attempt, Error> {
    let body = read_json(req, BodyLimit::of_bytes(LARGEST_BODY), MediaTypes::Json).await?;
    Attempt::from_json(body).map_err(Error::InvalidField)
}

async fn read_form(req: &mut Request) -> Result<Attempt, Error> {
    let body = read_body(req, BodyLimit::of_bytes(LARGEST_BODY)).await?;
    Attempt::from_form(&body).map_err(Error::InvalidField)
}
