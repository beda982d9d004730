//! Updates and deletions of notes.

use std::sync::LazyLock;

use crate::change::NoteFacts;
use crate::id::{CategoryId, NoteId};
use crate::resource::{Note, NoteCategory};
use crate::storage::record::value::ColumnValue;
use crate::storage::record_changes::{DeleteNote, UpdateNote};
use crate::storage::sql::writes::SqlChange;
use crate::storage::sql::{Argument, SqlConnection, Values, assignments, columns, note, note_columns, updated_values};
use crate::storage::{Member, StorageError};

/// Returns the note `$2` and its new category `$3`.
pub(super) static FIND_FACTS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {note}, {new_category}
        FROM notes n
        LEFT JOIN users author ON author.id = n.author_id AND author.family_id = $1
        LEFT JOIN note_categories category ON category.family_id = $1 AND category.id = n.category_id
        LEFT JOIN note_categories new_category ON new_category.family_id = $1 AND new_category.id = $3
        WHERE n.family_id = $1 AND n.id = $2",
        note = note_columns(),
        new_category = columns::<NoteCategory>("new_category"),
    )
});

/// The columns that no update changes.
const FIXED: [&str; 3] = ["id", "author_id", "created_at"];

pub(super) static UPDATE: LazyLock<String> =
    LazyLock::new(|| format!("UPDATE notes SET {} WHERE family_id = $1 AND id = $2", assignments::<Note>(&FIXED, 3)));

pub(super) const DELETE: &str = "DELETE FROM notes WHERE family_id = $1 AND id = $2";

impl SqlChange for UpdateNote<'_> {
    async fn select_facts<S: SqlConnection>(
        &self,
        connection: &mut S,
        member: &Member,
    ) -> Result<Option<NoteFacts>, StorageError> {
        select_facts(connection, member, self.note, self.update.named_category()).await
    }

    async fn store<S: SqlConnection>(connection: &mut S, member: &Member, note: &Note) -> Result<bool, StorageError> {
        let mut arguments = vec![Argument::of(&member.family), Argument::of(&note.id)];
        arguments.extend(updated_values(note, &FIXED));
        connection.change_rows(&UPDATE, arguments).await
    }
}

impl SqlChange for DeleteNote<'_> {
    async fn select_facts<S: SqlConnection>(
        &self,
        connection: &mut S,
        member: &Member,
    ) -> Result<Option<NoteFacts>, StorageError> {
        select_facts(connection, member, self.note, None).await
    }

    async fn store<S: SqlConnection>(connection: &mut S, member: &Member, note: &NoteId) -> Result<bool, StorageError> {
        connection.change_rows(DELETE, vec![Argument::of(&member.family), Argument::of(note)]).await
    }
}

async fn select_facts<S: SqlConnection>(
    connection: &mut S,
    member: &Member,
    id: &NoteId,
    new_category: Option<&CategoryId>,
) -> Result<Option<NoteFacts>, StorageError> {
    let arguments = vec![Argument::of(&member.family), Argument::of(id), ColumnValue::argument(new_category)];
    let Some(row) = connection.find_row(&FIND_FACTS, arguments).await? else {
        return Ok(None);
    };
    let mut values = Values::of(&row);
    Ok(Some(NoteFacts { note: note(&mut values)?, category: values.joined()? }))
}
