//! What a handler answers with when all went well.

use bytes::Bytes;
use family_api_core::Error;
use salvo::http::header::{CONTENT_TYPE, LOCATION};
use salvo::http::{HeaderValue, ResBody, StatusCode};
use salvo::{Response, Scribe};
use serde::Serialize;

use crate::guard::Private;

/// A JSON answer.
pub(crate) struct Answer {
    body: Bytes,
    created: Option<HeaderValue>,
}

impl Answer {
    /// The JSON of a value.
    pub(crate) fn of<T: Serialize>(value: &T) -> Result<Self, Error> {
        let json = serde_json::to_vec(value).map_err(|error| Error::Internal(Box::new(error)))?;
        Ok(Self::from_json(json.into()))
    }

    /// JSON as it comes.
    pub(crate) fn from_json(body: Bytes) -> Self {
        Self { body, created: None }
    }

    /// 201: the answer tells of something new, found at `location`, and holds its secret.
    pub(crate) fn created(mut self, location: &str) -> Result<Self, Error> {
        self.created = Some(location.parse().map_err(|error| Error::Internal(Box::new(error)))?);
        Ok(self)
    }
}

impl Scribe for Answer {
    fn render(self, res: &mut Response) {
        res.status_code(StatusCode::OK);
        if let Some(location) = self.created {
            res.status_code(StatusCode::CREATED);
            res.headers_mut().insert(LOCATION, location);
            Private::no_store(res);
        }
        res.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        res.replace_body(ResBody::Once(self.body));
    }
}
