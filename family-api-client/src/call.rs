//! Calls before they are sent.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;

use family_api_types::idempotency::IdempotencyKey;
use family_api_types::resource::{Board, ChangeList, Event, RecordKind, RecordPage, TaskFilter};
use jiff::civil::Date;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::condition::{Condition, Conditional, Creation, IfChanged, Reading, Unconditional};
use crate::request::Request;
use crate::response::ApiResponse;
use crate::transport::{Decode, Transport};
use crate::{EntityTag, Error, Occurrences, TimeNotice, Versioned};

/// The future that sends a call.
#[cfg(not(target_arch = "wasm32"))]
pub type CallFuture<T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>;
/// The future that sends a call. In a browser, futures are not `Send`.
#[cfg(target_arch = "wasm32")]
pub type CallFuture<T> = Pin<Box<dyn Future<Output = Result<T, Error>>>>;

/// A call that returns a `T`. It is sent when it is awaited, or by `wait` with the feature `blocking`.
///
/// The second parameter says which condition the call can have: [`Conditional`] calls have
/// [`if_match`](Call::if_match), [`Creation`]s have [`idempotency_key`](Call::idempotency_key), and [`Reading`] calls
/// have [`versioned`](Call::versioned) and [`if_changed_since`](Call::if_changed_since), which returns an [`IfChanged`]
/// call.
///
/// Dropping the future cancels the call. A cancelled write may already have taken effect.
#[must_use = "a call is sent when it is awaited"]
pub struct Call<T, C = Unconditional> {
    transport: Arc<Transport>,
    request: Request,
    session_effect: SessionEffect,
    decode: Decode<T>,
    condition: PhantomData<fn() -> C>,
}

/// The unchanged JSON of a response.
pub struct RawJson {
    pub(crate) json: Box<RawValue>,
    pub(crate) etag: Option<EntityTag>,
    pub(crate) state: Option<String>,
    pub(crate) is_truncated: bool,
    pub(crate) time_notices: Vec<TimeNotice>,
}

impl RawJson {
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

    /// Returns the state of the family's data before a read of a resource ([`Versioned::state`]).
    #[must_use]
    pub fn state(&self) -> Option<&str> {
        self.state.as_deref()
    }

    /// Returns what is special about the times that the call sent ([`Versioned::time_notices`]).
    #[must_use]
    pub fn time_notices(&self) -> &[TimeNotice] {
        &self.time_notices
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

impl<T: DeserializeOwned + 'static, C> Call<T, C> {
    pub(crate) fn new(transport: &Arc<Transport>, request: Request) -> Self {
        Self::decoded_by(Box::new(ApiResponse::decode), transport, request)
    }
}

impl<T: DeserializeOwned + 'static, C> Call<Versioned<T>, C> {
    /// Creates a call that returns a record with its entity tag.
    pub(crate) fn of_record(transport: &Arc<Transport>, request: Request) -> Self {
        Self::decoded_by(Box::new(ApiResponse::decode_versioned), transport, request)
    }
}

impl Call<Occurrences, Reading> {
    /// Creates a call that reads occurrences.
    pub(crate) fn occurrences(transport: &Arc<Transport>, request: Request) -> Self {
        Self::decoded_by(Box::new(ApiResponse::decode_occurrences), transport, request)
    }
}

impl<T, C> Call<T, C> {
    pub(crate) fn decoded_by(decode: Decode<T>, transport: &Arc<Transport>, request: Request) -> Self {
        let transport = transport.clone();
        Self { transport, request, session_effect: SessionEffect::None, decode, condition: PhantomData }
    }

    /// Returns whether the client of this transport sends the call.
    pub(crate) fn is_of(&self, transport: &Arc<Transport>) -> bool {
        Arc::ptr_eq(&self.transport, transport)
    }

    /// Returns the request and the decoder of its response, for a batch.
    pub(crate) fn into_parts(self) -> (Request, Decode<T>) {
        (self.request, self.decode)
    }

    pub(crate) fn with_session_effect(self, session_effect: SessionEffect) -> Self {
        Self { session_effect, ..self }
    }

    pub(crate) fn with_query(self, name: &'static str, value: Option<String>) -> Self {
        Self { request: self.request.with_query(name, value), ..self }
    }
}

impl<T: 'static, C: Condition> Call<T, C> {
    /// Makes the call return the JSON of the response unchanged, including fields that this version does not know: a
    /// [`RawJson`], or an `Option<RawJson>` after [`if_changed_since`](Call::if_changed_since).
    ///
    /// A response that is not a `T` is an error, as without this method.
    pub fn raw(self) -> Call<C::Raw, C> {
        let Self { transport, request, session_effect, decode, condition } = self;
        let decode: Decode<_> = Box::new(move |response| {
            decode(response)?;
            C::decode(response.is_unchanged, || response.decode_raw())
        });
        Call { transport, request, session_effect, decode, condition }
    }
}

impl<T: 'static> Call<T, Reading> {
    /// Makes the call return the data with its entity tag, for [`if_changed_since`](Call::if_changed_since). A single
    /// record has its tag already.
    pub fn versioned(self) -> Call<Versioned<T>, Reading> {
        let Self { transport, request, session_effect, decode, condition } = self;
        let decode: Decode<_> = Box::new(move |response| Ok(response.version(decode(response)?)));
        Call { transport, request, session_effect, decode, condition }
    }
}

impl<T: 'static> Call<Versioned<T>, Reading> {
    /// Makes the call return `None` if the data is still at this version (`If-None-Match`). The service then sends no
    /// body. [`cache`](crate::FamilyClientBuilder::cache) does the same with the bodies in memory: this method is for a
    /// program that keeps the tag and its own copy, also over a restart.
    pub fn if_changed_since(self, etag: &EntityTag) -> Call<Option<Versioned<T>>, IfChanged> {
        let Call { transport, request, session_effect, decode, .. } = self;
        let request = request.with_if_none_match(etag);
        let decode: Decode<_> =
            Box::new(move |response| (!response.is_unchanged).then(|| decode(response)).transpose());
        Call { transport, request, session_effect, decode, condition: PhantomData }
    }
}

impl<T> Call<T, Conditional> {
    /// Writes only if the record is still at this version (`If-Match`).
    ///
    /// If the record is at another version, nothing is changed and the [`Error`] is a
    /// [failed precondition](Error::is_precondition_failed).
    ///
    /// If the response is lost, the client retries the call. If the first attempt took effect, the retry changes
    /// nothing: a repeated update gets a 412, and a repeated deletion a 404. The error then
    /// [is in doubt](Error::is_in_doubt), because a change by another client would cause the same response.
    pub fn if_match(self, etag: &EntityTag) -> Self {
        Self { request: self.request.with_if_match(etag), ..self }
    }
}

impl<T> Call<T, Creation> {
    /// Replaces the idempotency key of the creation. Default: a random one.
    ///
    /// The service creates at most one record for each key of a user within 24 hours: a creation with the same key and
    /// the same fields returns the record that exists. So the client retries creations like reads. Set a key of your
    /// own to repeat the creation later, for example after a restart of your program.
    pub fn idempotency_key(self, key: &IdempotencyKey) -> Self {
        Self { request: self.request.with_idempotency_key(Some(key.clone())), ..self }
    }
}

impl Call<Vec<Board>, Reading> {
    /// Sets which tasks are returned. Default: open tasks.
    pub fn filter(self, filter: TaskFilter) -> Self {
        self.with_query("completed", filter.as_str().map(str::to_owned))
    }
}

impl<R> Call<RecordPage<R>, Reading> {
    /// Sets the maximum number of records on the page, 1 to 100. Default: 20.
    pub fn limit(self, limit: u32) -> Self {
        self.with_query("limit", Some(limit.to_string()))
    }

    /// Selects the page after the cursor of the previous one.
    pub fn cursor(self, cursor: String) -> Self {
        self.with_query("cursor", Some(cursor))
    }
}

impl Call<ChangeList> {
    /// Returns the changes since this state: the [`new_state`](ChangeList::new_state) of the previous response, or the
    /// [state](Versioned::state) of a read. Default: no changes, only the current state.
    pub fn since(self, state: &str) -> Self {
        self.with_query("since", Some(state.to_owned()))
    }

    /// Returns only changes of these kinds of records, and a state for them. Default: the kinds of the state.
    pub fn kinds(self, kinds: &[RecordKind]) -> Self {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
        self.with_query("kinds", Some(names.join(",")))
    }

    /// Sets the number of changes after which no further write is read, 1 to 500. Default: 500. The changes of one write
    /// are never divided, so there can be more.
    pub fn limit(self, limit: u32) -> Self {
        self.with_query("limit", Some(limit.to_string()))
    }
}

impl Call<Vec<Event>, Reading> {
    /// Returns only events that start on this day or later, in the time zone of the profile.
    pub fn from(self, day: Date) -> Self {
        self.with_query("from", Some(day.to_string()))
    }

    /// Returns only events that end on this day or earlier, in the time zone of the profile.
    pub fn to(self, day: Date) -> Self {
        self.with_query("to", Some(day.to_string()))
    }
}

impl<T: 'static, C> IntoFuture for Call<T, C> {
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

impl<T, C> fmt::Debug for Call<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Call({:?})", self.request)
    }
}
