//! Parses the body of a task's PATCH request, and checks the rules that depend only on the body.

use std::ops::RangeInclusive;

use crate::change::text::{TextRule, boolean, check_words, read_words, reference, reference_or_blank};
use crate::change::{BodyReader, DueDate, Faults, FieldErrors, Json, TaskChange, TaskMove, TaskUpdate};
use crate::resource::Priority;

const TITLE: TextRule =
    TextRule { length: 1..=500, expected: "expected a string of 1 to 500 characters after trimming" };
const DESCRIPTION: TextRule =
    TextRule { length: 0..=20_000, expected: "expected a string of at most 20,000 characters or null" };
const ORDER: RangeInclusive<i64> = 0..=1_000_000;

impl TaskUpdate {
    /// Parses the body of a task's PATCH request. A body with the member `type` is a move.
    ///
    /// # Errors
    /// The faults of the body.
    pub fn from_body(body: Json) -> Result<Self, Faults> {
        let fields = BodyReader::new(body)?;
        if fields.names("type") {
            TaskMove::read(fields).map(Self::Move)
        } else {
            TaskChange::read(fields).map(Self::Fields)
        }
    }

    /// Checks the values by the rules of [`from_body`](Self::from_body).
    ///
    /// # Errors
    /// The faults of the values.
    pub fn check(&self) -> Result<(), Faults> {
        match self {
            Self::Fields(change) => change.check(),
            Self::Move(to) => to.check(),
        }
    }
}

impl TaskMove {
    fn read(mut fields: BodyReader) -> Result<Self, Faults> {
        fields.required("type", |value| match value.as_str() {
            Some("move-task") => Ok(()),
            _ => Err("expected move-task".into()),
        });
        let column = fields.required("columnId", reference);
        let order = fields.required("order", read_order);
        let faults = fields.finish();
        match (column, order) {
            (Some(column), Some(order)) if faults.is_empty() => Ok(Self { column, order }),
            _ => Err(faults),
        }
    }

    fn check(&self) -> Result<(), Faults> {
        let mut faults = Faults::default();
        faults.check("order", Some(check_order(self.order)));
        faults.into_result()
    }
}

impl TaskChange {
    fn read(mut fields: BodyReader) -> Result<Self, Faults> {
        let change = Self {
            title: fields.optional("title", read_title),
            description: fields.nullable("description", |value| DESCRIPTION.read(value)),
            priority: fields.optional("priority", priority),
            completed: fields.optional("completed", boolean),
            column: fields.optional("columnId", reference),
            order: fields.optional("order", read_order),
            assignee: fields.nullable("assigneeId", reference_or_blank).blank_is_null(),
            due_date: fields.nullable("dueDate", DueDate::read).blank_is_null(),
            labels: fields.optional("labels", read_words),
            is_private: fields.optional("isPrivate", boolean),
        };
        let faults = fields.finish();
        if faults.is_empty() { Ok(change) } else { Err(faults) }
    }

    fn check(&self) -> Result<(), Faults> {
        let mut faults = Faults::default();
        faults.check("title", self.title.as_deref().map(check_title));
        faults.check("description", self.description.as_set().map(|text| DESCRIPTION.check(text)));
        faults.check("order", self.order.map(check_order));
        faults.check("dueDate", self.due_date.as_set().map(|due| due.check()));
        faults.check("labels", self.labels.as_deref().map(check_words));
        faults.into_result()
    }
}

fn read_title(value: &Json) -> Result<String, FieldErrors> {
    let title = value.as_str().ok_or(TITLE.expected)?;
    check_title(title)?;
    Ok(title.to_owned())
}

/// Checks the trimmed title, because the title is stored trimmed.
fn check_title(title: &str) -> Result<(), &'static str> {
    TITLE.check(title.trim())
}

fn priority(value: &Json) -> Result<Priority, FieldErrors> {
    Ok(value.as_str().and_then(|name| name.parse().ok()).ok_or("expected one of LOW, MEDIUM, HIGH, URGENT")?)
}

fn read_order(value: &Json) -> Result<i64, FieldErrors> {
    let order = if let Json::Integer(order) = value { *order } else { -1 };
    check_order(order)?;
    Ok(order)
}

fn check_order(order: i64) -> Result<(), &'static str> {
    if ORDER.contains(&order) { Ok(()) } else { Err("expected an integer from 0 to 1,000,000") }
}
