//! The maximum number of records of a kind in a family, and of its writes at a time.

use std::pin::pin;

use family_api_core::Error;
use family_api_core::resource::{Board, Note};
use serde_json::json;

use crate::fixture::{Fixture, session};
use crate::records::{create, waits};

#[tokio::test]
async fn a_family_has_at_most_500_boards() {
    let (_, api) = Fixture::with_api().await;
    let ana = session(&api, "ana").await;
    let body = json!({ "name": "Trips" });
    let mut boards = 0;
    let refused = loop {
        match create::<Board>(&api, &ana, &body).await {
            Ok(_) => boards += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, Error::RecordLimitReached { limit: 500 }), "{refused:?}");
    assert!((490..=500).contains(&boards), "{boards}");
    create::<Note>(&api, &ana, &json!({ "title": "Bins" })).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn two_writes_of_a_family_run_at_a_time() {
    let (fixture, api) = Fixture::with_api().await;
    let (ana, ben) = (session(&api, "ana").await, session(&api, "ben").await);
    let body = json!({ "title": "Bins" });
    let held = fixture.storage.hold_writes().await;
    let (mut first, mut second) = (pin!(create::<Note>(&api, &ana, &body)), pin!(create::<Note>(&api, &ben, &body)));
    assert!(waits(first.as_mut()) && waits(second.as_mut()));
    fixture.storage.take_call_count();
    let refused = create::<Note>(&api, &ana, &body).await;
    assert!(matches!(refused, Err(Error::RateLimited { .. })), "{refused:?}");
    assert_eq!(fixture.storage.take_call_count(), 0);
    drop(held);
    first.await.unwrap();
    second.await.unwrap();
    create::<Note>(&api, &ana, &body).await.unwrap();
}
