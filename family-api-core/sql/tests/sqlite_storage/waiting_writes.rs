//! Writes of one family that wait while another process holds the write lock.

use std::sync::atomic::{AtomicU32, Ordering};

use family_api_core::change::NoteChange;
use family_api_core::resource::Note;
use family_api_core::storage::{StorageError, Written};
use futures_util::FutureExt;
use futures_util::future::join_all;
use sqlx::Executor;

use crate::family::{Fixture, member, update, write};

/// One that runs, and 31 that wait.
const MAX_WRITES: usize = 32;

/// Gives a note another title.
async fn update_note(fixture: &Fixture, family: &str) -> Result<Written<Note>, StorageError> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let title = format!("new {}", NUMBER.fetch_add(1, Ordering::Relaxed));
    let title = NoteChange::new().title(title).build().unwrap();
    write(&fixture.storage, member(family), update(&format!("note-{family}"), title)).await
}

#[tokio::test]
async fn more_writes_of_a_family_are_refused_before_they_begin() {
    let fixture = Fixture::of("x").await;
    let mut host = fixture.connect_host().await;
    host.execute("BEGIN IMMEDIATE").await.unwrap();
    let mut waiting: Vec<_> = (0..MAX_WRITES).map(|_| Box::pin(update_note(&fixture, "one"))).collect();
    for write in &mut waiting {
        assert!(write.now_or_never().is_none());
    }
    let refused = update_note(&fixture, "one").now_or_never();
    assert!(matches!(refused, Some(Err(StorageError::Overloaded(_)))), "{refused:?}");
    let mut other = Box::pin(update_note(&fixture, "two"));
    assert!((&mut other).now_or_never().is_none());
    host.execute("ROLLBACK").await.unwrap();
    let (written, other) = tokio::join!(join_all(waiting), other);
    for written in written.into_iter().chain([other]) {
        assert!(matches!(written, Ok(Written::Updated { .. })), "{written:?}");
    }
}

#[tokio::test]
async fn a_write_that_waits_too_long_for_another_process_has_not_begun() {
    let fixture = Fixture::of("x").await;
    let mut host = fixture.connect_host().await;
    host.execute("BEGIN IMMEDIATE").await.unwrap();
    let refused = update_note(&fixture, "one").await;
    assert!(matches!(refused, Err(StorageError::NotBegun(_))), "{refused:?}");
    host.execute("ROLLBACK").await.unwrap();
    update_note(&fixture, "one").await.unwrap();
}

/// A client sends its next write before the connection of the last one has returned to the pool.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_send_one_write_at_a_time_are_not_refused() {
    let fixture = Fixture::of("x").await;
    let client = async || {
        for _ in 0..10 {
            update_note(&fixture, "one").await.unwrap();
        }
    };
    join_all((0..MAX_WRITES).map(|_| client())).await;
}
