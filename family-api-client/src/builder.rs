//! How a client comes to be.

use std::fmt;
use std::time::Duration;

use family_api_core::Surface;
use reqwest::{Client, ClientBuilder};

use crate::credential::Credential;
use crate::options::{Http, Options, common_options};
use crate::{Error, FamilyClient, SessionClient};

/// Configures a [`FamilyClient`]; the address and the token are needed.
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

    /// Sends through the caller's own [`reqwest::Client`], with its proxies, certificates and redirects.
    ///
    /// Where that follows redirects, reqwest takes the token off on the way to another host, and takes bodies along. And
    /// since it may lead to a proxy, plain `http` must be allowed ([`allow_plain_http`](Self::allow_plain_http)) also to
    /// this machine. A retry policy of its own ([`reqwest::retry`]) may repeat writes that this client would not.
    pub fn http_client(mut self, client: Client) -> Self {
        self.http = Some(client);
        self
    }

    /// The plaintext of an integration key.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = token.into();
        self
    }

    /// Reads over `/api/v1` (which it does unless it is set), or over the read path below `/api/mcp`, which needs no
    /// more than the scope `mcp.read`.
    pub fn read_over(mut self, surface: Surface) -> Self {
        self.surface = surface;
        self
    }

    /// Keeps up to so many bytes of answers that carry an entity tag, and lets the service say that they still hold;
    /// none unless it is set.
    pub fn cache(mut self, max_bytes: usize) -> Self {
        self.options.cache = Some(max_bytes);
        self
    }

    /// The client.
    ///
    /// # Errors
    /// An [`Error`] without a status, for an address that is no `http` or `https` URL or holds a password, for plain
    /// `http` to another machine unless it is allowed, for `https` without the feature `tls`, and for a token that is
    /// empty or holds anything but visible ASCII.
    pub fn build(self) -> Result<FamilyClient, Error> {
        let http = self.http.map(Http::Own).unwrap_or_default();
        let transport = self.options.connect(http, Some(Credential::bearer(&self.token)?))?;
        Ok(FamilyClient { transport, surface: self.surface })
    }
}

/// Configures a [`SessionClient`]; the address is needed, and a cookie or header unless it signs in itself.
#[derive(Default)]
#[must_use]
pub struct SessionClientBuilder {
    options: Options,
    http: Option<Box<ClientBuilder>>,
    session: Option<Session>,
}

/// What a host knows a user by.
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

    /// Sends through a client that is built from this, with its proxies and certificates; it follows no redirects, since
    /// a session must not reach another host.
    pub fn http_client_builder(mut self, builder: ClientBuilder) -> Self {
        self.http = Some(Box::new(builder));
        self
    }

    /// The host's session cookie, `name=value`.
    pub fn cookie(mut self, cookie: impl Into<String>) -> Self {
        self.session = Some(Session::Cookie(cookie.into()));
        self
    }

    /// The header in which the host takes its session.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.session = Some(Session::Header { name: name.into(), value: value.into() });
        self
    }

    /// The client.
    ///
    /// # Errors
    /// An [`Error`] without a status, for an address that is no `http` or `https` URL or holds a password, for plain
    /// `http` to another machine unless it is allowed, for `https` without the feature `tls`, and for what is no header.
    pub fn build(self) -> Result<SessionClient, Error> {
        let credential = self.session.as_ref().map(Session::credential).transpose()?;
        Ok(SessionClient {
            transport: self.options.connect(self.http.map(Http::Made).unwrap_or_default(), credential)?,
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
