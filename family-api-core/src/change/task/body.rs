//! The fields of the body of a task's PATCH request, and the rules that depend only on the body.

use std::ops::RangeInclusive;

use serde_json::{Value, json};

use crate::change::task::Kind;
use crate::change::{TaskChange, TaskMove, TaskUpdate};
use crate::resource::Priority;
use crate::validation::body_fields::{BodyFields, BodySchema};
use crate::validation::rules::{BOOLEAN, LABELS_OR_TAGS, TextRule, ValueRule, reference, reference_or_empty};
use crate::validation::{BodyReader, Faults, Json};

/// The rule for a title. The trimmed title is checked, because the title is stored trimmed.
const TITLE: ValueRule<String> = ValueRule {
    read: |value| {
        let title = value.as_str().ok_or(TRIMMED_TITLE.expected)?;
        TRIMMED_TITLE.check(title.trim())?;
        Ok(title.to_owned())
    },
    schema: || json!({ "type": "string", "pattern": "\\S" }),
};
const TRIMMED_TITLE: TextRule =
    TextRule { length: 1..=500, expected: "expected a string of 1 to 500 characters after trimming" };
const DESCRIPTION: TextRule =
    TextRule { length: 0..=20_000, expected: "expected a string of at most 20,000 characters or null" };
const PRIORITY: ValueRule<Priority> = ValueRule {
    read: |value| {
        Ok(value.as_str().and_then(|name| name.parse().ok()).ok_or("expected one of LOW, MEDIUM, HIGH, URGENT")?)
    },
    schema: || json!({ "type": "string", "enum": Priority::ALL.map(Priority::as_str) }),
};
const ORDERS: RangeInclusive<i64> = 0..=1_000_000;
const ORDER: ValueRule<i64> = ValueRule {
    read: |value| match value {
        Json::Integer(order) if ORDERS.contains(order) => Ok(*order),
        _ => Err("expected an integer from 0 to 1,000,000".into()),
    },
    schema: || json!({ "type": "integer", "minimum": ORDERS.start(), "maximum": ORDERS.end() }),
};
const MOVE_TYPE: ValueRule<()> = ValueRule {
    read: |value| match value.as_str() {
        Some("move-task") => Ok(()),
        _ => Err("expected move-task".into()),
    },
    schema: || json!({ "const": "move-task" }),
};

impl TaskUpdate {
    /// Parses the body of a task's PATCH request. A body with the member `type` is a move.
    ///
    /// # Errors
    /// The faults of the body.
    pub fn from_body(body: Json) -> Result<Self, Faults> {
        let reader = BodyReader::new(body)?;
        let kind = if reader.has_member("type") {
            Kind::Move(reader.read(TaskMove::declare)?)
        } else {
            Kind::Fields(reader.read(|fields| Some(TaskChange::declare(fields)))?)
        };
        Ok(Self(kind))
    }

    /// Returns the JSON schema of the body.
    #[must_use]
    pub fn schema() -> Value {
        let fields = BodySchema::of(
            "Changes the fields that are present. Other fields keep their values.",
            TaskChange::declare::<BodySchema>,
        );
        let to = BodySchema::of(
            "Moves the task to a position in a column. If another task has this position, the `order` of that task \
             and of all later tasks is increased by 1.",
            TaskMove::declare::<BodySchema>,
        );
        json!({ "oneOf": [fields, to] })
    }
}

impl TaskChange {
    /// Checks the change.
    ///
    /// # Errors
    /// The faults of the values.
    pub fn build(&self) -> Result<TaskUpdate, Faults> {
        TaskUpdate::from_body(Json::of(self))
    }

    fn declare<F: BodyFields>(fields: &mut F) -> Self {
        Self {
            title: fields.optional(
                "title",
                TITLE,
                "The title, 1 to 500 characters after trimming. It is stored trimmed.",
            ),
            description: fields.nullable("description", DESCRIPTION, "The text below the title. Null removes it."),
            priority: fields.optional("priority", PRIORITY, "The priority of the task."),
            completed: fields.optional(
                "completed",
                BOOLEAN,
                "Whether the task is done. Changing it to true sets `completedAt` to the current time, and false \
                 clears `completedAt`.",
            ),
            column: fields.optional(
                "columnId",
                reference(),
                "The column, on a board that is visible to the caller. Without `order`, the task moves to the end of \
                 the column.",
            ),
            order: fields.optional("order", ORDER, "The position in the column. Other tasks are not moved."),
            assignee: fields
                .nullable(
                    "assigneeId",
                    reference_or_empty(),
                    "The member of the family who does the task. Null or an empty string removes the assignee.",
                )
                .empty_as_clear(),
            due_date: fields
                .nullable(
                    "dueDate",
                    super::due_date::RULE,
                    "The due time: an RFC 3339 instant, or a date, which means the start of that day in the profile's \
                     time zone. Null or an empty string removes the due time.",
                )
                .empty_as_clear(),
            labels: fields.optional(
                "labels",
                LABELS_OR_TAGS,
                "The labels of the task. The list replaces the stored list.",
            ),
            is_private: fields.optional("isPrivate", BOOLEAN, "If true, only the task's creator can see the task."),
        }
    }
}

impl TaskMove {
    /// Checks the move.
    ///
    /// # Errors
    /// The faults of the values.
    pub fn build(&self) -> Result<TaskUpdate, Faults> {
        TaskUpdate::from_body(Json::of(self))
    }

    fn declare<F: BodyFields>(fields: &mut F) -> Option<Self> {
        fields.required("type", MOVE_TYPE, "Marks the body as a move.");
        let column = fields.required("columnId", reference(), "The column, on a board that is visible to the caller.");
        let order = fields.required("order", ORDER, "The new position in the column.");
        Some(Self { column: column?, order: order? })
    }
}
