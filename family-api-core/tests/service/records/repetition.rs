//! Repeated creations with an idempotency key.

use std::pin::pin;

use family_api_core::resource::{Note, ReadQuery, Verb};
use family_api_core::{ContentCoding, CreateOutcome, FamilyApi, Precondition, ReadOutcome};

use super::{code, create_once, waits};
use crate::fixture::{Fixture, session};

/// Returns the number of notes with a title.
async fn count_notes(api: &FamilyApi, title: &str) -> usize {
    let ana = session(api, "ana").await;
    match api.read(&ana).unwrap().get(&ReadQuery::Notes, ContentCoding::Identity, None).await.unwrap() {
        ReadOutcome::Document { body, .. } => {
            String::from_utf8_lossy(&body).matches(&format!("\"title\":\"{title}\"")).count()
        }
        other @ ReadOutcome::Unchanged { .. } => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_repeated_creation_returns_the_first_record() {
    let (_, api) = Fixture::with_api().await;
    let ana = session(&api, "ana").await;
    let created = create_once(&api, &ana, "T", "k").await.unwrap();
    let CreateOutcome::New(first) = created else { panic!("{created:?}") };
    assert_eq!(create_once(&api, &ana, "T", "k").await.unwrap(), CreateOutcome::Existing(first.clone()));
    assert_eq!(code(create_once(&api, &ana, "U", "k").await), "idempotency_mismatch");
    let ben = session(&api, "ben").await;
    assert_ne!(create_once(&api, &ben, "T", "k").await.unwrap().into_record().id, first.id);
    assert_eq!((count_notes(&api, "T").await, count_notes(&api, "U").await), (2, 0));
}

#[tokio::test]
async fn a_creation_is_refused_while_one_with_its_key_runs() {
    let (fixture, api) = Fixture::with_api().await;
    let (ana, ben) = (session(&api, "ana").await, session(&api, "ben").await);
    let held = fixture.storage.hold_writes().await;
    let mut running = pin!(create_once(&api, &ana, "T", "k"));
    assert!(waits(running.as_mut()));
    assert_eq!(code(create_once(&api, &ana, "T", "k").await), "idempotency_running");
    // The keys of other users, and other keys, are independent.
    let mut others = [pin!(create_once(&api, &ben, "T", "k")), pin!(create_once(&api, &ana, "T", "K"))];
    for other in &mut others {
        assert!(waits(other.as_mut()));
    }
    drop(held);
    let created = running.await.unwrap().into_record();
    for other in others {
        assert_ne!(other.await.unwrap().into_record().id, created.id);
    }
    assert_eq!(create_once(&api, &ana, "T", "k").await.unwrap(), CreateOutcome::Existing(created));
}

#[tokio::test]
async fn a_restoration_says_whether_the_record_was_deleted() {
    let (_, api) = Fixture::with_api().await;
    let ana = session(&api, "ana").await;
    let note = create_once(&api, &ana, "T", "k").await.unwrap().into_record();
    let id = (&note.id).into();
    let notes = api.records::<Note>(&ana, Verb::Restore).unwrap();
    assert_eq!(notes.restore(&id).await.unwrap(), CreateOutcome::Existing(note.clone()));
    notes.delete(&id, &Precondition::None).await.unwrap();
    assert_eq!(notes.restore(&id).await.unwrap(), CreateOutcome::New(note));
}

#[tokio::test]
async fn a_cancelled_or_failed_creation_releases_its_key() {
    let (fixture, api) = Fixture::with_api().await;
    let ana = session(&api, "ana").await;
    let held = fixture.storage.hold_writes().await;
    {
        let mut cancelled = pin!(create_once(&api, &ana, "T", "k"));
        assert!(waits(cancelled.as_mut()));
    }
    drop(held);
    fixture.storage.allow_writes(false);
    assert_eq!(code(create_once(&api, &ana, "T", "k").await), "unavailable");
    fixture.storage.allow_writes(true);
    create_once(&api, &ana, "T", "k").await.unwrap();
    assert_eq!(count_notes(&api, "T").await, 1);
}
