//! Loads are atomic, require parents before children, and refuse duplicate ids. Equal ids in two families stay apart.

use family_api_core::calendar::{EventRange, ZoneName};
use family_api_core::change::{NoteChange, TaskChange};
use family_api_core::key::KeyDigest;
use family_api_core::resource::{Event, Note, Task};
use family_api_core::storage::{
    BoardRecord, CategoryRecord, ColumnRecord, EventRecord, FeedRecord, KeyRecord, LoadError, LoadFault, Member,
    NoteRecord, Record, ShoppingItemRecord, ShoppingListRecord, TaskRecord, UserRecord,
};

use crate::changes::{Follower, nothing};
use crate::fixture::calls::{delete, update};
use crate::fixture::{
    Documents, MemberView, ada, assert_done, assert_same, board, category, column, days, eve, event, expect_done,
    families, family, feed, id, item, key, list, move_task, note, seed, task, user,
};
use crate::keys::find;
use crate::{LoadSubject, Subject};

async fn load(subject: &dyn LoadSubject, records: Vec<Record>) -> Result<(), LoadError> {
    let mut load = subject.load().begin_load().await?;
    for record in records {
        load.insert(record).await?;
    }
    load.commit().await
}

/// Loads records and asserts that record number `expected` is refused. Returns the fault.
async fn expect_refused(subject: &dyn LoadSubject, records: Vec<Record>, expected: u64) -> LoadFault {
    match load(subject, records).await {
        Err(LoadError::Refused { number, fault, .. }) => {
            assert_eq!(number, expected, "{fault}");
            fault
        }
        other => panic!("expected record {expected} to be refused, but got {other:?}"),
    }
}

async fn is_empty(subject: &dyn LoadSubject) -> bool {
    subject.storage().find_account(&id("ada")).await.unwrap().is_none()
        && MemberView::of(ada(), subject).documents().await.are_empty()
}

pub(super) async fn loaded_records_become_visible_on_commit_not_before(subject: &dyn LoadSubject) {
    let mut load = subject.load().begin_load().await.unwrap();
    for record in families() {
        load.insert(record).await.unwrap();
        assert!(is_empty(subject).await);
    }
    load.commit().await.unwrap();
    assert!(!is_empty(subject).await);
    assert_eq!(MemberView::of(ada(), subject).notes().await.len(), 3);
}

pub(super) async fn a_dropped_load_stores_nothing(subject: &dyn LoadSubject) {
    let mut dropped = subject.load().begin_load().await.unwrap();
    for record in families() {
        dropped.insert(record).await.unwrap();
    }
    drop(dropped);
    assert!(is_empty(subject).await);
    load(subject, families()).await.unwrap();
    assert!(!is_empty(subject).await);
}

pub(super) async fn a_load_with_a_refused_record_stores_nothing(subject: &dyn LoadSubject) {
    let mut records = families();
    let number = records.len() as u64 + 1;
    records.push(Record::Task(task("last", "nowhere", 0)));
    assert_eq!(expect_refused(subject, records, number).await, LoadFault::no_parent("columnId"));
    assert!(is_empty(subject).await);
}

pub(super) async fn a_second_load_adds_to_the_first(subject: &dyn LoadSubject) {
    load(subject, families()).await.unwrap();
    let more = [Record::Task(task("more", "doing", 0)), Record::Note(note("more", "north"))];
    load(subject, more.into()).await.unwrap();
    let view = MemberView::of(ada(), subject);
    assert_eq!(view.task_orders("doing").await, [("more".to_owned(), 0)]);
    assert_eq!(view.notes().await.len(), 4);
}

/// Returns one record for each reference to a parent, with an unknown parent and the name of the field.
pub(super) fn orphans() -> Vec<(Record, &'static str)> {
    vec![
        (Record::User(user("fay", Some("nowhere"))), "familyId"),
        (Record::Key(key("k1", "gone")), "userId"),
        (Record::CalendarFeed(feed("f1", "gone")), "userId"),
        (Record::NoteCategory(category("new", "nowhere")), "familyId"),
        (
            Record::NoteCategory(CategoryRecord { parent_id: Some(id("nowhere")), ..category("new", "north") }),
            "parentId",
        ),
        (Record::NoteCategory(CategoryRecord { parent_id: Some(id("new")), ..category("new", "north") }), "parentId"),
        (Record::Board(board("new", "nowhere")), "familyId"),
        (Record::Board(BoardRecord { owner_user_id: Some(id("gone")), ..board("new", "north") }), "ownerUserId"),
        (Record::Column(ColumnRecord { family_id: id("nowhere"), ..column("new", "shared") }), "familyId"),
        (Record::Column(column("new", "nowhere")), "boardId"),
        (Record::Task(TaskRecord { family_id: id("nowhere"), ..task("new", "todo", 0) }), "familyId"),
        (Record::Task(task("new", "nowhere", 0)), "columnId"),
        (Record::Event(event("new", "nowhere")), "familyId"),
        (Record::ShoppingList(list("new", "nowhere")), "familyId"),
        (
            Record::ShoppingList(ShoppingListRecord { owner_user_id: Some(id("gone")), ..list("new", "north") }),
            "ownerUserId",
        ),
        (Record::ShoppingItem(ShoppingItemRecord { family_id: id("nowhere"), ..item("new", "groceries") }), "familyId"),
        (Record::ShoppingItem(item("new", "nowhere")), "listId"),
        (Record::Note(note("new", "nowhere")), "familyId"),
        (Record::Note(NoteRecord { category_id: Some(id("nowhere")), ..note("new", "north") }), "categoryId"),
    ]
}

pub(super) async fn an_unknown_parent_is_refused_with_the_field_name(subject: &dyn LoadSubject) {
    load(subject, families()).await.unwrap();
    let before = Documents::of_all_members(subject).await;
    for (orphan, field) in orphans() {
        let kind = orphan.kind();
        let records = vec![Record::Family(family("east")), orphan];
        assert_eq!(expect_refused(subject, records, 2).await, LoadFault::no_parent(field), "{kind}");
    }
    assert_same(&Documents::of_all_members(subject).await, &before);
    load(subject, vec![Record::Family(family("east"))]).await.unwrap();
}

/// Returns records of `north` with parents in `south`, each with the name of the field.
pub(super) fn children_of_another_family() -> Vec<(Record, &'static str)> {
    vec![
        (
            Record::NoteCategory(CategoryRecord { parent_id: Some(id("south-cat")), ..category("c", "north") }),
            "parentId",
        ),
        (Record::Note(NoteRecord { category_id: Some(id("south-cat")), ..note("n", "north") }), "categoryId"),
        (Record::Column(ColumnRecord { family_id: id("north"), ..column("c", "south-board") }), "boardId"),
        (Record::Task(TaskRecord { family_id: id("north"), ..task("t", "south-col", 0) }), "columnId"),
        (Record::ShoppingItem(ShoppingItemRecord { family_id: id("north"), ..item("i", "south-list") }), "listId"),
    ]
}

pub(super) async fn a_parent_of_another_family_is_refused(subject: &dyn LoadSubject) {
    load(subject, families()).await.unwrap();
    for (child, field) in children_of_another_family() {
        assert_eq!(expect_refused(subject, vec![child], 1).await, LoadFault::no_parent(field));
    }
}

pub(super) async fn a_child_before_its_parent_is_refused(subject: &dyn LoadSubject) {
    let records = vec![Record::User(user("fay", Some("east"))), Record::Family(family("east"))];
    assert_eq!(expect_refused(subject, records, 1).await, LoadFault::no_parent("familyId"));
}

/// Returns one record of each kind with an existing id. Families, users and keys are of another family.
fn records_with_existing_ids() -> Vec<Record> {
    vec![
        Record::Family(family("north")),
        Record::User(UserRecord { email: "other@example.com".to_owned(), ..user("ada", Some("south")) }),
        Record::Key(KeyRecord { digest: KeyDigest::of("other"), ..key("k1", "eve") }),
        Record::NoteCategory(category("food", "north")),
        Record::Board(board("shared", "north")),
        Record::Column(column("todo", "adas")),
        Record::Task(task("open", "doing", 9)),
        Record::Event(event("trip", "north")),
        Record::ShoppingList(list("groceries", "north")),
        Record::ShoppingItem(item("milk", "adas-list")),
        Record::Note(note("recipe", "north")),
    ]
}

pub(super) async fn an_id_that_exists_in_the_family_is_refused(subject: &dyn LoadSubject) {
    let mut records = families();
    records.push(Record::Key(key("k1", "ada")));
    load(subject, records).await.unwrap();
    let before = Documents::of_all_members(subject).await;
    for duplicate in records_with_existing_ids() {
        let kind = duplicate.kind();
        assert_eq!(expect_refused(subject, vec![duplicate], 1).await, LoadFault::exists("id"), "{kind}");
    }
    assert_same(&Documents::of_all_members(subject).await, &before);
}

/// Returns records of the family `south` with ids that exist in `north`.
pub(super) fn same_ids_in_south() -> Vec<Record> {
    let south = || id("south");
    vec![
        Record::NoteCategory(category("food", "south")),
        Record::Note(NoteRecord { category_id: Some(id("food")), ..note("recipe", "south") }),
        Record::Board(board("shared", "south")),
        Record::Column(ColumnRecord { family_id: south(), ..column("todo", "shared") }),
        Record::Task(TaskRecord { family_id: south(), ..task("open", "todo", 0) }),
        Record::Task(TaskRecord { family_id: south(), ..task("left", "todo", 1) }),
        Record::Event(event("trip", "south")),
        Record::ShoppingList(list("groceries", "south")),
        Record::ShoppingItem(ShoppingItemRecord { family_id: south(), ..item("milk", "groceries") }),
    ]
}

pub(super) async fn an_id_of_another_family_is_accepted_and_kept_apart(subject: &dyn LoadSubject) {
    let mut records = families();
    records.extend(same_ids_in_south());
    load(subject, records).await.unwrap();
    let north = MemberView::of(ada(), subject);
    let south = MemberView::of(eve(), subject);
    assert_eq!((north.task("open").await.title.as_str(), south.task("open").await.title.as_str()), ("Buy 🥛", "open"));
    assert_eq!(south.task_orders("todo").await, [("open".to_owned(), 0), ("left".to_owned(), 1)]);
    assert_eq!((north.note("recipe").await.tags.len(), south.note("recipe").await.tags.len()), (2, 0));
    assert_eq!(south.note("recipe").await.category.map(|category| category.id), Some(id("food")));
    let titles = |events: Vec<Event>| events.into_iter().map(|event| event.id.to_string()).collect::<Vec<_>>();
    assert_eq!(titles(south.events(&EventRange::default()).await), ["south-event", "trip"]);
    assert_eq!(titles(north.events(&EventRange::default()).await), ["trip", "farewell"]);
    for (view, quantity) in [(&north, Some("2 l")), (&south, None)] {
        let lists = view.lists().await;
        let items = lists.iter().filter(|list| list.id.as_str() == "groceries").flat_map(|list| &list.items);
        let milk: Vec<_> =
            items.filter(|item| item.id.as_str() == "milk").map(|item| item.quantity.as_deref()).collect();
        assert_eq!(milk, [quantity]);
    }
}

pub(super) async fn writes_leave_equal_ids_of_other_families_alone(subject: &dyn LoadSubject) {
    seed(subject, [families(), same_ids_in_south()].concat()).await;
    let north = MemberView::of(ada(), subject);
    let before = north.documents().await;
    let south = MemberView::of(eve(), subject);
    expect_done(update::<Task>(subject, &eve(), "open", TaskChange::new().title("South")).await);
    expect_done(move_task(subject, &eve(), "left", "todo", 0).await);
    expect_done(update::<Note>(subject, &eve(), "recipe", NoteChange::new().title("South")).await);
    assert_eq!(south.task("open").await.title, "South");
    assert_eq!(south.task_orders("todo").await, [("left".to_owned(), 0), ("open".to_owned(), 1)]);
    assert_eq!(south.note("recipe").await.title, "South");
    assert_done(delete::<Note>(subject, &eve(), "recipe").await);
    assert!(south.notes().await.iter().all(|note| note.id.as_str() != "recipe"));
    assert_same(&north.documents().await, &before);
}

pub(super) async fn a_repeated_id_within_a_load_is_refused(subject: &dyn LoadSubject) {
    for duplicate in records_with_existing_ids() {
        let kind = duplicate.kind();
        let mut records = families();
        records.push(Record::Key(key("k1", "ada")));
        records.push(duplicate);
        let number = records.len() as u64;
        assert_eq!(expect_refused(subject, records, number).await, LoadFault::exists("id"), "{kind}");
    }
    assert!(is_empty(subject).await);
}

pub(super) async fn the_first_of_several_invalid_records_is_reported(subject: &dyn LoadSubject) {
    load(subject, families()).await.unwrap();
    let invalid_records = [
        Record::Note(NoteRecord { category_id: Some(id("nowhere")), ..note("new", "north") }),
        Record::ShoppingItem(item("milk", "groceries")),
        Record::User(user("fay", Some("nowhere"))),
        Record::Task(task("open", "todo", 9)),
    ];
    for first in 0..invalid_records.len() {
        let mut records = invalid_records.to_vec();
        records.rotate_left(first);
        expect_refused(subject, records, 1).await;
    }
}

pub(super) async fn records_of_different_kinds_can_share_an_id(subject: &dyn LoadSubject) {
    let records = vec![
        Record::Family(family("x")),
        Record::User(user("x", Some("x"))),
        Record::Key(key("x", "x")),
        Record::CalendarFeed(feed("x", "x")),
        Record::NoteCategory(category("x", "x")),
        Record::Board(board("x", "x")),
        Record::Column(ColumnRecord { family_id: id("x"), ..column("x", "x") }),
        Record::Task(TaskRecord { family_id: id("x"), ..task("x", "x", 0) }),
        Record::Event(event("x", "x")),
        Record::ShoppingList(list("x", "x")),
        Record::ShoppingItem(ShoppingItemRecord { family_id: id("x"), ..item("x", "x") }),
        Record::Note(note("x", "x")),
    ];
    assert!(load(subject, records).await.is_ok());
}

pub(super) async fn an_existing_email_or_token_hash_is_refused(subject: &dyn LoadSubject) {
    let mut records = families();
    records.push(Record::Key(key("k1", "ada")));
    load(subject, records).await.unwrap();
    let same_email = UserRecord { email: "Ada@Example.com".to_owned(), ..user("fay", Some("south")) };
    assert_eq!(expect_refused(subject, vec![Record::User(same_email)], 1).await, LoadFault::exists("email"));
    let same_hash = KeyRecord { digest: KeyDigest::of("k1"), ..key("k2", "eve") };
    assert_eq!(expect_refused(subject, vec![Record::Key(same_hash)], 1).await, LoadFault::exists("tokenHash"));
    load(subject, vec![Record::CalendarFeed(feed("f1", "ada"))]).await.unwrap();
    let same_hash = FeedRecord { digest: feed("f1", "ada").digest, ..feed("f2", "eve") };
    let refused = expect_refused(subject, vec![Record::CalendarFeed(same_hash)], 1).await;
    assert_eq!(refused, LoadFault::exists("secretHash"));
    assert_eq!(find(subject, "k1").await.unwrap().account.unwrap().user.as_str(), "ada");
}

pub(super) async fn loading_a_record_changes_the_revision_of_its_family(subject: &dyn LoadSubject) {
    load(subject, families()).await.unwrap();
    let records = [
        Record::User(user("fay", Some("north"))),
        Record::NoteCategory(category("new", "north")),
        Record::Board(board("new", "north")),
        Record::Column(column("new", "new")),
        Record::Task(task("new", "new", 0)),
        Record::Event(event("new", "north")),
        Record::ShoppingList(list("new", "north")),
        Record::ShoppingItem(item("new", "new")),
        Record::Note(note("new", "north")),
    ];
    for record in records {
        let kind = record.kind();
        let before = revision(subject).await;
        load(subject, vec![record]).await.unwrap();
        assert!(before.is_none() || before != revision(subject).await, "{kind}");
    }
}

pub(super) async fn a_load_expires_earlier_revisions(subject: &dyn LoadSubject) {
    load(subject, families()).await.unwrap();
    let mut followers = [Follower::new(subject, ada()).await, Follower::new(subject, eve()).await];
    load(subject, vec![Record::Note(note("new", "north"))]).await.unwrap();
    assert!(followers[0].is_expired().await, "a follower does not learn of the loaded note");
    assert_same(&followers[1].learn().await, &nothing());
    expect_done(update::<Note>(subject, &ada(), "recipe", NoteChange::new().title("Changed")).await);
    assert!(followers[0].is_expired().await, "a write after the load is known, and the load is not");
}

async fn revision(subject: &dyn Subject) -> Option<family_api_core::resource::Revision> {
    subject.storage().find_account(&id("ada")).await.unwrap().unwrap().membership.unwrap().revision
}

/// Returns the zones of the events that Ada sees, by the ids of the events.
async fn zones(subject: &dyn LoadSubject) -> Vec<(String, String)> {
    let events = MemberView::of(ada(), subject).events(&EventRange::default()).await;
    let zone = |event: &Event| event.time_zone.as_ref().map_or_else(String::new, ToString::to_string);
    events.iter().map(|event| (event.id.to_string(), zone(event))).collect()
}

fn with_zone(name: &str, zone: Option<&str>) -> Record {
    let time_zone = zone.map(|zone| ZoneName::stored(zone.to_owned()));
    Record::Event(EventRecord { time_zone, ..event(name, "north") })
}

pub(super) async fn an_event_without_a_zone_gets_that_of_the_first_member(subject: &dyn LoadSubject) {
    let member = |name: &str, zone: &str, at: i64| {
        Record::User(UserRecord { time_zone: id(zone), created_at: days(at), ..user(name, Some("north")) })
    };
    // The users follow the events, and the first one is neither the first in the file nor by id.
    let north = vec![Record::Family(family("north")), with_zone("a", None), with_zone("b", Some("Asia/Tokyo"))];
    let users = vec![member("ada", "UTC", -1), member("zoe", "Europe/Kyiv", -2), member("bob", "Europe/Oslo", -2)];
    load(subject, [north, users].concat()).await.unwrap();
    let pair = |event: &str, zone: &str| (event.to_owned(), zone.to_owned());
    assert_eq!(zones(subject).await, [pair("a", "Europe/Oslo"), pair("b", "Asia/Tokyo")]);
    load(subject, vec![with_zone("c", None)]).await.unwrap();
    assert_eq!(zones(subject).await[2], pair("c", "Europe/Oslo"));
    let before = MemberView::of(ada(), subject).documents().await;
    let alone = EventRecord { time_zone: None, ..event("alone", "empty") };
    load(subject, vec![Record::Family(family("empty")), Record::Event(alone)]).await.unwrap();
    assert_same(&MemberView::of(ada(), subject).documents().await, &before);
    load(subject, vec![Record::User(user("hal", Some("empty")))]).await.unwrap();
    let hal = Member { user: id("hal"), family: id("empty") };
    let events = MemberView::of(hal, subject).events(&EventRange::default()).await;
    assert_same(&events[0].time_zone, &Some(id("UTC")));
}

pub(super) async fn an_event_in_an_unknown_zone_is_listed(subject: &dyn LoadSubject) {
    let people = vec![Record::Family(family("north")), Record::User(user("ada", Some("north")))];
    load(subject, [people, vec![with_zone("a", Some("Europe/Nowhere"))]].concat()).await.unwrap();
    assert_eq!(zones(subject).await, [("a".to_owned(), "Europe/Nowhere".to_owned())]);
}
