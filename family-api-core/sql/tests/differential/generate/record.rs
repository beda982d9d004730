//! Generates records of every kind, with existing or missing parents.

use std::collections::BTreeMap;
use std::fmt::Debug;

use family_api_core::key::KeyDigest;
use family_api_core::resource::Priority;
use family_api_core::storage::{Password, PasswordHash, Record};
use family_api_testing::with;
use proptest::bool::weighted;
use proptest::collection::{btree_map, vec};
use proptest::option::{of, weighted as maybe};
use proptest::prelude::*;
use proptest::sample::select;
use serde::Serialize;
use serde_json::{Value, from_value, json};

use super::id::{self, BOARDS, CATEGORIES, COLUMNS, EVENTS, ITEMS, KEYS, LISTS, NOTES, TASKS, USERS, id};
use super::instant::{day, expiry, instant, mostly_recent_instant, start_time, zone};
use super::secret::{password, scopes, token};
use super::text::{email, text, words};

/// The largest order that a JSON number represents exactly.
pub(crate) const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

/// Generates initial records, parents before children. The caller drops invalid records.
pub(crate) fn seed() -> impl Strategy<Value = Vec<Record>> {
    let people = (vec(family(), 2..5), vec(user(), 8..16), vec(key(), 0..10));
    let boards = (vec(board(), 4..12), vec(column(), 4..14), vec(task(), 4..28));
    let others = (vec(event(), 0..8), vec(list(), 0..8), vec(item(), 0..16), vec(category(), 0..8), vec(note(), 2..12));
    (people, boards, others).prop_map(|(people, boards, others)| {
        let people = [people.0, people.1, people.2];
        let boards = [boards.0, boards.1, boards.2];
        let others = [others.0, others.1, others.2, others.3, others.4];
        people.into_iter().chain(boards).chain(others).flatten().collect()
    })
}

/// Generates a record of any kind.
pub(super) fn record() -> impl Strategy<Value = Record> {
    let parents_and_tasks = prop_oneof![family(), user(), key(), board(), column(), task()];
    prop_oneof![6 => parents_and_tasks, 5 => prop_oneof![event(), list(), item(), category(), note()]]
}

/// Generates a record from its fields, with the field names of the import format.
macro_rules! record {
    ($kind:ident: $($field:ident = $value:expr),+ $(,)?) => {
        vec![$(field(stringify!($field), $value)),+]
            .prop_map(|fields| Record::$kind(from_value(Value::from_iter(fields)).unwrap()))
            .boxed()
    };
}

/// Reads the JSON of a record. Unlike a load, accepts an event that ends before it starts.
pub(crate) fn record_of(mut line: Value) -> Record {
    let kind = line.as_object_mut().unwrap().remove("type").unwrap();
    match kind.as_str().unwrap() {
        "family" => Record::Family(from_value(line).unwrap()),
        "user" => Record::User(from_value(line).unwrap()),
        "key" => Record::Key(from_value(line).unwrap()),
        "calendarFeed" => Record::CalendarFeed(from_value(line).unwrap()),
        "noteCategory" => Record::NoteCategory(from_value(line).unwrap()),
        "board" => Record::Board(from_value(line).unwrap()),
        "column" => Record::Column(from_value(line).unwrap()),
        "task" => Record::Task(from_value(line).unwrap()),
        "event" => Record::Event(from_value(line).unwrap()),
        "shoppingList" => Record::ShoppingList(from_value(line).unwrap()),
        "shoppingItem" => Record::ShoppingItem(from_value(line).unwrap()),
        "note" => Record::Note(from_value(line).unwrap()),
        other => panic!("there are no records of the kind {other}"),
    }
}

fn field<T: Serialize + Debug>(
    name: &'static str,
    value: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<(String, Value)> {
    value.prop_map(|value| (name.to_owned(), json!(value))).boxed()
}

fn family() -> BoxedStrategy<Record> {
    record!(Family: id = id::family(), name = text(), createdAt = instant(), updatedAt = instant())
}

fn user() -> BoxedStrategy<Record> {
    let user = record!(
        User: id = id::new(USERS), familyId = maybe(0.85, id::family()), name = text(), email = email(),
        image = of(text()), color = of(text()), emoji = of(text()), displayCurrency = select(&["EUR", "UAH"][..]),
        timeZone = zone(), personalApiEnabled = any::<bool>(), llmModel = of(text()),
        llmKeyConfigured = any::<bool>(), createdAt = instant(), updatedAt = instant(),
    );
    (user, of(password())).prop_map(|(record, password)| with_password(record, password)).boxed()
}

fn with_password(mut record: Record, password: Option<PasswordHash>) -> Record {
    if let Record::User(user) = &mut record {
        user.password = password.map_or(Password::None, Password::Hashed);
    }
    record
}

fn key() -> BoxedStrategy<Record> {
    let key = record!(
        Key: id = id::new(KEYS), userId = id(3), name = of(text()), hint = token(), tokenHash = Just("00".repeat(32)),
        scopes = scopes(), createdAt = mostly_recent_instant(), expiresAt = of(expiry(start_time())),
        revokedAt = maybe(0.15, instant()),
    );
    key.prop_map(with_digest).boxed()
}

/// Computes the digest of a key from the hint of the key. In these tests the hint is the plaintext token.
fn with_digest(mut record: Record) -> Record {
    if let Record::Key(key) = &mut record {
        key.digest = KeyDigest::of(&key.hint);
    }
    record
}

fn category() -> BoxedStrategy<Record> {
    record!(
        NoteCategory: id = id::new(CATEGORIES), familyId = id::family(), name = text(), emoji = of(text()),
        color = of(text()), parentId = of(id(CATEGORIES)),
    )
}

fn board() -> BoxedStrategy<Record> {
    record!(
        Board: id = id::new(BOARDS), familyId = id::family(), name = text(), description = of(text()),
        emoji = of(text()), color = of(text()), order = order(), isPrivate = weighted(0.3), ownerUserId = person(),
        createdAt = instant(), updatedAt = instant(),
    )
}

fn column() -> BoxedStrategy<Record> {
    record!(
        Column: id = id::new(COLUMNS), familyId = id::family(), boardId = id(BOARDS), name = text(), emoji = of(text()), color = of(text()),
        order = order(), createdAt = instant(),
    )
}

fn task() -> BoxedStrategy<Record> {
    record!(
        Task: id = id::new(TASKS), familyId = id::family(), columnId = id(COLUMNS), title = text(), description = of(text()),
        priority = select(&Priority::ALL[..]), dueDate = of(instant()), recurrence = of(select(&TASK_RECURRENCES[..])),
        completedAt = of(mostly_recent_instant()), lastCompletedAt = of(instant()),
        order = order(), labels = words(), isPrivate = weighted(0.25), assigneeId = person(), creatorId = person(),
        createdAt = instant(), updatedAt = instant(), sequence = sequence(),
    )
}

/// Valid recurrences. Storages store them unchanged.
const RECURRENCES: [&str; 3] = ["FREQ=DAILY", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", "FREQ=MONTHLY;COUNT=5"];

const TASK_RECURRENCES: [&str; 2] = [
    "DTSTART;TZID=Europe/Kyiv:20261123T090000\nRRULE:FREQ=DAILY",
    "DTSTART;TZID=UTC:20261120T000000\nRRULE:FREQ=WEEKLY;COUNT=9",
];

fn event() -> BoxedStrategy<Record> {
    record!(
        Event: id = id::new(EVENTS), familyId = id::family(), title = text(), description = of(text()),
        emoji = of(text()), color = of(text()), startDate = instant(), endDate = instant(), allDay = any::<bool>(),
        timeZone = of(zone()), location = of(text()), recurrence = of(select(&RECURRENCES[..])), overrides = overrides(),
        assigneeId = person(), participantIds = participants(), createdAt = instant(), updatedAt = instant(),
        sequence = sequence(),
    )
}

/// Generates numbers of changes, some of them the last ones.
fn sequence() -> BoxedStrategy<u32> {
    prop_oneof![3 => 0..3_u32, 1 => 2_147_483_646..=2_147_483_647_u32].boxed()
}

/// Generates changed occurrences. Unlike those of an import, they need not fit their event.
fn overrides() -> BoxedStrategy<Value> {
    let start = (day(), any::<bool>());
    let start = start.prop_map(|(day, is_timed)| format!("{day}{}", if is_timed { "T12:00:00" } else { "" }));
    let change = (instant(), text(), person(), participants(), any::<bool>()).prop_map(
        |(at, title, assignee, participants, is_whole)| {
            let moved = json!({ "startDate": at, "endDate": at });
            let changed = json!({ "title": title, "assigneeId": assignee, "participantIds": participants });
            if is_whole { with(moved, changed) } else { moved }
        },
    );
    let with_start = |(start, change): (String, Value)| with(change, json!({ "recurrenceId": start }));
    let list = move |changes: BTreeMap<String, Value>| changes.into_iter().map(with_start).collect();
    prop_oneof![2 => Just(json!([])), 1 => btree_map(start, change, 0..3).prop_map(list)].boxed()
}

/// Generates users who take part in an event.
fn participants() -> impl Strategy<Value = Vec<&'static str>> {
    prop_oneof![1 => Just(Vec::new()), 1 => vec(id(USERS), 1..4)]
}

fn list() -> BoxedStrategy<Record> {
    record!(
        ShoppingList: id = id::new(LISTS), familyId = id::family(), name = text(), emoji = of(text()),
        sortOrder = order(), isPrivate = weighted(0.3), ownerUserId = person(), createdAt = instant(),
        updatedAt = instant(),
    )
}

fn item() -> BoxedStrategy<Record> {
    record!(
        ShoppingItem: id = id::new(ITEMS), familyId = id::family(), listId = id(LISTS), name = text(), quantity = of(text()),
        category = of(text()), checked = any::<bool>(), isPrivate = weighted(0.3), addedById = person(),
        createdAt = instant(),
    )
}

fn note() -> BoxedStrategy<Record> {
    record!(
        Note: id = id::new(NOTES), familyId = id::family(), title = text(), content = text(), emoji = of(text()),
        color = of(text()), pinned = any::<bool>(), tags = words(), authorId = person(),
        categoryId = of(id(CATEGORIES)), createdAt = instant(), updatedAt = instant(),
    )
}

/// Generates orders from a short list, so that they are often equal.
fn order() -> impl Strategy<Value = i64> {
    select(&[0, 0, 0, 1, 1, 2, 3, -1, 10, MAX_SAFE_INTEGER, -MAX_SAFE_INTEGER][..])
}

/// Generates the optional id of a user in a record. The user can be missing, in another family, or in no family.
fn person() -> impl Strategy<Value = Option<&'static str>> {
    maybe(0.8, id(USERS))
}
