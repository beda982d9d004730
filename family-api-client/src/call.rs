//! A call, before it is made.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;

use family_api_core::resource::{Board, DeletedNote, Event, TaskFilter};
use jiff::civil::Date;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::answer::Answer;
use crate::request::Request;
use crate::transport::{Read, Transport};
use crate::{EntityTag, Error, Versioned};

/// A call that is under way.
#[cfg(not(target_arch = "wasm32"))]
pub type Pending<T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>;
/// A call that is under way; in a browser, futures stay on their thread.
#[cfg(target_arch = "wasm32")]
pub type Pending<T> = Pin<Box<dyn Future<Output = Result<T, Error>>>>;

/// A call that answers with a `T`: made when it is awaited, or, with the feature `blocking`, waited for.
///
/// Dropped while it is under way, it is given up; a write may have had its effect by then.
#[must_use = "a call is made when it is awaited"]
pub struct Call<T> {
    transport: Arc<Transport>,
    request: Request,
    effect: Effect,
    read: Read<T>,
}

/// The JSON of an answer, byte for byte.
pub struct RawJson {
    json: Box<RawValue>,
    etag: Option<EntityTag>,
}

impl RawJson {
    pub(crate) fn new(json: Box<RawValue>, etag: Option<EntityTag>) -> Self {
        Self { json, etag }
    }

    /// The JSON.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.json.get()
    }

    /// Returns the entity tag of the answer: of a record after an update, of the whole document after a read.
    #[must_use]
    pub fn etag(&self) -> Option<&EntityTag> {
        self.etag.as_ref()
    }
}

/// What an answer says may be a secret.
impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawJson({} bytes)", self.as_str().len())
    }
}

/// What a successful call does to the client's session.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Effect {
    None,
    SignIn,
    SignOut,
}

impl<T: DeserializeOwned> Call<T> {
    pub(crate) fn new(transport: &Arc<Transport>, request: Request) -> Self {
        Self { transport: transport.clone(), request, effect: Effect::None, read: Answer::read }
    }
}

impl<T> Call<T> {
    pub(crate) fn with_effect(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }

    /// The same call, answered with the JSON as it came: with all that it says, also what this version does not know.
    pub fn raw(self) -> Call<RawJson> {
        Call { transport: self.transport, request: self.request, effect: self.effect, read: Answer::read_raw }
    }

    fn with_query(self, name: &'static str, value: Option<String>) -> Self {
        Self { request: self.request.with_query(name, value), ..self }
    }
}

impl<T: DeserializeOwned> Call<Versioned<T>> {
    /// A call that updates a record.
    pub(crate) fn update(transport: &Arc<Transport>, request: Request) -> Self {
        Self { transport: transport.clone(), request, effect: Effect::None, read: Answer::read_versioned }
    }
}

impl<T> Call<Versioned<T>> {
    /// Updates the record only if it is still at this version (`If-Match`).
    ///
    /// If it is at another one, nothing is done, and the [`Error`] is a
    /// [failed precondition](Error::is_precondition_failed). If an answer was lost, the client repeats the call safely:
    /// the condition fails if the first attempt took effect. That error [is in doubt](Error::is_in_doubt), because the
    /// record may also have been changed by another client.
    pub fn if_match(self, etag: &EntityTag) -> Self {
        Self { request: self.request.with_if_match(etag), ..self }
    }
}

impl Call<DeletedNote> {
    /// Deletes the note only if it is still at this version (`If-Match`).
    ///
    /// If it is at another one, nothing is done, and the [`Error`] is a
    /// [failed precondition](Error::is_precondition_failed). If an answer was lost, the client repeats the call safely. A
    /// 404 then [is in doubt](Error::is_in_doubt): the note is gone, by this call or by another client.
    pub fn if_match(self, etag: &EntityTag) -> Self {
        Self { request: self.request.with_if_match(etag), ..self }
    }
}

impl Call<Vec<Board>> {
    /// Shows the tasks that the filter lets through; the open ones unless it is set.
    pub fn filter(self, filter: TaskFilter) -> Self {
        self.with_query("completed", filter.as_str().map(str::to_owned))
    }
}

impl Call<Vec<Event>> {
    /// Shows the events that start on that day or later; days are those of the profile's time zone.
    pub fn from(self, day: Date) -> Self {
        self.with_query("from", Some(day.to_string()))
    }

    /// Shows the events that end on that day or earlier; days are those of the profile's time zone.
    pub fn to(self, day: Date) -> Self {
        self.with_query("to", Some(day.to_string()))
    }
}

impl<T: 'static> IntoFuture for Call<T> {
    type Output = Result<T, Error>;
    type IntoFuture = Pending<T>;

    fn into_future(self) -> Pending<T> {
        Box::pin(async move {
            let answer = match self.effect {
                Effect::None => self.transport.call(&self.request, self.read).await,
                Effect::SignIn => self.transport.sign_in(&self.request, self.read).await,
                Effect::SignOut => self.transport.sign_out(&self.request, self.read).await,
            };
            answer.map_err(|error| {
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
