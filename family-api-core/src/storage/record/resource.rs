//! Converts records to resources, for storages and for test data.
//!
//! A converted resource contains no other records: people and categories are `None` beside their ids, and the lists of
//! columns, tasks and items are empty.

use super::{
    BoardRecord, CategoryRecord, ColumnRecord, EventRecord, KeyRecord, NoteRecord, ShoppingItemRecord,
    ShoppingListRecord, TaskRecord, UserRecord,
};
use crate::key::{IntegrationKey, KeyMode};
use crate::resource::{Board, Column, Event, Note, NoteCategory, Profile, ShoppingItem, ShoppingList, Task};

/// Takes all fields except the password and the instants.
impl From<UserRecord> for Profile {
    fn from(record: UserRecord) -> Self {
        Self {
            id: record.id,
            name: record.name,
            email: record.email,
            image: record.image,
            color: record.color,
            emoji: record.emoji,
            family_id: record.family_id,
            display_currency: record.display_currency,
            time_zone: record.time_zone,
            personal_api_enabled: record.personal_api_enabled,
            llm_model: record.llm_model,
            llm_key_configured: record.llm_key_configured,
        }
    }
}

/// Takes the mode from the scopes. The key was never used.
impl From<KeyRecord> for IntegrationKey {
    fn from(record: KeyRecord) -> Self {
        Self {
            id: record.id,
            mode: KeyMode::of(&record.scopes),
            scopes: record.scopes,
            name: record.name,
            hint: record.hint,
            created_at: record.created_at,
            expires_at: record.expires_at,
            last_used_at: None,
        }
    }
}

impl From<CategoryRecord> for NoteCategory {
    fn from(record: CategoryRecord) -> Self {
        Self { id: record.id, name: record.name, emoji: record.emoji, color: record.color, parent_id: record.parent_id }
    }
}

/// Creates the board without columns.
impl From<BoardRecord> for Board {
    fn from(record: BoardRecord) -> Self {
        Self {
            id: record.id,
            name: record.name,
            description: record.description,
            emoji: record.emoji,
            color: record.color,
            order: record.order,
            is_private: record.is_private,
            owner_user_id: record.owner_user_id,
            created_at: record.created_at,
            updated_at: record.updated_at,
            columns: Vec::new(),
        }
    }
}

/// Creates the column without tasks.
impl From<ColumnRecord> for Column {
    fn from(record: ColumnRecord) -> Self {
        Self {
            id: record.id,
            board_id: record.board_id,
            name: record.name,
            emoji: record.emoji,
            color: record.color,
            order: record.order,
            created_at: record.created_at,
            tasks: Vec::new(),
        }
    }
}

/// Creates the task without its people. It is completed if `completed_at` is set.
impl From<TaskRecord> for Task {
    fn from(record: TaskRecord) -> Self {
        Self {
            id: record.id,
            column_id: record.column_id,
            title: record.title,
            description: record.description,
            priority: record.priority,
            due_date: record.due_date,
            completed: record.completed_at.is_some(),
            completed_at: record.completed_at,
            order: record.order,
            labels: record.labels,
            is_private: record.is_private,
            assignee_id: record.assignee_id,
            assignee: None,
            creator_id: record.creator_id,
            creator: None,
            created_at: record.created_at,
            updated_at: record.updated_at,
        }
    }
}

/// Creates the event without its assignee.
impl From<EventRecord> for Event {
    fn from(record: EventRecord) -> Self {
        Self {
            id: record.id,
            title: record.title,
            description: record.description,
            emoji: record.emoji,
            color: record.color,
            start_date: record.start_date,
            end_date: record.end_date,
            all_day: record.all_day,
            location: record.location,
            recurrence: record.recurrence,
            assignee_id: record.assignee_id,
            assignee: None,
            created_at: record.created_at,
            updated_at: record.updated_at,
        }
    }
}

/// Creates the list without items.
impl From<ShoppingListRecord> for ShoppingList {
    fn from(record: ShoppingListRecord) -> Self {
        Self {
            id: record.id,
            name: record.name,
            emoji: record.emoji,
            sort_order: record.sort_order,
            is_private: record.is_private,
            owner_user_id: record.owner_user_id,
            created_at: record.created_at,
            updated_at: record.updated_at,
            items: Vec::new(),
        }
    }
}

/// Creates the item without the person who added it.
impl From<ShoppingItemRecord> for ShoppingItem {
    fn from(record: ShoppingItemRecord) -> Self {
        Self {
            id: record.id,
            list_id: record.list_id,
            name: record.name,
            quantity: record.quantity,
            category: record.category,
            checked: record.checked,
            is_private: record.is_private,
            added_by_id: record.added_by_id,
            added_by: None,
            created_at: record.created_at,
        }
    }
}

/// Creates the note without its author and its category.
impl From<NoteRecord> for Note {
    fn from(record: NoteRecord) -> Self {
        Self {
            id: record.id,
            title: record.title,
            content: record.content,
            emoji: record.emoji,
            color: record.color,
            pinned: record.pinned,
            tags: record.tags,
            author_id: record.author_id,
            author: None,
            category_id: record.category_id,
            category: None,
            created_at: record.created_at,
            updated_at: record.updated_at,
        }
    }
}
