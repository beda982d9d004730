//! The maximum number of records of a kind in a family.

use family_api_core::Error;
use family_api_core::resource::{Board, Note};
use serde_json::json;

use crate::fixture::{Fixture, session};
use crate::records::create;

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
