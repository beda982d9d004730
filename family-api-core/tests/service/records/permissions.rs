//! The scope or session that each operation needs.

use family_api_core::access::{Caller, write_scope};
use family_api_core::key::{KeyDraft, KeyMode};
use family_api_core::resource::{
    Board, Column, Event, Note, NoteCategory, RecordKind, ShoppingItem, ShoppingList, Task, Verb,
};
use family_api_core::storage::Writable;
use family_api_core::{Error, FamilyApi, Surface};
use serde_json::json;

use super::{code, create};
use crate::fixture::{Fixture, authorize, session};

type Attempt = fn(&FamilyApi, &Caller, Verb) -> Option<&'static str>;

/// Returns the code of the error if the caller lacks the permission.
fn attempt<R: Writable>(api: &FamilyApi, caller: &Caller, verb: Verb) -> Option<&'static str> {
    api.records::<R>(caller, verb).err().map(|error| error.code().as_str())
}

const ATTEMPTS: [(RecordKind, Attempt); 8] = [
    (RecordKind::Task, attempt::<Task>),
    (RecordKind::Note, attempt::<Note>),
    (RecordKind::Event, attempt::<Event>),
    (RecordKind::ShoppingItem, attempt::<ShoppingItem>),
    (RecordKind::Board, attempt::<Board>),
    (RecordKind::Column, attempt::<Column>),
    (RecordKind::ShoppingList, attempt::<ShoppingList>),
    (RecordKind::NoteCategory, attempt::<NoteCategory>),
];

async fn key(api: &FamilyApi, mode: KeyMode) -> Caller {
    let ana = session(api, "ana").await;
    let created = api.keys(&ana).unwrap().create(KeyDraft::new(mode)).await.unwrap();
    authorize(api, created.token.expose(), Surface::V1).await.unwrap()
}

#[tokio::test]
async fn each_operation_needs_its_scope_or_a_session() {
    let fixture = Fixture::new().await;
    let api = fixture.builder().full_access(true).build();
    let ana = session(&api, "ana").await;
    for mode in KeyMode::ALL {
        let caller = key(&api, mode).await;
        for (kind, attempt) in ATTEMPTS {
            for verb in Verb::ALL {
                let is_supported = verb != Verb::Restore || kind.is_restorable();
                let (expected, in_session) = if is_supported {
                    let has_scope = mode == KeyMode::V1Full || mode.scopes().grants(&write_scope(kind, verb));
                    ((!has_scope).then_some("insufficient_scope"), None)
                } else {
                    (Some("not_found"), Some("not_found"))
                };
                let case = format!("{mode:?} {kind:?} {verb:?}");
                assert_eq!(attempt(&api, &caller, verb), expected, "{case}");
                assert_eq!(attempt(&api, &ana, verb), in_session, "{case}");
            }
        }
    }
}

#[tokio::test]
async fn the_older_modes_only_update_tasks_and_change_and_delete_notes() {
    let fixture = Fixture::new().await;
    let api = fixture.builder().full_access(true).build();
    for mode in KeyMode::STANDARD {
        let caller = key(&api, *mode).await;
        for (kind, attempt) in ATTEMPTS {
            for verb in Verb::ALL {
                let is_old = matches!(
                    (kind, verb),
                    (RecordKind::Task, Verb::Update) | (RecordKind::Note, Verb::Update | Verb::Delete)
                );
                let is_allowed = attempt(&api, &caller, verb).is_none();
                assert_eq!(is_allowed, is_old && *mode == KeyMode::V1ReadWrite, "{mode:?} {kind:?} {verb:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_handle_for_one_operation_does_not_allow_another() {
    let (_, api) = Fixture::with_api().await;
    let caller = key(&api, KeyMode::V1ReadWrite).await;
    let tasks = api.records::<Task>(&caller, Verb::Update).unwrap();
    let created = tasks.create(super::new::<Task>(None, &json!({ "title": "T" })), None).await;
    assert_eq!(code(created), "insufficient_scope");
    let deleted = tasks.delete(&"task".into(), &family_api_core::Precondition::None).await;
    assert_eq!(code(deleted), "insufficient_scope");
    assert_eq!(code(tasks.restore(&"task".into()).await), "insufficient_scope");
}

#[tokio::test]
async fn full_access_is_an_unknown_mode_unless_the_host_allows_it() {
    let (fixture, api) = Fixture::with_api().await;
    let ana = session(&api, "ana").await;
    assert!(!api.key_modes().contains(&KeyMode::V1Full));
    match api.keys(&ana).unwrap().create(KeyDraft::new(KeyMode::V1Full)).await {
        Err(Error::InvalidField(faults)) => {
            assert_eq!(faults.listed()[0].detail, "expected one of mcp_read, v1_read, v1_read_write");
        }
        other => panic!("{other:?}"),
    }
    let allowing = fixture.builder().full_access(true).build();
    assert!(allowing.key_modes().contains(&KeyMode::V1Full));
    let created = allowing.keys(&ana).unwrap().create(KeyDraft::new(KeyMode::V1Full)).await.unwrap();
    // A key that has the scopes is valid on a host that no longer creates such keys.
    let caller = authorize(&api, created.token.expose(), Surface::V1).await.unwrap();
    create::<Task>(&api, &caller, &json!({ "title": "T" })).await.unwrap();
}
