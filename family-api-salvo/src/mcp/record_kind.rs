//! What messages say about a kind of record.

use family_api_core::resource::RecordKind;

/// Returns the name of the kind in a sentence.
pub(super) const fn noun(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Task => "task",
        RecordKind::Note => "note",
        RecordKind::Event => "event",
        RecordKind::ShoppingItem => "shopping item",
        RecordKind::ShoppingList => "shopping list",
        _ => "record",
    }
}

/// Returns the tool whose answer contains the ids of such records.
pub(super) const fn list_tool(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Task => "list_tasks",
        RecordKind::Note => "search_notes",
        RecordKind::Event => "list_events",
        RecordKind::ShoppingItem | RecordKind::ShoppingList => "list_shopping",
        _ => "get_overview",
    }
}

/// Returns the tool whose answer contains the entity tag of such a record.
pub(super) const fn get_tool(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Task => "get_task",
        RecordKind::Note => "get_note",
        _ => list_tool(kind),
    }
}
