//! The options of the authorization server.

use family_api_core::Surface;

use crate::oauth::{Issuer, SignInPage};

/// The options with which [`FamilyRoutes::oauth`](crate::FamilyRoutes::oauth) mounts the authorization server.
#[derive(Debug, Clone)]
pub struct OAuth {
    pub(super) issuer: IssuerSource,
    pub(super) sign_in: SignInPage,
    pub(super) documents: ClientDocuments,
    pub(super) main: Surface,
}

/// Where the issuer comes from.
#[derive(Debug, Clone)]
pub(super) enum IssuerSource {
    /// The host names it.
    Fixed(Issuer),
    /// The address that each request was sent to, if it is loopback.
    Loopback,
}

/// Whether metadata documents of clients are fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClientDocuments {
    Fetched,
    Off,
}

impl OAuth {
    /// Serves as this issuer. It must be the address that clients use, including the prefix below which the API is
    /// mounted.
    #[must_use]
    pub fn new(issuer: Issuer) -> Self {
        Self::with_source(IssuerSource::Fixed(issuer))
    }

    /// Serves as the loopback address that a request was sent to. Requests to any other host are answered as if the
    /// authorization server were not mounted.
    #[must_use]
    pub fn on_loopback() -> Self {
        Self::with_source(IssuerSource::Loopback)
    }

    fn with_source(issuer: IssuerSource) -> Self {
        let sign_in = SignInPage("/login?next={return}".to_owned());
        Self { issuer, sign_in, documents: ClientDocuments::Fetched, main: Surface::V1 }
    }

    /// Sets the URL of the sign-in page. `{return}` stands for the path that the page must send the user to afterwards.
    /// Default: `/login?next={return}`.
    ///
    /// The page must only accept a path of its own origin there. Otherwise it redirects to any site.
    #[must_use]
    pub fn sign_in_at(mut self, url: impl Into<String>) -> Self {
        self.sign_in = SignInPage(url.into());
        self
    }

    /// Does not fetch metadata documents of clients. Clients must then register.
    #[must_use]
    pub fn without_client_documents(mut self) -> Self {
        self.documents = ClientDocuments::Off;
        self
    }

    /// Sets the MCP endpoint that the metadata without a path describes. Default: the endpoint of `/api/v1`.
    #[must_use]
    pub fn main_endpoint(mut self, surface: Surface) -> Self {
        self.main = surface;
        self
    }
}
