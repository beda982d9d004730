//! Test data of every kind of record, in the families of the fixture.

use family_api_core::calendar::EventRange;
use family_api_core::change::{New, TaskUpdate};
use family_api_core::id::Id;
use family_api_core::resource::{
    Board, Column, Event, Note, NoteCategory, RecordKind, ShoppingItem, ShoppingList, Task, TaskFilter, Verb,
};
use family_api_core::storage::{Member, Operation, Record, Writable, Written};
use serde::Serialize;
use serde_json::{Value, json};

use crate::Subject;
use crate::fixture::calls::{new, new_update, record_write, write_as};
use crate::fixture::{self, MemberView, board, category, list, move_to, reduce, seed_families_and};

/// Seeds the families, and a board, a list and a category without content.
pub(crate) async fn seed_containers(subject: &dyn Subject) {
    let empty = vec![
        Record::Board(board("spare-board", "north")),
        Record::ShoppingList(list("spare-list", "north")),
        Record::NoteCategory(category("spare-cat", "north")),
    ];
    seed_families_and(subject, empty).await;
}

/// Returns whether the storage supports the operations on a kind of record.
pub(crate) fn supports<R: Writable>(subject: &dyn Subject, verbs: &[Verb]) -> bool {
    let capabilities = subject.storage().capabilities();
    verbs.iter().all(|verb| capabilities.supports(R::KIND, *verb))
}

/// Returns the body of a creation, without the fields that the storage does not keep.
pub(crate) fn new_body<R: TestRecord>(subject: &dyn Subject) -> Value {
    kept_body::<R>(subject, R::new_body())
}

/// Returns the fields of a new record in the container of new records.
pub(crate) fn new_record<R: TestRecord>(subject: &dyn Subject) -> New<R::Update> {
    new::<R>(container::<R>(subject), &new_body::<R>(subject))
}

/// Returns the container of new records, if it is in the path: a container of the fixture, or the only one.
pub(crate) fn container<R: TestRecord>(subject: &dyn Subject) -> Option<&'static str> {
    let (kind, container) = R::CONTAINER?;
    Some(if subject.storage().capabilities().keeps_kind(kind) { container } else { "shopping" })
}

/// Returns the body of an update, without the fields that the storage does not keep.
pub(crate) fn update_body<R: TestRecord>(subject: &dyn Subject) -> Value {
    kept_body::<R>(subject, R::update_body())
}

/// Returns a body without the fields that the storage does not keep.
pub(crate) fn kept_body<R: TestRecord>(subject: &dyn Subject, body: impl Serialize) -> Value {
    let capabilities = subject.storage().capabilities();
    let mut body = json!(body);
    body.as_object_mut().unwrap().retain(|name, _| capabilities.keeps_field(R::KIND, name));
    body
}

/// Returns an update of the title or the name.
pub(crate) fn rename<R: TestRecord>(text: &str) -> Value {
    let field = if R::new_body().get("title").is_some() { "title" } else { "name" };
    json!({ field: text })
}

/// Returns a record as a storage returns it that does not keep some of its fields.
pub(crate) fn kept<R: TestRecord>(subject: &dyn Subject, record: R) -> R {
    let mut record = serde_json::to_value(record).unwrap();
    reduce(&subject.storage().capabilities(), R::KIND, &mut record);
    serde_json::from_value(record).unwrap()
}

/// Adds 1 to the `sequence` of a record, if it has one that the storage keeps.
pub(crate) fn raise_sequence<R: TestRecord>(subject: &dyn Subject, record: &mut Value) {
    let is_kept = subject.storage().capabilities().keeps_field(R::KIND, "sequence");
    if let Some(sequence) = record.get_mut("sequence").filter(|_| is_kept) {
        *sequence = json!(sequence.as_u64().unwrap() + 1);
    }
}

/// Returns a record with the `sequence` after one more change.
pub(crate) fn raised<R: TestRecord>(subject: &dyn Subject, record: &R) -> R {
    let mut raised = json!(record);
    raise_sequence::<R>(subject, &mut raised);
    serde_json::from_value(raised).unwrap()
}

/// Runs a check for each kind of record on which the storage supports the operations.
macro_rules! for_each_kind {
    ($subject:ident, $verbs:expr, $check:ident $(, $argument:expr)*) => {
        family_api_core::for_each_kind!(for_each_kind @ $subject, $verbs, $check, ($(, $argument)*),)
    };
    (@ $subject:ident, $verbs:expr, $check:ident, $arguments:tt, $($method:ident: $Record:ident,)*) => {
        $(for_each_kind!(# $Record, $subject, $verbs, $check, $arguments);)*
    };
    (# $Record:ident, $subject:ident, $verbs:expr, $check:ident, ($(, $argument:expr)*)) => {
        if $crate::writes::kinds::supports::<family_api_core::resource::$Record>($subject, &$verbs) {
            $check::<family_api_core::resource::$Record>($subject $(, $argument)*).await;
        }
    };
}

/// Runs a check for the first kind of record on which the storage supports the operations. The case needs such a kind.
macro_rules! for_first_kind {
    ($subject:ident, $verbs:expr, $check:ident) => {
        family_api_core::for_each_kind!(for_first_kind @ $subject, $verbs, $check,)
    };
    (@ $subject:ident, $verbs:expr, $check:ident, $($method:ident: $Record:ident,)*) => {
        $(if $crate::writes::kinds::supports::<family_api_core::resource::$Record>($subject, &$verbs) {
            return $check::<family_api_core::resource::$Record>($subject).await;
        })*
    };
}

pub(crate) use {for_each_kind, for_first_kind};

/// A kind of record with its test data.
pub(crate) trait TestRecord: Writable {
    /// The id of a record of `north` that ada and bob see. It contains no other records.
    const VISIBLE: &'static str;
    /// The ids of records that ada does not see.
    const INVISIBLE: &'static [&'static str];
    /// The kind and the id of the list or board of new records.
    const CONTAINER: Option<(RecordKind, &'static str)> = None;
    /// The lists or boards that ada does not see.
    const INVISIBLE_CONTAINERS: &'static [&'static str] = &[];
    /// The field with the user who creates the record.
    const AUTHOR: Option<&'static str>;

    /// Returns the body of a creation with every field. A record with these fields is visible to bob.
    fn new_body() -> Value;

    /// Returns the body of an update.
    fn update_body() -> Value;

    /// Returns updates with and without fields.
    fn updates(subject: &dyn Subject) -> Vec<Self::Update> {
        [update_body::<Self>(subject), json!({})].iter().map(new_update::<Self>).collect()
    }

    /// Returns bodies of updates that are refused, or name records that do not exist.
    fn refused_updates() -> Vec<Value> {
        Vec::new()
    }

    /// Returns whether a document contains every record of the kind.
    fn is_listed() -> bool {
        true
    }

    /// Returns the records that a member sees. Their nested lists are empty.
    fn list(view: &MemberView<'_>) -> impl Future<Output = Vec<Self>> + Send;

    /// Returns a record if the member sees it.
    #[track_caller]
    fn find(subject: &dyn Subject, member: Member, id: &str) -> impl Future<Output = Option<Self>> + Send {
        let view = MemberView::of(member, subject);
        async move {
            let records = Self::list(&view).await;
            records.into_iter().find(|record| record.id().text() == id)
        }
    }
}

impl TestRecord for Task {
    const VISIBLE: &'static str = "open";
    const INVISIBLE: &'static [&'static str] = &["bob-only", "bob-plan", "south-task", "nowhere"];
    const AUTHOR: Option<&'static str> = Some("creatorId");

    fn new_body() -> Value {
        json!({ "title": "Tîtle 🍲", "description": "a\n\"b\"", "priority": "HIGH", "completed": true,
            "columnId": "doing", "order": 3, "assigneeId": "bob", "dueDate": "2026-12-01T08:00:00.000Z",
            "labels": ["b", "a", "b"], "isPrivate": false })
    }

    fn update_body() -> Value {
        json!({ "title": "Changed", "labels": [] })
    }

    fn updates(subject: &dyn Subject) -> Vec<TaskUpdate> {
        let kept = subject.storage().capabilities();
        let bodies = [update_body::<Self>(subject), json!({})];
        let moves = ["columnId", "order"].into_iter().all(|field| kept.keeps_field(RecordKind::Task, field));
        let updates = bodies.iter().map(new_update::<Self>);
        updates.chain(moves.then(|| move_to("doing", 7))).collect()
    }

    fn refused_updates() -> Vec<Value> {
        vec![
            json!({ "assigneeId": "unknown-user" }),
            json!({ "columnId": "nowhere" }),
            json!({ "columnId": "nowhere", "order": 0 }),
            json!({ "isPrivate": true }),
        ]
    }

    async fn list(view: &MemberView<'_>) -> Vec<Self> {
        view.tasks().await
    }
}

impl TestRecord for Note {
    const VISIBLE: &'static str = "recipe";
    const INVISIBLE: &'static [&'static str] = &["south-note", "nowhere"];
    const AUTHOR: Option<&'static str> = Some("authorId");

    fn new_body() -> Value {
        json!({ "title": "Tîtle", "content": "a\r\n\"b\"", "pinned": true, "categoryId": "food", "emoji": "🥣",
            "color": "#A1b2C3", "tags": ["b", "a"] })
    }

    fn update_body() -> Value {
        json!({ "title": "Changed", "tags": ["t"] })
    }

    fn refused_updates() -> Vec<Value> {
        vec![json!({ "categoryId": "nowhere" })]
    }

    async fn list(view: &MemberView<'_>) -> Vec<Self> {
        view.notes().await
    }
}

impl TestRecord for Event {
    const VISIBLE: &'static str = "trip";
    const INVISIBLE: &'static [&'static str] = &["south-event", "nowhere"];
    const AUTHOR: Option<&'static str> = None;

    fn new_body() -> Value {
        json!({ "title": "Tîtle", "description": "d", "emoji": "🚆", "color": "#ff0000",
            "startDate": "2026-12-01T08:00:00.000Z", "endDate": "2026-12-01T09:00:00.000Z", "allDay": false,
            "timeZone": "Europe/Zurich", "location": "Zürich", "recurrence": "FREQ=WEEKLY;COUNT=3", "assigneeId": "bob",
            "participantIds": ["bob", "ada"] })
    }

    fn update_body() -> Value {
        json!({ "title": "Changed", "location": null })
    }

    fn refused_updates() -> Vec<Value> {
        vec![json!({ "assigneeId": "unknown-user" })]
    }

    async fn list(view: &MemberView<'_>) -> Vec<Self> {
        view.events(&EventRange::default()).await
    }
}

impl TestRecord for ShoppingItem {
    const VISIBLE: &'static str = "milk";
    const INVISIBLE: &'static [&'static str] = &["gift", "bob-item", "south-item", "nowhere"];
    const CONTAINER: Option<(RecordKind, &'static str)> = Some((RecordKind::ShoppingList, "groceries"));
    const INVISIBLE_CONTAINERS: &'static [&'static str] = &["bobs-list", "south-list", "nowhere", "no id"];
    const AUTHOR: Option<&'static str> = Some("addedById");

    fn new_body() -> Value {
        json!({ "name": "Brød 🍞", "quantity": "2", "category": "bakery", "checked": true })
    }

    fn update_body() -> Value {
        json!({ "name": "Changed", "quantity": "3", "checked": false })
    }

    fn refused_updates() -> Vec<Value> {
        vec![json!({ "listId": "nowhere" })]
    }

    async fn list(view: &MemberView<'_>) -> Vec<Self> {
        view.lists().await.into_iter().flat_map(|list| list.items).collect()
    }
}

impl TestRecord for Board {
    const VISIBLE: &'static str = "spare-board";
    const INVISIBLE: &'static [&'static str] = &["bobs", "south-board", "nowhere"];
    const AUTHOR: Option<&'static str> = Some("ownerUserId");

    fn new_body() -> Value {
        json!({ "name": "Bøard", "description": "d", "emoji": "🏠", "color": "#00ff00", "order": 7, "isPrivate": false })
    }

    fn update_body() -> Value {
        json!({ "name": "Changed", "order": 9 })
    }

    async fn list(view: &MemberView<'_>) -> Vec<Self> {
        let boards = view.boards(TaskFilter::All).await.into_iter();
        boards.map(|board| Self { columns: Vec::new(), ..board }).collect()
    }
}

impl TestRecord for Column {
    const VISIBLE: &'static str = "doing";
    const INVISIBLE: &'static [&'static str] = &["bob-col", "south-col", "nowhere"];
    const CONTAINER: Option<(RecordKind, &'static str)> = Some((RecordKind::Board, "shared"));
    const INVISIBLE_CONTAINERS: &'static [&'static str] = &["bobs", "south-board", "nowhere", "no id"];
    const AUTHOR: Option<&'static str> = None;

    fn new_body() -> Value {
        json!({ "name": "Cølumn", "emoji": "📋", "color": "#0000ff", "order": 7 })
    }

    fn update_body() -> Value {
        json!({ "name": "Changed", "order": 9 })
    }

    async fn list(view: &MemberView<'_>) -> Vec<Self> {
        let columns = view.boards(TaskFilter::All).await.into_iter().flat_map(|board| board.columns);
        columns.map(|column| Self { tasks: Vec::new(), ..column }).collect()
    }
}

impl TestRecord for ShoppingList {
    const VISIBLE: &'static str = "spare-list";
    const INVISIBLE: &'static [&'static str] = &["bobs-list", "south-list", "nowhere"];
    const AUTHOR: Option<&'static str> = Some("ownerUserId");

    fn new_body() -> Value {
        json!({ "name": "Lïst", "emoji": "🛒", "sortOrder": 7, "isPrivate": false })
    }

    fn update_body() -> Value {
        json!({ "name": "Changed", "sortOrder": 9 })
    }

    async fn list(view: &MemberView<'_>) -> Vec<Self> {
        view.lists().await.into_iter().map(|list| Self { items: Vec::new(), ..list }).collect()
    }
}

/// No document lists the categories, so an update without a field reads a category.
impl TestRecord for NoteCategory {
    const VISIBLE: &'static str = "spare-cat";
    const INVISIBLE: &'static [&'static str] = &["south-cat", "nowhere"];
    const AUTHOR: Option<&'static str> = None;

    fn new_body() -> Value {
        json!({ "name": "Cätegory", "emoji": "🍲", "color": "#a0b0c0" })
    }

    fn update_body() -> Value {
        json!({ "name": "Changed", "color": null })
    }

    fn is_listed() -> bool {
        false
    }

    async fn list(view: &MemberView<'_>) -> Vec<Self> {
        view.notes().await.into_iter().filter_map(|note| note.category).collect()
    }

    #[track_caller]
    fn find(subject: &dyn Subject, member: Member, id: &str) -> impl Future<Output = Option<Self>> + Send {
        let read = Operation::update(fixture::id(id), new_update::<Self>(&json!({})));
        let written = write_as(subject, &member.into(), &record_write(read));
        async move {
            match written.await {
                Written::Existing(category) => Some(category),
                _ => None,
            }
        }
    }
}
