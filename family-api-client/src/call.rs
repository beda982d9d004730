//! Calls before they are sent.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;

use family_api_core::resource::{Board, DeletedNote, Event, TaskFilter};
use jiff::civil::Date;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::request::Request;
use crate::response::ApiResponse;
use crate::transport::{Decode, Transport};
use crate::{EntityTag, Error, Occurrences, Versioned};

/// The future that sends a call.
#[cfg(not(target_arch = "wasm32"))]
pub type CallFuture<T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>;
/// The future that sends a call. In a browser, futures are not `Send`.
#[cfg(target_arch = "wasm32")]
pub type CallFuture<T> = Pin<Box<dyn Future<Output = Result<T, Error>>>>;

/// A call that returns a `T`. It is sent when it is awaited, or by `wait` with the feature `blocking`.
///
/// Dropping the future cancels the call. A cancelled write may already have taken effect.
#[must_use = "a call is sent when it is awaited"]
pub struct Call<T> {
    transport: Arc<Transport>,
    request: Request,
    session_effect: SessionEffect,
    decode: Decode<T>,
}

/// The unchanged JSON of a response.
pub struct RawJson {
    json: Box<RawValue>,
    etag: Option<EntityTag>,
    is_truncated: bool,
}

impl RawJson {
    pub(crate) fn new(json: Box<RawValue>, etag: Option<EntityTag>, is_truncated: bool) -> Self {
        Self { json, etag, is_truncated }
    }

    /// Returns the JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.json.get()
    }

    /// Returns the entity tag of the response: of the record after an update, of the whole document after a read.
    #[must_use]
    pub fn etag(&self) -> Option<&EntityTag> {
        self.etag.as_ref()
    }

    /// Returns whether records are missing ([`Occurrences::is_truncated`]).
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.is_truncated
    }
}

/// Omits the content, which may be secret.
impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawJson({} bytes)", self.as_str().len())
    }
}

/// How a call changes the session cookie that the client sends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SessionEffect {
    None,
    SignIn,
    SignOut,
}

impl<T: DeserializeOwned> Call<T> {
    pub(crate) fn new(transport: &Arc<Transport>, request: Request) -> Self {
        Self { transport: transport.clone(), request, session_effect: SessionEffect::None, decode: ApiResponse::decode }
    }
}

impl<T> Call<T> {
    pub(crate) fn with_session_effect(self, session_effect: SessionEffect) -> Self {
        Self { session_effect, ..self }
    }

    /// Makes the call return the JSON of the response unchanged, including fields that this version does not know.
    pub fn raw(self) -> Call<RawJson> {
        Call {
            transport: self.transport,
            request: self.request,
            session_effect: self.session_effect,
            decode: ApiResponse::decode_raw,
        }
    }

    pub(crate) fn with_query(self, name: &'static str, value: Option<String>) -> Self {
        Self { request: self.request.with_query(name, value), ..self }
    }
}

impl Call<Occurrences> {
    /// Creates a call that reads occurrences.
    pub(crate) fn occurrences(transport: &Arc<Transport>, request: Request) -> Self {
        Self {
            transport: transport.clone(),
            request,
            session_effect: SessionEffect::None,
            decode: ApiResponse::decode_occurrences,
        }
    }
}

impl<T: DeserializeOwned> Call<Versioned<T>> {
    /// Creates a call that updates a record.
    pub(crate) fn update(transport: &Arc<Transport>, request: Request) -> Self {
        Self {
            transport: transport.clone(),
            request,
            session_effect: SessionEffect::None,
            decode: ApiResponse::decode_versioned,
        }
    }
}

impl<T> Call<Versioned<T>> {
    /// Updates the record only if it is still at this version (`If-Match`).
    ///
    /// If the record is at another version, nothing is changed and the [`Error`] is a
    /// [failed precondition](Error::is_precondition_failed).
    ///
    /// If the response is lost, the client retries the update. If the first attempt took effect, the retry gets a 412
    /// and changes nothing. The error then [is in doubt](Error::is_in_doubt), because a change by another client would
    /// also cause a 412.
    pub fn if_match(self, etag: &EntityTag) -> Self {
        Self { request: self.request.with_if_match(etag), ..self }
    }
}

impl Call<DeletedNote> {
    /// Deletes the note only if it is still at this version (`If-Match`).
    ///
    /// If the note is at another version, nothing is deleted and the [`Error`] is a
    /// [failed precondition](Error::is_precondition_failed).
    ///
    /// If the response is lost, the client retries the deletion. If the retry gets a 404, the first attempt or another
    /// client deleted the note. The error then [is in doubt](Error::is_in_doubt).
    pub fn if_match(self, etag: &EntityTag) -> Self {
        Self { request: self.request.with_if_match(etag), ..self }
    }
}

impl Call<Vec<Board>> {
    /// Sets which tasks are returned. Default: open tasks.
    pub fn filter(self, filter: TaskFilter) -> Self {
        self.with_query("completed", filter.as_str().map(str::to_owned))
    }
}

impl Call<Vec<Event>> {
    /// Returns only events that start on this day or later, in the time zone of the profile.
    pub fn from(self, day: Date) -> Self {
        self.with_query("from", Some(day.to_string()))
    }

    /// Returns only events that end on this day or earlier, in the time zone of the profile.
    pub fn to(self, day: Date) -> Self {
        self.with_query("to", Some(day.to_string()))
    }
}

impl<T: 'static> IntoFuture for Call<T> {
    type Output = Result<T, Error>;
    type IntoFuture = CallFuture<T>;

    fn into_future(self) -> CallFuture<T> {
        Box::pin(async move {
            let result = match self.session_effect {
                SessionEffect::None => self.transport.call(&self.request, self.decode).await,
                SessionEffect::SignIn => self.transport.sign_in(&self.request, self.decode).await,
                SessionEffect::SignOut => self.transport.sign_out(&self.request, self.decode).await,
            };
            result.map_err(|error| {
                let is_in_doubt = self.request.is_in_doubt_after(&error);
                error.with_doubt(is_in_doubt)
            })
        })
    }
}

impl<T> fmt::Debug for Call<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Call({:?})", self.request)
    }
}
