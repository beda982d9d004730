//! Calls in a session of the host.

use std::sync::Arc;

use family_api_core::paths;
use family_api_core::resource::Profile;
use serde::{Deserialize, Serialize};

use crate::api::{KeysApi, NotesApi, OwnProfileApi, TasksApi};
use crate::call::Effect;
use crate::request::Request;
use crate::transport::Transport;
use crate::{Call, SessionClientBuilder};

/// Calls a family API as a signed-in user, with the host's cookie or header: where integration keys are managed.
///
/// A session may do all that its user may, so integrations are given a key and use [`FamilyClient`](crate::FamilyClient).
#[derive(Debug, Clone)]
pub struct SessionClient {
    pub(crate) transport: Arc<Transport>,
}

#[derive(Serialize)]
struct SignIn<'a> {
    email: &'a str,
    password: &'a str,
}

/// The answer to signing out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct SignedOut {
    /// Always true.
    pub ok: bool,
}

impl SessionClient {
    /// A client to be configured.
    pub fn builder() -> SessionClientBuilder {
        SessionClientBuilder::default()
    }

    /// Signs in to the standalone server (HTTP reference, "Sign-in of the standalone server").
    ///
    /// A host app has its own sign-in.
    ///
    /// From then on this client and its clones carry the session's cookie.
    pub fn sign_in(&self, email: &str, password: &str) -> Call<Profile> {
        let request = Request::post(paths::LOGIN).with_body(SignIn { email, password }).with_secret(password);
        Call::new(&self.transport, request).with_effect(Effect::SignIn)
    }

    /// Ends the session at the standalone server.
    pub fn sign_out(&self) -> Call<SignedOut> {
        Call::new(&self.transport, Request::post(paths::LOGOUT)).with_effect(Effect::SignOut)
    }

    /// The user's own profile, in which the personal API is switched on and off.
    #[must_use]
    pub fn profile(&self) -> OwnProfileApi {
        OwnProfileApi { transport: self.transport.clone() }
    }

    /// The user's integration keys.
    #[must_use]
    pub fn keys(&self) -> KeysApi {
        KeysApi { transport: self.transport.clone() }
    }

    /// Writes of tasks.
    #[must_use]
    pub fn tasks(&self) -> TasksApi {
        TasksApi { transport: self.transport.clone(), path: paths::task }
    }

    /// Writes of notes.
    #[must_use]
    pub fn notes(&self) -> NotesApi {
        NotesApi { transport: self.transport.clone(), path: paths::note }
    }
}
