//! Where the public URL of the API comes from.

use family_api_core::Error;
use salvo::Request;

use crate::Origin;
use crate::oauth::PublicUrl;
use crate::origin::target_origin;

/// Where the public URL of the API comes from. It is also the issuer of the authorization server of this crate.
#[derive(Debug, Clone)]
pub(super) enum PublicUrlSource {
    /// The host names it.
    Fixed(PublicUrl),
    /// The address that each request was sent to, if it is loopback.
    Loopback,
}

impl PublicUrlSource {
    /// Returns the URL for a request. `None` if the request was not sent to a loopback address by the client itself.
    pub(super) fn of(&self, req: &Request) -> Option<PublicUrl> {
        match self {
            Self::Fixed(url) => Some(url.clone()),
            Self::Loopback if is_proxied(req) => None,
            Self::Loopback => target_origin(req).filter(Origin::is_loopback)?.try_into().ok(),
        }
    }

    /// Returns the URL for a request.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the request was not sent to a loopback address by the client itself.
    pub(super) fn require(&self, req: &Request) -> Result<PublicUrl, Error> {
        self.of(req).ok_or(Error::NotFound)
    }

    /// Returns the path prefix of the URL.
    pub(super) fn path(&self) -> &str {
        match self {
            Self::Fixed(url) => url.path(),
            Self::Loopback => "",
        }
    }
}

/// Returns whether a proxy has forwarded a request. A proxy often sends its own loopback address as `Host`, which is
/// not the address that the client uses.
fn is_proxied(req: &Request) -> bool {
    let is_of_a_proxy =
        |name: &str| matches!(name, "forwarded" | "via" | "x-real-ip") || name.starts_with("x-forwarded-");
    req.headers().keys().any(|name| is_of_a_proxy(name.as_str()))
}
