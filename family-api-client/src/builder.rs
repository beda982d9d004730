//! Builders of the clients.

use std::fmt;
use std::time::Duration;

use family_api_core::Surface;
use reqwest::{Client, ClientBuilder};

use crate::credential::Credential;
use crate::options::{Http, Options, common_options};
use crate::{Error, FamilyClient, SessionClient};

/// Configures a [`FamilyClient`]. The base URL and the token are required.
#[derive(Clone)]
#[must_use]
pub struct FamilyClientBuilder {
    options: Options,
    http: Option<Client>,
    token: String,
    surface: Surface,
}

impl Default for FamilyClientBuilder {
    fn default() -> Self {
        Self { options: Options::default(), http: None, token: String::new(), surface: Surface::V1 }
    }
}

impl FamilyClientBuilder {
    common_options!();

    /// Uses the given [`reqwest::Client`], with its proxies, certificates and redirect policy.
    ///
    /// - If it follows redirects to another host, reqwest removes the token but sends the request body.
    /// - It may use a proxy, so plain `http` needs [`allow_plain_http`](Self::allow_plain_http) even for this machine.
    /// - If it has its own retry policy ([`reqwest::retry`]), that may repeat writes that this client would not repeat.
    pub fn http_client(mut self, client: Client) -> Self {
        self.http = Some(client);
        self
    }

    /// Sets the token: the plaintext of an integration key.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = token.into();
        self
    }

    /// Sets the surface for reads: `/api/v1`, or the read path `/api/mcp`, for which the scope `mcp.read` is enough.
    /// Default: `/api/v1`.
    pub fn read_over(mut self, surface: Surface) -> Self {
        self.surface = surface;
        self
    }

    /// Enables a cache of read responses with this maximum size in bytes. Default: no cache.
    ///
    /// The client revalidates each cached response by its entity tag (`If-None-Match`) and gets no body if it is
    /// unchanged.
    pub fn cache(mut self, max_bytes: usize) -> Self {
        self.options.cache = Some(max_bytes);
        self
    }

    /// Builds the client.
    ///
    /// # Errors
    /// A [configuration error](Error::is_configuration) if:
    ///
    /// - the base URL is not an `http` or `https` URL, or contains a user name, password, query or fragment,
    /// - the base URL is plain `http` to another machine and [`allow_plain_http`](Self::allow_plain_http) is not set,
    /// - the base URL is `https` and the feature `tls` is off,
    /// - the token is empty or contains anything but visible ASCII.
    pub fn build(self) -> Result<FamilyClient, Error> {
        let http = self.http.map(Http::Client).unwrap_or_default();
        let transport = self.options.connect(http, Some(Credential::bearer(&self.token)?))?;
        Ok(FamilyClient { transport, surface: self.surface })
    }
}

/// Configures a [`SessionClient`]. The base URL is required, and a cookie or header unless the client signs in itself.
#[derive(Default)]
#[must_use]
pub struct SessionClientBuilder {
    options: Options,
    http: Option<Box<ClientBuilder>>,
    session: Option<Session>,
}

/// How the host app identifies the user.
#[derive(Clone)]
enum Session {
    Cookie(String),
    Header { name: String, value: String },
}

impl Session {
    fn credential(&self) -> Result<Credential, Error> {
        match self {
            Self::Cookie(cookie) => Credential::cookie(cookie),
            Self::Header { name, value } => Credential::header(name, value),
        }
    }
}

impl SessionClientBuilder {
    common_options!();

    /// Uses the given [`ClientBuilder`], with its proxies and certificates.
    ///
    /// Redirects are turned off, because a session must not be sent to another host.
    pub fn http_client_builder(mut self, builder: ClientBuilder) -> Self {
        self.http = Some(Box::new(builder));
        self
    }

    /// Sets the session cookie of the host app: `name=value`.
    pub fn cookie(mut self, cookie: impl Into<String>) -> Self {
        self.session = Some(Session::Cookie(cookie.into()));
        self
    }

    /// Sets the header that carries the session to the host app.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.session = Some(Session::Header { name: name.into(), value: value.into() });
        self
    }

    /// Builds the client.
    ///
    /// # Errors
    /// A [configuration error](Error::is_configuration) if:
    ///
    /// - the base URL is not an `http` or `https` URL, or contains a user name, password, query or fragment,
    /// - the base URL is plain `http` to another machine and [`allow_plain_http`](Self::allow_plain_http) is not set,
    /// - the base URL is `https` and the feature `tls` is off,
    /// - the cookie or header is not a valid header.
    pub fn build(self) -> Result<SessionClient, Error> {
        let credential = self.session.as_ref().map(Session::credential).transpose()?;
        Ok(SessionClient {
            transport: self.options.connect(self.http.map(Http::Builder).unwrap_or_default(), credential)?,
        })
    }
}

impl fmt::Debug for FamilyClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FamilyClientBuilder").finish_non_exhaustive()
    }
}

impl fmt::Debug for SessionClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionClientBuilder").finish_non_exhaustive()
    }
}
