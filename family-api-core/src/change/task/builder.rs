//! Builds changes of a task in code.

use crate::change::{DueDate, TaskChange, TaskMove};
use crate::id::{ColumnId, UserId};
use crate::resource::Priority;
use crate::validation::Field;

impl TaskChange {
    /// Creates a change without any field.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the title: 1–500 characters after trimming. It is stored trimmed.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }

    /// Sets the description: at most 20,000 characters.
    #[must_use]
    pub fn description(self, description: impl Into<String>) -> Self {
        Self { description: Field::Set(description.into()), ..self }
    }

    /// Removes the description.
    #[must_use]
    pub fn clear_description(self) -> Self {
        Self { description: Field::Clear, ..self }
    }

    /// Sets the priority.
    #[must_use]
    pub fn priority(self, priority: Priority) -> Self {
        Self { priority: Some(priority), ..self }
    }

    /// Marks the task as completed.
    #[must_use]
    pub fn complete(self) -> Self {
        Self { completed: Some(true), ..self }
    }

    /// Marks the task as open again.
    #[must_use]
    pub fn reopen(self) -> Self {
        Self { completed: Some(false), ..self }
    }

    /// Moves the task to a column. It goes to the end of the column unless [`order`](Self::order) is set.
    #[must_use]
    pub fn column(self, column: &ColumnId) -> Self {
        Self { column: Some(column.into()), ..self }
    }

    /// Sets the position: 0–1,000,000. Other tasks keep their positions, unlike with [`TaskMove`].
    #[must_use]
    pub fn order(self, order: i64) -> Self {
        Self { order: Some(order), ..self }
    }

    /// Assigns the task to a member of the family.
    #[must_use]
    pub fn assignee(self, assignee: &UserId) -> Self {
        Self { assignee: Field::Set(assignee.into()), ..self }
    }

    /// Unassigns the task.
    #[must_use]
    pub fn clear_assignee(self) -> Self {
        Self { assignee: Field::Clear, ..self }
    }

    /// Sets the due date: an instant, or a day in the profile's time zone.
    #[must_use]
    pub fn due_date(self, due_date: impl Into<DueDate>) -> Self {
        Self { due_date: Field::Set(due_date.into()), ..self }
    }

    /// Removes the due date.
    #[must_use]
    pub fn clear_due_date(self) -> Self {
        Self { due_date: Field::Clear, ..self }
    }

    /// Replaces the labels: at most 50, of 1–50 characters each.
    #[must_use]
    pub fn labels<L: Into<String>>(self, labels: impl IntoIterator<Item = L>) -> Self {
        Self { labels: Some(labels.into_iter().map(Into::into).collect()), ..self }
    }

    /// Makes the task private, so that only its creator sees it.
    #[must_use]
    pub fn make_private(self) -> Self {
        Self { is_private: Some(true), ..self }
    }

    /// Shares the task with the whole family.
    #[must_use]
    pub fn make_shared(self) -> Self {
        Self { is_private: Some(false), ..self }
    }
}

impl TaskMove {
    /// Moves a task to a position, 0–1,000,000, in a column.
    #[must_use]
    pub fn new(column: &ColumnId, order: i64) -> Self {
        Self { column: column.into(), order }
    }
}
