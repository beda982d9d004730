//! The options that `FamilyClientBuilder` and `SessionClientBuilder` share.

use std::sync::{Arc, RwLock};
use std::time::Duration;

use reqwest::{Client, ClientBuilder};

use crate::Error;
use crate::base_url::{BaseUrl, PlainHttp};
use crate::cache::Cache;
use crate::credential::Credential;
use crate::transport::Transport;

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
const DEFAULT_MAX_RETRIES: usize = 3;
const USER_AGENT: &str = concat!("family-api-client/", env!("CARGO_PKG_VERSION"));

#[derive(Clone)]
pub(crate) struct Options {
    pub(crate) base_url: String,
    pub(crate) plain_http: PlainHttp,
    pub(crate) timeout: Duration,
    pub(crate) max_retries: usize,
    pub(crate) max_cache_bytes: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            base_url: String::new(),
            plain_http: PlainHttp::default(),
            timeout: DEFAULT_TIMEOUT,
            max_retries: DEFAULT_MAX_RETRIES,
            max_cache_bytes: None,
        }
    }
}

/// The source of the HTTP client.
pub(crate) enum Http {
    /// A builder. Redirects are turned off, so that a secret reaches only the host of the base URL. Requests to this
    /// machine use no proxy.
    Builder(Box<ClientBuilder>),
    /// The caller's own client, with its proxies and redirects.
    Client(Client),
}

impl Default for Http {
    fn default() -> Self {
        Self::Builder(Box::new(Client::builder().user_agent(USER_AGENT)))
    }
}

impl Http {
    fn build(self, base: &BaseUrl, plain_http: PlainHttp) -> Result<Client, Error> {
        match self {
            Self::Client(_) if !base.is_encrypted() && plain_http == PlainHttp::LoopbackOnly => {
                Err(Error::configuration(
                    "plain http through the caller's own client, which may use a proxy, is not allowed (see `allow_plain_http`)",
                ))
            }
            Self::Client(client) => Ok(client),
            Self::Builder(_) if base.is_encrypted() && cfg!(not(any(feature = "tls", target_arch = "wasm32"))) => {
                Err(Error::configuration("an https base URL needs the feature `tls`"))
            }
            Self::Builder(builder) => restrict_to_host(*builder, base).build().map_err(Error::transport),
        }
    }
}

/// Turns redirects off, and turns proxies off for requests to this machine.
#[cfg(not(target_arch = "wasm32"))]
fn restrict_to_host(builder: ClientBuilder, base: &BaseUrl) -> ClientBuilder {
    let builder = builder.redirect(reqwest::redirect::Policy::none());
    if base.is_loopback() { builder.no_proxy() } else { builder }
}

/// Changes nothing: the browser controls proxies and redirects.
#[cfg(target_arch = "wasm32")]
fn restrict_to_host(builder: ClientBuilder, _: &BaseUrl) -> ClientBuilder {
    builder
}

impl Options {
    /// Creates the transport of a client that sends this credential.
    pub(crate) fn into_transport(self, http: Http, credential: Option<Credential>) -> Result<Arc<Transport>, Error> {
        let base = BaseUrl::parse(&self.base_url, self.plain_http)?;
        Ok(Arc::new(Transport {
            http: http.build(&base, self.plain_http)?,
            base,
            credential: RwLock::new(credential),
            timeout: self.timeout,
            max_retries: self.max_retries,
            cache: self.max_cache_bytes.map(Cache::new),
        }))
    }
}

/// The builder methods that `FamilyClientBuilder` and `SessionClientBuilder` share.
macro_rules! common_options {
    () => {
        /// Sets the base URL: the part of the URLs before `/api/v1`, such as `https://family.example` or
        /// `https://home.example/family`.
        pub fn base_url(mut self, url: impl Into<String>) -> Self {
            self.options.base_url = url.into();
            self
        }

        /// Allows plain `http://` to another machine. The secret is then readable on the network. Default: plain `http`
        /// only to this machine.
        pub fn allow_plain_http(mut self) -> Self {
            self.options.plain_http = crate::base_url::PlainHttp::AnyHost;
            self
        }

        /// Sets the timeout of a whole call, including all attempts and the pauses between them. Default: 30 seconds.
        pub fn timeout(mut self, timeout: Duration) -> Self {
            self.options.timeout = timeout;
            self
        }

        /// Sets the maximum number of retries of a failed call. Default: 3. 0 turns retries off.
        ///
        /// The pause before a retry grows exponentially and is at least as long as `Retry-After` requires. If the pause
        /// would end after the [`timeout`](Self::timeout), the call fails at once.
        ///
        /// - After 429, or if no connection could be established, the failed attempt had no effect. So every call is
        ///   retried.
        /// - After 503 or a lost connection, reads, creations with an idempotency key, and writes with
        ///   [`if_match`](crate::Call::if_match) are retried. Creations of records always have such a key.
        /// - A creation is retried while another request with its key runs (`idempotency_running`).
        /// - After 503 or a lost connection, other writes are not retried. They may have taken effect, and a second
        ///   attempt could overwrite a change by another client. The error [is in doubt](crate::Error::is_in_doubt).
        ///   The service also returns 503 if its time limit or a lost database connection interrupts a commit.
        pub fn max_retries(mut self, retries: usize) -> Self {
            self.options.max_retries = retries;
            self
        }
    };
}
pub(crate) use common_options;
