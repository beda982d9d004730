//! The id of a record, and the ids of the records that it refers to.

use crate::storage::Record;

/// The kind of a record, by its name in the import format, and its id.
type Reference<'r> = (&'static str, &'r str);

pub(super) fn id(record: &Record) -> &str {
    match record {
        Record::Family(record) => record.id.as_str(),
        Record::User(record) => record.id.as_str(),
        Record::Key(record) => record.id.as_str(),
        Record::NoteCategory(record) => record.id.as_str(),
        Record::Board(record) => record.id.as_str(),
        Record::Column(record) => record.id.as_str(),
        Record::Task(record) => record.id.as_str(),
        Record::Event(record) => record.id.as_str(),
        Record::ShoppingList(record) => record.id.as_str(),
        Record::ShoppingItem(record) => record.id.as_str(),
        Record::Note(record) => record.id.as_str(),
    }
}

/// Returns the records that must exist before the record.
pub(super) fn references(record: &Record) -> [Option<Reference<'_>>; 2] {
    match record {
        Record::Family(_) => [None, None],
        Record::User(record) => [record.family_id.as_ref().map(|id| ("family", id.as_str())), None],
        Record::Key(record) => [Some(("user", record.user_id.as_str())), None],
        Record::NoteCategory(record) => [
            Some(("family", record.family_id.as_str())),
            record.parent_id.as_ref().map(|id| ("noteCategory", id.as_str())),
        ],
        Record::Board(record) => {
            [Some(("family", record.family_id.as_str())), record.owner_user_id.as_ref().map(|id| ("user", id.as_str()))]
        }
        Record::Column(record) => [Some(("board", record.board_id.as_str())), None],
        Record::Task(record) => [Some(("column", record.column_id.as_str())), None],
        Record::Event(record) => [Some(("family", record.family_id.as_str())), None],
        Record::ShoppingList(record) => {
            [Some(("family", record.family_id.as_str())), record.owner_user_id.as_ref().map(|id| ("user", id.as_str()))]
        }
        Record::ShoppingItem(record) => [Some(("shoppingList", record.list_id.as_str())), None],
        Record::Note(record) => [
            Some(("family", record.family_id.as_str())),
            record.category_id.as_ref().map(|id| ("noteCategory", id.as_str())),
        ],
    }
}
