//! How a host says who is signed in.

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::storage::SignedIn;
use salvo::http::HeaderName;
use salvo::http::header::COOKIE;
use salvo::{Depot, Request};

/// Recognises the host's own session; the API has no sign-in of its own.
///
/// ```
/// use async_trait::async_trait;
/// use family_api_core::{Error, id::UserId, storage::SignedIn};
/// use family_api_salvo::SessionAuthenticator;
/// use salvo::{Depot, Request};
/// use std::{collections::HashMap, sync::{Arc, RwLock}};
///
/// /// The host's sessions, by the value of their cookie.
/// struct Sessions(Arc<RwLock<HashMap<String, UserId>>>);
///
/// #[async_trait]
/// impl SessionAuthenticator for Sessions {
///     async fn user(&self, req: &Request, _depot: &Depot) -> Result<Option<SignedIn>, Error> {
///         let sessions = self.0.read().map_err(|_| Error::Internal("a writer panicked".into()))?;
///         Ok(req.cookie("session").and_then(|cookie| sessions.get(cookie.value())).cloned().map(SignedIn::from))
///     }
/// }
/// ```
#[async_trait]
pub trait SessionAuthenticator: Send + Sync {
    /// Returns the signed-in user, or `None` if the request has no session that is valid now.
    ///
    /// It is asked when a request arrives, and again when the body of a change is there, which may be much later. So it
    /// looks the session up each time: a value that a middleware left in the depot may be out of date by then. If the
    /// storage of the API keeps the host's sessions ([`Credentials`](family_api_core::storage::CredentialStorage)), the answer
    /// names the session's digest, and the transaction of the change looks it up instead.
    ///
    /// # Errors
    /// [`Error::Unavailable`] or [`Error::Internal`] where that cannot be told; nobody being signed in is `None`.
    async fn user(&self, req: &Request, depot: &Depot) -> Result<Option<SignedIn>, Error>;

    /// The request header that the answer depends on, for `Vary`.
    fn header(&self) -> HeaderName {
        COOKIE
    }
}
