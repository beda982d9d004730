//! What both clients are configured with.

use std::sync::{Arc, RwLock};
use std::time::Duration;

use reqwest::{Client, ClientBuilder};

use crate::Error;
use crate::base_url::{BaseUrl, PlainHttp};
use crate::cache::Cache;
use crate::credential::Credential;
use crate::transport::Transport;

const TIMEOUT: Duration = Duration::from_secs(30);
const MAX_RETRIES: usize = 3;
const USER_AGENT: &str = concat!("family-api-client/", env!("CARGO_PKG_VERSION"));

/// What both clients are configured with.
#[derive(Clone)]
pub(crate) struct Options {
    pub(crate) base_url: String,
    pub(crate) plain_http: PlainHttp,
    pub(crate) timeout: Duration,
    pub(crate) max_retries: usize,
    pub(crate) cache: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            base_url: String::new(),
            plain_http: PlainHttp::default(),
            timeout: TIMEOUT,
            max_retries: MAX_RETRIES,
            cache: None,
        }
    }
}

/// What sends.
pub(crate) enum Http {
    /// A client that is made here: redirects are answers like others, and what stays on this machine goes through no
    /// proxy, so that a secret goes to the host that it is for.
    Made(Box<ClientBuilder>),
    /// The caller's own, with its proxies and redirects.
    Own(Client),
}

impl Default for Http {
    fn default() -> Self {
        Self::Made(Box::new(Client::builder().user_agent(USER_AGENT)))
    }
}

impl Http {
    fn connect(self, base: &BaseUrl, plain_http: PlainHttp) -> Result<Client, Error> {
        match self {
            Self::Own(_) if !base.is_encrypted() && plain_http == PlainHttp::ToLoopback => Err(Error::configuration(
                "plain http through the caller's own client, which may use a proxy, must be allowed (`allow_plain_http`)",
            )),
            Self::Own(client) => Ok(client),
            Self::Made(_) if base.is_encrypted() && cfg!(not(any(feature = "tls", target_arch = "wasm32"))) => {
                Err(Error::configuration("an https base URL needs the feature `tls`"))
            }
            Self::Made(builder) => confined(*builder, base).build().map_err(Error::transport),
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn confined(builder: ClientBuilder, base: &BaseUrl) -> ClientBuilder {
    let builder = builder.redirect(reqwest::redirect::Policy::none());
    if base.is_loopback() { builder.no_proxy() } else { builder }
}

/// In a browser, connections, proxies and redirects are the browser's.
#[cfg(target_arch = "wasm32")]
fn confined(builder: ClientBuilder, _: &BaseUrl) -> ClientBuilder {
    builder
}

impl Options {
    /// The transport of a client that carries this credential.
    pub(crate) fn connect(self, http: Http, credential: Option<Credential>) -> Result<Arc<Transport>, Error> {
        let base = BaseUrl::parse(&self.base_url, self.plain_http)?;
        Ok(Arc::new(Transport {
            http: http.connect(&base, self.plain_http)?,
            base,
            credential: RwLock::new(credential),
            timeout: self.timeout,
            max_retries: self.max_retries,
            cache: self.cache.map(Cache::new),
        }))
    }
}

/// What can be set of either client.
macro_rules! common_options {
    () => {
        /// Where the API is: what comes before `/api/v1`, a path included where it is mounted below one.
        pub fn base_url(mut self, url: impl Into<String>) -> Self {
            self.options.base_url = url.into();
            self
        }

        /// Lets the secret travel over plain `http://` to another machine than this one: anybody on the way reads it.
        pub fn allow_plain_http(mut self) -> Self {
            self.options.plain_http = crate::base_url::PlainHttp::Anywhere;
            self
        }

        /// How long a call may take, all its tries and the pauses between them included; 30 seconds unless it is set.
        pub fn timeout(mut self, timeout: Duration) -> Self {
            self.options.timeout = timeout;
            self
        }

        /// Sets how often a failed call is repeated. Default: 3; 0 turns repetition off.
        ///
        /// The pauses between the attempts grow, and are at least as long as the service asks for (`Retry-After`).
        ///
        /// - Any call is repeated after 429, and if no connection could be established: it surely had no effect.
        /// - After 503 or a lost connection, a read is repeated, and so is a write with
        ///   [`if_match`](crate::Call::if_match).
        /// - Any other write may have taken effect by then, and a second one could undo what another client did in
        ///   between: it is not repeated, and the error [is in doubt](crate::Error::is_in_doubt). The service also
        ///   answers 503 if its time limit or a lost database interrupts a commit.
        pub fn max_retries(mut self, retries: usize) -> Self {
            self.options.max_retries = retries;
            self
        }
    };
}
pub(crate) use common_options;
