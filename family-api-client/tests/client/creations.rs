//! Creations, whose attempts share one idempotency key.

use std::collections::BTreeSet;

use family_api_client::change::{
    BoardChange, ColumnChange, EventChange, NoteCategoryChange, NoteChange, ShoppingItemChange, ShoppingListChange,
    TaskChange,
};
use family_api_client::key::KeyMode;
use family_api_client::{Call, Creation, Error, ErrorCode, IdempotencyKey};
use wiremock::{MockServer, ResponseTemplate};

use crate::lost_responses::{Loss, client_through, received};
use crate::service::{
    Service, attempts, client_of, problem, received_headers, server_returning, server_returning_each, session_of,
};

/// Returns the `Idempotency-Key` of each request that the server received.
async fn keys(server: &MockServer) -> Vec<Option<String>> {
    received_headers(server, "idempotency-key").await
}

async fn fail<T: 'static, C: 'static>(call: Call<T, C>) -> Error {
    call.await.err().unwrap()
}

#[tokio::test]
async fn a_creation_with_a_lost_response_creates_one_record() {
    for loss in [Loss::Request, Loss::Response] {
        let service = Service::start().await;
        let task = client_through(loss, &service).await.tasks().create(TaskChange::new().title("Once")).await.unwrap();
        let boards = service.client(KeyMode::V1Read).await.read().tasks().await.unwrap();
        let once: Vec<_> = boards[0].columns[0].tasks.iter().filter(|task| task.title == "Once").collect();
        assert_eq!(once, [&*task]);
        assert_eq!(received(&service, "POST"), if matches!(loss, Loss::Request) { 1 } else { 2 });
    }
}

#[tokio::test]
async fn each_creation_of_a_record_sends_another_random_key() {
    let server = server_returning(ResponseTemplate::new(404)).await;
    let client = client_of(&server.uri());
    let session = session_of(&server.uri());
    let list = "l".parse().unwrap();
    let board = "b".parse().unwrap();
    for tasks in [client.tasks(), session.tasks(), session.tasks()] {
        fail(tasks.create(TaskChange::new())).await;
    }
    fail(client.notes().create(NoteChange::new())).await;
    fail(client.events().create(EventChange::new())).await;
    fail(client.shopping_items().create(&list, ShoppingItemChange::new())).await;
    fail(session.boards().create(BoardChange::new())).await;
    fail(session.columns().create(&board, ColumnChange::new())).await;
    fail(session.shopping_lists().create(ShoppingListChange::new())).await;
    fail(session.note_categories().create(NoteCategoryChange::new())).await;
    let keys: BTreeSet<String> = keys(&server).await.into_iter().map(Option::unwrap).collect();
    assert_eq!(keys.len(), 10);
    assert!(keys.iter().all(|key| key.len() == 32), "{keys:?}");
}

#[tokio::test]
async fn all_attempts_of_a_creation_send_the_same_key() {
    for failure in [ResponseTemplate::new(503), ResponseTemplate::new(429), problem(409, "idempotency_running")] {
        let server = server_returning(failure).await;
        fail(client_of(&server.uri()).tasks().create(TaskChange::new().title("T"))).await;
        let keys = keys(&server).await;
        assert_eq!(keys.len(), 4);
        assert!(keys[0].is_some() && keys.iter().all(|key| *key == keys[0]), "{keys:?}");
    }
}

#[tokio::test]
async fn a_key_of_the_caller_replaces_the_random_one() {
    let server = server_returning(ResponseTemplate::new(404)).await;
    let key: IdempotencyKey = "order-17".parse().unwrap();
    let call = || client_of(&server.uri()).notes().create(NoteChange::new()).idempotency_key(&key);
    fail(call()).await;
    fail(call().raw()).await;
    assert_eq!(keys(&server).await, vec![Some("order-17".to_owned()); 2]);
}

#[tokio::test]
async fn other_calls_send_no_key() {
    let server = server_returning(ResponseTemplate::new(404)).await;
    let client = client_of(&server.uri());
    fail(client.tasks().update(&"t".parse().unwrap(), TaskChange::new())).await;
    fail(client.tasks().restore(&"t".parse().unwrap())).await;
    fail(client.read().notes()).await;
    assert_eq!(keys(&server).await, [None, None, None]);
}

/// Returns the error of a creation whose attempts get these responses in turn.
async fn error_after(responses: &[ResponseTemplate]) -> Error {
    let server = server_returning_each(responses.iter().cloned()).await;
    let call: Call<_, Creation> = client_of(&server.uri()).tasks().create(TaskChange::new().title("T"));
    let error = call.await.unwrap_err();
    assert_eq!(attempts(&server).await, responses.len());
    error
}

#[tokio::test]
async fn a_creation_is_in_doubt_only_if_it_may_have_taken_effect() {
    let running = problem(409, "idempotency_running");
    let unavailable = ResponseTemplate::new(503);
    let mismatch = problem(422, "idempotency_mismatch");
    let error = error_after(std::slice::from_ref(&mismatch)).await;
    assert!(!error.is_in_doubt() && error.code() == Some("idempotency_mismatch"), "{error:?}");
    assert!(!error_after(&[problem(400, "invalid_idempotency_key")]).await.is_in_doubt());
    assert!(!error_after(&[problem(409, "not_empty")]).await.is_in_doubt());
    assert!(error_after(&[running.clone(), running.clone(), running.clone(), running.clone()]).await.is_in_doubt());
    assert!(error_after(&[running, mismatch.clone()]).await.is_in_doubt());
    assert!(error_after(&[unavailable, mismatch]).await.is_in_doubt());
}

#[tokio::test]
async fn a_creation_can_be_repeated_by_its_key() {
    let service = Service::start().await;
    let client = service.client(KeyMode::V1Full).await;
    let key: IdempotencyKey = "order-17".parse().unwrap();
    let create = |title| client.tasks().create(TaskChange::new().title(title)).idempotency_key(&key);
    let first = create("Once").await.unwrap();
    assert_eq!(create("Once").await.unwrap(), first);
    let refused = create("Twice").await.unwrap_err();
    assert!(refused.status() == Some(422) && refused.is_code(ErrorCode::IdempotencyMismatch), "{refused:?}");
    assert!(!refused.is_in_doubt() && !refused.is_code(ErrorCode::IdempotencyRunning));
}
