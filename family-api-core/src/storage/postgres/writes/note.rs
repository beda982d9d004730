//! Updates and deletions of notes.

use sqlx::PgConnection;

use crate::change::NoteFacts;
use crate::id::{CategoryId, NoteId};
use crate::resource::Note;
use crate::storage::postgres::decode::Values;
use crate::storage::postgres::decode_records::{self, category_columns, note_columns};
use crate::storage::postgres::error::fault;
use crate::storage::postgres::timestamp::PgTimestamp;
use crate::storage::record_changes::{DeleteNote, UpdateNote};
use crate::storage::write_sequence::WriteStatements;
use crate::storage::{Member, StorageError};

/// Returns the note `$2` and its new category `$3`.
const FIND_FACTS: &str = concat!(
    "SELECT ",
    note_columns!(),
    ", ",
    category_columns!("new_category"),
    "
    FROM notes n
    LEFT JOIN users author ON author.id = n.author_id AND author.family_id = $1
    LEFT JOIN note_categories category ON category.family_id = $1 AND category.id = n.category_id
    LEFT JOIN note_categories new_category ON new_category.family_id = $1 AND new_category.id = $3
    WHERE n.family_id = $1 AND n.id = $2"
);

const UPDATE: &str = "
    UPDATE notes
    SET title = $3, content = $4, emoji = $5, color = $6, pinned = $7, tags = $8, category_id = $9, updated_at = $10
    WHERE family_id = $1 AND id = $2";

const DELETE: &str = "DELETE FROM notes WHERE family_id = $1 AND id = $2";

impl WriteStatements<UpdateNote<'_>> for PgConnection {
    async fn find_facts(
        &mut self,
        member: &Member,
        update: &UpdateNote<'_>,
    ) -> Result<Option<NoteFacts>, StorageError> {
        find_facts(self, member, update.note, update.update.named_category()).await
    }

    async fn store(&mut self, member: &Member, note: &Note) -> Result<bool, StorageError> {
        let query = sqlx::query(UPDATE)
            .bind(member.family.as_str())
            .bind(note.id.as_str())
            .bind(note.title.as_str())
            .bind(note.content.as_str())
            .bind(note.emoji.as_deref())
            .bind(note.color.as_deref())
            .bind(note.pinned)
            .bind(&note.tags)
            .bind(note.category_id.as_ref().map(CategoryId::as_str))
            .bind(PgTimestamp(note.updated_at));
        Ok(query.execute(&mut *self).await.map_err(fault)?.rows_affected() > 0)
    }
}

impl WriteStatements<DeleteNote<'_>> for PgConnection {
    async fn find_facts(
        &mut self,
        member: &Member,
        deletion: &DeleteNote<'_>,
    ) -> Result<Option<NoteFacts>, StorageError> {
        find_facts(self, member, deletion.note, None).await
    }

    async fn store(&mut self, member: &Member, note: &NoteId) -> Result<bool, StorageError> {
        let query = sqlx::query(DELETE).bind(member.family.as_str()).bind(note.as_str());
        Ok(query.execute(&mut *self).await.map_err(fault)?.rows_affected() > 0)
    }
}

async fn find_facts(
    connection: &mut PgConnection,
    member: &Member,
    note: &NoteId,
    new_category: Option<&CategoryId>,
) -> Result<Option<NoteFacts>, StorageError> {
    let query = sqlx::query(FIND_FACTS)
        .bind(member.family.as_str())
        .bind(note.as_str())
        .bind(new_category.map(CategoryId::as_str));
    let row = query.fetch_optional(connection).await.map_err(fault)?;
    row.map(|row| {
        let mut values = Values::of(&row);
        Ok(NoteFacts { note: decode_records::note(&mut values)?, category: decode_records::category(&mut values)? })
    })
    .transpose()
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::{DELETE, FIND_FACTS, UPDATE};
    use crate::storage::postgres::query_plans::assert_index_lookups;

    postgres_tests! {
        async fn note_statements_look_up_by_family() {
            assert_index_lookups(&[DELETE, FIND_FACTS, UPDATE]).await;
        }
    }
}
