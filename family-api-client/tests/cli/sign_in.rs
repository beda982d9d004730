//! The sign-in of the standalone server: `/login`, `/logout` and the session cookie (HTTP reference, "Sign-in of the
//! standalone server").

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use family_api_core::id::UserId;
use family_api_core::storage::SignedIn;
use family_api_core::validation::Json;
use family_api_core::{Error, FamilyApi};
use family_api_salvo::{BodyLimit, HttpError, MediaTypes, SessionAuthenticator, read_json};
use salvo::http::header::{COOKIE, SET_COOKIE};
use salvo::writing::Json as JsonAnswer;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use serde_json::json;

use crate::records::EMAIL;

pub(crate) const PASSWORD: &str = "canary-password";

/// The open sessions by their cookies.
#[derive(Clone, Default)]
pub(crate) struct Sessions(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    open: BTreeSet<String>,
    opened: usize,
}

impl Sessions {
    /// Opens a session and returns its cookie.
    pub(crate) fn open(&self) -> String {
        let mut state = self.0.lock().unwrap();
        state.opened += 1;
        let cookie = format!("family_session=session_canary_{}", state.opened);
        state.open.insert(cookie.clone());
        cookie
    }

    /// Returns the number of sessions that were opened and the number that are still open.
    pub(crate) fn count(&self) -> (usize, usize) {
        let state = self.0.lock().unwrap();
        (state.opened, state.open.len())
    }

    fn close(&self, cookie: &str) -> bool {
        self.0.lock().unwrap().open.remove(cookie)
    }
}

fn cookie(req: &Request) -> &str {
    req.headers().get(COOKIE).map_or("", |cookie| cookie.to_str().unwrap())
}

#[async_trait]
impl SessionAuthenticator for Sessions {
    async fn user(&self, req: &Request, _: &Depot) -> Result<Option<SignedIn>, Error> {
        Ok(self
            .0
            .lock()
            .unwrap()
            .open
            .contains(cookie(req))
            .then(|| "ana".parse::<family_api_core::id::UserId>().unwrap().into()))
    }
}

pub(crate) struct Login {
    pub(crate) api: FamilyApi,
    pub(crate) sessions: Sessions,
}

#[async_trait]
impl Handler for Login {
    async fn handle(&self, req: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        let Json::Object(members) = read_json(req, BodyLimit::NONE, MediaTypes::Json).await.unwrap() else { return };
        let has = |name: &str, value: &str| {
            members.iter().any(|(member, sent)| member == name && sent.as_str() == Some(value))
        };
        if !has("email", EMAIL) || !has("password", PASSWORD) {
            return res.render(HttpError::Api(Error::NotSignedIn));
        }
        let user = self.api.session_caller(&"ana".parse::<UserId>().unwrap().into()).await.unwrap();
        let cookie = format!("{}; HttpOnly; SameSite=Lax; Path=/", self.sessions.open());
        res.headers_mut().insert(SET_COOKIE, cookie.parse().unwrap());
        res.render(JsonAnswer(self.api.profile(&user).unwrap().get().await.unwrap()));
    }
}

/// Opens a session and returns a body that is not a profile.
pub(crate) struct UnreadableLogin(pub(crate) Sessions);

#[async_trait]
impl Handler for UnreadableLogin {
    async fn handle(&self, _: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        res.headers_mut().insert(SET_COOKIE, self.0.open().parse().unwrap());
        res.render(JsonAnswer(json!({ "x": 1 })));
    }
}

pub(crate) struct Logout {
    pub(crate) sessions: Sessions,
}

#[async_trait]
impl Handler for Logout {
    async fn handle(&self, req: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        if self.sessions.close(cookie(req)) {
            res.render(JsonAnswer(json!({ "ok": true })));
        } else {
            res.render(HttpError::Api(Error::NotSignedIn));
        }
    }
}
