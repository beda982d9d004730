//! The options of the authorization server of this crate.

use std::sync::Arc;

use family_api_core::Surface;
use family_api_core::limit::Rate;
use salvo::Request;

use crate::guard::PeerLimit;
use crate::html::SignInPage;
use crate::oauth::client::HttpsDocuments;
use crate::oauth::public_url_source::PublicUrlSource;
use crate::oauth::{ClientDocuments, ExternalOAuth, PublicUrl};

/// The options with which [`FamilyRoutes::oauth`](crate::FamilyRoutes::oauth) mounts the authorization server.
///
/// ```
/// use family_api_salvo::{OAuth, PublicUrl};
///
/// let issuer: PublicUrl = "https://home.example".parse()?;
/// let oauth = OAuth::new(issuer).sign_in_at("/sign-in?return={return}");
/// # Ok::<(), family_api_salvo::InvalidPublicUrl>(())
/// ```
#[derive(Clone)]
pub struct OAuth {
    pub(super) issuer: PublicUrlSource,
    pub(super) sign_in: SignInPage,
    /// `None` if metadata documents are switched off.
    pub(super) documents: Option<Arc<dyn ClientDocuments>>,
    pub(super) registrations: Option<PeerLimit>,
    pub(super) main: Surface,
    pub(super) root_aliases: RootAliases,
}

/// Whether the endpoints are also mounted at `/authorize`, `/token` and `/register`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RootAliases {
    Mounted,
    Off,
}

impl OAuth {
    /// Serves as the issuer with this URL. It must be the URL that clients use, including the prefix below which the
    /// API is mounted.
    #[must_use]
    pub fn new(issuer: PublicUrl) -> Self {
        Self::with_issuer(PublicUrlSource::Fixed(issuer))
    }

    /// Serves as the loopback address that a request was sent to. Requests to any other host are answered as if the
    /// authorization server were not mounted.
    #[must_use]
    pub fn on_loopback() -> Self {
        Self::with_issuer(PublicUrlSource::Loopback)
    }

    /// Returns the options for an authorization server of the host.
    ///
    /// `public_url` is that of the API, including the prefix below which it is mounted. `issuer` must be spelled
    /// exactly as in the metadata of the authorization server.
    #[must_use]
    pub fn external(public_url: PublicUrl, issuer: impl Into<String>) -> ExternalOAuth {
        ExternalOAuth::new(public_url, issuer.into())
    }

    fn with_issuer(issuer: PublicUrlSource) -> Self {
        Self {
            issuer,
            sign_in: SignInPage("/login?next={return}".to_owned()),
            documents: Some(Arc::<HttpsDocuments>::default()),
            registrations: Some(PeerLimit::of_registrations()),
            main: Surface::V1,
            root_aliases: RootAliases::Off,
        }
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

    /// Fetches metadata documents of clients in another way. Default: over HTTPS, from public addresses only.
    #[must_use]
    pub fn client_documents(mut self, documents: impl ClientDocuments + 'static) -> Self {
        self.documents = Some(Arc::new(documents));
        self
    }

    /// Does not fetch metadata documents of clients. Clients must then register.
    #[must_use]
    pub fn without_client_documents(mut self) -> Self {
        self.documents = None;
        self
    }

    /// Sets the rate limit for registrations from one network address. Default: 3,000 a minute.
    ///
    /// A registration stores nothing. Behind a proxy that is not trusted, all clients share one address, so a low limit
    /// locks them out.
    #[must_use]
    pub fn registration_limit(mut self, rate: Rate) -> Self {
        self.registrations = Some(PeerLimit::at_most(rate));
        self
    }

    /// Removes the rate limit for registrations. Use it if the host limits them itself.
    #[must_use]
    pub fn without_registration_limit(mut self) -> Self {
        self.registrations = None;
        self
    }

    /// Sets the MCP endpoint that the metadata without a path describes. Default: the endpoint of `/api/v1`.
    #[must_use]
    pub fn main_endpoint(mut self, surface: Surface) -> Self {
        self.main = surface;
        self
    }

    /// Also mounts the endpoints at `/authorize`, `/token` and `/register`, where some clients look for them regardless
    /// of the metadata. Default: only below `/oauth`.
    #[must_use]
    pub fn with_root_aliases(mut self) -> Self {
        self.root_aliases = RootAliases::Mounted;
        self
    }

    /// Returns the issuer for a request. `None` if the request is answered as if the authorization server were not
    /// mounted.
    #[must_use]
    pub fn issuer_of(&self, req: &Request) -> Option<PublicUrl> {
        self.issuer.of(req)
    }
}
