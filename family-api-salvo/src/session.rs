//! How a host says who is signed in.

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::id::UserId;
use salvo::http::HeaderName;
use salvo::http::header::COOKIE;
use salvo::{Depot, Request};

/// Recognises the host's own session; the API has no sign-in of its own.
///
/// ```
/// use async_trait::async_trait;
/// use family_api_core::{Error, id::UserId};
/// use family_api_salvo::SessionAuthenticator;
/// use salvo::{Depot, Request};
///
/// /// The host's session middleware has put the user into the depot.
/// struct FromDepot;
///
/// #[async_trait]
/// impl SessionAuthenticator for FromDepot {
///     async fn user(&self, _req: &Request, depot: &Depot) -> Result<Option<UserId>, Error> {
///         Ok(depot.get_typed::<UserId>().ok().cloned())
///     }
/// }
/// ```
#[async_trait]
pub trait SessionAuthenticator: Send + Sync {
    /// Who is signed in, if anybody is.
    ///
    /// # Errors
    /// [`Error::Unavailable`] or [`Error::Internal`] where that cannot be told; nobody being signed in is `None`.
    async fn user(&self, req: &Request, depot: &Depot) -> Result<Option<UserId>, Error>;

    /// The request header that the answer depends on, for `Vary`.
    fn header(&self) -> HeaderName {
        COOKIE
    }
}
