//! Sends requests over HTTP, with retries and the cache.

use std::fmt;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH, SET_COOKIE};
use reqwest::{Client, RequestBuilder, StatusCode, Url};

#[cfg(not(target_arch = "wasm32"))]
use std::time::Instant;
#[cfg(target_arch = "wasm32")]
use web_time::Instant;

use crate::Error;
use crate::base_url::BaseUrl;
use crate::cache::Cache;
use crate::credential::Credential;
use crate::request::Request;
use crate::response::ApiResponse;
use crate::secrets::Secrets;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const MIN_DELAY: Duration = Duration::from_millis(100);
const MAX_DELAY: Duration = Duration::from_secs(5);

/// Decodes a response into the result of its call.
pub(crate) type Decode<T> = Box<dyn Fn(&ApiResponse) -> Result<T, Error> + Send + Sync>;

/// The connection pool of a client, with the settings of its calls.
pub(crate) struct Transport {
    pub(crate) http: Client,
    pub(crate) base: BaseUrl,
    pub(crate) credential: RwLock<Option<Credential>>,
    /// The timeout of a whole call, including all attempts and the pauses between them.
    pub(crate) timeout: Duration,
    pub(crate) max_retries: usize,
    pub(crate) cache: Option<Cache>,
}

impl Transport {
    /// Sends the request and decodes the response. Updates the cache after a read.
    pub(crate) async fn call<T>(&self, request: &Request, decode: Decode<T>) -> Result<T, Error> {
        let response = self.send_with_retries(request).await?;
        let result = decode(&response);
        if let Some(cache) = self.cache.as_ref().filter(|_| request.is_read() && !response.is_unchanged) {
            let url = self.url(request);
            match response.cacheable_etag().filter(|_| result.is_ok()) {
                Some(tag) => cache.insert(url, tag, &response.body),
                None => cache.remove(&url),
            }
        }
        result
    }

    async fn send_with_retries(&self, request: &Request) -> Result<ApiResponse, Error> {
        let start = Instant::now();
        let backoff = ExponentialBuilder::new()
            .with_jitter()
            .with_min_delay(MIN_DELAY)
            .with_max_delay(MAX_DELAY)
            .with_max_times(self.max_retries);
        let mut is_in_doubt = false;
        let result = (|| self.send_once(request, self.timeout.saturating_sub(start.elapsed())))
            .retry(backoff)
            .when(|error| {
                // Even if the last attempt certainly had no effect, an earlier attempt may have taken effect.
                is_in_doubt |= request.is_in_doubt_after(error);
                request.is_retried_on(error)
            })
            .adjust(|error, pause| {
                // Adds the jittered backoff to `Retry-After`, so that the clients do not all retry at the same time.
                let pause = pause?.saturating_add(error.retry_after().unwrap_or_default());
                (start.elapsed().saturating_add(pause) < self.timeout).then_some(pause)
            })
            .await;
        result.map_err(|error| error.with_doubt(is_in_doubt))
    }

    async fn send_once(&self, request: &Request, timeout: Duration) -> Result<ApiResponse, Error> {
        let url = self.url(request);
        let is_cached = request.is_read() && request.if_none_match.is_none();
        let cached = self.cache.as_ref().filter(|_| is_cached).and_then(|cache| cache.find(&url));
        let credential = self.credential();
        let secrets = Secrets::new(credential.iter().flat_map(Credential::secrets)).with_short(request.secrets());
        let mut builder = self.request_builder(request, url, credential.as_ref()).timeout(timeout);
        if let Some(cached) = &cached {
            builder = builder.header(IF_NONE_MATCH, cached.tag.clone());
        }
        let response = builder.send().await.map_err(Error::transport)?;
        match cached {
            Some(cached) if response.status() == StatusCode::NOT_MODIFIED => {
                Ok(ApiResponse::not_modified(&response, &secrets, cached))
            }
            None if request.if_none_match.is_some() && response.status() == StatusCode::NOT_MODIFIED => {
                Ok(ApiResponse::unchanged(&response, &secrets))
            }
            _ => ApiResponse::receive(response, &secrets).await,
        }
    }

    fn url(&self, request: &Request) -> Url {
        self.base.join(&request.path, &request.query)
    }

    fn request_builder(&self, request: &Request, url: Url, credential: Option<&Credential>) -> RequestBuilder {
        let builder = self.http.request(request.method.clone(), url).header(ACCEPT, JSON);
        let builder = match credential.map(Credential::to_header) {
            Some((name, value)) => builder.header(name, value),
            None => builder,
        };
        let builder = match &request.if_match {
            Some(etag) => builder.header(IF_MATCH, etag.as_str()),
            None => builder,
        };
        let builder = match &request.if_none_match {
            Some(etag) => builder.header(IF_NONE_MATCH, etag.as_str()),
            None => builder,
        };
        let builder = match &request.idempotency_key {
            Some(key) => builder.header(IDEMPOTENCY_KEY, key.as_str()),
            None => builder,
        };
        match &request.body {
            Some(body) => builder.header(CONTENT_TYPE, JSON).body(body.clone()),
            None => builder,
        }
    }

    /// Replaces the secrets of the credential in a text that the service sent.
    pub(crate) fn redact(&self, text: &str) -> String {
        Secrets::new(self.credential().iter().flat_map(Credential::secrets)).redact(text)
    }

    fn credential(&self) -> Option<Credential> {
        self.credential.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_credential(&self, credential: Credential) {
        *self.credential.write().unwrap_or_else(PoisonError::into_inner) = Some(credential);
    }

    /// Sends the request and stores the cookies that the response sets.
    ///
    /// The cookies are stored even if the body cannot be decoded: the session exists, and `sign_out` can end it.
    pub(crate) async fn sign_in<T>(&self, request: &Request, decode: Decode<T>) -> Result<T, Error> {
        let response = self.send_with_retries(request).await?;
        let cookies = cookies(&response.headers);
        if cookies.is_empty() {
            return Err(response.unreadable("no session cookie"));
        }
        self.set_credential(Credential::cookie(&cookies.join("; "))?);
        decode(&response)
    }

    /// Sends the request and deletes the cookie. A 401 also deletes the cookie: the session has already ended.
    ///
    /// Keeps the cookie of a newer session, if a clone signed in during the call.
    pub(crate) async fn sign_out<T>(&self, request: &Request, decode: Decode<T>) -> Result<T, Error> {
        let sent_credential = self.credential();
        let signed_out = self.call(request, decode).await;
        if signed_out.as_ref().err().is_none_or(Error::is_unauthorized) {
            self.credential
                .write()
                .unwrap_or_else(PoisonError::into_inner)
                .take_if(|current| Some(&*current) == sent_credential.as_ref());
        }
        signed_out
    }
}

/// Returns the cookies that a response sets, as `name=value`. Skips empty values, which delete a cookie.
fn cookies(headers: &HeaderMap) -> Vec<&str> {
    let set = headers.get_all(SET_COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = set.filter_map(|cookie| cookie.split(';').next());
    pairs.filter(|pair| pair.split_once('=').is_some_and(|(_, value)| !value.trim().is_empty())).collect()
}

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transport").field("host", &self.base.host()).finish_non_exhaustive()
    }
}
