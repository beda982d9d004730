//! Every field of a record that an update creates or changes.

use family_api_core::change::MAX_SEQUENCE;
use family_api_core::feed::{CalendarFeed, FeedDetail, FeedLanguage, FeedShows};
use family_api_core::id::Id;
use family_api_core::key::KeyMode;
use family_api_core::resource::{
    Board, Column, Event, Note, NoteCategory, Priority, Profile, ShoppingItem, ShoppingList, Task, Verb,
};
use family_api_core::storage::{
    BoardRecord, CategoryRecord, ColumnRecord, EventRecord, FeedRecord, KeyRecord, NoteRecord, Record,
    ShoppingItemRecord, ShoppingListRecord, TaskRecord, UserRecord,
};
use serde::Serialize;
use serde_json::json;

use crate::UpdateSubject;
use crate::fixture::calls::delete;
use crate::fixture::{
    MemberView, ada, board, category, column, days, event, expect_done, family, feed, id, item, key, list, minute,
    note, overrides, seed_families_and, task, user,
};
use crate::update::keep;
use crate::writes::kinds::{TestRecord, supports};

/// Returns records of `north` with a value in every field. They contain a record of each kind. Ada sees them.
fn complete_records() -> Vec<Record> {
    [people(), board_with_task(), list_with_item(), event_and_note()].concat()
}

fn people() -> Vec<Record> {
    let bob = UserRecord {
        name: "Bob 🐻".to_owned(),
        email: "bob@example.org".to_owned(),
        image: Some("https://example.org/bob.png".to_owned()),
        color: Some("#ffffff".to_owned()),
        emoji: Some("🐻".to_owned()),
        display_currency: "USD".to_owned(),
        time_zone: id("Europe/Oslo"),
        llm_model: Some("model".to_owned()),
        llm_key_configured: true,
        ..user("bob", Some("north"))
    };
    let key = KeyRecord {
        name: Some("Key 🔑".to_owned()),
        hint: "fam_…wxyz".to_owned(),
        scopes: KeyMode::V1ReadWrite.scopes(),
        created_at: minute(-1),
        expires_at: Some(days(9)),
        ..key("k1", "ada")
    };
    let feed = FeedRecord {
        name: "Calendar 📅".to_owned(),
        hint: "famcal_…wxyz".to_owned(),
        shows: FeedShows::Tasks,
        detail: FeedDetail::Busy,
        person_ids: vec![id("ada")],
        board_ids: vec![id("hall"), id("shared")],
        language: FeedLanguage::Es,
        sequence: 7,
        created_at: minute(-2),
        updated_at: minute(-1),
        expires_at: Some(days(9)),
        ..feed("f1", "ada")
    };
    vec![
        Record::Family(family("north")),
        Record::User(user("ada", Some("north"))),
        Record::User(bob),
        Record::Key(key),
        Record::CalendarFeed(feed),
    ]
}

fn board_with_task() -> Vec<Record> {
    let board = BoardRecord {
        name: "Hall 🚪".to_owned(),
        description: Some("Description".to_owned()),
        emoji: Some("🚪".to_owned()),
        color: Some("#654321".to_owned()),
        order: 9,
        is_private: true,
        owner_user_id: Some(id("ada")),
        created_at: days(-9),
        updated_at: days(-8),
        ..board("hall", "north")
    };
    let column = ColumnRecord {
        name: "Column ⬇".to_owned(),
        emoji: Some("⬇".to_owned()),
        color: Some("#111111".to_owned()),
        order: 9,
        created_at: days(-9),
        ..column("doing", "hall")
    };
    let task = TaskRecord {
        title: "Task ✔".to_owned(),
        description: Some("Description".to_owned()),
        priority: Priority::Urgent,
        due_date: Some(days(9)),
        recurrence: Some("DTSTART;TZID=UTC:20261129T120000\nRRULE:FREQ=DAILY".to_owned()),
        completed_at: Some(days(-1)),
        last_completed_at: Some(days(-2)),
        order: 9,
        labels: vec!["b".to_owned(), "a".to_owned(), "b".to_owned()],
        is_private: true,
        assignee_id: Some(id("bob")),
        creator_id: Some(id("ada")),
        created_at: days(-9),
        updated_at: days(-8),
        sequence: 6,
        ..task("left", "doing", 9)
    };
    vec![Record::Board(board), Record::Column(column), Record::Task(task)]
}

fn list_with_item() -> Vec<Record> {
    let list = ShoppingListRecord {
        name: "List 🧾".to_owned(),
        emoji: Some("🧾".to_owned()),
        sort_order: 9,
        is_private: true,
        owner_user_id: Some(id("ada")),
        created_at: days(-9),
        updated_at: days(-8),
        ..list("groceries", "north")
    };
    let item = ShoppingItemRecord {
        name: "Item 🧈".to_owned(),
        quantity: Some("1 kg".to_owned()),
        category: Some("fridge".to_owned()),
        checked: true,
        is_private: true,
        added_by_id: Some(id("ada")),
        created_at: days(-9),
        ..item("old", "groceries")
    };
    vec![Record::ShoppingList(list), Record::ShoppingItem(item)]
}

fn event_and_note() -> Vec<Record> {
    let category = CategoryRecord {
        name: "Food 🍞".to_owned(),
        emoji: Some("🍞".to_owned()),
        color: Some("#123456".to_owned()),
        ..category("food", "north")
    };
    let event = EventRecord {
        title: "Event 📅".to_owned(),
        description: Some("Description".to_owned()),
        emoji: Some("📅".to_owned()),
        color: Some("#222222".to_owned()),
        start_date: days(1),
        end_date: days(2),
        all_day: true,
        time_zone: Some(id("Europe/Oslo")),
        location: Some("Oslo".to_owned()),
        recurrence: Some("FREQ=DAILY".to_owned()),
        overrides: overrides(),
        assignee_id: Some(id("ada")),
        participant_ids: vec![id("bob"), id("ada")],
        created_at: days(-9),
        updated_at: days(-8),
        sequence: MAX_SEQUENCE,
        ..event("farewell", "north")
    };
    let note = NoteRecord {
        title: "Note 📝".to_owned(),
        content: "a\r\n\"b\"".to_owned(),
        emoji: Some("📝".to_owned()),
        color: Some("#333333".to_owned()),
        pinned: true,
        tags: vec!["b".to_owned(), "a".to_owned()],
        author_id: Some(id("bob")),
        category_id: Some(id("food")),
        created_at: days(-9),
        updated_at: days(-8),
        ..note("ghost-note", "north")
    };
    vec![Record::NoteCategory(category), Record::Event(event), Record::Note(note)]
}

/// Asserts that ada reads the values of the records.
async fn assert_stored(subject: &dyn UpdateSubject, records: Vec<Record>) {
    for record in records {
        match record {
            Record::Family(_) => {}
            Record::User(user) => {
                let stored = subject.storage().find_profile(&user.id).await.unwrap();
                assert_eq!(stored, Some(Profile::from(user)));
            }
            Record::Key(key) => {
                let stored = subject.storage().find_key(&key.digest).await.unwrap().unwrap();
                assert_eq!((stored.account.unwrap().user, stored.key), (key.user_id.clone(), key.into()));
            }
            Record::CalendarFeed(feed) => {
                let Some(with_feeds) = subject.with_feeds() else { continue };
                let stored = with_feeds.feeds().find_feed(&feed.digest).await.unwrap().unwrap();
                assert_eq!((stored.user, stored.sequence), (feed.user_id.clone(), feed.sequence));
                assert_eq!(stored.feed, CalendarFeed::from(feed));
            }
            Record::NoteCategory(category) => assert_listed::<NoteCategory>(subject, category.into()).await,
            Record::Board(board) => assert_listed::<Board>(subject, board.into()).await,
            Record::Column(column) => assert_listed::<Column>(subject, column.into()).await,
            Record::Task(task) => assert_listed::<Task>(subject, task.into()).await,
            Record::Event(event) => assert_listed::<Event>(subject, event.into()).await,
            Record::ShoppingList(list) => assert_listed::<ShoppingList>(subject, list.into()).await,
            Record::ShoppingItem(item) => assert_listed::<ShoppingItem>(subject, item.into()).await,
            Record::Note(note) => assert_listed::<Note>(subject, note.into()).await,
        }
    }
}

/// Asserts that ada reads every field of `expected` that is not null. A record that was converted contains no people.
async fn assert_listed<R: TestRecord + Serialize>(subject: &dyn UpdateSubject, expected: R) {
    let records = R::list(&MemberView::of(ada(), subject)).await;
    let stored = json!(records.into_iter().find(|record| record.id() == expected.id()));
    for (field, value) in json!(expected).as_object().unwrap().iter().filter(|(_, value)| !value.is_null()) {
        assert_eq!(stored[field], *value, "{field} of {}", expected.id().text());
    }
}

pub(crate) async fn an_update_creates_records_with_every_field(subject: &dyn UpdateSubject) {
    let records = complete_records();
    assert_eq!(keep(subject, records.clone()).await, [records.len() as u64, 0, 0, 0]);
    assert_stored(subject, records).await;
}

pub(crate) async fn an_update_replaces_every_field_of_a_record(subject: &dyn UpdateSubject) {
    let hall = BoardRecord { owner_user_id: Some(id("bob")), ..board("hall", "north") };
    seed_families_and(
        subject,
        vec![Record::Board(hall), Record::Key(key("k1", "ada")), Record::CalendarFeed(feed("f1", "ada"))],
    )
    .await;
    // The family does not change. Each other kind has one record that does, and there is one more user.
    assert_eq!(keep(subject, complete_records()).await, [0, 12, 1, 0]);
    assert_stored(subject, complete_records()).await;
    assert_eq!(keep(subject, complete_records()).await, [0, 0, 13, 0]);
}

pub(crate) async fn an_update_without_a_zone_keeps_the_zone_of_the_event(subject: &dyn UpdateSubject) {
    seed_families_and(subject, Vec::new()).await;
    let with_zone = |name: &str, zone: Option<&str>| {
        let time_zone = zone.map(id);
        Record::Event(EventRecord { time_zone, ..event(name, "north") })
    };
    let without = || vec![with_zone("stored", None), with_zone("created", None)];
    let zones = async || {
        let events = Event::list(&MemberView::of(ada(), subject)).await;
        ["stored", "created"].map(|name| events.iter().find(|event| event.id == id(name)).unwrap().time_zone.clone())
    };
    assert_eq!(keep(subject, vec![with_zone("stored", Some("Asia/Tokyo"))]).await, [1, 0, 0, 0]);
    assert_eq!(keep(subject, without()).await, [1, 0, 1, 0]);
    assert_eq!(zones().await, ["Asia/Tokyo", "Asia/Kolkata"].map(|zone| Some(id(zone))));
    assert_eq!(keep(subject, without()).await, [0, 0, 2, 0]);
    assert_eq!(keep(subject, vec![with_zone("created", Some("Europe/Kyiv"))]).await, [0, 1, 0, 0]);
    assert_eq!(zones().await, ["Asia/Tokyo", "Europe/Kyiv"].map(|zone| Some(id(zone))));
}

pub(crate) async fn an_update_raises_the_sequence_of_a_changed_record(subject: &dyn UpdateSubject) {
    seed_families_and(subject, Vec::new()).await;
    let records = |title: &str, sequence| {
        let task = TaskRecord { title: title.to_owned(), sequence, ..task("counted", "doing", 9) };
        let event = EventRecord { title: title.to_owned(), sequence, ..event("counted", "north") };
        vec![Record::Task(task), Record::Event(event)]
    };
    let [created, changed, unchanged] = [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0]];
    for (title, sequence, counts, expected) in [
        ("a", 5, created, 5),
        ("a", 3, unchanged, 5),
        ("b", 0, changed, 6),
        ("c", 6, changed, 7),
        ("d", 20, changed, 20),
        ("d", 21, changed, 21),
        ("e", MAX_SEQUENCE, changed, MAX_SEQUENCE),
        ("f", 0, changed, MAX_SEQUENCE),
        ("g", MAX_SEQUENCE, changed, MAX_SEQUENCE),
    ] {
        assert_eq!(keep(subject, records(title, sequence)).await, counts, "{title} {sequence}");
        let view = MemberView::of(ada(), subject);
        let event = Event::list(&view).await.into_iter().find(|event| event.id == id("counted"));
        let sequences = (view.task("counted").await.sequence, event.unwrap().sequence);
        assert_eq!(sequences, (expected, expected), "{title} {sequence}");
    }
}

pub(crate) async fn an_update_raises_the_sequence_of_a_deleted_record(subject: &dyn UpdateSubject) {
    let verbs = [Verb::Delete, Verb::Restore];
    if !supports::<Task>(subject, &verbs) || !supports::<Event>(subject, &verbs) {
        return;
    }
    seed_families_and(subject, Vec::new()).await;
    for (number, (deleted, again, expected)) in
        [(5, 3, 6), (5, 5, 6), (5, 9, 9), (0, 0, 1), (MAX_SEQUENCE, 0, MAX_SEQUENCE)].into_iter().enumerate()
    {
        let name = format!("counted-{number}");
        let records = |sequence| {
            let task = TaskRecord { sequence, ..task(&name, "doing", 9) };
            vec![Record::Task(task), Record::Event(EventRecord { sequence, ..event(&name, "north") })]
        };
        assert_eq!(keep(subject, records(deleted)).await, [2, 0, 0, 0]);
        expect_done(delete::<Task>(subject, &ada(), &name).await);
        expect_done(delete::<Event>(subject, &ada(), &name).await);
        for counts in [[2, 0, 0, 0], [0, 0, 2, 0]] {
            assert_eq!(keep(subject, records(again)).await, counts, "{deleted} {again}");
            let task = Task::find(subject, ada(), &name).await.unwrap();
            let event = Event::find(subject, ada(), &name).await.unwrap();
            assert_eq!((task.sequence, event.sequence), (expected, expected), "{deleted} {again}");
        }
    }
}
