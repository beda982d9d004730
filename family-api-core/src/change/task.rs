//! What a PATCH may say of a task.

use jiff::civil::Date;

use crate::Timestamp;
use crate::calendar::{Zone, parse_date};
use crate::change::text::{boolean, reference, reference_or_blank, text, without_nul, words};
use crate::change::{Field, FieldFault, Json, Misfit, Reader, Reference};
use crate::id::{ColumnId, UserId};
use crate::resource::Priority;

const MAX_ORDER: i64 = 1_000_000;

/// The body of a task's PATCH: a change of fields, or a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskUpdate {
    /// Changes fields.
    Fields(TaskChange),
    /// Takes an exact place in a column; who stands there makes room.
    Move(TaskMove),
}

/// A change of a task: fields that are `None` or [`Field::Keep`] stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the contract's, section 6")]
pub struct TaskChange {
    pub title: Option<String>,
    pub description: Field<String>,
    pub priority: Option<Priority>,
    pub completed: Option<bool>,
    pub column: Option<Reference<ColumnId>>,
    pub order: Option<i64>,
    pub assignee: Field<Reference<UserId>>,
    pub due_date: Field<DueDate>,
    pub labels: Option<Vec<String>>,
    pub is_private: Option<bool>,
}

/// A task's new place.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the contract's, section 6")]
pub struct TaskMove {
    pub column: Reference<ColumnId>,
    pub order: i64,
}

/// When a task is due, as a caller says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DueDate {
    /// At an instant.
    At(Timestamp),
    /// At the start of a day in the time zone of the caller's profile.
    On(Date),
}

impl DueDate {
    /// The instant, for a caller in that zone.
    #[must_use]
    pub fn in_zone(self, zone: &Zone) -> Timestamp {
        match self {
            Self::At(at) => at,
            Self::On(date) => zone.start_of_day(date),
        }
    }
}

impl TaskUpdate {
    /// Reads the body of a task's PATCH; a body that names `type` is a move.
    ///
    /// # Errors
    /// Every fault of the body.
    pub fn from_body(body: Json) -> Result<Self, Vec<FieldFault>> {
        let fields = Reader::new(body)?;
        if fields.names("type") {
            TaskMove::read(fields).map(Self::Move)
        } else {
            TaskChange::read(fields).map(Self::Fields)
        }
    }

    /// Whether it names no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Fields(change) if *change == TaskChange::default())
    }

    /// The column that must be there, on a board the caller can see, for the update to be made.
    #[must_use]
    pub fn named_column(&self) -> Option<&ColumnId> {
        match self {
            Self::Fields(change) => change.column.as_ref()?.id(),
            Self::Move(to) => to.column.id(),
        }
    }

    /// The member of the family who must be there for the update to be made.
    #[must_use]
    pub fn named_assignee(&self) -> Option<&UserId> {
        match self {
            Self::Fields(TaskChange { assignee: Field::Set(reference), .. }) => reference.id(),
            _ => None,
        }
    }
}

impl TaskMove {
    fn read(mut fields: Reader) -> Result<Self, Vec<FieldFault>> {
        fields.required("type", |value| match value.as_str() {
            Some("move-task") => Ok(()),
            _ => Err("expected move-task".into()),
        });
        let column = fields.required("columnId", reference);
        let order = fields.required("order", order);
        let faults = fields.finish();
        match (column, order) {
            (Some(column), Some(order)) if faults.is_empty() => Ok(Self { column, order }),
            _ => Err(faults),
        }
    }
}

impl TaskChange {
    fn read(mut fields: Reader) -> Result<Self, Vec<FieldFault>> {
        let change = Self {
            title: fields.optional("title", title),
            description: fields.nullable("description", |value| {
                text(value, 0..=20_000, "expected a string of at most 20,000 characters or null")
            }),
            priority: fields.optional("priority", priority),
            completed: fields.optional("completed", boolean),
            column: fields.optional("columnId", reference),
            order: fields.optional("order", order),
            assignee: fields.nullable("assigneeId", reference_or_blank).blank_is_null(),
            due_date: fields.nullable("dueDate", due_date).blank_is_null(),
            labels: fields.optional("labels", words),
            is_private: fields.optional("isPrivate", boolean),
        };
        let faults = fields.finish();
        if faults.is_empty() { Ok(change) } else { Err(faults) }
    }
}

fn title(value: &Json) -> Result<String, Misfit> {
    const EXPECTED: &str = "expected a string of 1 to 500 characters, blanks around it not counted";
    let title = value.as_str().ok_or(EXPECTED)?;
    if !(1..=500).contains(&title.trim().chars().count()) {
        return Err(EXPECTED.into());
    }
    Ok(without_nul(title)?.to_owned())
}

fn priority(value: &Json) -> Result<Priority, Misfit> {
    Ok(value.as_str().and_then(|name| name.parse().ok()).ok_or("expected one of LOW, MEDIUM, HIGH, URGENT")?)
}

fn order(value: &Json) -> Result<i64, Misfit> {
    match value {
        Json::Integer(order) if (0..=MAX_ORDER).contains(order) => Ok(*order),
        _ => Err("expected an integer from 0 to 1,000,000".into()),
    }
}

fn due_date(value: &Json) -> Result<Option<DueDate>, Misfit> {
    const EXPECTED: &str = "expected an RFC 3339 instant, a YYYY-MM-DD date or null";
    let text = value.as_str().ok_or(EXPECTED)?;
    if text.is_empty() {
        return Ok(None);
    }
    let day = parse_date(text).map(DueDate::On);
    let due = day.or_else(|| text.parse().ok().map(DueDate::At));
    Ok(Some(due.ok_or(EXPECTED)?))
}
