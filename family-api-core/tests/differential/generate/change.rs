//! Changes of tasks and notes, whether the record allows them or not.

use family_api_core::change::{DueDate, Field, NoteChange, Reference, TaskChange, TaskMove, TaskUpdate};
use family_api_core::id::{CategoryId, ColumnId, UserId};
use family_api_core::resource::Priority;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;

use super::instant::{day, instant};
use super::text::{text, words};

/// A field is left out more often than not, so that some changes name none.
const NAMED: f64 = 0.2;

pub(super) fn task_update(
    columns: BoxedStrategy<ColumnId>,
    users: BoxedStrategy<UserId>,
) -> impl Strategy<Value = TaskUpdate> {
    prop_oneof![
        5 => task_change(columns.clone(), users).prop_map(TaskUpdate::Fields),
        2 => (reference(columns), place()).prop_map(|(column, order)| TaskUpdate::Move(TaskMove { column, order })),
    ]
}

fn task_change(columns: BoxedStrategy<ColumnId>, users: BoxedStrategy<UserId>) -> impl Strategy<Value = TaskChange> {
    let due = prop_oneof![instant().prop_map(DueDate::At), day().prop_map(DueDate::On)];
    let texts = (weighted(NAMED, text()), field(text()), weighted(NAMED, words()));
    let places = (weighted(0.3, reference(columns)), weighted(NAMED, place()));
    let people = (field(reference(users)), weighted(0.3, any::<bool>()));
    let state = (weighted(NAMED, select(&Priority::ALL[..])), weighted(NAMED, any::<bool>()), field(due));
    (texts, places, people, state).prop_map(|(texts, (column, order), (assignee, is_private), state)| {
        let (title, description, labels) = texts;
        let (priority, completed, due_date) = state;
        let mut change = TaskChange::new();
        (change.title, change.description, change.labels) = (title, description, labels);
        (change.column, change.order, change.assignee) = (column, order, assignee);
        (change.priority, change.completed, change.due_date) = (priority, completed, due_date);
        change.is_private = is_private;
        change
    })
}

pub(super) fn note_change(categories: BoxedStrategy<CategoryId>) -> impl Strategy<Value = NoteChange> {
    let texts = (weighted(NAMED, text()), weighted(NAMED, text()), weighted(NAMED, words()));
    let looks = (weighted(NAMED, text()), weighted(NAMED, text()), weighted(NAMED, any::<bool>()));
    (texts, looks, field(reference(categories))).prop_map(|(texts, (emoji, color, pinned), category)| {
        let (title, content, tags) = texts;
        let mut change = NoteChange::new();
        (change.title, change.content, change.tags) = (title, content, tags);
        (change.emoji, change.color, change.pinned) = (emoji, color, pinned);
        change.category = category;
        change
    })
}

fn field<T: std::fmt::Debug + Clone + 'static>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Field<T>> {
    prop_oneof![5 => Just(Field::Keep), 1 => Just(Field::Clear), 2 => value.prop_map(Field::Set)]
}

/// What is no id names nothing.
fn reference<I: std::fmt::Debug + Clone + 'static>(
    id: impl Strategy<Value = I>,
) -> impl Strategy<Value = Reference<I>> {
    prop_oneof![15 => id.prop_map(Reference::To), 1 => Just(Reference::Nothing)]
}

fn place() -> impl Strategy<Value = i64> {
    select(&[0, 0, 1, 2, 3, 1_000_000][..])
}
