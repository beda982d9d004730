//! What an update creates and changes, and when it becomes visible.

use std::sync::atomic::{AtomicBool, Ordering};

use family_api_core::resource::{Note, Verb};
use family_api_core::storage::{
    KindChanges, LoadError, MissingRecords, NoteRecord, Operation, Record, RecordWrite, StorageError, Written,
};
use futures_util::future::{join, join_all};
use serde_json::json;

use crate::UpdateSubject;
use crate::fixture::calls::{delete, new, record_write, restore, write_as};
use crate::fixture::{MemberView, ada, assert_same, eve, expect_done, family, id, note, seed, task, user};
use crate::load::same_ids_in_south;
use crate::update::{
    CHANGED, CREATED, Counts, DELETED, UNCHANGED, counts, east, keep, renamed_east, snapshot, totals, try_update,
};
use crate::writes::kinds::supports;

/// Returns an update of `north` that changes ada, creates two notes, and contains no other record. The first note is
/// long, so a storage that batches records stores some of them before the commit.
fn small_north() -> Vec<Record> {
    vec![
        Record::Family(family("north")),
        Record::User(user("ada", Some("north"))),
        Record::Note(NoteRecord { content: "longer than a batch ".repeat(100_000), ..note("long", "north") }),
        Record::Note(note("short", "north")),
    ]
}

pub(crate) async fn an_update_becomes_visible_on_commit_not_before(subject: &dyn UpdateSubject) {
    let before = snapshot(subject).await;
    let mut update = subject.update().begin_update(MissingRecords::Delete).await.unwrap();
    for record in small_north() {
        update.upsert(record).await.unwrap();
        assert!(snapshot(subject).await == before, "a change is visible before the commit");
    }
    update.commit().await.unwrap();
    let view = MemberView::of(ada(), subject);
    let notes: Vec<_> = view.notes().await.into_iter().map(|note| note.id.to_string()).collect();
    assert_eq!(notes, ["long", "short"]);
    assert_eq!((view.members().await.len(), view.tasks().await.len()), (1, 0));
}

pub(crate) async fn a_reader_sees_all_changes_of_an_update_or_none(subject: &dyn UpdateSubject) {
    let south = eve();
    let read = async || subject.storage().list_notes(&south).await.unwrap().into_bytes();
    let before = read().await;
    let mut reads = Vec::new();
    let mut update = subject.update().begin_update(MissingRecords::Keep).await.unwrap();
    for n in 0..10 {
        update.upsert(Record::Note(note(&format!("new-{n}"), "south"))).await.unwrap();
        reads.push(read().await);
    }
    let is_committed = AtomicBool::new(false);
    let commit = async {
        update.commit().await.unwrap();
        is_committed.store(true, Ordering::Relaxed);
    };
    let reads_during_commit = async {
        let mut reads = Vec::new();
        while !is_committed.load(Ordering::Relaxed) && reads.len() < 10_000 {
            reads.push(read().await);
        }
        reads
    };
    reads.extend(join(commit, reads_during_commit).await.1);
    let after = read().await;
    assert!(reads.iter().all(|document| *document == before || *document == after));
    assert_ne!(before, after);
}

pub(crate) async fn a_dropped_update_changes_nothing(subject: &dyn UpdateSubject) {
    let before = snapshot(subject).await;
    let mut dropped = subject.update().begin_update(MissingRecords::Delete).await.unwrap();
    for record in small_north() {
        dropped.upsert(record).await.unwrap();
    }
    drop(dropped);
    assert!(snapshot(subject).await == before, "a dropped update has changed something");
    assert_eq!(keep(subject, small_north()).await, [2, 1, 1, 0]);
}

pub(crate) async fn a_preview_counts_like_a_commit_and_changes_nothing(subject: &dyn UpdateSubject) {
    let before = snapshot(subject).await;
    let mut update = subject.update().begin_update(MissingRecords::Delete).await.unwrap();
    for record in small_north() {
        update.upsert(record).await.unwrap();
    }
    let preview = update.preview().await.unwrap();
    assert!(snapshot(subject).await == before, "a preview has changed something");
    let committed = try_update(subject, MissingRecords::Delete, small_north()).await.unwrap();
    assert_eq!(preview, committed);
}

pub(crate) async fn the_records_of_each_kind_are_counted(subject: &dyn UpdateSubject) {
    for (records, expected) in [(east(), CREATED), (renamed_east(), CHANGED), (renamed_east(), UNCHANGED)] {
        let changes = try_update(subject, MissingRecords::Keep, records).await.unwrap();
        assert_eq!(counts_by_kind(&changes), Record::KINDS.map(|kind| (kind, expected)));
    }
    let only_family = renamed_east().into_iter().take(1).collect();
    let changes = try_update(subject, MissingRecords::Delete, only_family).await.unwrap();
    let expected = |kind| match kind {
        "family" => UNCHANGED,
        "key" | "calendarFeed" => [0; 4],
        _ => DELETED,
    };
    assert_eq!(counts_by_kind(&changes), Record::KINDS.map(|kind| (kind, expected(kind))));
}

fn counts_by_kind(changes: &[KindChanges]) -> Vec<(&'static str, Counts)> {
    changes.iter().map(|changes| (changes.kind, counts(changes))).collect()
}

pub(crate) async fn an_update_keeps_equal_ids_of_other_families_apart(subject: &dyn UpdateSubject) {
    seed(subject, same_ids_in_south()).await;
    let south = MemberView::of(eve(), subject);
    let before = south.documents().await;
    let note = NoteRecord { title: "changed".to_owned(), ..note("recipe", "north") };
    assert_eq!(keep(subject, vec![Record::Task(task("open", "doing", 7)), Record::Note(note)]).await, [0, 2, 0, 0]);
    let north = MemberView::of(ada(), subject);
    assert_eq!((north.task("open").await.order, north.note("recipe").await.title.as_str()), (7, "changed"));
    assert_same(&south.documents().await, &before);
}

pub(crate) async fn an_update_creates_a_deleted_record_again(subject: &dyn UpdateSubject) {
    if !supports::<Note>(subject, &[Verb::Delete, Verb::Restore]) {
        return;
    }
    expect_done(delete::<Note>(subject, &ada(), "recipe").await);
    let again = note("recipe", "north");
    assert_eq!(keep(subject, vec![Record::Note(again.clone())]).await, CREATED);
    // The deleted record is forgotten: the new one is restored after its own deletion.
    assert!(matches!(restore::<Note>(subject, &ada(), "recipe").await, Written::Existing(_)));
    expect_done(delete::<Note>(subject, &ada(), "recipe").await);
    assert_eq!(expect_done(restore::<Note>(subject, &ada(), "recipe").await), Note::from(again));
}

pub(crate) async fn records_of_an_update_count_towards_the_limit(subject: &dyn UpdateSubject) {
    if !supports::<Note>(subject, &[Verb::Create]) {
        return;
    }
    // `north` has three notes.
    expect_done(create_note(subject, "fourth", 4).await);
    keep(subject, vec![Record::Note(note("fifth", "north")), Record::Note(note("sixth", "north"))]).await;
    assert_eq!(create_note(subject, "seventh", 6).await, Written::LimitReached);
    expect_done(create_note(subject, "seventh", 7).await);
}

/// Creates a note of ada unless the family has `max_records` notes.
async fn create_note(subject: &dyn UpdateSubject, name: &str, max_records: u32) -> Written<Note> {
    let write = record_write(Operation::create(id(name), new::<Note>(None, &json!({ "title": name }))));
    write_as(subject, &ada().into(), &RecordWrite { max_records, ..write }).await
}

pub(crate) async fn concurrent_updates_run_one_after_another(subject: &dyn UpdateSubject) {
    let outcomes = join_all((0..4).map(|_| try_update(subject, MissingRecords::Keep, east()))).await;
    let mut committed = Vec::new();
    for outcome in outcomes {
        match outcome {
            Ok(changes) => committed.push(totals(&changes)),
            Err(LoadError::Storage(StorageError::Unavailable(_))) => {}
            Err(error) => panic!("{error}"),
        }
    }
    let records = east().len() as u64;
    committed.sort_unstable();
    let created = committed.pop();
    assert_eq!(created, Some([records, 0, 0, 0]));
    assert!(committed.iter().all(|counts| *counts == [0, 0, records, 0]), "{committed:?}");
}
