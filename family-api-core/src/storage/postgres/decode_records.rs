//! For each record: a macro with its columns for a `SELECT`, and a function that decodes the columns in the same order.

use crate::resource::{Board, Column, Event, Note, NoteCategory, Person, Profile, ShoppingItem, ShoppingList, Task};
use crate::storage::StorageError;
use crate::storage::postgres::decode::Values;

/// The columns of [`person`], from the joined user.
macro_rules! person_columns {
    ($user:literal) => {
        concat!($user, ".id, ", $user, ".name, ", $user, ".image, ", $user, ".color, ", $user, ".emoji")
    };
}

/// Returns a person, or `None` if no user was joined.
pub(super) fn person(values: &mut Values<'_>) -> Result<Option<Person>, StorageError> {
    let Some(id) = values.parse_nullable()? else {
        values.skip(4);
        return Ok(None);
    };
    let (name, image) = (values.take()?, values.take()?);
    Ok(Some(Person { id, name, image, color: values.take()?, emoji: values.take()? }))
}

/// The columns of [`board`], from `boards b`.
macro_rules! board_columns {
    () => {
        r#"b.id, b.name, b.description, b.emoji, b.color, b."order", b.is_private, b.owner_user_id, b.created_at,
           b.updated_at"#
    };
}

/// The number of [`board_columns`].
pub(super) const BOARD_WIDTH: usize = 10;

/// Returns a board without its columns.
pub(super) fn board(values: &mut Values<'_>) -> Result<Board, StorageError> {
    Ok(Board {
        id: values.parse()?,
        name: values.take()?,
        description: values.take()?,
        emoji: values.take()?,
        color: values.take()?,
        order: values.take()?,
        is_private: values.take()?,
        owner_user_id: values.parse_nullable()?,
        created_at: values.timestamp()?,
        updated_at: values.timestamp()?,
        columns: Vec::new(),
    })
}

/// The columns of [`column`], from `columns c`.
macro_rules! column_columns {
    () => {
        r#"c.id, c.board_id, c.name, c.emoji, c.color, c."order", c.created_at"#
    };
}

/// The number of [`column_columns`].
pub(super) const COLUMN_WIDTH: usize = 7;

/// Returns a column without its tasks.
pub(super) fn column(values: &mut Values<'_>) -> Result<Column, StorageError> {
    Ok(Column {
        id: values.parse()?,
        board_id: values.parse()?,
        name: values.take()?,
        emoji: values.take()?,
        color: values.take()?,
        order: values.take()?,
        created_at: values.timestamp()?,
        tasks: Vec::new(),
    })
}

/// The columns of [`task`], from `tasks t` joined with `users assignee` and `users creator`.
macro_rules! task_columns {
    () => {
        concat!(
            r#"t.id, t.column_id, t.title, t.description, t.priority, t.due_date, t.completed_at, t."order", t.labels,
               t.is_private, t.assignee_id, "#,
            $crate::storage::postgres::decode_records::person_columns!("assignee"),
            ", t.creator_id, ",
            $crate::storage::postgres::decode_records::person_columns!("creator"),
            ", t.created_at, t.updated_at"
        )
    };
}

pub(super) fn task(values: &mut Values<'_>) -> Result<Task, StorageError> {
    let (id, column_id) = (values.parse()?, values.parse()?);
    let (title, description) = (values.take()?, values.take()?);
    let (priority, due_date, completed_at) =
        (values.parse()?, values.timestamp_nullable()?, values.timestamp_nullable()?);
    Ok(Task {
        id,
        column_id,
        title,
        description,
        priority,
        due_date,
        completed: completed_at.is_some(),
        completed_at,
        order: values.take()?,
        labels: values.take()?,
        is_private: values.take()?,
        assignee_id: values.parse_nullable()?,
        assignee: person(values)?,
        creator_id: values.parse_nullable()?,
        creator: person(values)?,
        created_at: values.timestamp()?,
        updated_at: values.timestamp()?,
    })
}

/// The columns of [`event`], from `events e` joined with `users assignee`.
macro_rules! event_columns {
    () => {
        concat!(
            "e.id, e.title, e.description, e.emoji, e.color, e.start_date, e.end_date, e.all_day, e.location,
             e.recurrence, e.assignee_id, ",
            $crate::storage::postgres::decode_records::person_columns!("assignee"),
            ", e.created_at, e.updated_at"
        )
    };
}

pub(super) fn event(values: &mut Values<'_>) -> Result<Event, StorageError> {
    Ok(Event {
        id: values.parse()?,
        title: values.take()?,
        description: values.take()?,
        emoji: values.take()?,
        color: values.take()?,
        start_date: values.timestamp()?,
        end_date: values.timestamp()?,
        all_day: values.take()?,
        location: values.take()?,
        recurrence: values.take()?,
        assignee_id: values.parse_nullable()?,
        assignee: person(values)?,
        created_at: values.timestamp()?,
        updated_at: values.timestamp()?,
    })
}

/// The columns of [`list`], from `shopping_lists l`.
macro_rules! list_columns {
    () => {
        "l.id, l.name, l.emoji, l.sort_order, l.is_private, l.owner_user_id, l.created_at, l.updated_at"
    };
}

/// The number of [`list_columns`].
pub(super) const LIST_WIDTH: usize = 8;

/// Returns a shopping list without its items.
pub(super) fn list(values: &mut Values<'_>) -> Result<ShoppingList, StorageError> {
    Ok(ShoppingList {
        id: values.parse()?,
        name: values.take()?,
        emoji: values.take()?,
        sort_order: values.take()?,
        is_private: values.take()?,
        owner_user_id: values.parse_nullable()?,
        created_at: values.timestamp()?,
        updated_at: values.timestamp()?,
        items: Vec::new(),
    })
}

/// The columns of [`item`], from `shopping_items i` joined with `users added_by`.
macro_rules! item_columns {
    () => {
        concat!(
            "i.id, i.list_id, i.name, i.quantity, i.category, i.checked, i.is_private, i.added_by_id, ",
            $crate::storage::postgres::decode_records::person_columns!("added_by"),
            ", i.created_at"
        )
    };
}

pub(super) fn item(values: &mut Values<'_>) -> Result<ShoppingItem, StorageError> {
    Ok(ShoppingItem {
        id: values.parse()?,
        list_id: values.parse()?,
        name: values.take()?,
        quantity: values.take()?,
        category: values.take()?,
        checked: values.take()?,
        is_private: values.take()?,
        added_by_id: values.parse_nullable()?,
        added_by: person(values)?,
        created_at: values.timestamp()?,
    })
}

/// The columns of [`category`], from the joined category.
macro_rules! category_columns {
    ($category:literal) => {
        concat!(
            $category,
            ".id, ",
            $category,
            ".name, ",
            $category,
            ".emoji, ",
            $category,
            ".color, ",
            $category,
            ".parent_id"
        )
    };
}

/// Returns a category, or `None` if no category was joined.
pub(super) fn category(values: &mut Values<'_>) -> Result<Option<NoteCategory>, StorageError> {
    let Some(id) = values.parse_nullable()? else {
        values.skip(4);
        return Ok(None);
    };
    let (name, emoji) = (values.take()?, values.take()?);
    Ok(Some(NoteCategory { id, name, emoji, color: values.take()?, parent_id: values.parse_nullable()? }))
}

/// The columns of [`note`], from `notes n` joined with `users author` and `note_categories category`.
macro_rules! note_columns {
    () => {
        concat!(
            "n.id, n.title, n.content, n.emoji, n.color, n.pinned, n.tags, n.author_id, ",
            $crate::storage::postgres::decode_records::person_columns!("author"),
            ", n.category_id, ",
            $crate::storage::postgres::decode_records::category_columns!("category"),
            ", n.created_at, n.updated_at"
        )
    };
}

pub(super) fn note(values: &mut Values<'_>) -> Result<Note, StorageError> {
    Ok(Note {
        id: values.parse()?,
        title: values.take()?,
        content: values.take()?,
        emoji: values.take()?,
        color: values.take()?,
        pinned: values.take()?,
        tags: values.take()?,
        author_id: values.parse_nullable()?,
        author: person(values)?,
        category_id: values.parse_nullable()?,
        category: category(values)?,
        created_at: values.timestamp()?,
        updated_at: values.timestamp()?,
    })
}

/// The columns of [`profile`], from `users`.
macro_rules! profile_columns {
    () => {
        "id, name, email, image, color, emoji, family_id, display_currency, time_zone, personal_api_enabled, llm_model,
         llm_key_configured"
    };
}

pub(super) fn profile(values: &mut Values<'_>) -> Result<Profile, StorageError> {
    Ok(Profile {
        id: values.parse()?,
        name: values.take()?,
        email: values.take()?,
        image: values.take()?,
        color: values.take()?,
        emoji: values.take()?,
        family_id: values.parse_nullable()?,
        display_currency: values.take()?,
        time_zone: values.parse()?,
        personal_api_enabled: values.take()?,
        llm_model: values.take()?,
        llm_key_configured: values.take()?,
    })
}

pub(super) use {
    board_columns, category_columns, column_columns, event_columns, item_columns, list_columns, note_columns,
    person_columns, profile_columns, task_columns,
};
