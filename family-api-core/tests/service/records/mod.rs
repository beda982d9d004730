//! Writes of records of every kind.

mod audit;
mod capabilities;
mod limits;
mod permissions;
mod privacy;
mod repetition;

use std::pin::Pin;
use std::task::{Context, Waker};

use family_api_core::access::Caller;
use family_api_core::change::{EventChange, EventUpdate, New, OccurrenceScope};
use family_api_core::idempotency::{IdempotencyKey, IdempotentRequest};
use family_api_core::resource::{Event, Note, Verb};
use family_api_core::storage::Writable;
use family_api_core::validation::Json;
use family_api_core::{CreateOutcome, Error, FamilyApi};
use serde_json::{Value, json};

fn parse(body: &Value) -> Json {
    Json::parse(body.to_string().as_bytes()).unwrap()
}

fn new<R: Writable>(container: Option<&str>, body: &Value) -> New<R::Update> {
    R::parse_new(container, parse(body)).unwrap()
}

async fn create<R: Writable>(api: &FamilyApi, caller: &Caller, body: &Value) -> Result<R, Error> {
    api.records::<R>(caller, Verb::Create)?.create(new::<R>(None, body), None).await.map(CreateOutcome::into_record)
}

/// Creates a note with an idempotency key.
async fn create_once(api: &FamilyApi, caller: &Caller, title: &str, key: &str) -> Result<CreateOutcome<Note>, Error> {
    let key: IdempotencyKey = key.parse().unwrap();
    let new = new::<Note>(None, &json!({ "title": title }));
    let request = IdempotentRequest::of::<Note>(&key, &new);
    api.records::<Note>(caller, Verb::Create)?.create(new, Some(request)).await
}

/// Creates a weekly event on Tuesdays, and returns the update of its third and all later occurrences.
async fn weekly_event(api: &FamilyApi, caller: &Caller) -> (Event, EventUpdate) {
    let body = json!({
        "title": "T", "startDate": "2026-12-01T10:00:00Z", "endDate": "2026-12-01T11:00:00Z",
        "recurrence": "FREQ=WEEKLY", "timeZone": "UTC",
    });
    let event: Event = create(api, caller, &body).await.unwrap();
    let update = EventChange::new().title("U").build().unwrap();
    let start = "20261215T100000Z".parse().unwrap();
    (event, update.of_occurrence(start, OccurrenceScope::Following).unwrap())
}

/// Polls a future once. Returns whether it waits.
fn waits<F: Future>(future: Pin<&mut F>) -> bool {
    future.poll(&mut Context::from_waker(Waker::noop())).is_pending()
}

fn code<T: std::fmt::Debug>(result: Result<T, Error>) -> &'static str {
    result.unwrap_err().code().as_str()
}
