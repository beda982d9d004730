//! Updates of a task: changes of fields, and moves.

use jiff::SignedDuration;
use serde::Serialize;
use serde_json::{Value, json};

use crate::change::fields::BodyKind;
use crate::change::{New, TaskChange};
use crate::id::{ColumnId, UserId};
use crate::validation::body_fields::{BodyFields, BodySchema, Rule};
use crate::validation::rules::{ORDER, ValueRule, reference};
use crate::validation::{BodyReader, Faults, Field, Json, Reference};

const MOVE_TYPE: ValueRule<()> = ValueRule {
    read: |value| match value.as_str() {
        Some("move-task") => Ok(()),
        _ => Err("expected move-task".into()),
    },
    schema: || json!({ "const": "move-task" }),
};

/// A valid update of a task: a change of fields, or a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct TaskUpdate(pub(in crate::change) Kind);

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(in crate::change) enum Kind {
    Fields(TaskChange),
    Move(TaskMove),
    Completion(Completion),
}

/// A completion without effect if it is probably the repetition of another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(in crate::change) struct Completion {
    completed: bool,
    #[serde(skip)]
    pub(super) within: SignedDuration,
}

/// A move of a task to an exact position in a column. If another task has this position, that task and the tasks after
/// it get higher positions, as far as the first free one (HTTP reference, "Moving a task").
///
/// The position is not checked before [`build`](Self::build).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "move-task")]
pub struct TaskMove {
    #[serde(rename = "columnId")]
    pub(crate) column: Reference<ColumnId>,
    pub(crate) order: i64,
}

impl TaskMove {
    /// Moves a task to a position, 0–1,000,000, in a column.
    #[must_use]
    pub fn new(column: &ColumnId, order: i64) -> Self {
        Self { column: column.into(), order }
    }

    /// Checks the move.
    ///
    /// # Errors
    /// The faults of the values.
    pub fn build(&self) -> Result<TaskUpdate, Faults> {
        let mut faults = Faults::default();
        match faults.accept("order", ORDER.read(&Json::Integer(self.order))) {
            Some(order) => Ok(TaskUpdate(Kind::Move(Self { order, ..self.clone() }))),
            None => Err(faults),
        }
    }

    fn declare<F: BodyFields>(fields: &mut F) -> Option<Self> {
        fields.required("type", MOVE_TYPE, "Marks the body as a move.");
        let column = fields.required("columnId", reference(), "The column, on a board that is visible to the caller.");
        let order = fields.required("order", ORDER, "The new position in the column.");
        Some(Self { column: column?, order: order? })
    }
}

impl TaskUpdate {
    /// Moves a task to the end of a column.
    #[must_use]
    pub fn to_column(column: Reference<ColumnId>) -> Self {
        Self(Kind::Fields(TaskChange { column: Some(column), ..TaskChange::new() }))
    }

    /// Moves a task to a position in a column, like [`TaskMove`].
    ///
    /// # Errors
    /// The faults of the values.
    pub fn to_position(column: Reference<ColumnId>, order: i64) -> Result<Self, Faults> {
        TaskMove { column, order }.build()
    }

    /// Marks a task as completed, or as open again.
    #[must_use]
    pub fn completed(completed: bool) -> Self {
        Self(Kind::Fields(TaskChange { completed: Some(completed), ..TaskChange::new() }))
    }

    /// Marks a task as completed. If it recurs, was completed within this time, and is due later than now, the request is
    /// probably the repetition of one whose response was lost: the task stays as it is.
    #[must_use]
    pub fn completed_unless_repeated(within: SignedDuration) -> Self {
        Self(Kind::Completion(Completion { completed: true, within }))
    }

    /// Returns the column that must exist for the update, on a board that the caller sees.
    #[must_use]
    pub fn named_column(&self) -> Option<&ColumnId> {
        match &self.0 {
            Kind::Fields(change) => change.column.as_ref()?.id(),
            Kind::Move(to) => to.column.id(),
            Kind::Completion(_) => None,
        }
    }

    /// Returns the user that must be a member of the family for the update.
    #[must_use]
    pub fn named_assignee(&self) -> Option<&UserId> {
        match &self.0 {
            Kind::Fields(TaskChange { assignee: Field::Set(reference), .. }) => reference.id(),
            _ => None,
        }
    }

    /// Parses the body of a PATCH request. A body with the member `type` is a move.
    pub(super) fn read(body: Json) -> Result<Self, Faults> {
        let reader = BodyReader::new(body)?;
        if reader.has_field("type") {
            reader.read(TaskMove::declare).map(|to| Self(Kind::Move(to)))
        } else {
            TaskChange::read(BodyKind::Update, reader).map(|change| Self(Kind::Fields(change)))
        }
    }

    /// Parses the body of a POST request.
    pub(super) fn read_new(body: Json) -> Result<New<Self>, Faults> {
        TaskChange::read_new(None, body).map(|change| New(Self(Kind::Fields(change))))
    }

    /// Returns the JSON schema of the body of a PATCH request.
    pub(super) fn schema() -> Value {
        let mut fields = TaskChange::schema(BodyKind::Update);
        fields["title"] = json!("TaskFields");
        let mut to = BodySchema::of(
            "Moves the task to a position in a column. If another task has this position, that task and the tasks \
             after it get a higher `order`, as far as the first free one.",
            Value::Null,
            TaskMove::declare::<BodySchema>,
        );
        to["title"] = json!("TaskMove");
        json!({ "example": fields["example"], "oneOf": [fields, to] })
    }

    pub(super) fn is_empty(&self) -> bool {
        matches!(&self.0, Kind::Fields(change) if change.is_empty())
    }
}

impl New<TaskUpdate> {
    /// Puts a new task into a column, if its fields do not name one.
    #[must_use]
    pub fn or_in_column(mut self, column: Reference<ColumnId>) -> Self {
        if let Kind::Fields(change) = &mut self.0.0 {
            change.column.get_or_insert(column);
        }
        self
    }
}
