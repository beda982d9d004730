//! Repeated creations and restorations by callers who no longer see the record, or who lack the scope.

use family_api_core::Error;
use family_api_core::access::Caller;
use family_api_core::change::TaskChange;
use family_api_core::idempotency::{IdempotencyKey, IdempotentRequest};
use family_api_core::key::{KeyDraft, KeyMode};
use family_api_core::resource::{Board, Column, Task, Verb};
use family_api_core::validation::Reference;
use family_api_core::{CreateOutcome, FamilyApi, Precondition, Surface};
use serde_json::json;

use super::{code, create, new};
use crate::fixture::{Fixture, authorize, session};

async fn create_task(api: &FamilyApi, caller: &Caller, key: &str) -> Result<Task, Error> {
    let key: IdempotencyKey = key.parse().unwrap();
    let new = new::<Task>(None, &json!({ "title": "T" }));
    let request = IdempotentRequest::of::<Task>(&key, &new);
    api.records::<Task>(caller, Verb::Create)?.create(new, Some(request)).await.map(CreateOutcome::into_record)
}

/// Moves a task to a new private board of the caller.
async fn hide(api: &FamilyApi, owner: &Caller, task: &Task) {
    let board: Board = create(api, owner, &json!({ "name": "B", "isPrivate": true })).await.unwrap();
    let columns = api.records::<Column>(owner, Verb::Create).unwrap();
    let column = new::<Column>(Some(board.id.as_str()), &json!({ "name": "C" }));
    let column = columns.create(column, None).await.unwrap().into_record();
    let update = TaskChange::new().column(&column.id).build().unwrap();
    let tasks = api.records::<Task>(owner, Verb::Update).unwrap();
    tasks.update(&(&task.id).into(), update, &Precondition::None).await.unwrap();
}

#[tokio::test]
async fn a_repetition_does_not_show_a_record_that_became_invisible() {
    let (_, api) = Fixture::with_api().await;
    let (ana, ben) = (session(&api, "ana").await, session(&api, "ben").await);
    let task = create_task(&api, &ana, "k").await.unwrap();
    hide(&api, &ben, &task).await;
    assert_eq!(code(create_task(&api, &ana, "k").await), "not_found");
}

#[tokio::test]
async fn a_repetition_needs_the_scope_of_the_creation() {
    let (_, api) = Fixture::with_api().await;
    let ana = session(&api, "ana").await;
    create_task(&api, &ana, "k").await.unwrap();
    let key = api.keys(&ana).unwrap().create(KeyDraft::new(KeyMode::V1ReadWrite)).await.unwrap();
    let caller = authorize(&api, key.token.expose(), Surface::V1).await.unwrap();
    assert_eq!(code(create_task(&api, &caller, "k").await), "insufficient_scope");
}

#[tokio::test]
async fn a_record_that_became_invisible_is_neither_restored_nor_shown() {
    let (_, api) = Fixture::with_api().await;
    let (ana, ben) = (session(&api, "ana").await, session(&api, "ben").await);
    let task = create_task(&api, &ana, "k").await.unwrap();
    let id: Reference<_> = (&task.id).into();
    hide(&api, &ben, &task).await;
    let restore = async |caller| api.records::<Task>(caller, Verb::Restore).unwrap().restore(&id).await;
    assert_eq!(code(restore(&ana).await), "not_found");
    assert!(restore(&ben).await.is_ok());
    api.records::<Task>(&ben, Verb::Delete).unwrap().delete(&id, &Precondition::None).await.unwrap();
    assert_eq!(code(restore(&ana).await), "not_found");
    assert_eq!(restore(&ben).await.unwrap().into_record().title, "T");
}
