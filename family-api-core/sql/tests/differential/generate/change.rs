//! Generates the bodies of valid creations and updates. Some of them are refused by the rules for the record.

use family_api_core::id::{CategoryId, ColumnId, ListId, UserId};
use family_api_core::resource::{Priority, RecordKind};
use proptest::collection::btree_set;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::instant::{day, instant, zone};
use super::text::{text, words};
use crate::step::Body;

/// The probability that a change sets a field. A low probability also generates changes that set no field.
const SET_PROBABILITY: f64 = 0.2;

/// A field of a body, with its values. `None` omits the field.
type Field = (&'static str, BoxedStrategy<Option<Value>>);

pub(super) fn task_update(
    columns: BoxedStrategy<ColumnId>,
    users: BoxedStrategy<UserId>,
) -> impl Strategy<Value = Body> {
    let to = vec![
        always("type", Just("move-task")),
        always("columnId", reference(columns.clone())),
        always("order", order()),
    ];
    prop_oneof![5 => task_change(columns, users), 2 => body(to)]
}

fn task_change(columns: BoxedStrategy<ColumnId>, users: BoxedStrategy<UserId>) -> impl Strategy<Value = Body> {
    let due_date = prop_oneof![instant().prop_map(|at| at.to_string()), day().prop_map(|day| day.to_string()),];
    body(vec![
        set("title", SET_PROBABILITY, title()),
        set_or_clear("description", text()),
        set("priority", SET_PROBABILITY, select(&Priority::ALL[..])),
        set("completed", SET_PROBABILITY, any::<bool>()),
        set("columnId", 0.3, reference(columns)),
        set("order", SET_PROBABILITY, order()),
        set_or_clear("assigneeId", reference(users)),
        set_or_clear("dueDate", due_date),
        set_or_clear("recurrence", select(&TASK_RECURRENCES[..]).prop_map(str::to_owned)),
        set("labels", SET_PROBABILITY, labels_or_tags()),
        set("isPrivate", 0.3, any::<bool>()),
    ])
}

pub(super) fn note_update(categories: BoxedStrategy<CategoryId>) -> impl Strategy<Value = Body> {
    body(vec![
        set("title", SET_PROBABILITY, text()),
        set("content", SET_PROBABILITY, text()),
        set("pinned", SET_PROBABILITY, any::<bool>()),
        set_or_clear("categoryId", reference(categories)),
        set("emoji", SET_PROBABILITY, emoji()),
        set("color", SET_PROBABILITY, "#[0-9a-fA-F]{6}"),
        set("tags", SET_PROBABILITY, labels_or_tags()),
    ])
}

/// Generates the body of a new task.
pub(super) fn new_task(columns: BoxedStrategy<ColumnId>, users: BoxedStrategy<UserId>) -> BoxedStrategy<Body> {
    with_field(task_change(columns, users).boxed(), "title", title())
}

/// Generates the body of a new note.
pub(super) fn new_note(categories: BoxedStrategy<CategoryId>) -> BoxedStrategy<Body> {
    with_field(note_update(categories).boxed(), "title", text())
}

/// Generates the body of a new event.
pub(super) fn new_event(users: BoxedStrategy<UserId>) -> BoxedStrategy<Body> {
    let event = with_field(event_fields(users), "title", title());
    (event, event_dates()).prop_map(|(event, dates)| merged(event, dates)).boxed()
}

/// Generates the body of a new board, column, list or category.
pub(super) fn new_container(kind: RecordKind) -> BoxedStrategy<Body> {
    let mut fields = container_fields(kind);
    if matches!(kind, RecordKind::Board | RecordKind::ShoppingList) {
        fields.push(set("isPrivate", 0.3, any::<bool>()));
    }
    with_field(body(fields), "name", title())
}

/// Generates an update of a board, column, list or category.
pub(super) fn container_update(kind: RecordKind) -> BoxedStrategy<Body> {
    body(container_fields(kind))
}

fn container_fields(kind: RecordKind) -> Vec<Field> {
    let mut fields = vec![set("name", SET_PROBABILITY, title()), set_or_clear("emoji", emoji())];
    if kind == RecordKind::Board {
        fields.push(set_or_clear("description", text()));
    }
    if kind == RecordKind::ShoppingList {
        fields.push(set("sortOrder", SET_PROBABILITY, order()));
    } else {
        fields.push(set_or_clear("color", "#[0-9a-fA-F]{6}"));
    }
    if matches!(kind, RecordKind::Board | RecordKind::Column) {
        fields.push(set("order", SET_PROBABILITY, order()));
    }
    fields
}

/// Generates the body of a new item.
pub(super) fn new_item() -> BoxedStrategy<Body> {
    with_field(body(item_fields()), "name", title())
}

pub(super) fn event_update(users: BoxedStrategy<UserId>) -> BoxedStrategy<Body> {
    let dates = prop_oneof![2 => Just(json!({})), 1 => event_dates()];
    (event_fields(users), dates).prop_map(|(event, dates)| merged(event, dates)).boxed()
}

pub(super) fn item_update(lists: BoxedStrategy<ListId>) -> BoxedStrategy<Body> {
    let mut fields = item_fields();
    fields.push(set("listId", 0.3, reference(lists)));
    body(fields)
}

fn item_fields() -> Vec<Field> {
    vec![
        set("name", SET_PROBABILITY, title()),
        set_or_clear("quantity", text()),
        set_or_clear("category", text()),
        set("checked", 0.5, any::<bool>()),
    ]
}

fn event_fields(users: BoxedStrategy<UserId>) -> BoxedStrategy<Body> {
    body(vec![
        set("title", SET_PROBABILITY, title()),
        set_or_clear("description", text()),
        set_or_clear("location", text()),
        set_or_clear("recurrence", select(&RECURRENCES[..]).prop_map(str::to_owned)),
        set_or_clear("assigneeId", reference(users.clone())),
        set("timeZone", SET_PROBABILITY, zone().prop_map(|zone| zone.as_str().to_owned())),
        set("participantIds", SET_PROBABILITY, btree_set(reference(users), 0..3)),
    ])
}

/// Generates a change of an occurrence.
pub(super) fn occurrence_change() -> BoxedStrategy<Body> {
    body(vec![
        set("title", SET_PROBABILITY, title()),
        set_or_clear("description", text()),
        set_or_clear("location", text()),
        set("startDate", SET_PROBABILITY, instant().prop_map(|at| at.to_string())),
        set("endDate", SET_PROBABILITY, instant().prop_map(|at| at.to_string())),
    ])
}

/// With and without a start. Some of them end soon.
const TASK_RECURRENCES: [&str; 5] = [
    "FREQ=DAILY",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR",
    "FREQ=MONTHLY;COUNT=2",
    "DTSTART;TZID=Europe/Kyiv:20261123T090000\nRRULE:FREQ=DAILY",
    "DTSTART;TZID=UTC:20261120T000000\nRRULE:FREQ=WEEKLY;COUNT=9",
];

const RECURRENCES: [&str; 2] = ["FREQ=DAILY", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR"];

/// Generates `startDate`, `endDate` and `allDay`. An all-day event has dates.
fn event_dates() -> BoxedStrategy<Body> {
    let dates = |is_all_day: bool, times: BoxedStrategy<String>| {
        (times.clone(), times)
            .prop_map(move |(start, end)| json!({ "startDate": start, "endDate": end, "allDay": is_all_day }))
    };
    let days = || day().prop_map(|day| day.to_string()).boxed();
    let times = prop_oneof![3 => instant().prop_map(|at| at.to_string()), 1 => days()].boxed();
    prop_oneof![dates(true, days()), dates(false, times)].boxed()
}

fn emoji() -> impl Strategy<Value = String> {
    text().prop_filter("an emoji is not empty", |emoji| !emoji.is_empty())
}

fn title() -> impl Strategy<Value = String> {
    text().prop_filter("a title is not blank", |title| !title.trim().is_empty())
}

/// Sets a field that every body has.
fn with_field(
    fields: BoxedStrategy<Body>,
    name: &'static str,
    value: impl Strategy<Value = String> + 'static,
) -> BoxedStrategy<Body> {
    let set = move |(mut body, value): (Body, String)| {
        body[name] = json!(value);
        body
    };
    (fields, value).prop_map(set).boxed()
}

/// Adds the members of the second object to the first.
fn merged(mut body: Body, more: Body) -> Body {
    if let (Value::Object(members), Value::Object(more)) = (&mut body, more) {
        members.extend(more);
    }
    body
}

fn body(fields: Vec<Field>) -> BoxedStrategy<Body> {
    let (names, values): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
    let member = |(name, value): (&&str, Option<Value>)| Some(((*name).to_owned(), value?));
    values.prop_map(move |values| names.iter().zip(values).filter_map(member).collect::<Map<_, _>>().into()).boxed()
}

fn always<T: Serialize + std::fmt::Debug + 'static>(
    name: &'static str,
    value: impl Strategy<Value = T> + 'static,
) -> Field {
    (name, value.prop_map(|value| Some(json!(value))).boxed())
}

fn set<T: Serialize + std::fmt::Debug + 'static>(
    name: &'static str,
    probability: f64,
    value: impl Strategy<Value = T> + 'static,
) -> Field {
    (name, weighted(probability, value.prop_map(|value| json!(value))).boxed())
}

fn set_or_clear(name: &'static str, text: impl Strategy<Value = String> + 'static) -> Field {
    let set = text.prop_map(|text| Some(json!(text)));
    (name, prop_oneof![5 => Just(None), 1 => Just(Some(Value::Null)), 2 => set].boxed())
}

/// Generates mostly an id, and otherwise a text that is not a valid id.
fn reference<I: ToString + std::fmt::Debug>(id: impl Strategy<Value = I>) -> impl Strategy<Value = String> {
    prop_oneof![15 => id.prop_map(|id| id.to_string()), 1 => Just("no id".to_owned())]
}

fn labels_or_tags() -> impl Strategy<Value = Vec<String>> {
    words().prop_map(|words| words.into_iter().filter(|word| !word.is_empty()).collect())
}

fn order() -> impl Strategy<Value = i64> {
    select(&[0, 0, 1, 2, 3, 1_000_000][..])
}
