//! The trait through which the API uses the host's sessions.

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::storage::SignedIn;
use salvo::http::HeaderName;
use salvo::http::header::COOKIE;
use salvo::{Depot, Request};

/// Authenticates requests by the host's own sessions. The API itself has no sign-in.
///
/// ```
/// use async_trait::async_trait;
/// use family_api_core::{Error, id::UserId, storage::SignedIn};
/// use family_api_salvo::SessionAuthenticator;
/// use salvo::{Depot, Request};
/// use std::{collections::HashMap, sync::{Arc, RwLock}};
///
/// /// The host's own sessions: cookie value → user.
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
    /// The API calls this method when a request arrives. For a change, it calls the method again after the body has
    /// been read, which can be much later. Look the session up on each call. Do not use a value that a middleware
    /// stored in the depot, because the session may have ended since.
    ///
    /// If the storage of the API also stores the host's sessions
    /// ([`CredentialStorage`](family_api_core::storage::CredentialStorage)), return the session's digest in
    /// [`SignedIn`]. The transaction of the change then checks the session, and this method is not called again.
    ///
    /// # Errors
    /// [`Error::Unavailable`] or [`Error::Internal`] if the session cannot be looked up. A missing session is `None`.
    async fn user(&self, req: &Request, depot: &Depot) -> Result<Option<SignedIn>, Error>;

    /// Returns the request header that contains the session. Default: `Cookie`.
    ///
    /// The API names it in `Vary`. When the service is overloaded, requests with a value that was accepted recently
    /// come first.
    fn header(&self) -> HeaderName {
        COOKIE
    }
}
