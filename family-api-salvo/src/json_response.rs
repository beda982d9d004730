//! The successful JSON response of a handler.

use bytes::Bytes;
use family_api_core::change::TimeNotice;
use family_api_core::query::State;
use family_api_core::{ContentCoding, EntityTag, EntityTags, Error};
use salvo::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, LOCATION, VARY};
use salvo::http::{HeaderName, HeaderValue, ResBody, StatusCode};
use salvo::{Response, Scribe};
use serde::Serialize;

use crate::guard::PrivateResponse;

/// The header of a document in which records are missing.
const TRUNCATED: HeaderName = HeaderName::from_static("family-api-truncated");

/// The header of a read with the state of the family's data.
const STATE: HeaderName = HeaderName::from_static("family-state");

/// The header of a write with notices about its times.
pub(crate) const NOTICE: HeaderName = HeaderName::from_static("family-api-notice");

/// A JSON response.
pub(crate) struct JsonResponse {
    status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Option<Bytes>,
}

impl JsonResponse {
    /// Serializes a value. Status 200.
    pub(crate) fn serialize<T: Serialize>(value: &T) -> Result<Self, Error> {
        let json = serde_json::to_vec(value).map_err(|error| Error::Internal(Box::new(error)))?;
        Ok(Self::from_json(json.into()))
    }

    /// Serializes a record and adds its `ETag`. Status 200.
    pub(crate) fn versioned<T: Serialize>(record: &T) -> Result<Self, Error> {
        Ok(Self::serialize(record)?.unless_known(None))
    }

    /// Wraps JSON that is already serialized. Status 200.
    pub(crate) fn from_json(body: Bytes) -> Self {
        Self { status: StatusCode::OK, headers: Vec::new(), body: Some(body) }
    }

    /// Creates a 304 without a body: the client's copy is current.
    pub(crate) fn not_modified(tag: &EntityTag) -> Self {
        Self { status: StatusCode::NOT_MODIFIED, headers: Vec::new(), body: None }.with_etag(tag)
    }

    /// Adds an `ETag` of the body. Becomes a 304 if the client already has this version.
    pub(crate) fn unless_known(self, client_tags: Option<EntityTags>) -> Self {
        let tag = EntityTag::of(self.body.as_deref().unwrap_or_default());
        if client_tags.is_some_and(|tags| tags.matches_weak(&tag)) {
            return Self::not_modified(&tag);
        }
        self.with_etag(&tag)
    }

    /// Adds the `ETag`.
    pub(crate) fn with_etag(self, tag: &EntityTag) -> Self {
        // Always a valid header value: a tag contains only visible ASCII.
        self.with_header(HeaderValue::try_from(tag.as_str()).ok().map(|tag| (ETAG, tag)))
    }

    /// Adds `Family-Api-Truncated: true` if records are missing in the body (HTTP reference, "Occurrences").
    pub(crate) fn with_truncation(self, is_truncated: bool) -> Self {
        self.with_header(is_truncated.then_some((TRUNCATED, HeaderValue::from_static("true"))))
    }

    /// Adds `Family-State` if there is a state (HTTP reference, "Changes").
    pub(crate) fn with_state(self, state: Option<&State>) -> Self {
        // Always a valid header value: a state contains only letters and digits.
        let value = state.and_then(|state| HeaderValue::try_from(state.to_string()).ok());
        self.with_header(value.map(|value| (STATE, value)))
    }

    /// Adds `Family-Api-Notice` if there are notices about the times of a write (HTTP reference, "Instants and dates").
    pub(crate) fn with_notices(self, notices: &[TimeNotice]) -> Self {
        let text = notices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        // Always a valid header value: a notice contains only visible ASCII.
        let value = HeaderValue::try_from(text).ok().filter(|_| !notices.is_empty());
        self.with_header(value.map(|value| (NOTICE, value)))
    }

    /// Adds `Vary`, and `Content-Encoding` if the body is compressed. Adds nothing if `coding` is `None`, which means
    /// that the host has switched compression off.
    pub(crate) fn with_coding(self, coding: Option<ContentCoding>) -> Self {
        let name = coding.and_then(ContentCoding::as_str).filter(|_| self.body.is_some());
        let vary = coding.map(|_| (VARY, HeaderValue::from_static("Accept-Encoding")));
        self.with_header(vary).with_header(name.map(|name| (CONTENT_ENCODING, HeaderValue::from_static(name))))
    }

    fn with_header(mut self, header: Option<(HeaderName, HeaderValue)>) -> Self {
        self.headers.extend(header);
        self
    }

    /// Changes the response to 201 with a `Location`. Every 201 gets `Cache-Control: no-store`, because a
    /// new key contains its secret.
    pub(crate) fn created(self, location: &str) -> Result<Self, Error> {
        let location = location.parse().map_err(|error| Error::Internal(Box::new(error)))?;
        Ok(Self { status: StatusCode::CREATED, ..self.with_header(Some((LOCATION, location))) })
    }
}

impl Scribe for JsonResponse {
    fn render(self, res: &mut Response) {
        res.status_code(self.status);
        if self.status == StatusCode::CREATED {
            PrivateResponse::no_store(res);
        }
        for (name, value) in self.headers {
            res.headers_mut().append(name, value);
        }
        if let Some(body) = self.body {
            res.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            res.replace_body(ResBody::Once(body));
        }
    }
}
