//! Builders of the clients.

use std::fmt;
use std::time::Duration;

use family_api_types::Surface;
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
    /// - If the given client follows a redirect to another host, reqwest removes the token but sends the request body.
    /// - The given client may use a proxy. So plain `http` needs [`allow_plain_http`](Self::allow_plain_http), even to
    ///   this machine.
    /// - A retry policy of the given client ([`reqwest::retry`]) may retry writes that [`FamilyClient`] does not.
    pub fn http_client(mut self, client: Client) -> Self {
        self.http = Some(client);
        self
    }

    /// Sets the token: the plaintext of an integration key.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = token.into();
        self
    }

    /// Sets the surface for reads: `/api/v1`, or the read path `/api/mcp`. Default: `/api/v1`.
    ///
    /// For the read path, the token needs only the scope `mcp.read`.
    pub fn read_over(mut self, surface: Surface) -> Self {
        self.surface = surface;
        self
    }

    /// Enables a cache of read responses with this maximum size in bytes. Default: no cache.
    ///
    /// For each read, the client sends the entity tag of the cached response (`If-None-Match`). If the data is
    /// unchanged, the service sends no body.
    pub fn cache(mut self, max_bytes: usize) -> Self {
        self.options.max_cache_bytes = Some(max_bytes);
        self
    }

    /// Builds the client.
    ///
    /// # Errors
    /// A [configuration error](Error::is_configuration) if:
    ///
    /// - the base URL is not an `http` or `https` URL, or contains a user name, password, query or fragment,
    /// - the base URL is plain `http` to another machine and [`allow_plain_http`](Self::allow_plain_http) is not set,
    /// - the base URL is `https`, the feature `tls` is off, and [`http_client`](Self::http_client) is not set,
    /// - the token is empty or contains a character that is not visible ASCII.
    pub fn build(self) -> Result<FamilyClient, Error> {
        let http = self.http.map(Http::Client).unwrap_or_default();
        let transport = self.options.into_transport(http, Some(Credential::bearer(&self.token)?))?;
        Ok(FamilyClient { transport, surface: self.surface })
    }
}

/// Configures a [`SessionClient`]. The base URL is required.
///
/// Set a cookie or a header, or call [`SessionClient::sign_in`] after the client is built.
#[derive(Default)]
#[must_use]
pub struct SessionClientBuilder {
    options: Options,
    http: Option<Box<ClientBuilder>>,
    session: Option<Session>,
}

/// The cookie or header by which the host app identifies the user.
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
    /// - the cookie, the header name or the header value is empty or invalid.
    pub fn build(self) -> Result<SessionClient, Error> {
        let credential = self.session.as_ref().map(Session::credential).transpose()?;
        Ok(SessionClient {
            transport: self.options.into_transport(self.http.map(Http::Builder).unwrap_or_default(), credential)?,
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
