//! Updates create, change and delete records atomically, and count what they do.

pub(super) mod fields;
pub(super) mod missing;
pub(super) mod records;
pub(super) mod refusals;
pub(super) mod revisions;
pub(super) mod users;

use family_api_core::storage::{KindChanges, LoadError, MissingRecords, Record};

use crate::fixture::{
    Documents, MemberView, ada, board, category, column, eve, event, family, feed, item, key, list, note, task, user,
};
use crate::{Subject, UpdateSubject};

/// The numbers of created, changed, unchanged and deleted records.
type Counts = [u64; 4];

const CREATED: Counts = [1, 0, 0, 0];
const CHANGED: Counts = [0, 1, 0, 0];
const UNCHANGED: Counts = [0, 0, 1, 0];
const DELETED: Counts = [0, 0, 0, 1];

fn counts(changes: &KindChanges) -> Counts {
    [changes.created, changes.changed, changes.unchanged, changes.deleted]
}

/// Returns the counts of all kinds together.
fn totals(changes: &[KindChanges]) -> Counts {
    changes.iter().map(counts).fold([0; 4], |sum, counts| std::array::from_fn(|n| sum[n] + counts[n]))
}

/// Runs an update, and commits it.
async fn try_update(
    subject: &dyn UpdateSubject,
    missing: MissingRecords,
    records: Vec<Record>,
) -> Result<Vec<KindChanges>, LoadError> {
    let mut update = subject.update().begin_update(missing).await?;
    for record in records {
        update.upsert(record).await?;
    }
    update.commit().await
}

/// Runs an update that keeps missing records. Returns the counts of all kinds together.
async fn keep(subject: &dyn UpdateSubject, records: Vec<Record>) -> Counts {
    totals(&try_update(subject, MissingRecords::Keep, records).await.unwrap())
}

/// Runs an update that deletes missing records. Returns the counts of all kinds together.
async fn delete(subject: &dyn UpdateSubject, records: Vec<Record>) -> Counts {
    totals(&try_update(subject, MissingRecords::Delete, records).await.unwrap())
}

/// Returns the documents, with the list of members.
async fn snapshot(subject: &dyn Subject) -> Documents {
    let mut documents = Documents::of_all_members(subject).await;
    for member in [ada(), eve()] {
        documents.add_members(&MemberView::of(member, subject)).await;
    }
    documents
}

/// Returns one record of each kind, in the order of [`Record::KINDS`]. They are the family `east` with the user `eva`.
fn east() -> Vec<Record> {
    vec![
        Record::Family(family("east")),
        Record::User(user("eva", Some("east"))),
        Record::Key(key("east-key", "eva")),
        Record::CalendarFeed(feed("east-feed", "eva")),
        Record::NoteCategory(category("east-cat", "east")),
        Record::Board(board("east-board", "east")),
        Record::Column(column("east-col", "east-board")),
        Record::Task(task("east-task", "east-col", 0)),
        Record::Event(event("east-event", "east")),
        Record::ShoppingList(list("east-list", "east")),
        Record::ShoppingItem(item("east-item", "east-list")),
        Record::Note(note("east-note", "east")),
    ]
}

/// Returns the records of [`east`] with other names or titles.
fn renamed_east() -> Vec<Record> {
    let name = || "renamed".to_owned();
    let mut records = east();
    for record in &mut records {
        match record {
            Record::Family(family) => family.name = name(),
            Record::User(user) => user.name = name(),
            Record::Key(key) => key.name = Some(name()),
            Record::CalendarFeed(feed) => feed.name = name(),
            Record::NoteCategory(category) => category.name = name(),
            Record::Board(board) => board.name = name(),
            Record::Column(column) => column.name = name(),
            Record::Task(task) => task.title = name(),
            Record::Event(event) => event.title = name(),
            Record::ShoppingList(list) => list.name = name(),
            Record::ShoppingItem(item) => item.name = name(),
            Record::Note(note) => note.title = name(),
        }
    }
    records
}
