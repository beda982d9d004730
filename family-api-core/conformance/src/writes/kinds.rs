//! Test data of every kind of record, in the families of the fixture.

use family_api_core::calendar::EventRange;
use family_api_core::id::Id;
use family_api_core::resource::{
    Board, Column, Event, Note, NoteCategory, ShoppingItem, ShoppingList, Task, TaskFilter, Verb,
};
use family_api_core::storage::{Member, Record, Writable, Written};
use serde_json::{Value, json};

use crate::Subject;
use crate::fixture::calls::update;
use crate::fixture::{MemberView, board, category, list, seed_families_and};

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
pub(super) fn new_body<R: TestRecord>(subject: &dyn Subject) -> Value {
    without_lost_fields::<R>(subject, R::new_body())
}

/// Returns the body of an update, without the fields that the storage does not keep.
pub(super) fn update_body<R: TestRecord>(subject: &dyn Subject) -> Value {
    without_lost_fields::<R>(subject, R::update_body())
}

fn without_lost_fields<R: TestRecord>(subject: &dyn Subject, mut body: Value) -> Value {
    let capabilities = subject.storage().capabilities();
    body.as_object_mut().unwrap().retain(|name, _| capabilities.keeps_field(R::KIND, name));
    body
}

/// Runs a check for each kind of record on which the storage supports the operations.
macro_rules! for_each_kind {
    ($subject:ident, $verbs:expr, $check:ident) => {
        family_api_core::for_each_kind!(for_each_kind @ $subject, $verbs, $check,)
    };
    (@ $subject:ident, $verbs:expr, $check:ident, $($method:ident: $Record:ident,)*) => {
        $(if $crate::writes::kinds::supports::<family_api_core::resource::$Record>($subject, &$verbs) {
            $check::<family_api_core::resource::$Record>($subject).await;
        })*
    };
}

pub(super) use for_each_kind;

/// A kind of record with its test data.
pub(crate) trait TestRecord: Writable {
    /// The id of a record of `north` that ada and bob see. It contains no other records.
    const VISIBLE: &'static str;
    /// The ids of records that ada does not see.
    const INVISIBLE: &'static [&'static str];
    /// The list or board of new records.
    const CONTAINER: Option<&'static str> = None;
    /// The lists or boards that ada does not see.
    const INVISIBLE_CONTAINERS: &'static [&'static str] = &[];
    /// The field with the user who creates the record.
    const AUTHOR: Option<&'static str>;

    /// Returns the body of a creation with every field. A record with these fields is visible to bob.
    fn new_body() -> Value;

    /// Returns the body of an update.
    fn update_body() -> Value;

    /// Returns the records that a member sees. Their nested lists are empty.
    fn list(view: &MemberView<'_>) -> impl Future<Output = Vec<Self>> + Send;

    /// Returns a record if the member sees it.
    fn find(subject: &dyn Subject, member: Member, id: &str) -> impl Future<Output = Option<Self>> + Send {
        async move {
            let records = Self::list(&MemberView::of(member, subject)).await;
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
            "location": "Zürich", "recurrence": "FREQ=WEEKLY;COUNT=3", "assigneeId": "bob" })
    }

    fn update_body() -> Value {
        json!({ "title": "Changed", "location": null })
    }

    async fn list(view: &MemberView<'_>) -> Vec<Self> {
        view.events(&EventRange::default()).await
    }
}

impl TestRecord for ShoppingItem {
    const VISIBLE: &'static str = "milk";
    const INVISIBLE: &'static [&'static str] = &["gift", "bob-item", "south-item", "nowhere"];
    const CONTAINER: Option<&'static str> = Some("groceries");
    const INVISIBLE_CONTAINERS: &'static [&'static str] = &["bobs-list", "south-list", "nowhere", "no id"];
    const AUTHOR: Option<&'static str> = Some("addedById");

    fn new_body() -> Value {
        json!({ "name": "Brød 🍞", "quantity": "2", "category": "bakery", "checked": true })
    }

    fn update_body() -> Value {
        json!({ "name": "Changed", "checked": false })
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
    const CONTAINER: Option<&'static str> = Some("shared");
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

    async fn list(view: &MemberView<'_>) -> Vec<Self> {
        view.notes().await.into_iter().filter_map(|note| note.category).collect()
    }

    async fn find(subject: &dyn Subject, member: Member, id: &str) -> Option<Self> {
        match update::<Self>(subject, &member, id, &json!({})).await {
            Written::Existing(category) => Some(category),
            _ => None,
        }
    }
}
