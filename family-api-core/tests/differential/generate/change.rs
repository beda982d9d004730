//! Generates the bodies of valid updates of tasks and notes. Some of them are refused by the rules for the record.

use family_api_core::id::{CategoryId, ColumnId, UserId};
use family_api_core::resource::Priority;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::instant::{day, instant};
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
    let title = text().prop_filter("a title is not blank", |title| !title.trim().is_empty());
    let due_date = prop_oneof![instant().prop_map(|at| at.to_string()), day().prop_map(|day| day.to_string()),];
    body(vec![
        set("title", SET_PROBABILITY, title),
        set_or_clear("description", text()),
        set("priority", SET_PROBABILITY, select(&Priority::ALL[..])),
        set("completed", SET_PROBABILITY, any::<bool>()),
        set("columnId", 0.3, reference(columns)),
        set("order", SET_PROBABILITY, order()),
        set_or_clear("assigneeId", reference(users)),
        set_or_clear("dueDate", due_date),
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
        set("emoji", SET_PROBABILITY, text().prop_filter("an emoji is not empty", |emoji| !emoji.is_empty())),
        set("color", SET_PROBABILITY, "#[0-9a-fA-F]{6}"),
        set("tags", SET_PROBABILITY, labels_or_tags()),
    ])
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
