//! Rows, and the document built from them. `I` is the database's type for an instant, `L` its type for a list of texts.

use std::collections::HashMap;

use serde::Serialize;
use sqlx::FromRow;

#[derive(FromRow, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Board<I, L> {
    id: String,
    name: String,
    description: Option<String>,
    emoji: Option<String>,
    color: Option<String>,
    order: i64,
    is_private: bool,
    owner_user_id: Option<String>,
    created_at: I,
    updated_at: I,
    #[sqlx(skip)]
    columns: Vec<Column<I, L>>,
}

#[derive(FromRow, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Column<I, L> {
    id: String,
    board_id: String,
    name: String,
    emoji: Option<String>,
    color: Option<String>,
    order: i64,
    created_at: I,
    #[sqlx(skip)]
    tasks: Vec<Task<I, L>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Task<I, L> {
    id: String,
    column_id: String,
    title: String,
    description: Option<String>,
    priority: String,
    due_date: Option<I>,
    completed: bool,
    completed_at: Option<I>,
    order: i64,
    labels: L,
    is_private: bool,
    assignee_id: Option<String>,
    assignee: Option<Person>,
    creator_id: Option<String>,
    creator: Option<Person>,
    created_at: I,
    updated_at: I,
}

#[derive(Serialize)]
pub(super) struct Person {
    id: String,
    name: String,
    image: Option<String>,
    color: Option<String>,
    emoji: Option<String>,
}

/// A task with its users: `a_…` is the assignee, `c_…` the creator.
#[derive(FromRow)]
pub(super) struct TaskRow<I, L> {
    id: String,
    column_id: String,
    title: String,
    description: Option<String>,
    priority: String,
    due_date: Option<I>,
    completed_at: Option<I>,
    order: i64,
    labels: L,
    is_private: bool,
    assignee_id: Option<String>,
    a_id: Option<String>,
    a_name: Option<String>,
    a_image: Option<String>,
    a_color: Option<String>,
    a_emoji: Option<String>,
    creator_id: Option<String>,
    c_id: Option<String>,
    c_name: Option<String>,
    c_image: Option<String>,
    c_color: Option<String>,
    c_emoji: Option<String>,
    created_at: I,
    updated_at: I,
}

impl<I, L> From<TaskRow<I, L>> for Task<I, L> {
    fn from(row: TaskRow<I, L>) -> Self {
        let person = |id: Option<String>, name: Option<String>, image, color, emoji| {
            id.zip(name).map(|(id, name)| Person { id, name, image, color, emoji })
        };
        Self {
            id: row.id,
            column_id: row.column_id,
            title: row.title,
            description: row.description,
            priority: row.priority,
            due_date: row.due_date,
            completed: row.completed_at.is_some(),
            completed_at: row.completed_at,
            order: row.order,
            labels: row.labels,
            is_private: row.is_private,
            assignee_id: row.assignee_id,
            assignee: person(row.a_id, row.a_name, row.a_image, row.a_color, row.a_emoji),
            creator_id: row.creator_id,
            creator: person(row.c_id, row.c_name, row.c_image, row.c_color, row.c_emoji),
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

/// Groups tasks by column and columns by board. Keeps the order of the rows.
pub(super) fn assemble<I, L>(
    mut boards: Vec<Board<I, L>>,
    columns: Vec<Column<I, L>>,
    tasks: Vec<TaskRow<I, L>>,
) -> Vec<Board<I, L>> {
    let mut tasks_by_column: HashMap<String, Vec<Task<I, L>>> = HashMap::new();
    for task in tasks {
        tasks_by_column.entry(task.column_id.clone()).or_default().push(task.into());
    }
    let board_indexes: HashMap<String, usize> =
        boards.iter().enumerate().map(|(index, board)| (board.id.clone(), index)).collect();
    for mut column in columns {
        if let Some(index) = board_indexes.get(&column.board_id) {
            column.tasks = tasks_by_column.remove(&column.id).unwrap_or_default();
            boards[*index].columns.push(column);
        }
    }
    boards
}
