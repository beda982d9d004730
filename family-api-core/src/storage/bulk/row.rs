//! Converts a record to its row: a JSON array with the columns in the order of the statement. In family
//! data, the first column is the id of the parent.

use serde::Serialize;

use crate::storage::{
    BoardRecord, CategoryRecord, ColumnRecord, EventRecord, FamilyRecord, KeyRecord, NoteRecord, PasswordHash, Record,
    ShoppingItemRecord, ShoppingListRecord, StorageError, TaskRecord, UserRecord,
};

/// Converts a record to a row of its kind.
pub(super) fn row(record: &Record) -> Result<String, StorageError> {
    match record {
        Record::Family(record) => family(record),
        Record::User(record) => user(record, record.password.hash()?.map(PasswordHash::expose)),
        Record::Key(record) => key(record),
        Record::NoteCategory(record) => category(record),
        Record::Board(record) => board(record),
        Record::Column(record) => column(record),
        Record::Task(record) => task(record),
        Record::Event(record) => event(record),
        Record::ShoppingList(record) => list(record),
        Record::ShoppingItem(record) => item(record),
        Record::Note(record) => note(record),
    }
}

fn json(values: &impl Serialize) -> Result<String, StorageError> {
    serde_json::to_string(values).map_err(StorageError::backend)
}

fn family(family: &FamilyRecord) -> Result<String, StorageError> {
    json(&(&family.id, &family.name, &family.created_at, &family.updated_at))
}

fn user(user: &UserRecord, password: Option<&str>) -> Result<String, StorageError> {
    json(&(
        &user.id,
        &user.family_id,
        &user.name,
        &user.email,
        &user.image,
        &user.color,
        &user.emoji,
        &user.display_currency,
        &user.time_zone,
        &user.personal_api_enabled,
        &user.llm_model,
        &user.llm_key_configured,
        &user.created_at,
        &user.updated_at,
        password,
    ))
}

fn key(key: &KeyRecord) -> Result<String, StorageError> {
    let digest = hex::encode(key.token_hash.as_bytes());
    json(&(
        digest,
        &key.id,
        &key.user_id,
        &key.name,
        &key.hint,
        &key.scopes,
        &key.created_at,
        &key.expires_at,
        &key.revoked_at,
    ))
}

fn category(category: &CategoryRecord) -> Result<String, StorageError> {
    json(&(&category.family_id, &category.id, &category.name, &category.emoji, &category.color, &category.parent_id))
}

fn note(note: &NoteRecord) -> Result<String, StorageError> {
    json(&(
        &note.family_id,
        &note.id,
        &note.title,
        &note.content,
        &note.emoji,
        &note.color,
        &note.pinned,
        &note.tags,
        &note.author_id,
        &note.category_id,
        &note.created_at,
        &note.updated_at,
    ))
}

fn board(board: &BoardRecord) -> Result<String, StorageError> {
    json(&(
        &board.family_id,
        &board.id,
        &board.name,
        &board.description,
        &board.emoji,
        &board.color,
        &board.order,
        &board.is_private,
        &board.owner_user_id,
        &board.created_at,
        &board.updated_at,
    ))
}

fn column(column: &ColumnRecord) -> Result<String, StorageError> {
    json(&(&column.board_id, &column.id, &column.name, &column.emoji, &column.color, &column.order, &column.created_at))
}

fn task(task: &TaskRecord) -> Result<String, StorageError> {
    json(&(
        &task.column_id,
        &task.id,
        &task.title,
        &task.description,
        &task.priority,
        &task.due_date,
        &task.completed_at,
        &task.order,
        &task.labels,
        &task.is_private,
        &task.assignee_id,
        &task.creator_id,
        &task.created_at,
        &task.updated_at,
    ))
}

fn event(event: &EventRecord) -> Result<String, StorageError> {
    json(&(
        &event.family_id,
        &event.id,
        &event.title,
        &event.description,
        &event.emoji,
        &event.color,
        &event.start_date,
        &event.end_date,
        &event.all_day,
        &event.location,
        &event.recurrence,
        &event.assignee_id,
        &event.created_at,
        &event.updated_at,
    ))
}

fn list(list: &ShoppingListRecord) -> Result<String, StorageError> {
    json(&(
        &list.family_id,
        &list.id,
        &list.name,
        &list.emoji,
        &list.sort_order,
        &list.is_private,
        &list.owner_user_id,
        &list.created_at,
        &list.updated_at,
    ))
}

fn item(item: &ShoppingItemRecord) -> Result<String, StorageError> {
    json(&(
        &item.list_id,
        &item.id,
        &item.name,
        &item.quantity,
        &item.category,
        &item.checked,
        &item.is_private,
        &item.added_by_id,
        &item.created_at,
    ))
}
