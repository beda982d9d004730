//! Changes of a task, as a program says them.

use crate::change::{DueDate, Field, TaskChange, TaskMove, TaskUpdate};
use crate::id::{ColumnId, UserId};
use crate::resource::Priority;

impl TaskChange {
    /// A change of nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the task a title: 1–500 characters after trimming. It is stored trimmed.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }

    /// Gives the task a description of at most 20,000 characters.
    #[must_use]
    pub fn description(self, description: impl Into<String>) -> Self {
        Self { description: Field::Set(description.into()), ..self }
    }

    /// Takes the description away.
    #[must_use]
    pub fn clear_description(self) -> Self {
        Self { description: Field::Clear, ..self }
    }

    /// Makes the task as pressing as that.
    #[must_use]
    pub fn priority(self, priority: Priority) -> Self {
        Self { priority: Some(priority), ..self }
    }

    /// Marks the task as done.
    #[must_use]
    pub fn complete(self) -> Self {
        Self { completed: Some(true), ..self }
    }

    /// Marks the task as open again.
    #[must_use]
    pub fn reopen(self) -> Self {
        Self { completed: Some(false), ..self }
    }

    /// Puts the task into a column: at its end, unless [`order`](Self::order) says where.
    #[must_use]
    pub fn column(self, column: &ColumnId) -> Self {
        Self { column: Some(column.into()), ..self }
    }

    /// Gives the task an order, 0–1,000,000, and pushes no other task; [`TaskMove`] does.
    #[must_use]
    pub fn order(self, order: i64) -> Self {
        Self { order: Some(order), ..self }
    }

    /// Assigns the task to a member of the family.
    #[must_use]
    pub fn assignee(self, assignee: &UserId) -> Self {
        Self { assignee: Field::Set(assignee.into()), ..self }
    }

    /// Assigns the task to nobody.
    #[must_use]
    pub fn clear_assignee(self) -> Self {
        Self { assignee: Field::Clear, ..self }
    }

    /// Makes the task due at an instant, or on a day of the profile's time zone.
    #[must_use]
    pub fn due_date(self, due_date: impl Into<DueDate>) -> Self {
        Self { due_date: Field::Set(due_date.into()), ..self }
    }

    /// Makes the task due at no time.
    #[must_use]
    pub fn clear_due_date(self) -> Self {
        Self { due_date: Field::Clear, ..self }
    }

    /// Gives the task these labels instead of its own: at most 50, of 1–50 characters.
    #[must_use]
    pub fn labels<L: Into<String>>(self, labels: impl IntoIterator<Item = L>) -> Self {
        Self { labels: Some(labels.into_iter().map(Into::into).collect()), ..self }
    }

    /// Makes the task its creator's alone.
    #[must_use]
    pub fn make_private(self) -> Self {
        Self { is_private: Some(true), ..self }
    }

    /// Makes the task the whole family's.
    #[must_use]
    pub fn make_shared(self) -> Self {
        Self { is_private: Some(false), ..self }
    }
}

impl TaskMove {
    /// Takes that place, 0–1,000,000, in that column.
    #[must_use]
    pub fn new(column: &ColumnId, order: i64) -> Self {
        Self { column: column.into(), order }
    }
}

impl From<TaskChange> for TaskUpdate {
    fn from(change: TaskChange) -> Self {
        Self::Fields(change)
    }
}

impl From<TaskMove> for TaskUpdate {
    fn from(to: TaskMove) -> Self {
        Self::Move(to)
    }
}
