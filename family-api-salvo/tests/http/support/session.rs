//! The test host's sessions: the cookie `user` contains the id of the signed-in user.

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::id::UserId;
use family_api_core::storage::SignedIn;
use family_api_salvo::SessionAuthenticator;
use salvo::http::cookie::Cookie;
use salvo::{Depot, Request};

pub(crate) struct CookieAuthenticator;

#[async_trait]
impl SessionAuthenticator for CookieAuthenticator {
    async fn user(&self, req: &Request, _: &Depot) -> Result<Option<SignedIn>, Error> {
        match req.cookie("user").map(Cookie::value) {
            None => Ok(None),
            Some("*unreachable*") => Err(Error::Unavailable("the session store is gone".into())),
            Some("*panic*") => panic!("canary-of-a-panic"),
            Some(id) => Ok(id.parse::<UserId>().ok().map(SignedIn::from)),
        }
    }
}
