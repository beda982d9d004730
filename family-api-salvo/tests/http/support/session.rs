//! The test host's sessions: the cookie `user` contains the id of the signed-in user.

use std::sync::Arc;

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::id::UserId;
use family_api_core::storage::SignedIn;
use family_api_salvo::SessionAuthenticator;
use salvo::http::cookie::Cookie;
use salvo::{Depot, Request};
use tokio::sync::Semaphore;

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

/// Sessions that cannot be looked up until the test opens the gate. Only the first request passes before, so that its
/// session is known.
#[derive(Clone)]
pub(crate) struct Gate(Arc<Semaphore>);

impl Gate {
    pub(crate) fn closed() -> Self {
        Self(Arc::new(Semaphore::new(1)))
    }

    pub(crate) fn open(&self) {
        self.0.close();
    }
}

#[async_trait]
impl SessionAuthenticator for Gate {
    async fn user(&self, req: &Request, depot: &Depot) -> Result<Option<SignedIn>, Error> {
        if let Ok(first) = self.0.acquire().await {
            first.forget();
        }
        CookieAuthenticator.user(req, depot).await
    }
}
