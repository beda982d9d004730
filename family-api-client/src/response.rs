//! Success responses and their decoding.

use bytes::Bytes;
use family_api_types::batch::BatchResponse;
use reqwest::Response;
use reqwest::header::{CACHE_CONTROL, ETAG, HeaderMap, HeaderName, HeaderValue};
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use serde_path_to_error::Path;

use crate::cache::CachedResponse;
use crate::error_response::ErrorResponse;
use crate::request_id::request_id;
use crate::secrets::Secrets;
use crate::time_notice::NOTICE;
use crate::{EntityTag, Error, Occurrences, RawJson, TimeNotice, Versioned};

/// The maximum size of a success body, so that an endless response cannot exhaust memory.
#[cfg(not(target_arch = "wasm32"))]
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// The header of a response in which records are missing.
const TRUNCATED: HeaderName = HeaderName::from_static("family-api-truncated");
/// The header of a read with the state of the family's data.
const STATE: HeaderName = HeaderName::from_static("family-state");
const NOT_JSON: &str = "not JSON";

/// A success response that was received completely.
pub(crate) struct ApiResponse {
    status: u16,
    request_id: Option<String>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// Whether the data is at the version that the caller has. The body is then empty.
    pub(crate) is_unchanged: bool,
}

impl ApiResponse {
    /// Receives the whole response. Fails if its status is not a success.
    pub(crate) async fn receive(response: Response, secrets: &Secrets<'_>) -> Result<Self, Error> {
        if !response.status().is_success() {
            return Err(Error::from_response(ErrorResponse::receive(response, secrets).await));
        }
        let mut received = Self::from_head(&response, secrets);
        received.body = received.receive_body(response).await?;
        Ok(received)
    }

    /// Returns a 304 response to a caller that has the body.
    pub(crate) fn unchanged(response: &Response, secrets: &Secrets<'_>) -> Self {
        Self { is_unchanged: true, ..Self::from_head(response, secrets) }
    }

    /// Combines a 304 response with the cached body.
    pub(crate) fn not_modified(response: &Response, secrets: &Secrets<'_>, cached: CachedResponse) -> Self {
        let mut received = Self { body: cached.body, ..Self::from_head(response, secrets) };
        received.headers.entry(ETAG).or_insert(cached.tag);
        received
    }

    /// Returns a success response of a batch as that of a request of its own.
    pub(crate) fn of_batch(response: &BatchResponse, request_id: Option<String>) -> Self {
        let header = |text: &Option<String>| text.as_ref().and_then(|text| HeaderValue::try_from(text).ok());
        let headers = [(ETAG, header(&response.etag)), (NOTICE, header(&response.notice))];
        Self {
            status: response.status,
            request_id,
            headers: headers.into_iter().filter_map(|(name, value)| Some((name, value?))).collect(),
            body: Bytes::copy_from_slice(response.body.get().as_bytes()),
            is_unchanged: false,
        }
    }

    fn from_head(response: &Response, secrets: &Secrets<'_>) -> Self {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let request_id = request_id(&headers, secrets);
        Self { status, request_id, headers, body: Bytes::new(), is_unchanged: false }
    }

    #[cfg(not(target_arch = "wasm32"))]
    async fn receive_body(&self, mut response: Response) -> Result<Bytes, Error> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(Error::transport)? {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_BYTES {
                return Err(self.unreadable("more than 64 MiB"));
            }
        }
        Ok(body.into())
    }

    /// Receives the body at once: in a browser, reqwest does not return chunks.
    #[cfg(target_arch = "wasm32")]
    async fn receive_body(&self, response: Response) -> Result<Bytes, Error> {
        response.bytes().await.map_err(Error::transport)
    }

    /// Decodes the body. An error contains the JSON path and no value, because the values are the family's data.
    pub(crate) fn decode<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let mut input = serde_json::Deserializer::from_slice(&self.body);
        let decoded = serde_path_to_error::deserialize(&mut input);
        let value = decoded.map_err(|fault| self.unreadable(describe(fault.inner(), fault.path())))?;
        input.end().map_err(|_| self.unreadable(NOT_JSON))?;
        Ok(value)
    }

    /// Decodes a record together with the entity tag of its version.
    pub(crate) fn decode_versioned<T: DeserializeOwned>(&self) -> Result<Versioned<T>, Error> {
        let record: T = self.decode()?;
        Ok(Versioned::new(record, self.etag()).with_time_notices(TimeNotice::read(&self.headers)))
    }

    /// Returns the data of a read together with its entity tag and its state.
    pub(crate) fn version<T>(&self, data: T) -> Versioned<T> {
        Versioned::new(data, self.etag()).with_state(self.state())
    }

    /// Decodes occurrences, and whether some are missing.
    pub(crate) fn decode_occurrences(&self) -> Result<Occurrences, Error> {
        Ok(Occurrences::new(self.decode()?, self.is_truncated()))
    }

    /// Returns the body as unchanged JSON.
    pub(crate) fn decode_raw(&self) -> Result<RawJson, Error> {
        Ok(RawJson {
            json: self.decode()?,
            etag: self.etag(),
            state: self.state(),
            is_truncated: self.is_truncated(),
            time_notices: TimeNotice::read(&self.headers),
        })
    }

    pub(crate) fn request_id(&self) -> Option<String> {
        self.request_id.clone()
    }

    fn is_truncated(&self) -> bool {
        self.headers.get(TRUNCATED).is_some_and(|value| value == "true")
    }

    pub(crate) fn etag(&self) -> Option<EntityTag> {
        self.headers.get(ETAG)?.to_str().ok()?.parse().ok()
    }

    fn state(&self) -> Option<String> {
        Some(self.headers.get(STATE)?.to_str().ok()?.to_owned())
    }

    /// Returns the entity tag if the response may be cached. A truncated response is not cached, because a 304 does not
    /// say that records are missing.
    pub(crate) fn cacheable_etag(&self) -> Option<&HeaderValue> {
        let control = self.headers.get_all(CACHE_CONTROL).iter().filter_map(|value| value.to_str().ok());
        let is_cacheable = !control.flat_map(|value| value.split(',')).any(|word| word.trim() == "no-store");
        self.headers.get(ETAG).filter(|_| is_cacheable && !self.is_truncated())
    }

    pub(crate) fn unreadable(&self, fault: impl Into<String>) -> Error {
        Error::unreadable(self.status, self.request_id.clone(), fault.into())
    }
}

fn describe(error: &serde_json::Error, path: &Path) -> String {
    match error.classify() {
        Category::Data => format!("unexpected shape at {path}"),
        Category::Eof => "unexpected end".to_owned(),
        Category::Syntax | Category::Io => NOT_JSON.to_owned(),
    }
}
