//! The successful response of a handler.

use bytes::Bytes;
use family_api_core::{ContentCoding, EntityTag, Error};
use salvo::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, LOCATION, VARY};
use salvo::http::{HeaderName, HeaderValue, ResBody, StatusCode};
use salvo::{Response, Scribe};
use serde::Serialize;

use crate::guard::Private;

/// A JSON response.
pub(crate) struct Answer {
    status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Option<Bytes>,
}

impl Answer {
    /// Serializes a value.
    pub(crate) fn of<T: Serialize>(value: &T) -> Result<Self, Error> {
        let json = serde_json::to_vec(value).map_err(|error| Error::Internal(Box::new(error)))?;
        Ok(Self::from_json(json.into()))
    }

    /// Serializes a record and adds its `ETag`.
    pub(crate) fn of_record<T: Serialize>(record: &T) -> Result<Self, Error> {
        Self::of(record).map(|answer| {
            let tag = EntityTag::of(answer.body.as_deref().unwrap_or_default());
            answer.tagged(&tag)
        })
    }

    /// Wraps serialized JSON.
    pub(crate) fn from_json(body: Bytes) -> Self {
        Self { status: StatusCode::OK, headers: Vec::new(), body: Some(body) }
    }

    /// Returns 304: the client's copy is current.
    pub(crate) fn unchanged(tag: &EntityTag) -> Self {
        Self { status: StatusCode::NOT_MODIFIED, headers: Vec::new(), body: None }.tagged(tag)
    }

    /// Adds the `ETag`.
    pub(crate) fn tagged(self, tag: &EntityTag) -> Self {
        // Always a valid header value: a tag contains only visible ASCII.
        self.with(HeaderValue::try_from(tag.as_str()).ok().map(|tag| (ETAG, tag)))
    }

    /// Adds `Content-Encoding` and `Vary`. `None` means that the coding was not negotiated.
    pub(crate) fn coded(self, coding: Option<ContentCoding>) -> Self {
        let name = coding.and_then(ContentCoding::as_str).filter(|_| self.body.is_some());
        let varies = coding.map(|_| (VARY, HeaderValue::from_static("Accept-Encoding")));
        self.with(varies).with(name.map(|name| (CONTENT_ENCODING, HeaderValue::from_static(name))))
    }

    fn with(mut self, header: Option<(HeaderName, HeaderValue)>) -> Self {
        self.headers.extend(header);
        self
    }

    /// Changes the response to 201 with a `Location`. It is marked `no-store`, because it contains the new key's
    /// secret.
    pub(crate) fn created(self, location: &str) -> Result<Self, Error> {
        let location = location.parse().map_err(|error| Error::Internal(Box::new(error)))?;
        Ok(Self { status: StatusCode::CREATED, ..self.with(Some((LOCATION, location))) })
    }
}

impl Scribe for Answer {
    fn render(self, res: &mut Response) {
        res.status_code(self.status);
        if self.status == StatusCode::CREATED {
            Private::no_store(res);
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
