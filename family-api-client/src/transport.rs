//! From a request to a record over HTTP: the only file that sends.

use std::fmt;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue, IF_MATCH, IF_NONE_MATCH, SET_COOKIE};
use reqwest::{Client, RequestBuilder, StatusCode, Url};

#[cfg(not(target_arch = "wasm32"))]
use std::time::Instant;
#[cfg(target_arch = "wasm32")]
use web_time::Instant;

use crate::Error;
use crate::answer::Answer;
use crate::base_url::BaseUrl;
use crate::cache::Cache;
use crate::credential::Credential;
use crate::request::Request;
use crate::secrets::Secrets;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const FIRST_DELAY: Duration = Duration::from_millis(100);
const LONGEST_DELAY: Duration = Duration::from_secs(5);

/// Makes of an answer what its call returns.
pub(crate) type Read<T> = fn(&Answer) -> Result<T, Error>;

/// A connection pool with everything that each call uses.
pub(crate) struct Transport {
    pub(crate) http: Client,
    pub(crate) base: BaseUrl,
    pub(crate) credential: RwLock<Option<Credential>>,
    /// For a whole call, all its tries and the pauses between them.
    pub(crate) timeout: Duration,
    pub(crate) max_retries: usize,
    pub(crate) cache: Option<Cache>,
}

impl Transport {
    /// Does what the request asks for, and reads the answer.
    pub(crate) async fn call<T>(&self, request: &Request, read: Read<T>) -> Result<T, Error> {
        let answer = self.answer(request).await?;
        let read = read(&answer);
        if let Some(cache) = self.cache.as_ref().filter(|_| request.is_read()) {
            let url = self.url(request);
            match answer.tag().filter(|_| read.is_ok()) {
                Some(tag) => cache.insert(url, tag, &answer.body),
                None => cache.remove(&url),
            }
        }
        read
    }

    async fn answer(&self, request: &Request) -> Result<Answer, Error> {
        let begin = Instant::now();
        let pauses = ExponentialBuilder::new()
            .with_jitter()
            .with_min_delay(FIRST_DELAY)
            .with_max_delay(LONGEST_DELAY)
            .with_max_times(self.max_retries);
        let mut is_in_doubt = false;
        let answer = (|| self.send(request, self.timeout.saturating_sub(begin.elapsed())))
            .retry(pauses)
            .when(|error| {
                // The last attempt may fail with certainty and still leave the outcome of an earlier one unknown.
                is_in_doubt |= request.is_in_doubt_after(error);
                request.may_repeat_after(error)
            })
            .adjust(|error, pause| {
                // What the service asks for at the least, and by its own pause apart from everybody else.
                let pause = pause?.saturating_add(error.retry_after().unwrap_or_default());
                (begin.elapsed().saturating_add(pause) < self.timeout).then_some(pause)
            })
            .await;
        answer.map_err(|error| error.with_doubt(is_in_doubt))
    }

    /// One try.
    async fn send(&self, request: &Request, timeout: Duration) -> Result<Answer, Error> {
        let url = self.url(request);
        let cached = self.cache.as_ref().filter(|_| request.is_read()).and_then(|cache| cache.find(&url));
        let credential = self.credential();
        let secrets = Secrets::new(credential.iter().flat_map(Credential::secrets)).and(request.secrets());
        let mut sending = self.prepare(request, url, credential.as_ref()).timeout(timeout);
        if let Some(cached) = &cached {
            sending = sending.header(IF_NONE_MATCH, cached.tag.clone());
        }
        let response = sending.send().await.map_err(Error::transport)?;
        match cached {
            Some(cached) if response.status() == StatusCode::NOT_MODIFIED => {
                Ok(Answer::kept(&response, &secrets, cached))
            }
            _ => Answer::of(response, &secrets).await,
        }
    }

    fn url(&self, request: &Request) -> Url {
        self.base.at(&request.path, &request.query)
    }

    fn prepare(&self, request: &Request, url: Url, credential: Option<&Credential>) -> RequestBuilder {
        let sending = self.http.request(request.method.clone(), url).header(ACCEPT, JSON);
        let sending = match credential.map(Credential::to_header) {
            Some((name, value)) => sending.header(name, value),
            None => sending,
        };
        let sending = match &request.if_match {
            Some(etag) => sending.header(IF_MATCH, etag.as_str()),
            None => sending,
        };
        match &request.body {
            Some(body) => sending.header(CONTENT_TYPE, JSON).body(body.clone()),
            None => sending,
        }
    }

    fn credential(&self) -> Option<Credential> {
        self.credential.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_credential(&self, credential: Credential) {
        *self.credential.write().unwrap_or_else(PoisonError::into_inner) = Some(credential);
    }

    /// Does what the request asks for, and from then on carries the cookies that the answer sets, also where the rest of
    /// it cannot be read: the session is there, and can be ended.
    pub(crate) async fn sign_in<T>(&self, request: &Request, read: Read<T>) -> Result<T, Error> {
        let answer = self.answer(request).await?;
        let cookies = cookies(&answer.headers);
        if cookies.is_empty() {
            return Err(answer.unreadable("no session's cookie"));
        }
        self.set_credential(Credential::cookie(&cookies.join("; "))?);
        read(&answer)
    }

    /// Does what the request asks for, and from then on carries no cookie; nor where there was no session any more.
    ///
    /// A clone may have signed in meanwhile: the cookie of that session stays.
    pub(crate) async fn sign_out<T>(&self, request: &Request, read: Read<T>) -> Result<T, Error> {
        let ended = self.credential();
        let signed_out = self.call(request, read).await;
        if signed_out.as_ref().err().is_none_or(Error::is_unauthorized) {
            self.credential
                .write()
                .unwrap_or_else(PoisonError::into_inner)
                .take_if(|now| Some(&*now) == ended.as_ref());
        }
        signed_out
    }
}

/// The cookies that an answer sets, as they are sent back; one without a value is taken away by it.
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
