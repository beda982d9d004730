//! The statements of notes.

use std::sync::LazyLock;

use crate::sqlite::json_sql::note;

/// The sort does not carry the text of the notes.
pub(super) static LIST: LazyLock<[String; 1]> = LazyLock::new(|| {
    notes(
        "WITH ordered AS MATERIALIZED (
            SELECT rowid AS note FROM notes WHERE family_id = ?1 ORDER BY pinned DESC, updated_at DESC, id
        )",
        "ordered CROSS JOIN notes n ON n.rowid = ordered.note",
        "",
    )
});

/// `?3` is the note.
pub(super) static FIND: LazyLock<[String; 1]> =
    LazyLock::new(|| notes("", "notes n", "WHERE n.family_id = ?1 AND n.id = ?3"));

fn notes(with: &str, notes: &str, condition: &str) -> [String; 1] {
    let notes = format!(
        "{with}
        SELECT {note}
        FROM {notes}
        LEFT JOIN note_categories category ON category.family_id = ?1 AND category.id = n.category_id
        {condition}",
        note = note().columns(),
    );
    [notes]
}
