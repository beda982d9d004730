//! Which ids JSON contains.

use family_api_core::for_each_kind;
use family_api_core::id::{EventId, FamilyId, Id, ItemId, ListId, NoteId, TaskId, UserId};
use family_api_core::resource::{
    Board, Column, Event, Note, NoteCategory, Person, Profile, RecordKind, ShoppingItem, ShoppingList, Task, TaskStats,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What an id identifies. A host can use the same id for records of two kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Family,
    User,
    Record(RecordKind),
}

impl Kind {
    /// Returns what the `id` of a line of the import format identifies. The ids of keys and feeds are not translated: a
    /// storage keeps the id that the API gives them.
    pub(super) fn of_line(line: &str) -> Option<Self> {
        Some(match line {
            "family" => Self::Family,
            "user" => Self::User,
            "noteCategory" => Self::Record(RecordKind::NoteCategory),
            "board" => Self::Record(RecordKind::Board),
            "column" => Self::Record(RecordKind::Column),
            "task" => Self::Record(RecordKind::Task),
            "event" => Self::Record(RecordKind::Event),
            "shoppingList" => Self::Record(RecordKind::ShoppingList),
            "shoppingItem" => Self::Record(RecordKind::ShoppingItem),
            "note" => Self::Record(RecordKind::Note),
            "key" | "calendarFeed" => return None,
            other => panic!("the suite does not know the ids of the lines of type {other}"),
        })
    }

    /// Returns what a field identifies, or `None` if it is no id. `own` is what the `id` of the object identifies.
    pub(super) fn of_field(name: &str, own: Option<Self>) -> Option<Self> {
        Some(match name {
            "id" => return own,
            "familyId" => Self::Family,
            "userId" | "assigneeId" | "creatorId" | "authorId" | "addedById" | "ownerUserId" | "participantIds" => {
                Self::User
            }
            "boardId" => Self::Record(RecordKind::Board),
            "columnId" => Self::Record(RecordKind::Column),
            "listId" => Self::Record(RecordKind::ShoppingList),
            "categoryId" | "parentId" => Self::Record(RecordKind::NoteCategory),
            "recurrenceId" => return None,
            other if other.ends_with("Id") => panic!("the suite does not know what {other} identifies"),
            _ => return None,
        })
    }

    /// Returns what the `id` of the object, or of the objects, in a field identifies.
    pub(super) fn of_objects_in(name: &str) -> Option<Self> {
        Some(match name {
            "columns" => Self::Record(RecordKind::Column),
            "tasks" => Self::Record(RecordKind::Task),
            "items" => Self::Record(RecordKind::ShoppingItem),
            "category" => Self::Record(RecordKind::NoteCategory),
            "assignee" | "creator" | "author" | "addedBy" => Self::User,
            _ => return None,
        })
    }
}

/// The type of an id.
pub(super) trait IdOf: Id {
    const KIND: Kind;
}

/// A type whose JSON contains ids.
pub(super) trait ContainsIds: Serialize + DeserializeOwned {
    /// What the `id` of the object, or of the objects of a list, identifies.
    const OWN: Option<Kind>;
}

impl<T: ContainsIds> ContainsIds for Vec<T> {
    const OWN: Option<Kind> = T::OWN;
}

macro_rules! kinds {
    ($($Type:ty = $kind:expr;)*) => {
        $(impl ContainsIds for $Type {
            const OWN: Option<Kind> = $kind;
        })*
    };
    (ids $($Type:ty = $kind:expr;)*) => {
        $(impl IdOf for $Type {
            const KIND: Kind = $kind;
        })*
    };
}

kinds! {
    Profile = Some(Kind::User);
    Person = Some(Kind::User);
    TaskStats = None;
}

kinds! {
    ids
    FamilyId = Kind::Family;
    UserId = Kind::User;
    TaskId = Kind::Record(RecordKind::Task);
    EventId = Kind::Record(RecordKind::Event);
    NoteId = Kind::Record(RecordKind::Note);
    ListId = Kind::Record(RecordKind::ShoppingList);
    ItemId = Kind::Record(RecordKind::ShoppingItem);
}

macro_rules! records {
    ($($method:ident: $Record:ident,)*) => {
        kinds! { $($Record = Some(Kind::Record(RecordKind::$Record));)* }
    };
}

for_each_kind!(records);
