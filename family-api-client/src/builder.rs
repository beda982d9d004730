//! How a client comes to be.

use std::fmt;
use std::time::Duration;

use family_api_core::Surface;
use reqwest::Client;

use crate::credential::Credential;
use crate::options::{Options, common_options};
use crate::{Error, FamilyClient, SessionClient};

/// Configures a [`FamilyClient`]; the address and the token are needed.
#[derive(Clone)]
#[must_use]
pub struct FamilyClientBuilder {
    options: Options,
    token: String,
    surface: Surface,
}

impl Default for FamilyClientBuilder {
    fn default() -> Self {
        Self { options: Options::default(), token: String::new(), surface: Surface::V1 }
    }
}

impl FamilyClientBuilder {
    common_options!();

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
        let transport = self.options.connect(Some(Credential::bearer(&self.token)?))?;
        Ok(FamilyClient { transport, surface: self.surface })
    }
}

/// Configures a [`SessionClient`]; the address is needed, and a cookie or header unless it signs in itself.
#[derive(Clone, Default)]
#[must_use]
pub struct SessionClientBuilder {
    options: Options,
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
        Ok(SessionClient { transport: self.options.connect(credential)? })
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
