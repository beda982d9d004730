//! Boards, their columns, and the tasks in them.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::id::{BoardId, ColumnId, TaskId, UserId};
use crate::resource::Person;
use crate::timestamp::Timestamp;

/// A board with its columns. Boards are ordered by `order`, `createdAt`, `id`.
///
/// Only its owner sees a private board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Board {
    /// Identifier of the board.
    pub id: BoardId,
    /// Display name.
    pub name: String,
    /// Description; null if there is none.
    pub description: Option<String>,
    /// Display emoji; null if there is none.
    pub emoji: Option<String>,
    /// Display colour; null if there is none.
    pub color: Option<String>,
    /// Position among the boards of the family.
    pub order: i64,
    /// Whether only the owner sees the board.
    pub is_private: bool,
    /// The user who owns the board; null if the board has no owner.
    pub owner_user_id: Option<UserId>,
    /// When the board was created.
    pub created_at: Timestamp,
    /// When the board was last changed.
    pub updated_at: Timestamp,
    /// The columns, ordered by `order`, `id`.
    pub columns: Vec<Column>,
}

/// A column of a board with its tasks. Columns are ordered by `order`, `id`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Column {
    /// Identifier of the column.
    pub id: ColumnId,
    /// The board of the column.
    pub board_id: BoardId,
    /// Display name.
    pub name: String,
    /// Display emoji; null if there is none.
    pub emoji: Option<String>,
    /// Display colour; null if there is none.
    pub color: Option<String>,
    /// Position on the board.
    pub order: i64,
    /// When the column was created.
    pub created_at: Timestamp,
    /// The tasks that the query selects, ordered by `order`, `id`.
    pub tasks: Vec<Task>,
}

/// A task. The tasks of a column are ordered by `order`, `id`.
///
/// Only its creator sees a private task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Task {
    /// Identifier of the task.
    pub id: TaskId,
    /// The column of the task.
    pub column_id: ColumnId,
    /// Title.
    pub title: String,
    /// Description; null if there is none.
    pub description: Option<String>,
    /// How urgent the task is.
    pub priority: Priority,
    /// When the task is due; null if it has no due date. If the task recurs, when it is due next.
    pub due_date: Option<Timestamp>,
    /// By which rule the task recurs: the lines DTSTART and RRULE (RFC 5545); null if it does not.
    pub recurrence: Option<String>,
    /// Whether the task is completed.
    pub completed: bool,
    /// When the task was completed; null while it is open.
    pub completed_at: Option<Timestamp>,
    /// When the task was last completed while it recurred; null if never.
    pub last_completed_at: Option<Timestamp>,
    /// Position in the column.
    pub order: i64,
    /// Labels, in the order in which they were given.
    pub labels: Vec<String>,
    /// Whether only the creator sees the task.
    pub is_private: bool,
    /// The user that the task is assigned to; null if it is unassigned.
    pub assignee_id: Option<UserId>,
    /// The assignee; null if unassigned, or if the user is no longer in the family.
    pub assignee: Option<Person>,
    /// The user who created the task; null if unknown.
    pub creator_id: Option<UserId>,
    /// The creator; null if unknown, or if the user is no longer in the family.
    pub creator: Option<Person>,
    /// When the task was created.
    pub created_at: Timestamp,
    /// When the task was last changed. If the move of another task changes `order`, this time does not change.
    pub updated_at: Timestamp,
    /// How often the task was changed since its creation, up to 2,147,483,647: the SEQUENCE (RFC 5545) of the task in a
    /// calendar. If the move of another task changes `order`, it does not change.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(required, range(max = crate::change::MAX_SEQUENCE)))]
    pub sequence: u32,
}

impl Board {
    /// Returns the board that contains all tasks of a family whose app has no boards.
    #[must_use]
    pub fn only(tasks: Vec<Task>) -> Self {
        Self {
            id: BoardId::only(),
            name: "Tasks".to_owned(),
            description: None,
            emoji: None,
            color: None,
            order: 0,
            is_private: false,
            owner_user_id: None,
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
            columns: vec![Column::only(tasks)],
        }
    }
}

impl Column {
    /// Returns the column that contains all tasks of a family whose app has no columns. It is on [`Board::only`].
    #[must_use]
    pub fn only(tasks: Vec<Task>) -> Self {
        Self {
            id: ColumnId::only(),
            board_id: BoardId::only(),
            name: "Tasks".to_owned(),
            emoji: None,
            color: None,
            order: 0,
            created_at: Timestamp::UNIX_EPOCH,
            tasks,
        }
    }
}

impl Task {
    /// Creates a shared, open task in [`Column::only`], with the priority [`Medium`](Priority::Medium) and no other
    /// field. It was last changed when it was created.
    ///
    /// ```
    /// use family_api_types::resource::Task;
    ///
    /// let task = Task::new("t1".parse()?, "Buy milk", "2026-11-20T12:00:00Z".parse()?);
    /// let done = Task { completed: true, ..task };
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(id: TaskId, title: impl Into<String>, created_at: Timestamp) -> Self {
        Self {
            id,
            column_id: ColumnId::only(),
            title: title.into(),
            description: None,
            priority: Priority::Medium,
            due_date: None,
            recurrence: None,
            completed: false,
            completed_at: None,
            last_completed_at: None,
            order: 0,
            labels: Vec::new(),
            is_private: false,
            assignee_id: None,
            assignee: None,
            creator_id: None,
            creator: None,
            created_at,
            updated_at: created_at,
            sequence: 0,
        }
    }

    /// Returns the rule by which the task recurs: its `recurrence` without the line `DTSTART`.
    ///
    /// ```
    /// use family_api_types::resource::Task;
    ///
    /// let mut task = Task::new("t".parse()?, "Bins", "2026-11-20T12:00:00Z".parse()?);
    /// task.recurrence = Some("DTSTART;TZID=Europe/Kyiv:20261207T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO".to_owned());
    /// assert_eq!(task.rule(), Some("FREQ=WEEKLY;BYDAY=MO"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rule(&self) -> Option<&str> {
        let recurrence = self.recurrence.as_deref()?;
        let lines = recurrence.split_once('\n').filter(|(start, _)| start.starts_with("DTSTART"));
        let lines = lines.map_or(recurrence, |(_, lines)| lines);
        Some(lines.strip_prefix("RRULE:").unwrap_or(lines))
    }
}

/// How urgent a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
#[non_exhaustive]
pub enum Priority {
    /// `LOW`
    Low,
    /// `MEDIUM`
    Medium,
    /// `HIGH`
    High,
    /// `URGENT`
    Urgent,
}

impl Priority {
    /// Every priority, the lowest first.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Urgent];

    /// Returns the name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "LOW",
            Self::Medium => "MEDIUM",
            Self::High => "HIGH",
            Self::Urgent => "URGENT",
        }
    }
}

/// The text is not the name of a priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected LOW, MEDIUM, HIGH or URGENT")]
pub struct UnknownPriority;

impl FromStr for Priority {
    type Err = UnknownPriority;

    fn from_str(name: &str) -> Result<Self, UnknownPriority> {
        Self::ALL.into_iter().find(|priority| priority.as_str() == name).ok_or(UnknownPriority)
    }
}
