//! The permissions that writes of records need (HTTP reference, "Modes and scopes").

use crate::key::Scope;
use crate::resource::{RecordKind, Verb};

/// Returns the scope that a token needs for an operation on a kind of record. `None` means that only a session can
/// perform the operation.
#[must_use]
pub const fn write_scope(kind: RecordKind, verb: Verb) -> Option<Scope> {
    match (kind, verb) {
        (RecordKind::Task, Verb::Update) => Some(Scope::V1TasksWrite),
        (RecordKind::Task, _) => Some(Scope::V1TasksManage),
        (RecordKind::Note, Verb::Update | Verb::Delete) => Some(Scope::V1NotesWrite),
        (RecordKind::Note, _) => Some(Scope::V1NotesManage),
        (RecordKind::Event, _) => Some(Scope::V1EventsWrite),
        (RecordKind::ShoppingItem, _) | (RecordKind::ShoppingList, Verb::Create) => Some(Scope::V1ShoppingWrite),
        (RecordKind::Board | RecordKind::Column | RecordKind::ShoppingList | RecordKind::NoteCategory, _) => None,
    }
}
