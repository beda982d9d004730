//! What a handler answers with when all went well.

use bytes::Bytes;
use family_api_core::{EntityTag, Error};
use salvo::http::header::{CONTENT_TYPE, ETAG, LOCATION};
use salvo::http::{HeaderName, HeaderValue, ResBody, StatusCode};
use salvo::{Response, Scribe};
use serde::Serialize;

use crate::guard::Private;

/// A JSON answer.
pub(crate) struct Answer {
    status: StatusCode,
    header: Option<(HeaderName, HeaderValue)>,
    body: Option<Bytes>,
}

impl Answer {
    /// The JSON of a value.
    pub(crate) fn of<T: Serialize>(value: &T) -> Result<Self, Error> {
        let json = serde_json::to_vec(value).map_err(|error| Error::Internal(Box::new(error)))?;
        Ok(Self::from_json(json.into()))
    }

    /// The JSON of a record, with the tag of this version of it.
    pub(crate) fn of_record<T: Serialize>(record: &T) -> Result<Self, Error> {
        Self::of(record).map(|answer| {
            let tag = EntityTag::of(answer.body.as_deref().unwrap_or_default());
            answer.tagged(&tag)
        })
    }

    /// JSON as it comes.
    pub(crate) fn from_json(body: Bytes) -> Self {
        Self { status: StatusCode::OK, header: None, body: Some(body) }
    }

    /// 304: the caller has it already.
    pub(crate) fn unchanged(tag: &EntityTag) -> Self {
        Self { status: StatusCode::NOT_MODIFIED, header: None, body: None }.tagged(tag)
    }

    /// The answer is the version of this name.
    pub(crate) fn tagged(self, tag: &EntityTag) -> Self {
        // Quotes and digits: a header's value always.
        let header = HeaderValue::try_from(tag.as_str()).ok().map(|tag| (ETAG, tag));
        Self { header, ..self }
    }

    /// 201: the answer tells of something new, found at `location`, and holds its secret.
    pub(crate) fn created(self, location: &str) -> Result<Self, Error> {
        let location = location.parse().map_err(|error| Error::Internal(Box::new(error)))?;
        Ok(Self { status: StatusCode::CREATED, header: Some((LOCATION, location)), ..self })
    }
}

impl Scribe for Answer {
    fn render(self, res: &mut Response) {
        res.status_code(self.status);
        if self.status == StatusCode::CREATED {
            Private::no_store(res);
        }
        if let Some((name, value)) = self.header {
            res.headers_mut().insert(name, value);
        }
        if let Some(body) = self.body {
            res.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            res.replace_body(ResBody::Once(body));
        }
    }
}
