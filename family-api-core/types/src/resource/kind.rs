//! The kinds of records that members write, and the operations on them.

use serde::{Deserialize, Serialize};

use crate::key::Scope;
use crate::paths::RecordPaths;
use crate::resource::ResourceKind;

/// A kind of record that members of a family create, update and delete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordKind {
    /// A task.
    Task,
    /// A note.
    Note,
    /// A calendar event.
    Event,
    /// An item of a shopping list.
    ShoppingItem,
    /// A board of tasks.
    Board,
    /// A column of a board.
    Column,
    /// A shopping list.
    ShoppingList,
    /// A category of notes.
    NoteCategory,
}

impl RecordKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Task,
        Self::Note,
        Self::Event,
        Self::ShoppingItem,
        Self::Board,
        Self::Column,
        Self::ShoppingList,
        Self::NoteCategory,
    ];

    /// Returns the name of the kind on the wire, in a log and in a database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Note => "note",
            Self::Event => "event",
            Self::ShoppingItem => "shopping_item",
            Self::Board => "board",
            Self::Column => "column",
            Self::ShoppingList => "shopping_list",
            Self::NoteCategory => "note_category",
        }
    }

    /// Returns the paths of the records.
    #[must_use]
    pub const fn paths(self) -> RecordPaths {
        let (collection, record) = match self {
            Self::Task => ("/tasks", "/tasks/{id}"),
            Self::Note => ("/notes", "/notes/{id}"),
            Self::Event => ("/events", "/events/{id}"),
            Self::ShoppingItem => ("/shopping-lists/{id}/items", "/shopping-items/{id}"),
            Self::Board => ("/boards", "/boards/{id}"),
            Self::Column => ("/boards/{id}/columns", "/columns/{id}"),
            Self::ShoppingList => ("/shopping-lists", "/shopping-lists/{id}"),
            Self::NoteCategory => ("/note-categories", "/note-categories/{id}"),
        };
        RecordPaths { collection, record }
    }

    /// Returns the resource that shows records of this kind.
    #[must_use]
    pub const fn resource(self) -> ResourceKind {
        match self {
            Self::Task | Self::Board | Self::Column => ResourceKind::Tasks,
            Self::Note | Self::NoteCategory => ResourceKind::Notes,
            Self::Event => ResourceKind::Events,
            Self::ShoppingItem | Self::ShoppingList => ResourceKind::Shopping,
        }
    }

    /// Returns the maximum number of records of this kind in a family: 20,000 tasks, notes, events or shopping items, and
    /// 500 boards, columns, lists or categories. A record counts once more for each full KiB of its
    /// [text](Self::text_columns) as JSON. So this text has less than 20.5 MB in a response, or 0.6 MB in boards,
    /// columns, lists or categories. Persons, the categories of notes and fields of a fixed size come in addition.
    /// Deleted records do not count. An import can exceed the maximum, but then no record can be created, restored or
    /// made longer until enough records are deleted.
    #[must_use]
    pub const fn max_records(self) -> u32 {
        if self.is_container() { 500 } else { 20_000 }
    }

    /// Returns the columns of the text that makes a record count more than once towards
    /// [`max_records`](Self::max_records).
    #[must_use]
    pub const fn text_columns(self) -> &'static [&'static str] {
        match self {
            Self::Task => &["title", "description", "recurrence", "labels"],
            Self::Note => &["title", "content", "emoji", "tags"],
            Self::Event => &["title", "description", "emoji", "location", "recurrence", "overrides"],
            Self::ShoppingItem => &["name", "quantity", "category"],
            Self::Board => &["name", "description", "emoji"],
            Self::Column | Self::ShoppingList | Self::NoteCategory => &["name", "emoji"],
        }
    }

    /// Returns whether records of this kind contain other records. Such a record can be deleted only when it is empty.
    #[must_use]
    pub const fn is_container(self) -> bool {
        matches!(self, Self::Board | Self::Column | Self::ShoppingList | Self::NoteCategory)
    }

    /// Returns whether a deleted record of this kind can be restored: it contains no other records.
    #[must_use]
    pub const fn is_restorable(self) -> bool {
        !self.is_container()
    }

    /// Returns whether there is an operation on records of this kind.
    #[must_use]
    pub const fn has(self, verb: Verb) -> bool {
        match verb {
            Verb::Create | Verb::Update | Verb::Delete => true,
            Verb::Restore => self.is_restorable(),
        }
    }
}

/// Passes the kinds of records to a macro, each with the method of a storage that writes it.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_kind {
    ($macro:ident $($context:tt)*) => {
        $macro! {
            $($context)*
            write_task: Task,
            write_note: Note,
            write_event: Event,
            write_shopping_item: ShoppingItem,
            write_board: Board,
            write_column: Column,
            write_shopping_list: ShoppingList,
            write_note_category: NoteCategory,
        }
    };
}

/// Returns the scope that a token needs for an operation on a kind of record (HTTP reference, "Modes and scopes"). A
/// session needs none.
#[must_use]
pub const fn write_scope(kind: RecordKind, verb: Verb) -> Scope {
    match (kind, verb) {
        (RecordKind::Task, Verb::Update) => Scope::V1TasksWrite,
        (RecordKind::Task, _) => Scope::V1TasksManage,
        (RecordKind::Note, Verb::Update | Verb::Delete) => Scope::V1NotesWrite,
        (RecordKind::Note | RecordKind::NoteCategory, _) => Scope::V1NotesManage,
        (RecordKind::Event, _) => Scope::V1EventsWrite,
        (RecordKind::ShoppingItem, _) => Scope::V1ShoppingWrite,
        // Deleted records of a deleted list or column can no longer be restored, so writers of records do not get it.
        (RecordKind::ShoppingList | RecordKind::Board | RecordKind::Column, _) => Scope::V1BoardsManage,
    }
}

/// An operation on a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// Adds a record.
    Create,
    /// Changes fields of a record.
    Update,
    /// Deletes a record.
    Delete,
    /// Restores a deleted record.
    Restore,
}

impl Verb {
    /// Every operation.
    pub const ALL: [Self; 4] = [Self::Create, Self::Update, Self::Delete, Self::Restore];

    /// Returns the name of the operation.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Restore => "restore",
        }
    }

    /// Returns whether the operation adds a record to those that are stored.
    #[must_use]
    pub const fn adds_record(self) -> bool {
        matches!(self, Self::Create | Self::Restore)
    }

    /// Returns whether a repetition of the operation changes nothing more.
    #[must_use]
    pub const fn is_repeatable(self) -> bool {
        !matches!(self, Self::Create)
    }
}
