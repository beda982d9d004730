//! A call, before it is made.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;

use family_api_core::resource::{Board, Event, TaskFilter};
use jiff::civil::Date;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::Error;
use crate::request::Request;
use crate::transport::Transport;

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
    answer: PhantomData<fn() -> T>,
}

/// The JSON of an answer, byte for byte.
#[derive(Deserialize)]
#[serde(transparent)]
pub struct RawJson(Box<RawValue>);

impl RawJson {
    /// The JSON.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.get()
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

impl<T> Call<T> {
    pub(crate) fn new(transport: &Arc<Transport>, request: Request) -> Self {
        Self { transport: transport.clone(), request, effect: Effect::None, answer: PhantomData }
    }

    pub(crate) fn with_effect(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }

    /// The same call, answered with the JSON as it came: with all that it says, also what this version does not know.
    pub fn raw(self) -> Call<RawJson> {
        Call { transport: self.transport, request: self.request, effect: self.effect, answer: PhantomData }
    }

    fn with_query(self, name: &'static str, value: Option<String>) -> Self {
        Self { request: self.request.with_query(name, value), ..self }
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

impl<T: DeserializeOwned + 'static> IntoFuture for Call<T> {
    type Output = Result<T, Error>;
    type IntoFuture = Pending<T>;

    fn into_future(self) -> Pending<T> {
        Box::pin(async move {
            match self.effect {
                Effect::None => self.transport.call(&self.request).await,
                Effect::SignIn => self.transport.sign_in(&self.request).await,
                Effect::SignOut => self.transport.sign_out(&self.request).await,
            }
        })
    }
}

impl<T> fmt::Debug for Call<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Call({:?})", self.request)
    }
}
