//! From a path to a record over HTTP: the only file that knows how.

use std::fmt;
use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};
use serde::de::DeserializeOwned;

use crate::Error;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A connection pool with the address and the token that every call uses.
pub(crate) struct Transport {
    http: Client,
    base: Url,
}

impl Transport {
    pub(crate) fn new(base_url: &str, token: &str, timeout: Duration) -> Result<Self, Error> {
        let base: Url = base_url.parse().map_err(|_| Error::configuration("the base URL is not a URL"))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(Error::configuration("the base URL is neither http nor https"));
        }
        if base.scheme() == "https" && cfg!(not(feature = "rustls")) {
            return Err(Error::configuration("an https base URL needs the feature `rustls`"));
        }
        let client = Client::builder().default_headers(headers(token)?).timeout(timeout).redirect(Policy::none());
        Ok(Self { http: client.build().map_err(Error::transport)?, base })
    }

    /// Reads what stands at a path of the API.
    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str, query: &[(&str, String)]) -> Result<T, Error> {
        let response = self.http.get(self.url(path)).query(query).send().await.map_err(Error::transport)?;
        answer(response).await
    }

    /// `Url::join` would drop what the base has behind its host.
    fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_query(None);
        url.set_fragment(None);
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path.trim_start_matches('/').split('/'));
        }
        url
    }
}

fn headers(token: &str) -> Result<HeaderMap, Error> {
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::configuration("the token is empty or holds characters that no token has"));
    }
    let bearer = HeaderValue::try_from(format!("Bearer {token}"));
    let mut bearer = bearer.map_err(|_| Error::configuration("the token does not fit into a header"))?;
    bearer.set_sensitive(true);
    Ok([(AUTHORIZATION, bearer), (ACCEPT, HeaderValue::from_static("application/json"))].into_iter().collect())
}

async fn answer<T: DeserializeOwned>(response: Response) -> Result<T, Error> {
    let status = response.status();
    let request_id = response.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok()).map(str::to_owned);
    let body = response.bytes().await.map_err(Error::transport)?;
    if status.is_success() {
        serde_json::from_slice(&body).map_err(Error::unreadable)
    } else {
        Err(Error::refused(status.as_u16(), serde_json::from_slice(&body).ok(), request_id))
    }
}

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transport").field("host", &self.base.host_str()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_added_to_the_base_whatever_that_ends_with() {
        for (base, url) in [
            ("http://h:1", "http://h:1/api/v1/me"),
            ("http://h:1/", "http://h:1/api/v1/me"),
            ("https://h/family", "https://h/family/api/v1/me"),
            ("https://h/family/?q#f", "https://h/family/api/v1/me"),
        ] {
            let transport = Transport::new(base, "t", Duration::from_secs(1)).unwrap();
            assert_eq!(transport.url("/api/v1/me").as_str(), url);
        }
    }

    #[test]
    fn what_cannot_be_called_is_refused_without_quoting_the_token() {
        for (base, token) in [("", "t"), ("h:1", "t"), ("ftp://h", "t"), ("http://h", ""), ("http://h", "can ary")] {
            let error = Transport::new(base, token, Duration::from_secs(1)).unwrap_err();
            assert!(error.status().is_none());
            assert!(!format!("{error} {error:?}").contains("ary"), "{error:?}");
        }
    }
}
