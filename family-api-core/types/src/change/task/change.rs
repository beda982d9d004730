//! The fields of a task's bodies.

use serde_json::json;

use crate::change::date_or_instant::DATE_OR_INSTANT_OR_EMPTY;
use crate::change::fields::change;
use crate::change::task::schedule::TASK_RECURRENCE;
use crate::change::{DateOrInstant, TaskUpdate};
use crate::id::{ColumnId, UserId};
use crate::resource::{Priority, Task};
use crate::validation::Reference;
use crate::validation::rules::{
    BOOLEAN, DESCRIPTION, LABELS_OR_TAGS, ORDER, TITLE, ValueRule, reference, reference_or_empty,
};

const PRIORITY: ValueRule<Priority> = ValueRule {
    read: |value| {
        Ok(value.as_str().and_then(|name| name.parse().ok()).ok_or("expected one of LOW, MEDIUM, HIGH, URGENT")?)
    },
    schema: || json!({ "type": "string", "enum": Priority::ALL.map(Priority::as_str) }),
};

change! {
    /// A change of a task. The methods set or clear single fields. All other fields keep their values.
    ///
    /// ```
    /// use family_api_types::change::TaskChange;
    ///
    /// let change = TaskChange::new().title("Buy milk").clear_due_date();
    /// assert_eq!(serde_json::to_string(&change)?, r#"{"title":"Buy milk","dueDate":null}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    TaskChange => TaskUpdate of Task {
        required title: String = "title", TITLE,
            "The title, 1 to 500 characters after trimming. It is stored trimmed.",
        {
            /// Sets the title: 1–500 characters after trimming. It is stored trimmed.
            set title(impl Into<String>);
        }
        nullable description: String = "description", DESCRIPTION,
            "The text below the title. Null removes it.",
        {
            /// Sets the description: at most 20,000 characters.
            set description(impl Into<String>);
            /// Removes the description.
            clear clear_description;
        }
        optional priority: Priority = "priority", PRIORITY,
            "The priority of the task. Default of a new task: MEDIUM.",
        {
            /// Sets the priority.
            set priority(Priority);
        }
        optional completed: bool = "completed", BOOLEAN,
            "Whether the task is done. Changing it to true sets `completedAt` to the current time, and false clears \
             `completedAt`. A task that recurs stays open and is due again.",
        {
            /// Marks the task as completed. If it recurs, it stays open and is due again.
            flag complete = true;
            /// Marks the task as open again.
            flag reopen = false;
        }
        optional column: Reference<ColumnId> = "columnId", reference(),
            "The column, on a board that is visible to the caller. Without `order`, the task moves to the end of the \
             column. Default of a new task: the first column that the caller sees.",
        {
            /// Moves the task to a column. It goes to the end of the column unless [`order`](Self::order) is set.
            set column(&ColumnId);
        }
        optional order: i64 = "order", ORDER,
            "The position in the column. Other tasks are not moved.",
        {
            /// Sets the position: 0–1,000,000. Other tasks keep their positions, unlike with
            /// [`TaskMove`](crate::change::TaskMove).
            set order(i64);
        }
        clearable assignee: Reference<UserId> = "assigneeId", reference_or_empty(),
            "The member of the family who does the task. Null or an empty string removes the assignee.",
        {
            /// Assigns the task to a member of the family.
            set assignee(&UserId);
            /// Unassigns the task.
            clear clear_assignee;
        }
        clearable due_date: DateOrInstant = "dueDate", DATE_OR_INSTANT_OR_EMPTY,
            "The due time: an RFC 3339 instant, a local time (`2026-12-24T18:00`) in the profile's time zone, or a \
             date, which means the start of that day in this zone. Null or an empty string removes the due time.",
        {
            /// Sets the due date: an instant, or a local time or a day in the profile's time zone.
            set due_date(impl Into<DateOrInstant>);
            /// Removes the due date. A task that recurs must lose its [recurrence](Self::clear_recurrence) too.
            clear clear_due_date;
        }
        nullable recurrence: String = "recurrence", TASK_RECURRENCE,
            "By which rule the task is due again: the value of an RRULE (RFC 5545), or the lines DTSTART and RRULE that \
             a read returns. `dueDate` becomes the first occurrence. Null removes it.",
        {
            /// Sets the recurrence: the value of an RRULE (RFC 5545), such as `FREQ=WEEKLY;BYDAY=MO`. It starts at the
            /// due date, or today.
            set recurrence(impl Into<String>);
            /// Removes the recurrence.
            clear clear_recurrence;
        }
        optional labels: Vec<String> = "labels", LABELS_OR_TAGS,
            "The labels of the task. The list replaces the stored list.",
        {
            /// Replaces the labels: at most 50, of 1–50 characters each.
            list labels;
        }
        optional is_private: bool = "isPrivate", BOOLEAN,
            "If true, only the task's creator can see the task.",
        {
            /// Makes the task private, so that only its creator sees it.
            flag make_private = true;
            /// Shares the task with the whole family.
            flag make_shared = false;
        }
    }
    example {
        "title": "Buy milk",
        "description": "Two litres, from the market.",
        "priority": "MEDIUM",
        "completed": false,
        "order": 0,
        "dueDate": "2026-12-24",
        "recurrence": "FREQ=WEEKLY;BYDAY=TH",
        "labels": ["errand"],
        "isPrivate": false,
    }
}
