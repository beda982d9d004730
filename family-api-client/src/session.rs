//! The client for calls in a session of the host app.

use std::sync::Arc;

use family_api_types::paths;
use family_api_types::resource::{Profile, RecordKind, RestorableList};
use serde::{Deserialize, Serialize};

use crate::api::{ConnectionsApi, FeedsApi, KeysApi, OwnProfileApi};
use crate::call::SessionEffect;
use crate::request::Request;
use crate::transport::Transport;
use crate::{Call, SessionClientBuilder};

/// Calls a family API as a signed-in user, with the session cookie or header of the host app.
///
/// Use it to manage integration keys, and to write boards, columns, shopping lists and note categories. A key can only
/// create shopping lists. A session has all rights of its user. Integrations should use a key and [`FamilyClient`](crate::FamilyClient)
/// instead.
#[derive(Debug, Clone)]
pub struct SessionClient {
    pub(crate) transport: Arc<Transport>,
}

#[derive(Serialize)]
struct SignIn<'a> {
    email: &'a str,
    password: &'a str,
}

/// The response to [`SessionClient::sign_out`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct SignedOut {
    /// Always `true`.
    pub ok: bool,
}

impl SessionClient {
    /// Returns a builder.
    pub fn builder() -> SessionClientBuilder {
        SessionClientBuilder::default()
    }

    /// Signs in to the standalone server (HTTP reference, "Sign-in of the standalone server").
    ///
    /// If the call succeeds, this client and its clones send the new session cookie. An app that embeds the API has its
    /// own sign-in: pass the app's session cookie to [`SessionClientBuilder::cookie`] instead.
    pub fn sign_in(&self, email: &str, password: &str) -> Call<Profile> {
        let request = Request::post(paths::LOGIN).with_body(SignIn { email, password }).with_secret(password);
        Call::new(&self.transport, request).with_session_effect(SessionEffect::SignIn)
    }

    /// Ends the session at the standalone server.
    ///
    /// After a success or a 401, this client and its clones stop sending the session cookie.
    pub fn sign_out(&self) -> Call<SignedOut> {
        Call::new(&self.transport, Request::post(paths::LOGOUT)).with_session_effect(SessionEffect::SignOut)
    }

    /// Returns the calls on the user's own profile, which can turn the personal API on and off.
    #[must_use]
    pub fn profile(&self) -> OwnProfileApi {
        OwnProfileApi { transport: self.transport.clone() }
    }

    /// Returns the calls that manage the user's integration keys.
    #[must_use]
    pub fn keys(&self) -> KeysApi {
        KeysApi { transport: self.transport.clone() }
    }

    /// Returns the calls that manage the assistants that the user has connected without a key.
    #[must_use]
    pub fn connections(&self) -> ConnectionsApi {
        ConnectionsApi { transport: self.transport.clone() }
    }

    /// Returns the calls that manage the user's calendar feeds.
    #[must_use]
    pub fn feeds(&self) -> FeedsApi {
        FeedsApi { transport: self.transport.clone() }
    }

    /// Lists the deleted records that the user can restore, of one kind or of all kinds, newest deletion first.
    ///
    /// `cursor` is the [`next_cursor`](RestorableList::next_cursor) of the previous page with the same kind. A page has
    /// at most 100 records. The calls that write records restore one, such as `tasks().restore(…)`.
    pub fn deleted(&self, kind: Option<RecordKind>, cursor: Option<&str>) -> Call<RestorableList> {
        let request = Request::get(paths::DELETED).with_query("limit", Some("100".to_owned()));
        let request = request.with_query("kind", kind.map(|kind| kind.as_str().to_owned()));
        Call::new(&self.transport, request.with_query("cursor", cursor.map(str::to_owned)))
    }
}
