//! A success, and what is read from it.

use bytes::Bytes;
use reqwest::Response;
use reqwest::header::{CACHE_CONTROL, ETAG, HeaderMap, HeaderName, HeaderValue};
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use serde_path_to_error::Path;

use crate::cache::Cached;
use crate::refusal::Refusal;
use crate::secrets::Secrets;
use crate::{EntityTag, Error, RawJson, Versioned};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// No family has that much to say.
#[cfg(not(target_arch = "wasm32"))]
const MAX_BYTES: usize = 64 * 1024 * 1024;
const NO_JSON: &str = "no JSON";

/// A success.
pub(crate) struct Answer {
    status: u16,
    request_id: Option<String>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    /// Receives the whole answer; what is no success is an error.
    pub(crate) async fn of(response: Response, secrets: &Secrets<'_>) -> Result<Self, Error> {
        if !response.status().is_success() {
            return Err(Error::refused(Refusal::of(response, secrets).await));
        }
        let mut answer = Self::begun(&response, secrets);
        answer.body = answer.receive(response).await?;
        Ok(answer)
    }

    /// What the service says has not changed.
    pub(crate) fn kept(response: &Response, secrets: &Secrets<'_>, cached: Cached) -> Self {
        let mut answer = Self { body: cached.body, ..Self::begun(response, secrets) };
        answer.headers.entry(ETAG).or_insert(cached.tag);
        answer
    }

    fn begun(response: &Response, secrets: &Secrets<'_>) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Self { status, request_id: request_id(&headers, secrets), headers, body: Bytes::new() }
    }

    #[cfg(not(target_arch = "wasm32"))]
    async fn receive(&self, mut response: Response) -> Result<Bytes, Error> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(Error::transport)? {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_BYTES {
                return Err(self.unreadable("more than 64 MiB"));
            }
        }
        Ok(body.into())
    }

    /// A browser hands out whole bodies.
    #[cfg(target_arch = "wasm32")]
    async fn receive(&self, response: Response) -> Result<Bytes, Error> {
        response.bytes().await.map_err(Error::transport)
    }

    /// Reads the body. An error names the place, and quotes nothing of what is the family's.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let mut input = serde_json::Deserializer::from_slice(&self.body);
        let read = serde_path_to_error::deserialize(&mut input);
        let value = read.map_err(|fault| self.unreadable(describe(fault.inner(), fault.path())))?;
        input.end().map_err(|_| self.unreadable(NO_JSON))?;
        Ok(value)
    }

    /// Reads a record with the tag of its version.
    pub(crate) fn read_versioned<T: DeserializeOwned>(&self) -> Result<Versioned<T>, Error> {
        Ok(Versioned::new(self.read()?, self.etag()))
    }

    /// Reads the body as the JSON that it is.
    pub(crate) fn read_raw(&self) -> Result<RawJson, Error> {
        Ok(RawJson::new(self.read()?, self.etag()))
    }

    fn etag(&self) -> Option<EntityTag> {
        self.headers.get(ETAG)?.to_str().ok()?.parse().ok()
    }

    /// The tag of this version, where the answer may be kept.
    pub(crate) fn tag(&self) -> Option<&HeaderValue> {
        let control = self.headers.get_all(CACHE_CONTROL).iter().filter_map(|value| value.to_str().ok());
        let is_kept = !control.flat_map(|value| value.split(',')).any(|word| word.trim() == "no-store");
        self.headers.get(ETAG).filter(|_| is_kept)
    }

    pub(crate) fn unreadable(&self, fault: impl Into<String>) -> Error {
        Error::unreadable(self.status, self.request_id.clone(), fault.into())
    }
}

/// What the people who run the service know the request by.
pub(crate) fn request_id(headers: &HeaderMap, secrets: &Secrets<'_>) -> Option<String> {
    headers.get(REQUEST_ID).and_then(|id| id.to_str().ok()).map(|id| secrets.redact(id))
}

fn describe(error: &serde_json::Error, place: &Path) -> String {
    match error.classify() {
        Category::Data => format!("another shape at {place}"),
        Category::Eof => "an early end".to_owned(),
        Category::Syntax | Category::Io => NO_JSON.to_owned(),
    }
}
