//! What a client must know.

use std::time::Duration;

use crate::transport::Transport;
use crate::{Error, FamilyClient};

const TIMEOUT: Duration = Duration::from_secs(30);

/// Configures a [`FamilyClient`]; the address and the token are needed.
#[must_use]
pub struct FamilyClientBuilder {
    base_url: String,
    token: String,
    timeout: Duration,
}

impl FamilyClientBuilder {
    /// Where the API is: what comes before `/api/v1`, a path included where it is mounted below one.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self
    }

    /// The plaintext of an integration key.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = token.into();
        self
    }

    /// How long a call may take, from the connection to the last byte; 30 seconds unless it is set.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The client.
    ///
    /// # Errors
    /// An [`Error`] without a status, for an address that is no `http` or `https` URL, for `https` without the feature
    /// `rustls`, and for a token that is empty
    /// or holds anything but visible ASCII.
    pub fn build(self) -> Result<FamilyClient, Error> {
        Transport::new(&self.base_url, &self.token, self.timeout).map(FamilyClient::new)
    }
}

impl Default for FamilyClientBuilder {
    fn default() -> Self {
        Self { base_url: String::new(), token: String::new(), timeout: TIMEOUT }
    }
}

impl std::fmt::Debug for FamilyClientBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FamilyClientBuilder").field("timeout", &self.timeout).finish_non_exhaustive()
    }
}
