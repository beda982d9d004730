//! Records that an update refuses.

use family_api_core::key::KeyDigest;
use family_api_core::storage::{
    BoardRecord, CategoryRecord, KeyRecord, LoadError, LoadFault, MissingRecords, NoteRecord, Record,
    ShoppingListRecord, UserRecord,
};
use serde_json::json;

use crate::UpdateSubject;
use crate::fixture::{
    board, category, column, event, families, family, feed, id, item, key, list, note, seed_families,
    seed_families_and, task, user,
};
use crate::load::{children_of_another_family, orphans};
use crate::update::{delete, east, keep, snapshot, try_update};

/// Runs an update and asserts that record number `expected` is refused. Returns the fault.
pub(super) async fn expect_refused(
    subject: &dyn UpdateSubject,
    missing: MissingRecords,
    records: Vec<Record>,
    expected: usize,
) -> LoadFault {
    let record_id = json!(records[expected - 1])["id"].clone();
    match try_update(subject, missing, records).await {
        Err(LoadError::Refused { number, id, fault }) => {
            assert_eq!((number, json!(id)), (expected as u64, record_id), "{fault}");
            fault
        }
        other => panic!("expected record {expected} to be refused, but got {other:?}"),
    }
}

async fn keep_refused(subject: &dyn UpdateSubject, records: Vec<Record>, expected: usize) -> LoadFault {
    expect_refused(subject, MissingRecords::Keep, records, expected).await
}

pub(crate) async fn an_update_with_a_refused_record_changes_nothing(subject: &dyn UpdateSubject) {
    seed_families(subject).await;
    let before = snapshot(subject).await;
    let long = NoteRecord { content: "longer than a batch ".repeat(100_000), ..note("recipe", "north") };
    let later = NoteRecord { id: id("later"), ..long.clone() };
    let refused = Record::Task(task("new", "nowhere", 0));
    let records = [Record::Note(long), refused, Record::Note(later), Record::Event(event("last", "north"))];
    let mut update = subject.update().begin_update(MissingRecords::Keep).await.unwrap();
    for record in records.clone() {
        // A storage that batches records reports the refusal later.
        let _ = update.upsert(record).await;
    }
    assert!(update.commit().await.is_err());
    assert_eq!(snapshot(subject).await, before);
    assert_eq!(keep_refused(subject, records.into(), 2).await, LoadFault::no_parent("columnId"));
    assert_eq!(snapshot(subject).await, before);
}

pub(crate) async fn an_update_refuses_a_parent_that_is_not_in_the_family(subject: &dyn UpdateSubject) {
    seed_families(subject).await;
    let before = snapshot(subject).await;
    let moved = vec![(Record::Task(task("open", "nowhere", 0)), "columnId")];
    for (child, field) in [orphans(), children_of_another_family(), moved].concat() {
        let kind = child.kind();
        let records = vec![Record::Family(family("east")), child];
        assert_eq!(keep_refused(subject, records, 2).await, LoadFault::no_parent(field), "{kind}");
    }
    assert_eq!(snapshot(subject).await, before);
}

pub(crate) async fn an_update_refuses_a_child_before_its_parent(subject: &dyn UpdateSubject) {
    let (north, fay) = (Record::Family(family("north")), Record::User(user("fay", Some("north"))));
    for missing in [MissingRecords::Keep, MissingRecords::Delete] {
        let fault = expect_refused(subject, missing, vec![fay.clone(), north.clone()], 1).await;
        assert_eq!(fault.field, "familyId");
    }
}

pub(crate) async fn an_update_refuses_a_repeated_id(subject: &dyn UpdateSubject) {
    for repeated in east() {
        let kind = repeated.kind();
        let records = [east(), vec![repeated]].concat();
        let end = records.len();
        assert_eq!(keep_refused(subject, records, end).await.field, "id", "{kind}");
    }
}

pub(crate) async fn an_update_refuses_the_email_or_token_hash_of_another_record(subject: &dyn UpdateSubject) {
    seed_families_and(subject, vec![Record::Key(key("k1", "ada")), Record::Key(key("k2", "eve"))]).await;
    for name in ["bob", "fay"] {
        let same_email = UserRecord { email: "ada@example.com".to_owned(), ..user(name, Some("north")) };
        assert_eq!(keep_refused(subject, vec![Record::User(same_email)], 1).await, LoadFault::exists("email"));
    }
    let same_hash = KeyRecord { digest: KeyDigest::of("k1"), ..key("k3", "ada") };
    assert_eq!(keep_refused(subject, vec![Record::Key(same_hash)], 1).await, LoadFault::exists("tokenHash"));
}

pub(crate) async fn an_update_refuses_another_owner_or_token_hash_of_a_key(subject: &dyn UpdateSubject) {
    seed_families_and(subject, vec![Record::Key(key("k1", "ada"))]).await;
    keep_refused(subject, vec![Record::Key(key("k1", "bob"))], 1).await;
    let other_hash = KeyRecord { digest: KeyDigest::of("other"), ..key("k1", "ada") };
    keep_refused(subject, vec![Record::Key(other_hash)], 1).await;
    keep(subject, vec![Record::CalendarFeed(feed("f1", "ada"))]).await;
    let fault = keep_refused(subject, vec![Record::CalendarFeed(feed("f1", "bob"))], 1).await;
    assert_eq!(
        (fault.field.as_str(), fault.expected.as_str()),
        ("id", "expected another id, because the stored calendarFeed has another userId or secretHash")
    );
}

pub(crate) async fn an_update_refuses_a_category_below_itself(subject: &dyn UpdateSubject) {
    seed_families(subject).await;
    let below = |name: &str, parent: Option<&str>| {
        Record::NoteCategory(CategoryRecord { parent_id: parent.map(id), ..category(name, "north") })
    };
    keep(subject, vec![below("a", None), below("b", Some("a")), below("c", Some("b"))]).await;
    for parent in ["a", "b", "c"] {
        assert_eq!(keep_refused(subject, vec![below("a", Some(parent))], 1).await.field, "parentId");
    }
    assert_eq!(keep(subject, vec![below("c", None), below("b", Some("c")), below("a", Some("b"))]).await, [0, 3, 0, 0]);
}

pub(crate) async fn an_update_reports_the_first_of_several_refused_records(subject: &dyn UpdateSubject) {
    seed_families(subject).await;
    let refused = [
        Record::Note(NoteRecord { category_id: Some(id("nowhere")), ..note("new", "north") }),
        Record::ShoppingItem(item("new", "nowhere")),
        Record::User(user("fay", Some("nowhere"))),
        Record::Task(task("new", "nowhere", 9)),
    ];
    for first in 0..refused.len() {
        let mut records = refused.to_vec();
        records.rotate_left(first);
        keep_refused(subject, records, 1).await;
    }
}

pub(crate) async fn an_update_that_deletes_contains_every_parent(subject: &dyn UpdateSubject) {
    seed_families(subject).await;
    let before = snapshot(subject).await;
    // The parents are stored, but not in the update.
    for (child, field) in [
        (Record::Key(key("new", "ada")), "userId"),
        (Record::NoteCategory(CategoryRecord { parent_id: Some(id("home")), ..category("new", "north") }), "parentId"),
        (Record::Board(BoardRecord { owner_user_id: Some(id("ada")), ..board("new", "north") }), "ownerUserId"),
        (Record::Column(column("new", "shared")), "boardId"),
        (Record::Task(task("new", "todo", 0)), "columnId"),
        (
            Record::ShoppingList(ShoppingListRecord { owner_user_id: Some(id("ada")), ..list("new", "north") }),
            "ownerUserId",
        ),
        (Record::ShoppingItem(item("new", "groceries")), "listId"),
        (Record::Note(NoteRecord { category_id: Some(id("food")), ..note("new", "north") }), "categoryId"),
    ] {
        let records = vec![Record::Family(family("north")), child];
        assert_eq!(expect_refused(subject, MissingRecords::Delete, records, 2).await.field, field);
    }
    let without_family = vec![Record::User(user("ada", Some("north")))];
    assert_eq!(expect_refused(subject, MissingRecords::Delete, without_family, 1).await.field, "familyId");
    assert_eq!(snapshot(subject).await, before);
    assert_eq!(delete(subject, families()).await, [0, 0, families().len() as u64, 0]);
}
